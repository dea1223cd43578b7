"""`manage.py check_pack`: every gap by name, and an exit code that says whose fault."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

ROOT = Path(__file__).parents[3]
PACKS = ROOT / "worlds" / "core" / "packs"
MILL = ROOT / "tests" / "worlds" / "core" / "packs" / "mill"


def _copy(name: str, folder: Path) -> Path:
    return Path(shutil.copytree(PACKS / name, folder / name))


def test_a_whole_pack_lacks_nothing() -> None:
    out = StringIO()
    call_command("check_pack", str(PACKS / "maritime"), quick=True, stdout=out)
    assert out.getvalue() == "maritime: nothing is missing\n"


def test_every_gap_is_named() -> None:
    out = StringIO()
    with pytest.raises(CommandError, match="gaps in") as failed:
        call_command("check_pack", str(MILL), quick=True, stdout=out)
    assert failed.value.returncode == 1
    told = out.getvalue().splitlines()
    assert "lexicon.toml roles: 6 where at least 130 are needed [count]" in told
    assert "orders.toml policies: 2 where at least 4 are needed [count]" in told
    assert str(failed.value) == f"{len(told)} gaps in {MILL}"


def test_a_wording_that_reads_otherwise_is_a_gap(tmp_path: Path) -> None:
    wording = "{a.past} and {b.past} {a.mark}{b.mark} with one hand"
    folder = _copy("maritime", tmp_path)
    with (folder / "clauses.toml").open("a", encoding="utf-8") as file:
        file.write(f'[[clause]]\nform = "same_person"\ntext = "{wording}"\n')
    out = StringIO()
    with pytest.raises(CommandError, match="1 gap in"):
        call_command("check_pack", str(folder), quick=True, json=True, stdout=out)
    report = json.loads(out.getvalue())
    assert report["genre"] == "maritime"
    assert [finding["rule"] for finding in report["findings"]] == ["round trip"]
    assert report["findings"][0]["where"] == f"clauses.toml same_person '{wording}'"


def test_what_only_a_whole_record_shows_is_a_gap(tmp_path: Path) -> None:
    folder = _copy("maritime", tmp_path)
    path = folder / "orders.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("lowest", "first"), encoding="utf-8")
    out = StringIO()
    with pytest.raises(CommandError, match="gaps in"):
        call_command("check_pack", str(folder), quick=True, stdout=out)
    told = out.getvalue().splitlines()
    assert all(line.startswith(("a record of L0", "a story of L0")) for line in told)
    assert all("does not say which end is the lowest" in line for line in told)


@pytest.mark.parametrize("folder", ["no-such-folder", "."])
def test_a_folder_that_is_no_pack_is_the_callers_fault(folder: str, tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, ROOT / "manage.py", "check_pack", tmp_path / folder],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.count("\n") == 1
    assert "no lexicon.toml" in ran.stderr
