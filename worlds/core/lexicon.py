"""The nouns, verbs, names and scales of a genre: all that a world borrows from a pack.

The forge picks from a lexicon, and the clause grammar inflects what was picked. Neither knows a
single genre.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Kind", "Lexicon", "Measure", "PersonRole", "Roster"]


@dataclass(frozen=True, slots=True)
class Roster:
    """A closed body of persons: `key` names its domain, `title` is how a record calls it."""

    key: str
    title: str


@dataclass(frozen=True, slots=True)
class PersonRole:
    """Something that one person did to a marked thing: `Quill kept watch W-21`.

    `past` and `done` are the one verb of this relation ("signed for", "signed for"; "took out",
    "taken out"): closure, clues, all-different and rules all use it. `agent` names the doer
    ("signatory"), for the role phrase only. Only persons of its `roster` can have done it.
    """

    key: str
    letter: str
    roster: str
    noun: str
    plural: str
    past: str
    done: str
    agent: str

    @property
    def role(self) -> str:
        """The role phrase with `{mark}` open: `the keeper of watch {mark}`."""
        return f"the {self.agent} of {self.noun} {{mark}}"


@dataclass(frozen=True, slots=True)
class Measure:
    """A reading on a scale on a marked occasion: `the shutter stood at notch 3 on night N-57`.

    `subject` ("the shutter"), `verb` ("stood"), `value` with `{n}` and `{s}` ("at notch {n}",
    "at {n} fathom{s}"), `preposition` and `occasion` ("on", "night"), `step`/`steps` ("notch",
    "notches"), `more`/`less` ("higher", "lower"), `whole` (what one occasion spans, for the frame:
    "the whole of a night"), `asked` ("at which notch the shutter stood").
    """

    key: str
    letter: str
    subject: str
    verb: str
    value: str
    preposition: str
    occasion: str
    occasions: str
    step: str
    steps: str
    more: str
    less: str
    whole: str
    asked: str

    @property
    def role(self) -> str:
        """The role phrase with `{mark}` open: `the shutter on night {mark}`."""
        return f"{self.subject} {self.preposition} {self.occasion} {{mark}}"


Kind = PersonRole | Measure


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What one genre offers to a world; `verbs` are pairs of opposite actions."""

    genre: str
    names: tuple[str, ...]
    rosters: tuple[Roster, ...]
    roles: tuple[PersonRole, ...]
    measures: tuple[Measure, ...]
    verbs: tuple[tuple[str, str], ...]

    def kind_of(self, role: str, mark: str) -> Kind:
        """The kind whose role phrase a variable carries; KeyError if the genre has none."""
        phrase = role.replace(mark, "{mark}")
        kinds: tuple[Kind, ...] = (*self.roles, *self.measures)
        for kind in kinds:
            if kind.role == phrase:
                return kind
        raise KeyError(role)
