"""A stored corpus as files: the same bytes in a folder and in an archive, digests that hold."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.worlds.builders import OrderCorpus
from worlds.core.codec import decode_instance
from worlds.core.errors import BadInput
from worlds.core.export import EXPORTS
from worlds.models import Corpus
from worlds.services import CorpusExport, instance_json

TOOLS = [export.name for export in EXPORTS]


def _folder(export: CorpusExport, folder: Path) -> dict[str, bytes]:
    export.write(folder)
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.parametrize("to", TOOLS)
@pytest.mark.parametrize("target", [True, False])
def test_the_manifest_names_the_corpus_and_every_file(
    corpus: Corpus, tmp_path: Path, to: str, target: bool
) -> None:
    files = _folder(CorpusExport(corpus, to, target=target), tmp_path)
    manifest = json.loads(files.pop("manifest.json"))
    assert manifest["corpus"] == {
        "name": "harbour",
        "sha256": corpus.sha256,
        "short_hash": corpus.sha256[:8],
    }
    assert (manifest["format"], manifest["to"], manifest["samples"]) == (
        "enigmaforge.export/1", to, 10,
    )  # fmt: skip
    assert manifest["target"] is (target and "batch" not in to)
    assert {file["name"]: (file["bytes"], file["sha256"]) for file in manifest["files"]} == {
        name: (len(data), hashlib.sha256(data).hexdigest()) for name, data in files.items()
    }


@pytest.mark.parametrize("to", TOOLS)
def test_the_archive_holds_the_files_of_the_folder(corpus: Corpus, tmp_path: Path, to: str) -> None:
    export = CorpusExport(corpus, to)
    data = b"".join(export.zipped())
    assert b"".join(CorpusExport(corpus, to).zipped()) == data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        found = {name: archive.read(name) for name in archive.namelist()}
    name = f"harbour-{corpus.sha256[:8]}-{to}"
    assert export.name == name
    files = _folder(export, tmp_path)
    assert found == {f"{name}/{file}": data for file, data in files.items()}


def test_json_lines_are_the_stored_instances(corpus: Corpus, tmp_path: Path) -> None:
    lines = _folder(CorpusExport(corpus, "jsonl"), tmp_path)["instances.jsonl"].decode().split("\n")
    rows = {row.sample_id: row for row in corpus.instances.with_truth()}
    read = {str(decode_instance(line).id): line for line in lines if line}
    assert read == {sample_id: instance_json(row) for sample_id, row in rows.items()}


@pytest.mark.parametrize("to", TOOLS)
def test_without_target_the_truth_stays_in_the_database(corpus: Corpus, to: str) -> None:
    with CaptureQueriesContext(connection) as asked:
        list(CorpusExport(corpus, to, target=False).zipped())
    read = [query["sql"] for query in asked.captured_queries]
    assert [sql for sql in read if '"truth"' in sql or '"certificate"' in sql] == []


def test_a_corpus_is_read_in_as_few_queries_as_it_has_chunks(corpus: Corpus) -> None:
    export = CorpusExport(corpus, "inspect")
    with CaptureQueriesContext(connection) as asked:
        list(export.zipped())
    assert len(asked) == 2  # The keys, and the one chunk that ten rows are.


def test_a_folder_that_holds_something_is_left_alone(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept")
    with pytest.raises(BadInput, match="empty or not there"):
        CorpusExport(corpus, "jsonl").write(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_what_is_not_complete_is_not_exported(order_corpus: OrderCorpus) -> None:
    with pytest.raises(BadInput, match="complete"):
        CorpusExport(order_corpus(), "jsonl")
