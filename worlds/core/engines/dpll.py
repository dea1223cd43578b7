"""DPLL with conflict-driven learning, in pure Python, over the one-hot clauses of `cnf`.

One engine is built per set of domains. Constraints are added under labels, and a query turns any of
them on, so that uniqueness and every ablation share one set of clauses::

    solve(active):   turn the labels on and propagate            (the base)
                     repeat: decide; propagate; on conflict learn, jump back and assert
                     until a model is found (SAT) or the base itself conflicts (UNSAT)

`trail` draws the consequences and learns; `nearby` aims the search at a model close to a known one;
without one, the term with the fewest live values for its conflicts is decided first. The search is
bounded by steps, never by time, and no call is deeper than the logarithm of the number of labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from worlds.core.constraints import Assignment, Constraint, Value
from worlds.core.engines import Answer, Outcome
from worlds.core.engines.cnf import Clause, OneHot
from worlds.core.engines.nearby import Wish
from worlds.core.engines.rounds import Propagation, in_rounds
from worlds.core.engines.trail import Entry, Trail

__all__ = ["BUDGET", "Dpll", "Propagation"]

BUDGET = 2_000_000
"""Steps (propagated literals and decisions) that one query may take."""


class _Undecided(Exception):
    """A budget ran out in the middle of a query that asks many."""


class Dpll:
    """Labelled constraints over fixed domains, and queries that turn labels on."""

    def __init__(self, domains: Mapping[str, tuple[Value, ...]], *, budget: int = BUDGET) -> None:
        self.cnf = OneHot(domains)
        self.budget = budget
        self._trail = Trail(self.cnf)
        self._index = {term: index for index, term in enumerate(domains)}
        self._wish: Wish | None = None
        self._last_wish: Wish | None = None
        self._given: tuple[str, ...] | None = None
        self._given_conflict: Entry | None = None
        self._refuted_by = 0

    def add(self, label: str, constraint: Constraint) -> None:
        """Add a constraint that is in force in the queries that turn `label` on."""
        self._trail.add(label, self.cnf.clauses_of(constraint))

    def ban(self, label: str, assignment: Assignment) -> None:
        """Add "not all of these values at once" under a label."""
        self._trail.add(label, self.cnf.ban(assignment))

    def knows(self, label: str) -> bool:
        """Whether the label is in use."""
        return label in self._trail.bits

    def solve(
        self,
        active: Iterable[str],
        *,
        given: Sequence[str] = (),
        near: Assignment | None = None,
        away: Iterable[str] = (),
    ) -> Outcome:
        """A model of the active and given labels, if there is one within the budget.

        `given` labels are turned on first and stay on while query after query gives the same, so
        that their consequences are drawn once. `near` says which values to try first. The terms of
        `away` are decided first, on other values than those: how a second model is sought once the
        clue on those terms is gone.
        """
        before = self._trail.steps
        if self._given == tuple(given):
            self._trail.pop(1)
        else:
            self._trail.pop(0)
            self._given = tuple(given)
            self._given_conflict = self._trail.push(given)
        self._begin(near)
        return self._search(self._given_conflict or self._trail.push(active), away, before)

    def learned(self) -> list[Clause]:
        """The clauses learned so far that are in force under the labels of the last `solve`.

        If that query was refuted, these and the empty clause are its DRUP refutation. The labels
        stay on until the next query, so ask before that.
        """
        return self._trail.learned()

    def without_each(
        self,
        labels: Sequence[str],
        background: Iterable[str],
        *,
        near: Assignment | None = None,
        away: Mapping[str, Sequence[str]] | None = None,
    ) -> dict[str, Outcome]:
        """For each label: the outcome with the other labels and the background on, and it off.

        Halves share their common part: turning on the left half serves every query on the right,
        so that each label is propagated about log2(n) times, not n times.
        """
        self._trail.pop(0)
        self._given = None
        self._begin(near)
        outcomes: dict[str, Outcome] = {}
        pending: list[tuple[int, Iterable[str], Sequence[str]]] = [(0, background, labels)]
        while pending:
            depth, others, rest = pending.pop()
            self._trail.pop(depth)
            conflict = self._trail.push(others)
            if len(rest) == 1 or conflict is not None:
                for label in rest:
                    outcomes[label] = self._search(conflict, away[label] if away else ())
            elif rest:
                middle = len(rest) // 2
                pending.append((depth + 1, rest[:middle], rest[middle:]))
                pending.append((depth + 1, rest[middle:], rest[:middle]))
        return {label: outcomes[label] for label in labels}

    def core(
        self,
        active: Sequence[str],
        *,
        given: Sequence[str] = (),
        near: Assignment | None = None,
        guided: bool = True,
    ) -> tuple[str, ...] | None:
        """A deletion-minimal set of the active labels that has no model beside the given ones.

        Labels are left out one by one, the last one first, and stay out if a refutation remains.
        Guided, each refutation also throws out what it did not use, which is faster and may keep
        other labels than the strict order would. As in `without_each`, halves share their common
        part. None if there is a model to begin with, or if a budget ran out on the way.
        """
        outcome = self.solve(active, given=given, near=near)
        if outcome.answer is not Answer.UNSAT:
            return None
        if self._given_conflict is not None:
            return ()
        self._trail.pop(1)
        try:
            return tuple(self._reduce(active, guided))
        except _Undecided:
            return None
        finally:
            self._trail.pop(1)

    def _reduce(self, labels: Sequence[str], guided: bool) -> list[str]:
        """The labels that stay: their set beside the present base conflicts, and is minimal."""
        if guided:
            labels = [label for label in labels if self._trail.bits[label] & self._refuted_by]
        if len(labels) < 2:
            return [label for label in labels if not self._refuted(None)]
        middle = len(labels) // 2
        left, right = labels[:middle], labels[middle:]
        for half in (1, 0):
            depth = self._trail.depth
            conflict = self._trail.push(left if half else right)
            if conflict is not None and self._refuted(conflict):
                kept = []
            else:
                kept = self._reduce(right if half else left, guided)
            self._trail.pop(depth)
            if half:
                right = kept
        return [*kept, *right]

    def _refuted(self, conflict: Entry | None) -> bool:
        answer = self._search(conflict).answer
        if answer is Answer.UNKNOWN:
            raise _Undecided
        return answer is Answer.UNSAT

    def propagate(self, active: Iterable[str]) -> Propagation:
        """Unit propagation alone, in synchronous rounds; learned clauses take no part."""
        entries = self._trail.entries
        return in_rounds(self.cnf, [entry[2] for label in active for entry in entries[label]])

    def _begin(self, near: Assignment | None) -> None:
        """Forget the weights, and take up the values that are wanted this time."""
        self._trail.weight = [1] * len(self._index)
        self._wish = None
        if near is None:
            return
        wanted = [
            (self.cnf.literal(term, near[term]) if term in near else 0) or next(iter(variables), 0)
            for term, variables in self.cnf.variables.items()
        ]
        if self._last_wish is None or self._last_wish.wanted != wanted:
            self._last_wish = Wish(self._trail, wanted)
        self._wish = self._last_wish
        self._wish.refresh()

    def _search(
        self, conflict: Entry | None, away: Iterable[str] = (), before: int | None = None
    ) -> Outcome:
        """Decide from the present base until a model is found; leaves the base as it was.

        The work counts from the step `before`, or from now.
        """
        trail, base, decisions = self._trail, self._trail.depth, 0
        before = trail.steps if before is None else before
        aside = [self._index[term] for term in away]
        answer = Answer.UNKNOWN
        while trail.steps - before <= self.budget:
            if conflict is None:
                literal = self._wish.next_decision(aside) if self._wish else self._branch()
                if not literal:
                    answer = Answer.SAT
                    break
                decisions += 1
                trail.decide(literal)
            elif trail.depth == base:
                self._refuted_by = trail.labels_behind(conflict)
                answer = Answer.UNSAT
                break
            else:
                trail.learn(conflict, base)
            conflict = trail.propagate()
        model = self._model() if answer is Answer.SAT else None
        trail.pop(base)
        return Outcome(answer, model, decisions, trail.steps - before - decisions)

    def _branch(self) -> int:
        """The next decision, or 0 when every term is fixed.

        For a value of the term with the fewest live ones for the conflicts that it was in.
        """
        live, weight = self._trail.live, self._trail.weight
        best, chosen = 0.0, -1
        for index, count in enumerate(live):
            if count > 1 and weight[index] > best * count:
                best, chosen = weight[index] / count, index
        if chosen < 0:
            return 0
        return next(v for v in self._trail.variables[chosen] if self._trail.value[v] == 0)

    def _model(self) -> dict[str, Value]:
        if self._wish:
            found: Iterable[int] = self._wish.completion
        else:
            value = self._trail.value
            found = (v for each in self._trail.variables for v in each if value[v] > 0)
        return dict(self.cnf.meaning[variable - 1] for variable in found)
