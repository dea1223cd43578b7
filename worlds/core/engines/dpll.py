"""DPLL with conflict-driven learning, in pure Python, over the one-hot clauses of `cnf`.

One engine is built per set of domains. Constraints are added under labels, and a query turns any of
them on, so that uniqueness and every ablation share one set of clauses::

    solve(active):   turn the labels on and propagate            (the base)
                     repeat: branch on a term; propagate; on conflict learn, jump back
                     until every term is fixed (SAT) or the base itself conflicts (UNSAT)

A label's selector is one bit of an integer. A clause carries the bits of its labels and sleeps as
long as one of them is off; a learned clause carries the bits of every label that its derivation
used, which keeps it sound in any later query and yields unsatisfiable cores for nothing. That a
term takes exactly one value is part of the propagation and has no clauses.

Legend: a literal is a signed variable; `value[l]` is 1, -1 or 0 (true, false, open) for l and -l;
`trail` lists true literals in order; `reason[l]` is why l is true: an entry (partner, mask, clause)
or, for "no second value", the variable that is true; `off` has a bit for every sleeping label.

A proof log belongs in `_learn`, which is called with every learned clause in order: those clauses,
followed by the empty one, are the DRUP refutation of the active clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from worlds.core.constraints import Assignment, Constraint, Value
from worlds.core.engines import Answer, Outcome
from worlds.core.engines.cnf import Clause, OneHot

__all__ = ["BUDGET", "Dpll", "Propagation"]

BUDGET = 2_000_000
"""Steps (propagated literals and decisions) that one query may take."""

Entry = tuple[int, int, list[int]]
_LEARNED = 1
"""The mask bit of learned clauses, so that plain propagation can do without them."""


@dataclass(frozen=True, slots=True)
class Propagation:
    """What unit propagation alone finds: `facts`, the round in which each is fixed, a conflict.

    Rounds are synchronous: a literal implied through a constraint's clause is one round later than
    the latest of its antecedents; that a term has exactly one value costs no round.
    """

    facts: Mapping[str, Value]
    round_of: Mapping[str, int]
    conflict: bool

    @property
    def rounds(self) -> int:
        """The last round in which a fact was fixed; 0 when none was."""
        return max(self.round_of.values(), default=0)


class _Undecided(Exception):
    """A budget ran out in the middle of a query that asks many."""


class Dpll:
    """Labelled constraints over fixed domains, and queries that turn labels on."""

    def __init__(self, domains: Mapping[str, tuple[Value, ...]], *, budget: int = BUDGET) -> None:
        self.cnf = OneHot(domains)
        self.budget = budget
        size = self.cnf.size
        self._bits: dict[str, int] = {}
        self._entries: dict[str, list[Entry]] = {}
        self._learned: list[Entry] = []
        self._off = -1
        self._value = [0] * (2 * size + 1)
        self._level = [0] * (2 * size + 1)
        self._reason: list[Entry | int] = [0] * (2 * size + 1)
        self._dep = [0] * (2 * size + 1)
        self._settled = 0
        self._trail: list[int] = []
        self._limits: list[int] = []
        self._offs: list[int] = []
        self._head = 0
        self._implied: list[list[Entry]] = [[] for _ in range(2 * size + 1)]
        self._watches: list[list[Entry]] = [[] for _ in range(2 * size + 1)]
        self._occurs: list[list[Entry]] = [[] for _ in range(2 * size + 1)]
        self._want: list[int] = []
        self._scanned: list[int] = []
        self._unscanned: list[str] = []
        self._violations: list[Entry] = []
        self._found: list[int] = []
        self._terms = list(self.cnf.variables)
        self._vars = [tuple(self.cnf.variables[term]) for term in self._terms]
        self._live = [len(variables) for variables in self._vars]
        self._weight = [1] * len(self._terms)
        self._phase = [variables[0] if variables else 0 for variables in self._vars]
        self._term_of = [0] * (size + 1)
        self._siblings: list[tuple[int, ...]] = [()] * (size + 1)
        self._alo: list[Entry] = [(0, 0, list(variables)) for variables in self._vars]
        for index, variables in enumerate(self._vars):
            for variable in variables:
                self._term_of[variable] = index
                self._siblings[variable] = tuple(u for u in variables if u != variable)
        self._index = {term: index for index, term in enumerate(self._terms)}
        self._serial = 0
        self._steps = 0
        self._decided = 0
        self._near = False
        self._refuted_by = 0
        self._given: tuple[str, ...] | None = None
        self._given_conflict: Entry | None = None
        self._impossible = self._start()

    def _start(self) -> Entry | None:
        """Fix the terms that have one value; a term without any makes everything impossible."""
        for entry in self._alo:
            if not entry[2]:
                return entry
            if len(entry[2]) == 1:
                self._set(entry[2][0], entry)
        return None

    # Adding

    def add(self, label: str, constraint: Constraint) -> None:
        """Add a constraint that is in force in the queries that turn `label` on."""
        self._add(label, self.cnf.clauses_of(constraint))

    def knows(self, label: str) -> bool:
        """Whether the label is in use."""
        return label in self._bits

    def ban(self, label: str, assignment: Assignment) -> None:
        """Add "not all of these values at once" under a label."""
        self._add(label, self.cnf.ban(assignment))

    def _add(self, label: str, clauses: list[Clause]) -> None:
        if label in self._bits:
            raise ValueError(f"label {label} is in use; choose another")
        bit = 2 << len(self._bits)
        self._bits[label] = bit
        self._entries[label] = [self._attach(clause, bit) for clause in clauses]
        self._unscanned.append(label)
        for entry in self._entries[label]:
            if len(entry[2]) > 2:
                for literal in entry[2]:
                    self._occurs[-literal].append(entry)

    def _attach(self, clause: Sequence[int], mask: int) -> Entry:
        """Store a clause where propagation finds it."""
        literals = list(clause)
        if len(literals) == 2:
            first, second = literals
            self._implied[-second].append((first, mask, literals))
            entry: Entry = (second, mask, literals)
            self._implied[-first].append(entry)
            return entry
        # The serial number keeps entries apart when one is looked up in a watch list.
        self._serial += 1
        entry = (self._serial, mask, literals)
        if len(clause) > 2:
            self._watches[-clause[0]].append(entry)
            self._watches[-clause[1]].append(entry)
        return entry

    # Queries

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
        before = self._steps
        if self._given == tuple(given):
            self._pop(1)
        else:
            self._pop(0)
            self._given = tuple(given)
            self._given_conflict = self._push(given)
        self._begin(near)
        return self._search(self._given_conflict or self._push(active), away, before)

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
        self._pop(0)
        self._given = None
        self._begin(near)
        outcomes: dict[str, Outcome] = {}
        pending: list[tuple[int, Iterable[str], Sequence[str]]] = [(0, background, labels)]
        while pending:
            depth, others, rest = pending.pop()
            self._pop(depth)
            conflict = self._push(others)
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
        self._pop(1)
        try:
            return tuple(self._reduce(active, guided))
        except _Undecided:
            return None
        finally:
            self._pop(1)

    def _reduce(self, labels: Sequence[str], guided: bool) -> list[str]:
        """The labels that stay: their set beside the present base conflicts, and is minimal."""
        if guided:
            labels = [label for label in labels if self._bits[label] & self._refuted_by]
        if len(labels) < 2:
            return [label for label in labels if not self._refuted(None)]
        middle = len(labels) // 2
        left, right = labels[:middle], labels[middle:]
        for half in (1, 0):
            depth = len(self._limits)
            conflict = self._push(left if half else right)
            if conflict is not None and self._refuted(conflict):
                kept = []
            else:
                kept = self._reduce(right if half else left, guided)
            self._pop(depth)
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
        entries = [entry for label in active for entry in self._entries[label]]
        return _in_rounds(self.cnf, [tuple(entry[2]) for entry in entries])

    # Search

    def _begin(self, near: Assignment | None) -> None:
        """Forget the weights, and take up the values that are wanted this time."""
        self._weight = [1] * len(self._terms)
        self._near = near is not None
        if near is None:
            self._phase = [variables[0] if variables else 0 for variables in self._vars]
            return
        self._phase = [
            (self.cnf.literal(term, near[term]) if term in near else 0) or next(iter(variables), 0)
            for term, variables in zip(self._terms, self._vars, strict=True)
        ]
        self._scan()

    def _scan(self) -> None:
        """Note which clauses the wanted values violate, of the labels that are new since then."""
        if self._phase != self._scanned:
            self._scanned = self._phase
            self._unscanned = list(self._entries)
            self._violations = []
            self._want = [-1] * (self.cnf.size + 1) + [1] * self.cnf.size
            for variable in self._phase:
                self._want[variable], self._want[-variable] = 1, -1
        want = self._want
        for label in self._unscanned:
            for entry in self._entries[label]:
                if all(want[literal] < 0 for literal in entry[2]):
                    self._violations.append(entry)
        self._unscanned = []

    def _search(
        self, conflict: Entry | None, away: Iterable[str] = (), before: int | None = None
    ) -> Outcome:
        """Decide from the present base until every term is fixed; leaves the base as it was.

        The work counts from the step `before`, or from now.
        """
        base = len(self._limits)
        before = self._steps if before is None else before
        decided = self._decided
        aside = [self._index[term] for term in away]
        answer = Answer.UNKNOWN
        model: dict[str, Value] | None = None
        while self._steps - before <= self.budget:
            if conflict is None:
                literal = self._aim(aside) if self._near else self._branch()
                if not literal:
                    answer, model = Answer.SAT, self._model()
                    break
                self._decide(literal)
            elif len(self._limits) == base:
                self._refuted_by = self._labels_behind(conflict)
                answer = Answer.UNSAT
                break
            else:
                self._learn(conflict, base)
            conflict = self._propagate()
        self._pop(base)
        decisions = self._decided - decided
        return Outcome(answer, model, decisions, self._steps - before - decisions)

    def _decide(self, literal: int) -> None:
        """Open a level with a literal that is true by choice."""
        self._decided += 1
        self._steps += 1
        self._limits.append(len(self._trail))
        self._offs.append(self._off)
        self._set(literal, 0)

    def _branch(self) -> int:
        """The next decision: a value for the term with the fewest live ones for its conflicts."""
        live, weight = self._live, self._weight
        best, chosen = 0.0, -1
        for index, count in enumerate(live):
            if count > 1 and weight[index] > best * count:
                best, chosen = weight[index] / count, index
        if chosen < 0:
            self._found = [v for variables in self._vars for v in variables if self._value[v] > 0]
            return 0
        return next(v for v in self._vars[chosen] if self._value[v] == 0)

    def _aim(self, aside: Sequence[int]) -> int:
        """The next decision on the way to a model close to the wanted values.

        Give every open term the value wanted of it, or its first live one. If that violates a
        clause, decide for one of the clause's open literals; if it violates none, it is a model.
        A term of `aside` is moved before anything else.
        """
        value, phase, live = self._value, self._phase, self._live
        if aside and all(value[phase[index]] >= 0 for index in aside):
            for index in aside:
                if live[index] > 1:
                    return -phase[index]
        found = list(phase)
        moved = []
        for index, wanted in enumerate(phase):
            if value[wanted] < 0:
                for variable in self._vars[index]:
                    if value[variable] >= 0:
                        found[index] = variable
                        moved.append((wanted, variable))
                        break
        violated = self._violated(moved)
        if violated is None:
            self._found = found
            return 0
        return next(literal for literal in violated if value[literal] == 0)

    def _violated(self, moved: Sequence[tuple[int, int]]) -> list[int] | None:
        """A clause violated by the wanted values once the moved terms go from old to new."""
        want, off = self._want, self._off | _LEARNED
        for old, new in moved:
            want[old] = want[-new] = -1
            want[-old] = want[new] = 1
        try:
            for old, new in moved:
                for literal in (new, -old):
                    for entry in self._implied[literal]:
                        if want[entry[0]] < 0 and not entry[1] & off:
                            return entry[2]
                    for entry in self._occurs[literal]:
                        if not entry[1] & off and all(want[other] < 0 for other in entry[2]):
                            return entry[2]
            for entry in self._violations:
                if not entry[1] & off and all(want[other] < 0 for other in entry[2]):
                    return entry[2]
            return None
        finally:
            for old, new in moved:
                want[old] = want[-new] = 1
                want[-old] = want[new] = -1

    def _model(self) -> dict[str, Value]:
        meaning = self.cnf.meaning
        return dict(meaning[variable - 1] for variable in self._found)

    def _learn(self, conflict: Entry, base: int) -> None:
        """Turn a conflict above the base into a clause, jump back and assert it (first UIP).

        Resolves the conflict backwards along the trail until one literal of the present level is
        left. Literals of the base are resolved away altogether: what they rest on goes into the
        clause's mask.
        """
        level, trail, dep = self._level, self._trail, self._dep
        self._settle(self._limits[base])
        present = len(self._limits)
        mask, clause = _LEARNED | conflict[1], conflict[2]
        seen: set[int] = set()
        lower: list[int] = []
        pending, index, uip = 0, len(trail), 0
        while True:
            for literal in clause:
                true = -literal
                if literal == uip or true in seen:
                    continue
                seen.add(true)
                if level[true] == present:
                    pending += 1
                elif level[true] > base:
                    lower.append(literal)
                else:
                    mask |= dep[true]
            index -= 1
            while trail[index] not in seen:
                index -= 1
            uip = trail[index]
            pending -= 1
            if not pending:
                break
            reason = self._reason[uip]
            if isinstance(reason, int):
                clause = [-reason]
            else:
                mask |= reason[1]
                clause = reason[2]
        lower.sort(key=lambda literal: level[-literal], reverse=True)
        for literal in (-uip, *lower):
            self._weight[self._term_of[abs(literal)]] += 1
        self._pop(max(level[-lower[0]], base) if lower else base)
        entry = self._attach((-uip, *lower), mask)
        self._learned.append(entry)
        self._set(-uip, entry)

    def _settle(self, end: int) -> None:
        """Work out, for the trail up to `end`, which labels each literal rests on."""
        dep = self._dep
        for index in range(self._settled, end):
            literal = self._trail[index]
            reason = self._reason[literal]
            if isinstance(reason, int):
                dep[literal] = dep[reason]
            else:
                mask = reason[1]
                for other in reason[2]:
                    if other != literal:
                        mask |= dep[-other]
                dep[literal] = mask
        self._settled = max(self._settled, end)

    def _labels_behind(self, conflict: Entry) -> int:
        self._settle(len(self._trail))
        mask = conflict[1]
        for literal in conflict[2]:
            mask |= self._dep[-literal]
        return mask

    # The trail

    def _push(self, labels: Iterable[str]) -> Entry | None:
        """Open a level, turn the labels on and propagate; a conflict, if there is one."""
        self._limits.append(len(self._trail))
        self._offs.append(self._off)
        if self._impossible is not None:
            return self._impossible
        asleep = self._off
        awake = [label for label in labels if self._bits[label] & asleep]
        for label in awake:
            self._off &= ~self._bits[label]
        off = self._off
        for label in awake:
            for entry in self._entries[label]:
                if self._wake(entry):
                    return entry
        for entry in self._learned:
            if entry[1] & asleep & ~_LEARNED and not entry[1] & off and self._wake(entry):
                return entry
        return self._propagate()

    def _wake(self, entry: Entry) -> bool:
        """Give a clause its watches back and assert it if it is unit; whether it is violated."""
        value = self._value
        literals = entry[2]
        size = len(literals)
        if size > 2 and value[literals[0]] >= 0 and value[literals[1]] >= 0:
            return False
        unfalsified = [literal for literal in literals if value[literal] >= 0]
        if not unfalsified:
            return True
        if size > 2:
            for place, literal in enumerate(unfalsified[:2]):
                self._watch(entry, place, literal)
        if len(unfalsified) == 1 and value[unfalsified[0]] == 0:
            self._set(unfalsified[0], entry)
        return False

    def _watch(self, entry: Entry, place: int, literal: int) -> None:
        """Make a literal the first or second watch of a long clause."""
        literals = entry[2]
        old = literals[place]
        if old == literal:
            return
        other = literals.index(literal)
        literals[place], literals[other] = literal, old
        if other > 1:
            self._watches[-old].remove(entry)
            self._watches[-literal].append(entry)

    def _set(self, literal: int, reason: Entry | int) -> None:
        self._value[literal] = 1
        self._value[-literal] = -1
        self._level[literal] = len(self._limits)
        self._reason[literal] = reason
        self._trail.append(literal)

    def _pop(self, depth: int) -> None:
        """Undo every level above `depth`."""
        if len(self._limits) <= depth:
            return
        value, live, term_of, trail = self._value, self._live, self._term_of, self._trail
        start = self._limits[depth]
        for literal in trail[start : self._head]:
            if literal < 0:
                live[term_of[-literal]] += 1
        for literal in trail[start:]:
            value[literal] = value[-literal] = 0
        del trail[start:]
        self._off = self._offs[depth]
        del self._limits[depth:], self._offs[depth:]
        self._head = min(self._head, start)
        self._settled = min(self._settled, start)

    def _propagate(self) -> Entry | None:  # noqa: C901
        """Draw every consequence of the trail; the violated clause, if there is one.

        The engine's hot loop, in one piece on purpose: calls would cost more than the work.
        """
        value, trail, reason, level = self._value, self._trail, self._reason, self._level
        live, implied, watches, off = self._live, self._implied, self._watches, self._off
        siblings, term_of, variables = self._siblings, self._term_of, self._vars
        depth = len(self._limits)
        head = start = self._head
        conflict: Entry | None = None
        while head < len(trail):
            literal = trail[head]
            head += 1
            if literal > 0:
                for other in siblings[literal]:
                    state = value[other]
                    if state == 0:
                        value[other], value[-other] = -1, 1
                        level[-other], reason[-other] = depth, literal
                        trail.append(-other)
                    elif state > 0:
                        conflict = (0, 0, [-other, -literal])
                        break
            else:
                term = term_of[-literal]
                live[term] -= 1
                if live[term] < 2:
                    for other in variables[term]:
                        if value[other] >= 0:
                            if value[other] == 0:
                                value[other], value[-other] = 1, -1
                                level[other], reason[other] = depth, self._alo[term]
                                trail.append(other)
                            break
                    else:
                        conflict = self._alo[term]
            if conflict is not None:
                break
            for entry in implied[literal]:
                other = entry[0]
                state = value[other]
                if state <= 0 and not entry[1] & off:
                    if state < 0:
                        conflict = entry
                        break
                    value[other], value[-other] = 1, -1
                    level[other], reason[other] = depth, entry
                    trail.append(other)
            if conflict is not None:
                break
            if watches[literal]:
                conflict = self._visit(literal)
                if conflict is not None:
                    break
        self._head = head
        self._steps += head - start
        return conflict

    def _visit(self, literal: int) -> Entry | None:
        """Find the long clauses that watch the literal's negation a new watch, or assert them."""
        value, off, watches = self._value, self._off, self._watches
        false = -literal
        kept: list[Entry] = []
        watching = watches[literal]
        watches[literal] = kept
        for place, entry in enumerate(watching):
            literals = entry[2]
            if entry[1] & off:
                kept.append(entry)
                continue
            if literals[0] == false:
                literals[0], literals[1] = literals[1], false
            first = literals[0]
            if value[first] > 0:
                kept.append(entry)
                continue
            for index in range(2, len(literals)):
                other = literals[index]
                if value[other] >= 0:
                    literals[1], literals[index] = other, false
                    watches[-other].append(entry)
                    break
            else:
                kept.append(entry)
                if value[first] < 0:
                    kept += watching[place + 1 :]
                    return entry
                self._set(first, entry)
        return None


