"""How often a corpus says the same: skeletons of clauses, and papers that are equal once masked."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from worlds.core.packs.model import style_of
from worlds.core.prose.survey.figures import Figure, Table, figure, table_of
from worlds.core.prose.survey.records import Piece, Record

__all__ = ["repetition_figures", "repetition_tables", "worn"]

GROUP = "repetition"

_MOST_FREQUENT = 0.05
_LEAST_SKELETONS = 60
_LEAST_CLAUSES = 600
"""Fewer clauses of a genre say nothing about shares of a few per cent."""
_OFTEN = 3


def repetition_figures(records: Sequence[Record]) -> Iterator[Figure]:
    """The figures by genre, and how many papers of the whole corpus are equal once masked."""
    for genre, own in _by_genre(records).items():
        pieces = [piece for record in own for piece in record.pieces]
        judged = len(pieces) >= _LEAST_CLAUSES
        for name, skeletons in (
            ("marks, names, numbers masked", Counter(piece.plain for piece in pieces)),
            ("lexicon words masked too", Counter(piece.bare for piece in pieces)),
        ):
            share = max(skeletons.values(), default=0) / max(1, len(pieces))
            yield figure(
                GROUP,
                f"most frequent clause skeleton, {name}",
                share,
                of=genre,
                under=_MOST_FREQUENT,
                judged=judged,
            )
            yield figure(
                GROUP,
                f"distinct clause skeletons, {name}",
                len(skeletons),
                of=genre,
                unit="count",
                least=_LEAST_SKELETONS,
                judged=judged,
            )
        overused = sum(worn(record.pieces) for record in own)
        name = "wordings used three times in a record while others are unused"
        yield figure(GROUP, name, overused, of=genre, unit="count", most=0)
    papers = Counter(paper for record in records for paper in record.papers)
    equal = sum(count for count in papers.values() if count > 1)
    yield figure(GROUP, "papers equal to another once masked", equal, unit="count", most=0)


def repetition_tables(records: Sequence[Record]) -> Iterator[Table]:
    """By genre and in numbers alone; then the most frequent skeletons as they read."""
    rows, read = [], []
    for genre, own in _by_genre(records).items():
        pieces = [piece for record in own for piece in record.pieces]
        plain = Counter(piece.plain for piece in pieces)
        bare = Counter(piece.bare for piece in pieces)
        rows.append(
            [
                genre,
                f"{len(own):,}",
                f"{sum(len(record.papers) for record in own):,}",
                f"{len(pieces):,}",
                f"{len(plain):,}",
                _share(plain),
                f"{len(bare):,}",
                _share(bare),
            ]
        )
        read += [
            [genre, skeleton, f"{count / len(pieces) * 100:.2f} %"]
            for skeleton, count in bare.most_common(3)
        ]
    columns = ("Genre", "Records", "Papers", "Clauses", "Skeletons", "Commonest")
    bare_columns = ("Bare skeletons", "Commonest bare")
    title = (
        "Clauses by genre. A skeleton is a clause with its marks, names and numbers masked; "
        "a bare one has the words of the lexicon masked too"
    )
    yield table_of(GROUP, title, (*columns, *bare_columns), rows)
    read_columns = ("Genre", "Bare skeleton", "Share")
    yield table_of("wordings", "The commonest skeletons", read_columns, read, labels=2)


def _share(skeletons: Counter[str]) -> str:
    total = sum(skeletons.values())
    return f"{max(skeletons.values(), default=0) / max(1, total) * 100:.2f} %"


def _by_genre(records: Sequence[Record]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        found[record.family.genre].append(record)
    return dict(sorted(found.items()))


def worn(pieces: Sequence[Piece]) -> int:
    """How many wordings one record uses three times while others that say the same are unused."""
    used: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    offered: dict[tuple[str, str], set[str]] = {}
    for piece in pieces:
        # Which wordings there are depends on the channel and on what is said, not on who says it.
        key = style_of(piece.channel), min(piece.offered, default="")
        used[key][piece.wording] += 1
        offered[key] = offered.get(key, set(piece.offered)) & set(piece.offered)
    return sum(
        count >= _OFTEN
        for key, wordings in used.items()
        for count in wordings.values()
        if offered[key] - set(wordings)
    )
