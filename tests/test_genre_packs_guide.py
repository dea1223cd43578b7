"""The guide to genre packs is true: its examples stand in the mill pack, its steps are walked.

The steps are the guide's own command lines, run in a copy of the tree to which they add one folder.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from tests.worlds.core.prose.mill import MILL, mill_pack
from worlds.core.model import CHANNELS
from worlds.core.packs import FILES, StoryTexts, check
from worlds.core.packs.model import CLAUSE_FORMS, LITERAL_FORMS

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "genre-packs.md").read_text(encoding="utf-8")
TREE = ("manage.py", "worlds", "grading", "enigmaforge_site", "templates", "static", "tests")


def sections() -> Iterator[tuple[str, str]]:
    """The sections that are about one file, by its name."""
    for section in GUIDE.split("\n## ")[1:]:
        if found := re.match(r"`([a-z]+\.toml)`\n", section):
            yield found[1], section


def examples() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, section in sections():
        for block in re.findall(r"```toml\n(.*?)```", section, re.DOTALL):
            yield name, tomllib.loads(block)


def test_every_file_of_a_pack_has_its_section() -> None:
    assert [name for name, _ in sections()] == list(FILES)


def test_every_example_stands_in_the_mill_pack() -> None:
    tried = 0
    for name, example in examples():
        pack = tomllib.loads((MILL / name).read_text(encoding="utf-8"))
        for key, value in example.items():
            if isinstance(value, list) and value and isinstance(value[0], dict):
                assert all(entry in pack[key] for entry in value), (name, value)
            elif key == "channel":
                assert all(pack[key][channel] == lists for channel, lists in value.items())
            else:
                assert pack[key] == value, (name, key)
            tried += 1
    assert tried > 15


def rows(head: str) -> dict[str, list[str]]:
    """The rows of the table whose head begins so, by every name in their first cell."""
    table = GUIDE[GUIDE.index(f"| {head} |") :].split("\n\n")[0]
    found = {}
    for line in table.split("\n")[2:]:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        found.update(dict.fromkeys(re.findall(r"`([a-z_0-9]+)`", cells[0]), cells[1:]))
    return found


def least(where: str) -> int:
    """How many `check` asks for, as it says of the mill pack, which has too few of everything."""
    told = [finding.what for finding in check(mill_pack()) if finding.where == where]
    return int(re.findall(r"at least ([0-9]+) are needed", told[0])[0])


def test_the_forms_and_how_many_of_each_are_those_that_are_checked() -> None:
    forms = rows("form")
    assert set(forms) == set(CLAUSE_FORMS)
    for form, cells in forms.items():
        counts = cells[-1].split(", ")
        for style, count in zip(("prose", "wire", "entry"), counts, strict=True):
            if count != "–":
                assert least(f"clauses.toml {style} wordings of {form}") == int(count)
    literals = rows("literal")
    assert set(literals) == set(LITERAL_FORMS)
    for form, cells in literals.items():
        assert least(f"clauses.toml prose literals of {form}") == int(cells[-1])


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ("| 130, and 60 a roster |", "lexicon.toml roles"),
        ("| surnames that fill slots | 24 |", "lexicon.toml names"),
        ("| scales that were read | 20 |", "lexicon.toml measures"),
        ("At least 12 are prose, 3 wire, 3 entry.", "clauses.toml prose hedges"),
        ("At least four frames, three closures", "orders.toml frames"),
        ("need 25 openings", "documents.toml openings of letter"),
        ("half of them stand without one | 30 |", "story.toml carrier"),
        ("a sentence that fits anywhere | 80 |", "story.toml beat"),
        ("that fit anywhere | 30 |", "story.toml anecdote"),
        ("the last sentence of a scene | 12 |", "story.toml parting"),
    ],
)
def test_the_counts_in_the_text_are_those_that_are_checked(said: str, where: str) -> None:
    words = {"four": 4}
    number = next(n for n in re.findall(r"[0-9]+|four", said))
    assert said in " ".join(GUIDE.split("\n"))
    assert least(where) == int(words.get(number, number))


def test_every_list_of_a_story_is_described() -> None:
    groups = re.findall(r"`\[([a-z]+)\]`", GUIDE)
    assert {*rows("list"), *groups} == {field.name for field in fields(StoryTexts)}


def test_the_channels_are_all_nine() -> None:
    listed = re.findall(r"nine channels \(([^)]*)\)", " ".join(GUIDE.split("\n")))[0]
    assert tuple(listed.split(", ")) == CHANNELS


def steps() -> list[tuple[str, list[str]]]:
    """The guide's command lines, each with the lines that it is said to print."""
    found: list[tuple[str, list[str]]] = []
    for line in re.findall(r"^    (.*)$", GUIDE.split("\n## Rules")[0], re.MULTILINE):
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line != "…":
            found[-1][1].append(line)
    return found


@pytest.mark.slow
def test_a_sixth_pack_is_one_folder_and_the_steps_of_the_guide(tmp_path: Path) -> None:
    for name in TREE:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    environment = {**os.environ, "ENIGMAFORGE_VAR": str(tmp_path / "var")}

    def run(command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", "-c", command.replace("python ", f"{sys.executable} ")],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    assert run("python manage.py migrate").returncode == 0
    codes = {}
    for command, printed in steps():
        ran = run(command)
        words = command.split()
        codes[words[2] if "manage.py" in words else words[0]] = ran.returncode
        lines = ran.stdout.splitlines()
        assert all(line in lines for line in printed), (command, ran.stdout, ran.stderr)
    # The mill is too small for the goals of a whole genre, and for no proof and no control.
    assert codes == {
        "cp": 0,
        "forge": 0,
        "check_pack": 1,
        "forge_corpus": 0,
        "check_corpus": 1,
        "controls": 0,
    }
