"""The tree of errors that the core raises; each carries its evidence as attributes.

::

    EnigmaError
    ├── BadInput            what a person typed or sent is not allowed; the message says what is
    │   ├── BadId           an instance or family id that does not parse
    │   └── BadFormat       a JSON document that is not of the stated format
    ├── ForgeError          no certified instance came of an attempt
    │   ├── EnginesDisagree two engines gave different answers
    │   ├── NotProved       a certificate is refuted, or an engine did not decide
    │   └── Exhausted       every attempt allowed to a family died
    ├── ProofRejected       a written refutation does not refute its formula
    └── ProseError          a text does not say what it should
        ├── SpanLost        a clause no longer stands where the span map says
        ├── Unrenderable    a pack has no wording for what must be said
        ├── Unreadable      a prompt does not hold what a record must hold
        └── GateRejected    the round trip over a document found something else
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "BadFormat",
    "BadId",
    "BadInput",
    "EnginesDisagree",
    "EnigmaError",
    "Exhausted",
    "ForgeError",
    "GateRejected",
    "NotProved",
    "ProofRejected",
    "ProseError",
    "SpanLost",
    "Unreadable",
    "Unrenderable",
]


class EnigmaError(Exception):
    """The root: catch it at the border, never inside the core.

    Every error crosses a process border with its message and its evidence.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.args, self.__dict__.copy())


class BadInput(EnigmaError):
    """Input that is not allowed: `field`, what was `found`, what was `expected`."""

    def __init__(self, field: str, found: object, expected: str) -> None:
        self.field = field
        self.found = found
        self.expected = expected
        super().__init__(f"{field}: found {_shown(found)}, expected {expected}")


class BadId(BadInput):
    """An id that does not parse."""


class BadFormat(BadInput):
    """A JSON document whose shape is not the stated format; `field` is a path into it."""


class ForgeError(EnigmaError):
    """An attempt to forge an instance ended without one."""


class EnginesDisagree(ForgeError):
    """Two engines answered one query differently; `verdicts` maps engine to answer."""

    def __init__(self, query: str, verdicts: dict[str, object]) -> None:
        self.query = query
        self.verdicts = verdicts
        told = ", ".join(f"{engine} says {verdict}" for engine, verdict in verdicts.items())
        super().__init__(f"engines disagree on {query}: {told}")


class NotProved(ForgeError):
    """A certificate that must hold is refuted or undecided."""

    def __init__(self, certificate: str, verdict: str, detail: str = "") -> None:
        self.certificate = certificate
        self.verdict = verdict
        self.detail = detail
        super().__init__(f"{certificate} is {verdict}" + (f": {detail}" if detail else ""))


class Exhausted(ForgeError):
    """Every allowed attempt died; `reasons` counts why, and repeats for the same seed."""

    def __init__(self, family: str, attempts: int, reasons: dict[str, int]) -> None:
        self.family = family
        self.attempts = attempts
        self.reasons = reasons
        told = "; ".join(f"{count} × {reason}" for reason, count in sorted(reasons.items()))
        super().__init__(
            f"no certified world for {family} in {attempts} attempts ({told}); "
            "the same seed fails again, so choose another seed"
        )


class ProofRejected(EnigmaError):
    """A refutation that does not check: the `file` ("cnf" or "drat"), the `line`, the `reason`."""

    def __init__(self, file: str, line: int, reason: str) -> None:
        self.file = file
        self.line = line
        self.reason = reason
        super().__init__(f"{file} line {line}: {reason}")


class ProseError(EnigmaError):
    """A text cannot be written, or does not say what it should."""


class SpanLost(ProseError):
    """A clause does not stand where the span map says it does."""

    def __init__(self, document: str, unit: str) -> None:
        self.document = document
        self.unit = unit
        super().__init__(f"document {document} does not hold unit {unit} where its span says")


class Unrenderable(ProseError):
    """A pack offers no wording for something that a world needs said."""


class Unreadable(ProseError):
    """A prompt from which the grammar cannot recover a record; the message says what is missing."""


class GateRejected(ProseError):
    """The round trip failed; `findings` says where and how, one sentence each."""

    def __init__(self, findings: tuple[str, ...]) -> None:
        self.findings = findings
        super().__init__("the text does not read back: " + "; ".join(findings))


def _restored(
    kind: type[EnigmaError], arguments: tuple[Any, ...], evidence: dict[str, Any]
) -> EnigmaError:
    """An error as it was, without running a constructor that takes other arguments."""
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(evidence)
    return error


def _shown(found: object, limit: int = 60) -> str:
    """Quote a found value briefly, so that a message stays one readable line."""
    text = repr(found)
    return text if len(text) <= limit else text[: limit - 1] + "…"
