"""`manage.py export_corpus`: a folder with a manifest, or one sentence."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from worlds.models import Corpus


def _export(name: str, folder: Path, **options: object) -> str:
    out = StringIO()
    call_command("export_corpus", name, out=str(folder), stdout=out, **options)
    return out.getvalue()


def test_files_are_named_with_their_digests(corpus: Corpus, tmp_path: Path) -> None:
    told = _export("harbour", tmp_path / "new", to="openai-batch", model="gpt-x", max_tokens=7)
    assert told.splitlines()[-1] == "10 instances of harbour, without target"
    first = json.loads((tmp_path / "new" / "requests-1.jsonl").read_text().split("\n")[0])
    assert (first["body"]["model"], first["body"]["max_completion_tokens"]) == ("gpt-x", 7)
    manifest = json.loads((tmp_path / "new" / "manifest.json").read_text())
    assert manifest["request"] == {"model": "gpt-x", "max_tokens": 7}
    assert manifest["files"][0]["sha256"] in told


def test_the_folder_is_named_after_corpus_and_tool(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = StringIO()
    call_command("export_corpus", "harbour", to="jsonl", no_target=True, json=True, stdout=out)
    report = json.loads(out.getvalue())
    assert report["folder"] == f"harbour-{corpus.sha256[:8]}-jsonl"
    assert (report["samples"], report["target"]) == (10, False)
    assert (tmp_path / report["folder"] / "instances.jsonl").exists()


def test_what_it_writes_is_verified(corpus: Corpus, tmp_path: Path) -> None:
    _export("harbour", tmp_path, to="jsonl")
    out = StringIO()
    call_command("verify", str(tmp_path / "instances.jsonl"), stdout=out)
    assert out.getvalue().count("proved ef1-chain-L00") == 10


@pytest.mark.parametrize(
    ("name", "options", "told"),
    [
        ("nowhere", {"to": "jsonl"}, "corpus: found 'nowhere', expected one of harbour"),
        ("harbour", {"to": "helm"}, "to: found 'helm', expected jsonl or inspect"),
        ("harbour", {"to": "jsonl", "max_tokens": 0}, "max-tokens: found 0, expected from 1 to"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    corpus: Corpus, tmp_path: Path, name: str, options: dict[str, object], told: str
) -> None:
    with pytest.raises(CommandError) as caught:
        _export(name, tmp_path / "new", **options)
    assert str(caught.value).startswith(told)
    assert caught.value.returncode == 2
    assert not (tmp_path / "new").exists()
