"""`manage.py proof`: two files, checked before they are written, or one sentence."""

from __future__ import annotations

import hashlib
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from dratify import check_proof, parse_dimacs

from worlds.core.ids import parse_family_id
from worlds.core.mint import forge_family

FAMILY = "ef1-case-L02-maritime-s5"
ID = f"{FAMILY}-imp1"


def _proof(name: str, folder: Path, **options: object) -> str:
    out = StringIO()
    call_command("proof", name, out=str(folder), stdout=out, **options)
    return out.getvalue()


def _refusal(name: str, folder: Path) -> CommandError:
    with pytest.raises(CommandError) as caught:
        _proof(name, folder)
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("name", [ID, f"{FAMILY}-frm1-b3-d"])
def test_any_id_of_a_family_gives_its_two_files(tmp_path: Path, name: str) -> None:
    report = json.loads(_proof(name, tmp_path / "new" / "folder", json=True))
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == [
        f"{FAMILY}.cnf",
        f"{FAMILY}.drat",
    ]
    texts = {}
    for kind in ("cnf", "drat"):
        data = Path(report[kind]["file"]).read_bytes()
        assert report[kind]["bytes"] == len(data)
        assert report[kind]["sha256"] == hashlib.sha256(data).hexdigest()
        texts[kind] = data.decode()
    assert check_proof(parse_dimacs(texts["cnf"]), texts["drat"]).ok
    uniqueness = forge_family(parse_family_id(FAMILY)).certificate["uniqueness"]
    assert report["cnf"]["sha256"] == uniqueness["cnf_sha256"]
    assert report["drat"]["sha256"] == uniqueness["proof_sha256"]
    assert (report["family"], report["checked"]) == (FAMILY, True)
    assert report["learned"] == texts["drat"].count("\n") - 1


def test_the_report_names_files_sizes_and_digests(tmp_path: Path) -> None:
    report = json.loads(_proof(ID, tmp_path, json=True))
    assert _proof(ID, tmp_path).splitlines() == [
        *(f"{f['file']}: {f['bytes']} bytes, sha256 {f['sha256']}"
          for f in (report["cnf"], report["drat"])),
        f"checked: {report['learned']} learned clauses and the empty one",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("harbour", "instance id: found 'harbour', expected an id like ef1-chain-L03-maritime"),
        ("ef1-chain-L00-mars-s5-imp1", "genre: found 'mars', expected "),
        ("ef1-case-L17-maritime-s5-imp1", "level in ef1-case-L17-maritime-s5-imp1: found 'L17'"),
    ],
)
def test_an_id_that_cannot_be_is_refused(tmp_path: Path, name: str, told: str) -> None:
    error = _refusal(name, tmp_path)
    assert str(error).startswith(told)
    assert error.returncode == 2
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    error = _refusal(ID, tmp_path / "file")
    assert str(error).startswith(f"--out: found '{str(tmp_path)[:20]}")
    assert str(error).endswith("expected a file to write (File exists)")
    assert error.returncode == 2
