"""The three prompts of one record, and the answer contract that all of them end with.

Conditions differ in what is said about the task, never in what is so. The contract is the same
bytes in each, and names no fact, question, domain or verb.
"""

from __future__ import annotations

from collections.abc import Sequence

from worlds.core.instance import Document
from worlds.core.lexicon import Measure
from worlds.core.model import World
from worlds.core.packs.model import Pack
from worlds.core.prose.formal import write_formal
from worlds.core.prose.notices import DATE_SAID, dates_said
from worlds.core.seeds import Stream

__all__ = ["CONTRACT", "OPENING", "QUESTION", "RECORD", "printed", "write_prompt"]

OPENING = (
    "You have been given the complete record of an unusual sequence of events. Determine what the "
    "record ultimately requires you to figure out. Then figure it out."
)
"""The one sentence of the implicit condition."""

RECORD = "You have been given the complete record of an unusual sequence of events."
"""How the explicit condition begins; its question follows the record."""

QUESTION = "What is asked."
"""The heading of the explicit question."""

CONTRACT = (
    'Reply with one JSON object and nothing after it: {"answer": [["<reference mark>", "<word>", '
    "<value>], …]}. A reference mark is printed as a letter, a hyphen and a number. Give one entry "
    "for everything that the record settles about a mark, and one for whatever it requires in the "
    'end. The word is "is" for what is so; otherwise take it from the record as printed. A value '
    "is a surname or a bare number."
)
"""The answer contract, byte-identical in all conditions."""


def write_prompt(
    world: World,
    pack: Pack,
    documents: Sequence[Document],
    condition: str,
    stream: Stream,
    *,
    deferred: bool = False,
    story: bool = False,
) -> str:
    """What a model receives; a deferred contract is left out, to follow in a second turn."""
    said = [printed(document, story=story) for document in documents]
    match condition:
        case "implicit":
            parts = [OPENING, *said]
        case "explicit":
            question = f"{QUESTION} {_question(world, pack, documents, stream, story)}"
            parts = [RECORD, *said, question]
        case "formal":
            parts = [write_formal(world, stream)]
        case _:
            raise ValueError(f"a condition is implicit, explicit or formal, not {condition!r}")
    return "\n\n".join(parts if deferred else [*parts, CONTRACT])


def printed(document: Document, *, story: bool = False) -> str:
    """A paper as it stands in a prompt: number and heading on the first line, then its text.

    A story has its text alone.
    """
    return document.text if story else f"{document.number}. {document.heading}\n{document.text}"


def _question(
    world: World, pack: Pack, documents: Sequence[Document], stream: Stream, story: bool
) -> str:
    """Every fact and the decision, in words: exactly what the implicit record requires."""
    facts = [_asked(v.role, v.mark, pack) for v in stream.shuffled(world.variables)]
    item = world.mark_of(world.policy.rule.then.item)
    noun = pack.lexicon.kind_of(_role(world, item), item)
    thing = item if isinstance(noun, Measure) else f"{noun.noun} {item}"
    return (
        f"Establish from {'this account' if story else 'these papers'} {'; '.join(facts)}. "
        f"Then say what has to be done with {thing} and in whose name, "
        f"under the order of {_policy_date(world, documents, story)} alone, "
        "which replaces the earlier ones."
    )


def _policy_date(world: World, documents: Sequence[Document], story: bool) -> str:
    """The date of the order in force: in its paper's heading, or last before it in a story."""
    policy = next(unit.id for unit in world.units if unit.role == "policy")
    document, span = next((d, s) for d in documents for s in d.spans if s.unit == policy)
    if story:
        return list(DATE_SAID.finditer(document.text, 0, span.start))[-1][0]
    day, _, month = document.heading.rpartition(", ")[2].partition(" ")
    return dates_said([int(day)], month)


def _asked(role: str, mark: str, pack: Pack) -> str:
    kind = pack.lexicon.kind_of(role, mark)
    if isinstance(kind, Measure):
        return f"{kind.asked} {kind.preposition} {kind.occasion} {mark}"
    return f"who {kind.past} {kind.noun} {mark}"


def _role(world: World, mark: str) -> str:
    return next(variable.role for variable in world.variables if variable.mark == mark)
