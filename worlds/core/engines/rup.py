"""A forward checker of DRUP proofs: every line must follow from the formula and the lines before.

Written apart from the engine whose proofs it checks: it reads both texts itself, and shares no code
with whatever wrote them. A line says a clause; the checker assumes the clause false and propagates
units. If that ends in a conflict the clause follows and is taken in, otherwise the proof is
rejected there. A line that begins with `d` takes a clause out. The proof must state the empty
clause, even when the formula's own units conflict; what comes after it is not read.

Legend: a literal is a signed variable; `value[l]` is 1, -1 or 0 for l and -l alike, since a
negative index counts from the end. A clause of two or more literals that are not false stands under
its first two, its watches. Literals true at the root, without assumption, stay so for good.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from worlds.core.errors import ProofRejected

__all__ = ["check_refutation"]

_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,8}")
_MOST_VARIABLES = 1_000_000


def check_refutation(cnf: str, drat: str) -> int:
    """Accept a refutation of a DIMACS formula; how many steps it takes to the empty clause.

    Raises ProofRejected with the file, the line and the reason.
    """
    size, clauses = _read_formula(cnf)
    known = _Clauses(size)
    for clause in clauses:
        known.take_in(clause)
    for step, (number, is_deletion, clause) in enumerate(_read_steps(drat, size), start=1):
        if is_deletion:
            if not known.take_out(clause):
                raise ProofRejected("drat", number, f"{_shown(clause)} is not there to delete")
        elif not known.imply(clause):
            reason = f"{_shown(clause)} does not follow by unit propagation"
            raise ProofRejected("drat", number, reason)
        elif clause:
            known.take_in(clause)
        else:
            return step
    raise ProofRejected("drat", drat.count("\n") + 1, "ends without the empty clause, a line of 0")


class _Clauses:
    """Clauses and what their units imply."""

    def __init__(self, size: int) -> None:
        self._value = [0] * (2 * size + 1)
        self._watches: list[list[list[int]]] = [[] for _ in range(2 * size + 1)]
        self._trail: list[int] = []
        self._stored: dict[frozenset[int], list[list[int]]] = {}
        self._refuted = False

    def take_in(self, literals: Sequence[int]) -> None:
        """Add a clause, and at the root what follows from it."""
        clause = list(dict.fromkeys(literals))
        self._stored.setdefault(frozenset(clause), []).append(clause)
        possible = [literal for literal in clause if self._value[literal] >= 0]
        if len(possible) < len(clause):
            clause.sort(key=lambda literal: self._value[literal] < 0)
        if len(possible) > 1:
            self._watches[clause[0]].append(clause)
            self._watches[clause[1]].append(clause)
        elif self._conflicts(possible) or not possible:
            self._refuted = True

    def take_out(self, literals: Sequence[int]) -> bool:
        """Remove one copy of a clause, if there is one; what it implied at the root stays."""
        copies = self._stored.get(frozenset(literals))
        if not copies:
            return False
        gone = copies.pop()
        for literal in gone[:2]:
            watching = self._watches[literal]
            watching[:] = [clause for clause in watching if clause is not gone]
        return True

    def imply(self, literals: Sequence[int]) -> bool:
        """Whether units lead from the clause's negation to a conflict."""
        if self._refuted:
            return True
        start = len(self._trail)
        conflict = self._conflicts([-literal for literal in literals])
        for literal in self._trail[start:]:
            self._value[literal] = self._value[-literal] = 0
        del self._trail[start:]
        return conflict

    def _conflicts(self, literals: Sequence[int]) -> bool:
        """Make literals true, and all that follows; whether that cannot be."""
        head = len(self._trail)
        for literal in literals:
            if self._value[literal] < 0:
                return True
            self._make_true(literal)
        while head < len(self._trail):
            if self._visit(-self._trail[head]):
                return True
            head += 1
        return False

    def _visit(self, false: int) -> bool:
        """Find the clauses that watch a false literal another watch; whether one has none left."""
        value = self._value
        watching = self._watches[false]
        kept = self._watches[false] = []
        for place, clause in enumerate(watching):
            if clause[0] == false:
                clause[0], clause[1] = clause[1], false
            first = clause[0]
            if value[first] <= 0:
                for index in range(2, len(clause)):
                    if value[clause[index]] >= 0:
                        clause[1], clause[index] = clause[index], false
                        self._watches[clause[1]].append(clause)
                        break
                else:
                    if value[first] < 0:
                        kept += watching[place:]
                        return True
                    self._make_true(first)
            if clause[1] == false:
                kept.append(clause)
        return False

    def _make_true(self, literal: int) -> None:
        if self._value[literal] == 0:
            self._value[literal], self._value[-literal] = 1, -1
            self._trail.append(literal)


