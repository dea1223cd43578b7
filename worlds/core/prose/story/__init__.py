"""Story mode: the same verified world told as one continuous account.

An outline cuts the world's units into scenes; a narrator, who stands behind one port, tells them;
what comes back is trusted only as far as it reads back.
"""

from __future__ import annotations

from worlds.core.prose.story.compose import compile_story, join_scenes
from worlds.core.prose.story.gate import StoryGate, check_story
from worlds.core.prose.story.outline import Outline, outline_story
from worlds.core.prose.story.plan import Line, Narrator, ScenePlan
from worlds.core.prose.story.scene_check import SceneCheck, longest, sentence_of
from worlds.core.prose.story.teller import SeededNarrator

__all__ = [
    "Line",
    "Narrator",
    "Outline",
    "SceneCheck",
    "ScenePlan",
    "SeededNarrator",
    "StoryGate",
    "check_story",
    "compile_story",
    "join_scenes",
    "longest",
    "outline_story",
    "sentence_of",
]
