"""The rules of a record, counted: how many records break each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from worlds.core.prose.gate import RULES
from worlds.core.prose.survey.figures import Figure, Table, figure, table_of
from worlds.core.prose.survey.records import Record

__all__ = ["rule_figures", "rule_tables"]

GROUP = "rules"


def rule_figures(records: Sequence[Record]) -> Iterator[Figure]:
    """For every rule of the gate, how often it is broken."""
    broken = _broken(records)
    for rule in RULES:
        yield figure(GROUP, f"breaches of {rule}", broken[rule], unit="count", most=0)


def rule_tables(records: Sequence[Record]) -> Iterator[Table]:
    """What each rule says."""
    broken = _broken(records)
    rows = [[rule.capitalize(), said, f"{broken[rule]:,}"] for rule, said in RULES.items()]
    columns = ("Rule", "It says", "Breaches")
    yield table_of(GROUP, "What the gate checks", columns, rows, labels=2)


def _broken(records: Sequence[Record]) -> Counter[str]:
    return sum((record.breaches for record in records), Counter[str]())
