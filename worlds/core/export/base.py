"""What every export has in common, where it does not say otherwise."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from worlds.core.codec import canonical
from worlds.core.errors import BadInput
from worlds.core.ids import InstanceId

__all__ = ["Export", "Limits", "Options", "Sample"]


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that one file may hold; None is as much as there is. A MB is a million bytes."""

    lines: int | None = None
    bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """What a request to a model says beside the prompt; only batches need it."""

    model: str = "MODEL"
    max_tokens: int = 32_000


@dataclass(frozen=True, slots=True)
class Sample:
    """One instance as a tool gets it; `whole` is its canonical JSON with everything that is true.

    `truth` and `whole` are None in an export without target, and then nothing of either is in here.
    `documents` are without spans.
    """

    id: InstanceId
    narrator: str
    prompt: str
    documents: Sequence[Mapping[str, Any]]
    truth: Mapping[str, Any] | None = None
    whole: str | None = None

    @property
    def contract(self) -> str:
        """Whether the answer contract stands in the prompt or follows in a second turn."""
        return "deferred" if self.id.deferred else "inline"

    @property
    def about(self) -> dict[str, Any]:
        """What an instance is, without what is true in it."""
        family = self.id.family
        return {
            "family": str(family),
            "profile": family.profile,
            "level": family.level,
            "seed": family.seed,
            "genre": family.genre,
            "condition": self.id.condition,
            "realization": self.id.realization,
            "burial": self.id.burial,
            "narrator": self.narrator,
            "contract": self.contract,
        }

    @property
    def target(self) -> str | None:
        """A right answer in the form that the contract asks for; None without the truth."""
        if self.truth is None:
            return None
        solution, action = self.truth["solution"], self.truth["action"]
        facts = [[v["mark"], "is", solution[v["id"]]] for v in self.truth["variables"]]
        return canonical({"answer": [*facts, [action["item"], action["verb"], action["party"]]]})


class Export(ABC):
    """A tool's shape for a corpus; `label` is what a person reads, `stem` names its files.

    `turns` is how many turns it can have with a model; a request to a model has no target. One that
    `has_whole` writes an instance as it is.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    stem: ClassVar[str]
    limits: ClassVar[Limits] = Limits()
    turns: ClassVar[int] = 1
    has_target: ClassVar[bool] = True
    has_whole: ClassVar[bool] = False

    @abstractmethod
    def line(self, sample: Sample, options: Options) -> str:
        """One sample as one line, without a line end."""

    def part_name(self, number: int) -> str:
        """What a part is called; what has no limits has one part and needs no number."""
        return f"{self.stem}.jsonl" if self.limits == Limits() else f"{self.stem}-{number}.jsonl"

    def extras(self, slug: str, short_hash: str) -> Mapping[str, str]:
        """Further files by name, the same for every sample."""
        return {}

    def check(self, sample: Sample) -> None:
        """Raise BadInput for a sample that the tool cannot ask about."""
        if sample.contract == "deferred" and self.turns < 2:
            raise BadInput(
                "to",
                f"{self.name} for {sample.id}",
                "an export with two turns (jsonl or inspect): its contract follows the first reply",
            )
