"""The trail of the DPLL engine: assignment, propagation, undoing and learning.

Fast pure Python on flat lists of integers, and nothing about strategy: `dpll` decides, this draws
the consequences. That a term takes exactly one value is built in and has no clauses.

A label's selector is one bit of an integer. A clause carries the bits of its labels and sleeps as
long as one of them is off; a learned clause carries the bits of every label that its derivation
used, which keeps it sound in any later query and yields unsatisfiable cores for nothing.

Legend: a literal is a signed variable; `value[l]` is 1, -1 or 0 (true, false, open) for l and -l
alike, since a negative index counts from the end; `trail` lists the true literals in order;
`reason[l]` is why l is true: an entry, or for "no second value" the variable that is true. An entry
is a clause where propagation finds it: (partner, mask, clause) under the negation of a literal of a
pair, (serial number, mask, clause) under its two watched literals if it is longer. `off` has a bit
for every sleeping label.

Every learned clause is kept, in order. Those that are awake, with the empty clause at the end, are
the DRUP refutation of the clauses awake: so `learned` is the proof log, and costs the search
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from worlds.core.engines.cnf import Clause, OneHot

__all__ = ["LEARNED", "Entry", "Trail"]

Entry = tuple[int, int, list[int]]

LEARNED = 1
"""The mask bit of learned clauses; it is never off."""


class Trail:
    """The clauses of labels over the variables of a one-hot encoding, and an assignment."""

    def __init__(self, cnf: OneHot) -> None:
        size = cnf.size
        self.variables = [tuple(variables) for variables in cnf.variables.values()]
        self.live = [len(variables) for variables in self.variables]
        self.value = [0] * (2 * size + 1)
        self.bits: dict[str, int] = {}
        self.entries: dict[str, list[Entry]] = {}
        self.implied: list[list[Entry]] = [[] for _ in range(2 * size + 1)]
        self.occurs: list[list[Entry]] = [[] for _ in range(2 * size + 1)]
        self.weight = [1] * len(self.variables)
        self.off = ~LEARNED
        self.steps = 0
        self._level = [0] * (2 * size + 1)
        self._reason: list[Entry | int] = [0] * (2 * size + 1)
        self._rests_on = [0] * (2 * size + 1)
        self._settled = 0
        self._trail: list[int] = []
        self._head = 0
        self._limits: list[int] = []
        self._offs: list[int] = []
        self._watches: list[list[Entry]] = [[] for _ in range(2 * size + 1)]
        self._learned: list[Entry] = []
        self._serial = 0
        self._term_of = [0] * (size + 1)
        self._siblings: list[tuple[int, ...]] = [()] * (size + 1)
        self._some_value: list[Entry] = [(0, 0, list(each)) for each in self.variables]
        for term, variables in enumerate(self.variables):
            for variable in variables:
                self._term_of[variable] = term
                self._siblings[variable] = tuple(u for u in variables if u != variable)
        self._impossible = self._start()

    def _start(self) -> Entry | None:
        """Fix the terms that have one value; a term without any makes everything impossible."""
        for entry in self._some_value:
            if not entry[2]:
                return entry
            if len(entry[2]) == 1:
                self._set(entry[2][0], entry)
        return None

    @property
    def depth(self) -> int:
        """How many levels are open."""
        return len(self._limits)

    def add(self, label: str, clauses: Iterable[Clause]) -> None:
        """Store the clauses of a new label, asleep."""
        if label in self.bits:
            raise ValueError(f"label {label} is in use; choose another")
        bit = self.bits[label] = 2 << len(self.bits)
        entries = self.entries[label] = [self._attach(clause, bit) for clause in clauses]
        for entry in entries:
            if len(entry[2]) > 2:
                for literal in entry[2]:
                    self.occurs[-literal].append(entry)

    def _attach(self, clause: Sequence[int], mask: int) -> Entry:
        """Store a clause where propagation finds it."""
        literals = list(clause)
        if len(literals) == 2:
            first, second = literals
            self.implied[-second].append((first, mask, literals))
            entry: Entry = (second, mask, literals)
            self.implied[-first].append(entry)
            return entry
        # The serial number keeps entries apart when one is looked up in a watch list.
        self._serial += 1
        entry = (self._serial, mask, literals)
        if len(clause) > 2:
            self._watches[-clause[0]].append(entry)
            self._watches[-clause[1]].append(entry)
        return entry

    def push(self, labels: Iterable[str]) -> Entry | None:
        """Open a level, turn the labels on and propagate; a conflict, if there is one."""
        self._limits.append(len(self._trail))
        self._offs.append(self.off)
        if self._impossible is not None:
            return self._impossible
        asleep = self.off
        awake = [label for label in labels if self.bits[label] & asleep]
        for label in awake:
            self.off &= ~self.bits[label]
        off, value = self.off, self.value
        for label in awake:
            for entry in self.entries[label]:
                literals = entry[2]
                # Two literals that are not false, the first two, mean that there is nothing to do.
                if (
                    len(literals) < 2 or value[literals[0]] < 0 or value[literals[1]] < 0
                ) and self._wake(entry):
                    return entry
        for entry in self._learned:
            if entry[1] & asleep & ~LEARNED and not entry[1] & off and self._wake(entry):
                return entry
        return self.propagate()

    def decide(self, literal: int) -> None:
        """Open a level with a literal that is true by choice."""
        self.steps += 1
        self._limits.append(len(self._trail))
        self._offs.append(self.off)
        self._set(literal, 0)

    def pop(self, depth: int) -> None:
        """Undo every level above `depth`."""
        if len(self._limits) <= depth:
            return
        value, live, term_of, trail = self.value, self.live, self._term_of, self._trail
        start = self._limits[depth]
        for literal in trail[start : self._head]:
            if literal < 0:
                live[term_of[-literal]] += 1
        for literal in trail[start:]:
            value[literal] = value[-literal] = 0
        del trail[start:]
        self.off = self._offs[depth]
        del self._limits[depth:], self._offs[depth:]
        self._head = min(self._head, start)
        self._settled = min(self._settled, start)

    def propagate(self) -> Entry | None:  # noqa: C901
        """Draw every consequence of the trail; the violated clause, if there is one.

        The engine's hot loop, in one piece on purpose: calls would cost more than the work.
        """
        value, trail, reason, level = self.value, self._trail, self._reason, self._level
        live, implied, watches, off = self.live, self.implied, self._watches, self.off
        siblings, term_of, variables = self._siblings, self._term_of, self.variables
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
                                level[other], reason[other] = depth, self._some_value[term]
                                trail.append(other)
                            break
                    else:
                        conflict = self._some_value[term]
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
        self.steps += head - start
        return conflict

    def _visit(self, literal: int) -> Entry | None:
        """Find the long clauses that watch the literal's negation a new watch, or assert them."""
        value, off, watches = self.value, self.off, self._watches
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

    def _wake(self, entry: Entry) -> bool:
        """Give a clause its watches back and assert it if it is unit; whether it is violated."""
        value = self.value
        literals = entry[2]
        unfalsified = [literal for literal in literals if value[literal] >= 0]
        if not unfalsified:
            return True
        if len(literals) > 2:
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
        self.value[literal] = 1
        self.value[-literal] = -1
        self._level[literal] = len(self._limits)
        self._reason[literal] = reason
        self._trail.append(literal)

    def learn(self, conflict: Entry, base: int) -> None:
        """Turn a conflict above the base into a clause, jump back and assert it."""
        uip, lower, mask = self._first_uip(conflict, base)
        level = self._level
        lower.sort(key=lambda literal: level[-literal], reverse=True)
        clause = (-uip, *lower)
        for literal in clause:
            self.weight[self._term_of[abs(literal)]] += 1
        self.pop(level[-lower[0]] if lower else base)
        entry = self._attach(clause, mask)
        self._learned.append(entry)
        self._set(-uip, entry)

    def learned(self) -> list[Clause]:
        """The learned clauses awake, in the order in which they were learned.

        What helped to derive a clause sleeps under no label but the clause's own: each one follows
        by unit propagation from the clauses awake, "exactly one value", and those before it.
        """
        off = self.off
        return [tuple(sorted(entry[2], key=abs)) for entry in self._learned if not entry[1] & off]

    def _first_uip(self, conflict: Entry, base: int) -> tuple[int, list[int], int]:
        """Resolve a conflict backwards until one literal of the present level is left.

        Gives that literal, the clause's other ones, all from levels between, and the clause's
        mask: literals of the base are resolved away altogether, down to the labels they rest on.
        """
        level, trail, present = self._level, self._trail, len(self._limits)
        self._settle(self._limits[base])
        mask, clause = LEARNED | conflict[1], conflict[2]
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
                    mask |= self._rests_on[true]
            index -= 1
            while trail[index] not in seen:
                index -= 1
            uip = trail[index]
            pending -= 1
            if not pending:
                return uip, lower, mask
            reason = self._reason[uip]
            if isinstance(reason, int):
                clause = [-reason]
            else:
                mask |= reason[1]
                clause = reason[2]

    def _settle(self, end: int) -> None:
        """Work out, for the trail up to `end`, which labels each literal rests on."""
        dep = self._rests_on
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

    def labels_behind(self, conflict: Entry) -> int:
        self._settle(len(self._trail))
        mask = conflict[1]
        for literal in conflict[2]:
            mask |= self._rests_on[-literal]
        return mask
