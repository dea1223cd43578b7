"""Whether form gives anything away: where values, verbs, clues and reports stand, and their mix."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from worlds.core.constraints import CLASSES, Implication
from worlds.core.prose.survey.chance import ChiSquare, even, picked
from worlds.core.prose.survey.figures import Figure, Table, figure, table_of
from worlds.core.prose.survey.records import Piece, Record

__all__ = ["balance_figures", "balance_tables"]

GOLD, REPORTS, EVIDENCE = "gold", "reports", "evidence"

_LEAST_P = 1e-4
_VERBS = (0.45, 0.55)
_LEAST_FAMILIES = 20
"""Fewer coins than this may well fall on one side."""
_LEAST_CLASS = 0.03
_LEAST_CLUES = 300
_TENTHS = 10
_LAST_PAPER = 30
_DIRECT = {"chain": 0.25, "case": 0.2}
_FIRST_LARGE = "L02"
_PROPAGATED = {"chain": (0.9, None), "case": (None, 0.6)}

Cells = dict[str, list[float]]
"""By cell: reports found, reports expected, units of evidence there."""


def balance_figures(records: Sequence[Record]) -> Iterator[Figure]:
    """Every figure on balance, worlds counted once and records each."""
    families = list({str(record.family): record for record in records}.values())
    yield from _gold_figures(records, families)
    for name, test in _position_tests(records):
        yield figure(REPORTS, name, test.p, unit="p", least=_LEAST_P)
    yield from _evidence_figures(records, families)


def balance_tables(records: Sequence[Record]) -> Iterator[Table]:
    """Where gold values and reports stand, cell by cell."""
    for size, counts in sorted(_value_places(records).items()):
        columns = ("", *(f"{place}." for place in range(1, size + 1)))
        title = f"Place of the right value in a printed list of {size}"
        yield table_of(GOLD, title, columns, [["Facts", *(f"{count:,}" for count in counts)]])
    for title, cell_of in _CELLS:
        rows = [
            [name, f"{size:,.0f}", f"{found:,.0f}", f"{expected:,.1f}"]
            for name, (found, expected, size) in _cells(records, cell_of).items()
        ]
        yield table_of(
            REPORTS,
            f"Reports by {title}",
            (title.capitalize(), "Evidence", "Reports", "Expected"),
            rows,
        )


# What is right.


def _gold_figures(records: Sequence[Record], families: Sequence[Record]) -> Iterator[Figure]:
    enough = len(families) >= _LEAST_FAMILIES
    first = sum(_is_first_verb(record) for record in families)
    low, high = _VERBS
    yield figure(
        GOLD,
        "required verb is the first of its pair",
        first / max(1, len(families)),
        least=low,
        most=high,
        judged=enough,
    )
    met = sum(record.world.policy.rule.applies(record.world.truth) for record in families)
    yield _even_figure("the branch printed first is the live one", [met, len(families) - met])
    places = [even(counts) for _, counts in sorted(_value_places(records).items())]
    value = sum(places, ChiSquare(0.0, 0))
    yield figure(
        GOLD, "place of the right value in its printed list", value.p, unit="p", least=_LEAST_P
    )
    steps = [even(counts) for _, counts in sorted(_steps(families).items())]
    scale = sum(steps, ChiSquare(0.0, 0))
    yield figure(GOLD, "place of the right step on its scale", scale.p, unit="p", least=_LEAST_P)
    yield _even_figure("place of the right row in a bridge table", _row_places(records))


def _even_figure(name: str, counts: Sequence[int]) -> Figure:
    return figure(GOLD, name, even(counts).p, unit="p", least=_LEAST_P)


def _is_first_verb(record: Record) -> bool:
    verb = record.world.action.verb
    return any(pair[0] == verb for pair in record.pack.lexicon.verbs)


def _value_places(records: Sequence[Record]) -> dict[int, list[int]]:
    """By length of the list: how many facts have their value first, second and so on in it."""
    found: dict[int, list[int]] = {}
    for record in records:
        frames = (unit.id for unit in record.world.units if unit.role == "frame")
        for domain, frame in zip(record.world.domains, frames, strict=False):
            if domain.is_ordinal:
                continue
            printed = sorted(map(str, domain.values), key=record.text_of(frame).find)
            counts = found.setdefault(len(printed), [0] * len(printed))
            for variable in record.world.variables:
                if variable.domain == domain.name:
                    counts[printed.index(str(record.world.solution[variable.id]))] += 1
    return found


def _steps(families: Sequence[Record]) -> dict[int, list[int]]:
    """By length of the scale: how many readings stand at each of its steps."""
    found: dict[int, list[int]] = {}
    for record in families:
        for variable in record.world.variables:
            values = record.world.term_values[variable.id]
            if isinstance(values[0], int):
                counts = found.setdefault(len(values), [0] * len(values))
                counts[values.index(record.world.solution[variable.id])] += 1
    return found


def _row_places(records: Sequence[Record]) -> list[int]:
    """How often the row that holds is printed first, second and so on among those of its table."""
    found: Counter[int] = Counter()
    longest = 0
    for record in records:
        for piece in record.pieces:
            said = piece.unit.constraint
            if isinstance(said, Implication) and said.is_table:
                text = piece.text.casefold()
                names = [str(premise.value) for premise, _ in said.rows]
                printed = sorted(names, key=lambda name: text.find(name.casefold()))
                right = record.world.knowledge[said.rows[0][0].term]
                found[printed.index(str(right))] += 1
                longest = max(longest, len(printed))
    return [found[place] for place in range(longest)]


# Where reports and decisive clues stand among the evidence.


def _tenth(rank: int, ranks: int) -> str:
    return f"tenth {rank * _TENTHS // ranks + 1:>2}"


def _paper(number: int) -> str:
    return f"paper {number:>2}" if number <= _LAST_PAPER else f"paper {_LAST_PAPER + 1} and on"


_CELLS: tuple[tuple[str, Callable[[Piece], str]], ...] = (
    ("place in the record", lambda piece: _tenth(piece.rank, piece.ranks)),
    ("number of the paper", lambda piece: _paper(piece.paper)),
    ("place in the paper", lambda piece: f"{piece.place + 1} of {piece.company}"),
    ("units in the paper", lambda piece: str(piece.company)),
    ("channel", lambda piece: piece.channel),
    ("number of the unit", lambda piece: _tenth(int(piece.unit.id[1:]) - 1, piece.ranks)),
)


def _cells(records: Sequence[Record], cell_of: Callable[[Piece], str]) -> Cells:
    """Reports found and expected in each cell, if every unit of a record is as likely to be one."""
    cells: Cells = defaultdict(lambda: [0.0, 0.0, 0.0])
    for record in records:
        share = sum(piece.is_report for piece in record.pieces) / max(1, len(record.pieces))
        for piece in record.pieces:
            cell = cells[cell_of(piece)]
            cell[0] += piece.is_report
            cell[1] += share
            cell[2] += 1
    return dict(sorted(cells.items()))


def _position_tests(records: Sequence[Record]) -> Iterator[tuple[str, ChiSquare]]:
    for name, cell_of in _CELLS:
        cells = _cells(records, cell_of).values()
        yield f"reports by {name}", picked((int(f), e, int(n)) for f, e, n in cells)
    decisive = _decisive_cells(records)
    yield "decisive clue by place in the record", picked(decisive)


def _decisive_cells(records: Sequence[Record]) -> Iterator[tuple[int, float, int]]:
    """Where the clue stands whose loss leaves the most worlds; any clue could be the one."""
    found: Counter[str] = Counter()
    expected: dict[str, float] = defaultdict(float)
    sizes: Counter[str] = Counter()
    for record in records:
        loads = {a["unit"]: a["models_without"] for a in record.certificate["ablations"]}
        clues = [piece for piece in record.pieces if not piece.is_report]
        decisive = max(loads, key=lambda unit: loads[unit], default=None)
        for piece in clues:
            cell = _tenth(piece.rank, piece.ranks)
            found[cell] += piece.unit.id == decisive
            expected[cell] += 1 / len(clues)
            sizes[cell] += 1
    for cell in sorted(sizes):
        yield found[cell], expected[cell], sizes[cell]


# What the evidence is made of.


def _evidence_figures(records: Sequence[Record], families: Sequence[Record]) -> Iterator[Figure]:
    classes = Counter(
        unit.constraint.kind for r in families for unit in r.world.clues if unit.constraint
    )
    total, enough = max(1, classes.total()), classes.total() >= _LEAST_CLUES
    for kind in CLASSES:
        name = f"clues of class {kind.replace('_', ' ')}"
        share = classes[kind] / total
        yield figure(EVIDENCE, name, share, least=_LEAST_CLASS, judged=enough)
    held: Counter[int] = Counter()
    for record in records:
        company = Counter(piece.paper for piece in record.pieces)
        held.update(company[document.number] for document in record.documents)
    papers = max(1, held.total())
    for size in range(4):
        name = f"papers with {size} units of evidence"
        yield figure(EVIDENCE, name, held[size] / papers)
    yield figure(
        EVIDENCE, "most units of evidence in a paper", max(held, default=0), unit="count", most=3
    )
    by_level: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for record in families:
        by_level[record.family.profile, record.family.level].append(record)
    for (profile, level), own in sorted(by_level.items()):
        yield from _level_figures(profile, level, own)


def _level_figures(profile: str, level: str, own: Sequence[Record]) -> Iterator[Figure]:
    inference = [record.certificate["inference"] for record in own]
    direct = _mean(i["direct"] / i["facts"] for i in inference)
    reached = _mean(i["propagated"] / i["facts"] for i in inference)
    large = level >= _FIRST_LARGE
    least, most = _PROPAGATED[profile]
    yield figure(
        EVIDENCE, "facts stated directly", direct, of=level, most=_DIRECT[profile], judged=large
    )
    yield figure(
        EVIDENCE,
        "facts that unit propagation reaches",
        reached,
        of=level,
        least=least,
        most=most,
        judged=large,
    )


def _mean(numbers: Iterable[float]) -> float:
    found = list(numbers)
    return math.fsum(found) / max(1, len(found))
