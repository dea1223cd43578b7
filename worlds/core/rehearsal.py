"""Rehearse a genre pack: write whole records with it, before any corpus depends on it.

Worlds are drawn from the pack's own lexicon and written out, as papers and as a story; what the
gate finds in the first wording of each is a gap of the pack. Static checks see single texts; only a
whole record shows that closures, orders, hedges and colour go together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from worlds.core.bridges import BridgeFact
from worlds.core.errors import ForgeError, GateRejected, Unrenderable
from worlds.core.forge.pipeline import sample_world
from worlds.core.levels import level_spec
from worlds.core.model import World
from worlds.core.packs import Finding, Pack
from worlds.core.packs.story import STORY
from worlds.core.prose.compiler import compile_record
from worlds.core.prose.extract import extract
from worlds.core.prose.gate import Gate
from worlds.core.prose.story import check_story, compile_story
from worlds.core.prose.story.plan import CHANNEL
from worlds.core.seeds import derive

__all__ = ["rehearsal_findings"]

# With each level the burial of the story that is told of it.
_LEVELS = {"L00": 5, "L03": 3, "L09": 1}
_WORDINGS = 4
_TRIES = 60


def rehearsal_findings(pack: Pack, facts: Sequence[BridgeFact]) -> Iterator[Finding]:
    """What the gate finds in a few records of small, middling and the largest worlds.

    Only for a pack in which `check` finds nothing.
    """
    for level, burial in _LEVELS.items():
        world = _world(pack, level, facts)
        if world is None:
            yield Finding("record", "lexicon.toml", f"no world of {level} can be drawn from it")
            continue
        gate = Gate(world, pack, facts)
        for wording in range(_WORDINGS):
            where = f"a record of {level}, wording {wording + 1}"
            try:
                papers = compile_record(world, pack, facts, derive(wording, "rehearsal", level))
            except Unrenderable as error:
                yield Finding("record", where, str(error))
                continue
            for breach in gate.findings(papers):
                yield Finding("record", where, str(breach))
        yield from _line_findings(pack, gate)
        yield from _story_findings(pack, level, world, facts, burial)


def _line_findings(pack: Pack, gate: Gate) -> Iterator[Finding]:
    """Sentences of the story that state something by themselves."""
    for key, texts in pack.story.lists():
        for text in texts:
            told = re.sub(r"\{[^{}]*\}", "Somebody", text)
            if extract(told, CHANNEL, gate.grammar):
                yield Finding("record", f"{STORY} {key} {text!r}", "states something")


def _story_findings(
    pack: Pack, level: str, world: World, facts: Sequence[BridgeFact], burial: int
) -> Iterator[Finding]:
    where = f"a story of {level}, burial {burial}"
    try:
        told = compile_story(
            world, pack, facts, burial, derive(burial, "rehearsal", level, "story")
        )
        check_story(world, pack, facts, told)
    except Unrenderable as error:
        yield Finding("record", where, str(error))
    except GateRejected as rejected:
        for found in rejected.findings:
            yield Finding("record", where, found)


def _world(pack: Pack, level: str, facts: Sequence[BridgeFact]) -> World | None:
    spec = level_spec("chain", level)
    for attempt in range(_TRIES):
        try:
            return sample_world(
                spec, pack.lexicon, facts, derive(attempt, "rehearsal", level, "world")
            )
        except ForgeError:
            continue
    return None
