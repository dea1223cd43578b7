"""How the stories of a corpus read: how deep their clauses lie, and how often they say the same.

A family's explicit and implicit surfaces of one burial share their story, and count once. What a
story says between its clauses is taken sentence by sentence, masked like a skeleton.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from worlds.core.bridges import BridgeFact
from worlds.core.instance import Document, Instance
from worlds.core.packs.model import Pack
from worlds.core.prose.story import StoryGate
from worlds.core.prose.survey.figures import Figure, Table, figure, table_of
from worlds.core.prose.survey.masking import Mask
from worlds.core.prose.survey.records import pieces_of

__all__ = ["Story", "stories", "story_figures", "story_tables"]

GROUP = "stories"

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Story:
    """One family told at one burial; `words` and `evidence` count the text and the units in it.

    `clauses` and `sentences` are masked; the sentences are those between the units.
    """

    genre: str
    burial: int
    words: int
    evidence: int
    clauses: tuple[str, ...]
    sentences: tuple[str, ...]
    breaches: int


def stories(
    instances: Iterable[Instance],
    pack_of: Callable[[str], Pack],
    facts: Sequence[BridgeFact],
) -> Iterator[Story]:
    """Every story behind these instances, once, in the order of their first instance."""
    seen: set[tuple[str, int, int]] = set()
    for instance in instances:
        burial = instance.id.burial
        if burial is None:
            continue
        key = (str(instance.id.family), instance.id.realization, burial)
        if key not in seen:
            seen.add(key)
            yield _story(instance, burial, pack_of(instance.id.family.genre), facts)


def story_figures(told: Sequence[Story]) -> Iterator[Figure]:
    """How often the stories of each genre repeat themselves; nothing without stories."""
    for genre, own in _grouped(told, lambda story: story.genre).items():
        clauses = Counter(clause for story in own for clause in story.clauses)
        name = "most frequent clause skeleton of stories, marks, names, numbers masked"
        yield figure(GROUP, name, _largest_share(clauses), of=genre)
        sentences = Counter(sentence for story in own for sentence in story.sentences)
        name = "most frequent sentence between clauses, masked alike"
        yield figure(GROUP, name, _largest_share(sentences), of=genre)
        yield figure(
            GROUP, "sentences between clauses that another story has too", _shared(own), of=genre
        )
    if told:
        broken = sum(story.breaches for story in told)
        yield figure(GROUP, "breaches of the gate of stories", broken, unit="count", most=0)


def story_tables(told: Sequence[Story]) -> Iterator[Table]:
    """By genre and by burial, in numbers; nothing without stories."""
    if not told:
        return
    columns = ("Stories", "Words each", "Of evidence", "Clauses", "Sentences between")
    for title, label, key in (
        ("Stories by genre", "Genre", lambda story: story.genre),
        ("Stories by burial", "Burial", lambda story: str(story.burial)),
    ):
        rows = [[name, *_row(own)] for name, own in _grouped(told, key).items()]
        yield table_of(GROUP, title, (label, *columns), rows)


def _story(instance: Instance, burial: int, pack: Pack, facts: Sequence[BridgeFact]) -> Story:
    mask = Mask(instance.world, pack, facts)
    found = StoryGate(instance.world, pack, facts).findings(instance.documents)
    between = [text for document in instance.documents for text in _between(document)]
    return Story(
        genre=instance.id.family.genre,
        burial=burial,
        words=sum(len(document.text.split()) for document in instance.documents),
        evidence=sum(len(d.clause(s).split()) for d in instance.documents for s in d.spans),
        clauses=tuple(piece.plain for piece in pieces_of(instance, pack, facts)),
        sentences=tuple(mask.plain(s) for text in between for s in _sentences(text)),
        breaches=sum(1 for _ in found),
    )


def _between(document: Document) -> Iterator[str]:
    """What a document says before, between and after its units."""
    at = 0
    for span in sorted(document.spans, key=lambda span: span.start):
        yield document.text[at : span.start]
        at = max(at, span.end)
    yield document.text[at:]


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a stretch; marks left over beside a unit are none."""
    return (part.strip() for part in _SENTENCE_END.split(text) if _WORD.search(part))


def _shared(told: Sequence[Story]) -> float:
    """The share of all sentences that stand in at least one other story as well."""
    holders = Counter(sentence for story in told for sentence in set(story.sentences))
    sentences = [sentence for story in told for sentence in story.sentences]
    return sum(holders[sentence] > 1 for sentence in sentences) / max(1, len(sentences))


def _largest_share(counted: Counter[str]) -> float:
    return max(counted.values(), default=0) / max(1, counted.total())


def _grouped(told: Sequence[Story], key: Callable[[Story], str]) -> Mapping[str, list[Story]]:
    found: dict[str, list[Story]] = defaultdict(list)
    for story in told:
        found[key(story)].append(story)
    return dict(sorted(found.items()))


def _row(own: Sequence[Story]) -> list[str]:
    words, evidence = sum(s.words for s in own), sum(s.evidence for s in own)
    return [
        f"{len(own):,}",
        f"{words / len(own):,.0f}",
        f"{evidence / max(1, words) * 100:.1f} %",
        f"{sum(len(s.clauses) for s in own):,}",
        f"{sum(len(s.sentences) for s in own):,}",
    ]
