"""What is read off a frozen report, kept in memory under the report's digest.

Neither the bytes nor the digest of a report ever change, so what was read off it once is what it
says for as long as the process lives. Nothing in it depends on who reads: a report holds what
everybody may see. What is kept cannot be changed by whoever is handed it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeVar

from grading.models import Report

__all__ = ["read_once"]

_MOST_KEPT = 16
"""Of 30 solvers a report and what is read off it come to about 5 MB."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Frozen:
    """A report, which is the same as every other one of its digest."""

    sha256: str
    report: Report = field(compare=False)


def read_once(read: Callable[[str, Mapping[str, Any]], T]) -> Callable[[Report], T]:
    """Keep what `read` makes of a report's digest and payload, for the reports read last.

    The payload that `read` gets is read-only. The text of a report is loaded for the first reading
    alone, if it was deferred.
    """

    @lru_cache(maxsize=_MOST_KEPT)
    def kept(frozen: _Frozen) -> T:
        return read(frozen.sha256, _read_only(frozen.report.payload))

    return lambda report: kept(_Frozen(report.sha256, report))


def _read_only(value: Any) -> Any:
    """JSON as mappings and tuples that nobody can change."""
    if isinstance(value, dict):
        return MappingProxyType({name: _read_only(each) for name, each in value.items()})
    if isinstance(value, list):
        return tuple(_read_only(each) for each in value)
    return value
