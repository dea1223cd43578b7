"""The words that a pack uses: those of its roles, and all that its texts print in small letters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from worlds.core.packs.model import Pack

__all__ = ["colour_texts", "lower_words", "operative_words"]

_SLOT = re.compile(r"\{[^{}]*\}")
_SMALL = re.compile(r"(?<![^\W\d_])[a-zß-ÿ]+(?![^\W\d_])")


def operative_words(pack: Pack) -> frozenset[str]:
    """Nouns and verbs of the roles: what they are called, and what was done to them."""
    words: set[str] = set()
    for role in pack.lexicon.roles:
        words.update((role.noun, role.plural, role.past, role.done))
    return frozenset(words)


def colour_texts(pack: Pack) -> Iterator[tuple[str, str]]:
    """Where and what: every text that stands around units and must say nothing."""
    for i, shape in enumerate(pack.shapes):
        yield f"documents.toml document[{i}] {shape.channel}", f"{shape.heading}. {shape.text}"
    for channel, lists in pack.fillers.items():
        for key, items in lists.items():
            for item in items:
                yield f"documents.toml channel.{channel}.{key}", item
    for i, frame in enumerate(pack.orders.frames):
        for heading, text in frame.parts:
            yield f"orders.toml frame[{i}]", f"{heading}. {text}"
    for key in ("writers", "openings", "closings"):
        for item in getattr(pack.orders, key):
            yield f"orders.toml orders.{key.removesuffix('s')}", item


def lower_words(pack: Pack) -> frozenset[str]:
    """Every word that some text of the pack prints in small letters."""
    texts = [text for _, text in colour_texts(pack)]
    texts += [wording.text for wording in (*pack.literals, *pack.clauses, *pack.hedges)]
    texts += sorted(operative_words(pack))
    texts += [roster.title for roster in pack.lexicon.rosters]
    texts += [f"{m.subject} {m.occasion} {m.step} {m.whole}" for m in pack.lexicon.measures]
    orders = pack.orders
    for wordings in (
        orders.closures,
        orders.scales,
        orders.testimonies,
        orders.objectives,
        orders.provisionals,
        orders.policies,
        orders.notes,
    ):
        texts += [wording.text for wording in wordings]
    return frozenset(word for text in texts for word in _SMALL.findall(_SLOT.sub(" ", text)))