def _read_formula(text: str) -> tuple[int, list[list[int]]]:
    """The number of variables, and the clauses, of a text in DIMACS."""
    size, promised, number = -1, -1, 0
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        told = line.lstrip()
        if not told or told.startswith("c"):
            continue
        if not told.startswith("p"):
            lines.append((number, told))
        elif size >= 0:
            raise ProofRejected("cnf", number, "a second line of p")
        else:
            size, promised = _read_header(told.split(), number)
        if size < 0:
            raise ProofRejected("cnf", number, "a clause before the line of p")
    if size < 0:
        raise ProofRejected("cnf", number, "there is no line of p")
    numbers = _numbers("cnf", lines, size)
    if numbers and numbers[-1]:
        raise ProofRejected("cnf", number, "the last clause does not end in 0")
    clauses = list(_split(numbers))
    if len(clauses) != promised:
        found = f"{len(clauses)} clauses, the line of p promises {promised}"
        raise ProofRejected("cnf", number, found)
    return size, clauses


def _split(numbers: list[int]) -> Iterator[list[int]]:
    """What stands before each of the zeros."""
    start = 0
    for _ in range(numbers.count(0)):
        end = numbers.index(0, start)
        yield numbers[start:end]
        start = end + 1


def _read_header(words: Sequence[str], number: int) -> tuple[int, int]:
    if len(words) != 4 or words[1] != "cnf" or not all(map(_NUMBER.fullmatch, words[2:])):
        raise ProofRejected("cnf", number, "expected p cnf VARIABLES CLAUSES")
    size, promised = map(int, words[2:])
    if not 0 <= size <= _MOST_VARIABLES or promised < 0:
        raise ProofRejected("cnf", number, f"expected 0 to {_MOST_VARIABLES} variables")
    return size, promised


def _read_steps(text: str, size: int) -> Iterator[tuple[int, bool, list[int]]]:
    """Each step of a proof in text form: its line, whether it deletes, its clause."""
    for number, line in enumerate(text.split("\n"), start=1):
        told = line.lstrip()
        if not told or told.startswith("c"):
            continue
        is_deletion = told.startswith("d")
        literals = _numbers("drat", [(number, told[is_deletion:])], size)
        if literals[-1:] != [0] or 0 in literals[:-1]:
            raise ProofRejected("drat", number, "expected literals and one 0 at the end")
        yield number, is_deletion, literals[:-1]


def _numbers(file: str, lines: Sequence[tuple[int, str]], size: int) -> list[int]:
    """The literals and zeros of some lines, read at once; line by line to tell what is wrong."""
    words = " ".join([line for _, line in lines]).split()
    if all(map(_NUMBER.fullmatch, words)):
        found = list(map(int, words))
        if not found or (max(found) <= size and min(found) >= -size):
            return found
    for number, line in lines:
        for word in line.split():
            if not _NUMBER.fullmatch(word):
                raise ProofRejected(file, number, f"{word[:20]!r} is not a literal")
            if abs(int(word)) > size:
                raise ProofRejected(file, number, f"{word} is beyond the {size} variables")
    raise AssertionError("what is wrong in all lines is wrong in one")


def _shown(clause: Sequence[int]) -> str:
    if not clause:
        return "the empty clause"
    shown = " ".join(map(str, clause[:8]))
    return f"the clause {shown}{' …' if len(clause) > 8 else ''}"
