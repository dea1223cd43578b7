"""Which ids a corpus expects, and where an id that it does not expect may belong."""

from __future__ import annotations

from dataclasses import dataclass

from worlds.models import Corpus, Instance

__all__ = ["Roster", "Seat"]

# An upload to the wrong corpus has hundreds of ids; a few tell where they belong.
_MOST_LOOKUPS = 200


@dataclass(frozen=True, slots=True)
class Seat:
    """One expected id: the primary keys of its instance and family."""

    instance: int
    family: int


class Roster:
    """The sample ids of a corpus; costs one query, and one more per id that is not in it."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        rows = corpus.instances.values_list("sample_id", "pk", "family_id")
        self._seats = {sample_id: Seat(pk, family) for sample_id, pk, family in rows}
        self._expected: dict[str, str] = {}

    def __contains__(self, sample_id: str) -> bool:
        return sample_id in self._seats

    def __getitem__(self, sample_id: str) -> Seat:
        return self._seats[sample_id]

    def __len__(self) -> int:
        return len(self._seats)

    def expected(self, unknown: str) -> str:
        """What to say of an id that is not here: an id of this corpus, and whose it is instead."""
        here = f"an id of corpus {self._corpus.slug} ({self._corpus.sha256[:8]})"
        if unknown not in self._expected and len(self._expected) < _MOST_LOOKUPS:
            owners = (
                Instance.objects.filter(sample_id=unknown)
                .order_by("corpus__slug")
                .values_list("corpus__slug", "corpus__sha256")[:3]
            )
            belongs = " and ".join(f"{slug} ({sha256[:8]})" for slug, sha256 in owners)
            self._expected[unknown] = f"{here}; this one is of {belongs}" if belongs else here
        return self._expected.get(unknown, here)
