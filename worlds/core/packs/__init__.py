"""Genre packs: one folder of data per genre, found by name.

Nothing imports a single pack; adding one touches its own folder and nothing else.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from worlds.core.errors import BadInput
from worlds.core.packs.checks import Finding, check
from worlds.core.packs.loader import FILES, read_folder
from worlds.core.packs.model import FrameShape, Orders, Pack, Shape, Wording
from worlds.core.packs.story import StoryTexts

__all__ = [
    "FILES",
    "Finding",
    "FrameShape",
    "Orders",
    "Pack",
    "Shape",
    "StoryTexts",
    "Wording",
    "check",
    "genres",
    "pack",
    "read_pack",
]


@cache
def genres() -> tuple[str, ...]:
    """The genres that have a pack (a folder with every file of one), in alphabetical order."""
    return tuple(sorted(folder.name for folder in files(__name__).iterdir() if _is_pack(folder)))


@cache
def pack(genre: str) -> Pack:
    """The pack of a genre; raises BadInput that names the genres there are."""
    if genre not in genres():
        raise BadInput("genre", genre, " or ".join(genres()))
    return read_folder(files(__name__) / genre)


def read_pack(folder: Traversable) -> Pack:
    """The pack in any folder (a `pathlib.Path` will do); raises BadFormat for a broken one."""
    return read_folder(folder)


def _is_pack(folder: Traversable) -> bool:
    return folder.is_dir() and all((folder / name).is_file() for name in FILES)
