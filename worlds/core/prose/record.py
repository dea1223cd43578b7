"""What a reader gets out of a prompt: a world's evidence without its truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from worlds.core.constraints import Constraint, Equality, Value
from worlds.core.engines import Problem
from worlds.core.errors import Unreadable
from worlds.core.policy import Rule

__all__ = ["ReadRecord"]


@dataclass(frozen=True)
class ReadRecord:
    """A record as read; variables are their marks, bridge terms whatever the prompt allows.

    `variables` maps marks to domains; `reports` are what others are said to say; `questions` and
    `options` go by bridge term. `provisional` and `apparent` stand in every complete record.
    """

    domains: Mapping[str, tuple[Value, ...]]
    variables: Mapping[str, str]
    clues: tuple[Constraint, ...]
    reports: tuple[Constraint, ...]
    questions: Mapping[str, str]
    options: Mapping[str, tuple[str, ...]]
    rule: Rule
    provisional: Rule
    apparent: str | None = None

    @property
    def marks(self) -> tuple[str, ...]:
        """Every variable, in order of mark."""
        return tuple(sorted(self.variables))

    def problem(self, answers: Mapping[str, str]) -> Problem:
        """The record as an engine sees it, given the answer to each question.

        Labels are C1… for clues and the bridge terms for answers. Raises Unreadable when an answer
        is not among the options that the record prints.
        """
        terms = {mark: self.domains[self.variables[mark]] for mark in self.marks}
        terms.update({term: tuple(sorted(self.options[term])) for term in sorted(self.options)})
        constraints: dict[str, Constraint] = {
            f"C{i}": clue for i, clue in enumerate(self.clues, start=1)
        }
        for term in sorted(self.options):
            answer = answers.get(self.questions[term])
            if answer not in self.options[term]:
                raise Unreadable(f"no option of {term} is {answer!r}")
            constraints[term] = Equality(term, value=answer)
        return Problem(terms, constraints)
