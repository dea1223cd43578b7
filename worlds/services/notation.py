"""The formal surface as its page shows it: a paper for each section, a piece for each line.

Lines say which unit they write down, as clauses do in prose: constraints and rules are found again
by writing the world's units in the same notation.
"""

from __future__ import annotations

from collections.abc import Mapping

from worlds.core.model import World
from worlds.core.prose.formal import SECTIONS, constraint_text
from worlds.core.prose.normal import on_marks, renamed
from worlds.services.papers import Marking, Paper, Piece

__all__ = ["notation_lines", "notation_of"]


def notation_of(
    prompt: str, lines: Mapping[str, str], marking: Marking | None
) -> tuple[str, tuple[Paper, ...], str]:
    """What stands before the sections of a formal prompt, the sections, and what stands after.

    `lines` says which unit each line writes down. Without `marking` nothing tells them apart. A
    prompt in another form is all before.
    """
    blocks = prompt.split("\n\n")
    places = [n for n, block in enumerate(blocks) if block.partition("\n")[0] in SECTIONS]
    if not places:
        return prompt, (), ""
    papers = tuple(
        _section(number, blocks[place], lines, marking)
        for number, place in enumerate(places, start=1)
    )
    before, after = blocks[: places[0]], blocks[places[-1] + 1 :]
    return "\n\n".join(before), papers, "\n\n".join(after)


def notation_lines(world: World) -> Mapping[str, str]:
    """Which unit each line of a world's notation writes down: its clues and its two rules.

    A rule is known by the three characters that its line begins with.
    """
    name = on_marks(world, str)
    lines = {
        constraint_text(renamed(unit.constraint, name)): unit.id
        for unit in world.clues
        if unit.constraint is not None
    }
    rules = {"policy": "R2:", "provisional": "R1,"}
    return lines | {rules[unit.role]: unit.id for unit in world.units if unit.role in rules}


def _section(number: int, block: str, lines: Mapping[str, str], marking: Marking | None) -> Paper:
    heading, _, text = block.partition("\n")
    channel = "formal-list" if heading == "VARIABLES" else "formal"
    if marking is None:
        pieces: tuple[Piece, ...] = (Piece(text),)
    else:
        pieces = tuple(
            piece
            for place, line in enumerate(text.split("\n"))
            for piece in _line(place, line, lines, marking)
        )
    return Paper(number, channel, heading, pieces, heading.lower())


def _line(place: int, line: str, lines: Mapping[str, str], marking: Marking) -> tuple[Piece, ...]:
    """The pieces of one line, its line end before it."""
    unit = lines.get(line) or lines.get(line[:3], "")
    written = marking.piece(line, (unit,), unit) if unit else Piece(line)
    return (Piece("\n"), written) if place else (written,)
