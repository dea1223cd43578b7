"""From a world to the one document of its story: outline, narrate, and find every clause."""

from __future__ import annotations

from collections.abc import Sequence

from worlds.core.bridges import BridgeFact
from worlds.core.errors import GateRejected
from worlds.core.instance import Document, Span
from worlds.core.model import World
from worlds.core.packs.model import Pack
from worlds.core.packs.template import capitalised
from worlds.core.prose.extract import extract
from worlds.core.prose.grammar import Grammar
from worlds.core.prose.story.outline import Outline, outline_story
from worlds.core.prose.story.plan import CHANNEL, Line, Narrator
from worlds.core.prose.story.teller import SeededNarrator
from worlds.core.seeds import Stream

__all__ = ["compile_story", "join_scenes", "place_lines"]


def compile_story(
    world: World,
    pack: Pack,
    facts: Sequence[BridgeFact],
    burial: int,
    stream: Stream,
    narrator: Narrator | None = None,
) -> tuple[Document, ...]:
    """The one document of a story; raises GateRejected if a line is not found where it belongs."""
    outline = outline_story(world, pack, facts, burial, stream)
    teller = SeededNarrator(pack, stream) if narrator is None else narrator
    scenes = teller.narrate(outline.scenes)
    return join_scenes(outline, scenes, Grammar.of_world(world, pack, facts))


def join_scenes(outline: Outline, scenes: Sequence[str], grammar: Grammar) -> tuple[Document, ...]:
    """The scenes as one text with a span for every line."""
    text = "\n".join(scenes)
    lines = [line for scene in outline.scenes for line in scene.lines]
    return (Document("D1", 1, CHANNEL, outline.heading, text, place_lines(text, lines, grammar)),)


def place_lines(text: str, lines: Sequence[Line], grammar: Grammar) -> tuple[Span, ...]:
    """Where each line stands: what the text states must be exactly the lines, in their order.

    Raises GateRejected with one sentence for every line that is missing, changed, moved or too
    many.
    """
    stated = [(s.start, s.end) for s in extract(text, CHANNEL, grammar)]
    said = [text[start:end] for start, end in stated]
    wanted = [line.text for line in lines]
    findings = [
        f"line {line.unit} is not there word for word: {line.text!r}"
        for line in lines
        if not any(_same(one, line.text) for one in said)
    ]
    for one in dict.fromkeys(said):
        most = sum(_same(one, line) for line in wanted)
        if said.count(one) > most:
            findings.append(f"the text states what it should not, or twice: {one!r}")
    if not findings and not all(map(_same, said, wanted)):
        findings.append("the lines do not stand in their order")
    if findings or len(said) != len(wanted):
        raise GateRejected(tuple(findings) or ("the text holds more or fewer lines than planned",))
    return tuple(
        Span(line.unit, start, end) for line, (start, end) in zip(lines, stated, strict=True)
    )


def _same(said: str, wanted: str) -> bool:
    return said in (wanted, capitalised(wanted))