def _in_rounds(cnf: OneHot, clauses: Sequence[Clause]) -> Propagation:
    """Synchronous unit propagation over clauses and the one-hot rules, from nothing."""
    where: dict[int, list[Clause]] = {}
    for clause in clauses:
        for literal in clause:
            where.setdefault(-literal, []).append(clause)
    true: set[int] = set()
    round_of: dict[str, int] = {}
    singles = [variables[0] for variables in cnf.variables.values() if len(variables) == 1]
    units = [clause[0] for clause in clauses if len(clause) == 1]
    conflict = not all(clauses) or not all(cnf.variables.values())
    now, forced = 0, singles
    while not conflict and (forced or now == 0):
        fresh = _close(cnf, forced, true)
        for term in dict.fromkeys(cnf.meaning[v - 1][0] for v in fresh if v > 0):
            round_of[term] = now
        conflict = any(-literal in true for literal in fresh)
        forced = units if now == 0 else []
        for literal in fresh:
            for clause in where.get(literal, ()):
                unfalsified = [other for other in clause if -other not in true]
                if len(unfalsified) < 2 and not any(other in true for other in unfalsified):
                    forced.append(unfalsified[0] if unfalsified else clause[0])
        now += 1
    facts = {term: value for v, (term, value) in enumerate(cnf.meaning, 1) if v in true}
    return Propagation(facts, round_of, conflict)


def _close(cnf: OneHot, forced: Iterable[int], true: set[int]) -> list[int]:
    """Add literals and what "exactly one value" makes of them to `true`; those that are new."""
    fresh: list[int] = []
    pending = list(forced)
    while pending:
        literal = pending.pop()
        if literal in true:
            continue
        true.add(literal)
        fresh.append(literal)
        variables = cnf.variables[cnf.meaning[abs(literal) - 1][0]]
        if literal > 0:
            pending += [-other for other in variables if other != literal]
        else:
            live = [variable for variable in variables if -variable not in true]
            if len(live) < 2:
                pending.append(live[0] if live else variables[0])
    return fresh
