"""`manage.py verify`: what holds, what fails, and by which name."""

from __future__ import annotations

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from worlds.core.codec import encode_instance
from worlds.core.ids import parse_id
from worlds.core.mint import mint
from worlds.models import Corpus, Instance

ROOT = Path(__file__).parents[3]
ID = "ef1-chain-L00-maritime-s7-imp1"


def _verify(*files: object, **options: object) -> str:
    out = StringIO()
    call_command("verify", *map(str, files), stdout=out, **options)
    return out.getvalue()


@pytest.fixture
def minted() -> str:
    return encode_instance(mint(parse_id(ID)))


def _file(folder: Path, text: str) -> Path:
    path = folder / "instances.jsonl"
    path.write_text(text, encoding="utf-8")
    return path


def test_minted_instance_is_proved(tmp_path: Path, minted: str) -> None:
    assert _verify(_file(tmp_path, minted + "\n")) == f"proved {ID}\n"


def test_indented_instance_is_proved(tmp_path: Path, minted: str) -> None:
    pretty = json.dumps(json.loads(minted), indent=2)
    assert _verify(_file(tmp_path, pretty)) == f"proved {ID}\n"


def test_changed_count_is_named_and_the_rest_is_still_verified(tmp_path: Path, minted: str) -> None:
    data = json.loads(minted)
    data["certificate"]["ablations"][0]["models_without"] += 1
    unit = data["certificate"]["ablations"][0]["unit"]
    path = _file(tmp_path, "\n".join(["{broken", json.dumps(data), minted]))
    out = StringIO()
    with pytest.raises(CommandError, match="2 of 3 failed") as failed:
        call_command("verify", str(path), stdout=out)
    assert failed.value.returncode == 1
    broken, changed, good = out.getvalue().splitlines()
    assert broken.startswith(f"FAILED {path}, instance 1: format: ")
    assert changed.startswith(f"FAILED {ID}: certificate: ablations {unit} models_without: found ")
    assert good == f"proved {ID}"


def test_report_in_json(tmp_path: Path, minted: str) -> None:
    report = json.loads(_verify(_file(tmp_path, minted), json=True))
    assert report == {
        "checked": 1,
        "failed": 0,
        "results": [{"id": ID, "findings": [], "note": ""}],
    }


def test_corpus_is_proved(corpus: Corpus) -> None:
    lines = _verify(corpus=corpus.slug).splitlines()
    assert len(lines) == 13
    assert all(line.startswith("proved ") for line in lines)


def test_corpus_with_a_changed_row_fails(corpus: Corpus, implicit: Instance) -> None:
    corpus.instances.filter(pk=implicit.pk).update(prompt="nothing")
    with pytest.raises(CommandError, match="1 of 13 failed"):
        _verify(corpus=corpus.slug)


@pytest.mark.django_db
def test_unknown_corpus_is_bad_input() -> None:
    with pytest.raises(CommandError, match="there is none") as refused:
        _verify(corpus="nowhere")
    assert refused.value.returncode == 2


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xff\xfe"])
def test_file_without_instances_is_bad_input(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "instances.jsonl"
    path.write_bytes(content)
    with pytest.raises(CommandError, match="expected") as refused:
        _verify(path)
    assert refused.value.returncode == 2


def test_missing_file_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="expected a file that can be read") as refused:
        _verify(tmp_path / "nowhere.json")
    assert refused.value.returncode == 2


def test_nothing_to_verify_is_bad_input() -> None:
    with pytest.raises(CommandError, match="give either files") as refused:
        _verify()
    assert refused.value.returncode == 2


@pytest.mark.parametrize("text", ["[" * 20_000, "[]", "3", '{"format": "other"}', "\x00"])
def test_text_that_is_no_instance_fails_by_name(tmp_path: Path, text: str) -> None:
    out = StringIO()
    with pytest.raises(CommandError, match="1 of 1 failed"):
        call_command("verify", str(_file(tmp_path, text)), stdout=out)
    assert ", instance 1: format: " in out.getvalue()


def test_standard_input_and_the_exit_codes(minted: str) -> None:
    command = [sys.executable, "manage.py", "verify", "-"]
    good = subprocess.run(
        command, cwd=ROOT, input=minted.encode(), capture_output=True, check=False
    )
    assert (good.returncode, good.stdout, good.stderr) == (0, f"proved {ID}\n".encode(), b"")
    changed = minted.replace('"decisions":', '"decision":', 1).encode()
    bad = subprocess.run(command, cwd=ROOT, input=changed, capture_output=True, check=False)
    assert bad.returncode == 1
    assert bad.stdout.startswith(b"FAILED ")
    assert bad.stderr == b"error: 1 of 1 failed\n"
