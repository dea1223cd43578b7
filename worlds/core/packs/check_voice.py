"""Who speaks: clues in the writer's own voice, reports in other people's, never in between.

The frame tells a reader that own statements count and reports do not. So no clause, literal or
carrier may sound like hearsay, and every hedge must.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from worlds.core.packs.findings import Finding
from worlds.core.packs.model import Pack

__all__ = ["TAKES_BACK", "carrier_findings", "sounds_like_hearsay", "voice_findings"]

_SLOT = re.compile(r"\{[^{}]*\}")
_REPORTS = re.compile(
    r"\b(?:says?|said|saying|tells?|told|telling|talks?|tale|stor(?:y|ies)|heard|hears?|hearsay|"
    r"report(?:s|ed)?|rumou?rs?|gossip|according|versions?|accounts?|word|swears?|swore|claims?|"
    r"claimed|maintains?|holds|insists?|will have it|has it|have it|had it|would have it|"
    r"opinion|repeats?|repeated|assures?|informs?|whispers?|hints?|believes?)\b",
    re.IGNORECASE,
)
_DOUBTS = re.compile(
    r"\b(?:seems?|seemed|appears?|appeared|perhaps|maybe|probably|possibly|supposedly|allegedly|"
    r"presumably|I (?:think(?! of)|believe|suppose|fancy|gather)|they (?:say|tell)|said|told|"
    r"heard|hears|says|rumou?rs?|gossip|according|hearsay|report(?:s|ed)?)\b",
    re.IGNORECASE,
)
# A carrier may hold a clause, not turn it.
_TURNS = re.compile(
    r"\b(?:if|unless|whether|doubt\w*|den(?:y|ies|ied)|false|untrue|wrong|lie|lies|"
    r"not (?:so|true|the case) that)\b",
    re.IGNORECASE,
)

# A story may hold no word that could take back what stands next to it.
TAKES_BACK = re.compile(
    r"\b(?:false(?:ly|hood)?|untrue|untruth|true|lies?|lied|liar|lying|wrong(?:ly)?|mistake[ns]?|"
    r"mistook|error|doubt\w*|den(?:y|ies|ied)|rumou?rs?|gossip|hearsay|suppos\w*|alleg\w*|"
    r"pretend\w*|invent\w*|imagin\w*|dream\w*|contrary|opposite|nonsense|joke|ignore|disregard|"
    r"fiction\w*|fables?|believ\w*|disbeliev\w*|reverse|except|unless|made up|not so|forget|"
    r"cross(?:ed|es)? out|str(?:ike|ikes|uck) out|"
    r"cancel\w*|retract\w*|correct\w*|above|below|following|preceding|former|latter|statements?)\b",
    re.IGNORECASE,
)


def voice_findings(pack: Pack) -> Iterator[Finding]:
    """Clues and carriers that sound like hearsay, and hedges that do not."""
    for wording in (*pack.literals, *pack.clauses):
        yield from _doubt(f"clauses.toml {wording.form}", f"{wording.row} {wording.text}".strip())
    for channel, lists in pack.fillers.items():
        for carrier in lists.get("carrier", ()):
            where = f"documents.toml channel.{channel}.carrier"
            yield from carrier_findings(where, carrier)
    for hedge in pack.hedges:
        if not _REPORTS.search(_SLOT.sub("", hedge.text)):
            where = f"clauses.toml hedge {hedge.text!r}"
            yield Finding("voice", where, "does not say that others say it")


def carrier_findings(where: str, carrier: str) -> Iterator[Finding]:
    """A carrier that sounds like hearsay, or turns what it carries."""
    yield from _doubt(where, carrier)
    found = _TURNS.search(_SLOT.sub("", carrier))
    if found:
        yield Finding("voice", f"{where} {carrier!r}", f"turns its clause: {found[0]!r}")


def sounds_like_hearsay(text: str) -> bool:
    """Whether a text doubts what it says, or hands on what others say."""
    return _DOUBTS.search(text) is not None


def _doubt(where: str, text: str) -> Iterator[Finding]:
    found = _DOUBTS.search(_SLOT.sub("", text))
    if found:
        yield Finding("voice", f"{where} {text!r}", f"sounds like hearsay: {found[0]!r}")
