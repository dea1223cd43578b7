"""Uploads: the database decides whose a file is, also when two arrive at one moment."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files import File

from grading.models import Submission, UploadedFile
from grading.services.receiving import MOST_FILES, Receipt, receive_upload
from tests.grading.builders import corpus_of, upload
from worlds.core.errors import BadInput
from worlds.models import Corpus
from worlds.services import create_corpus

pytestmark = pytest.mark.django_db


def _receive(corpus: Corpus, *contents: bytes, model: str = "kestrel") -> Receipt:
    return receive_upload(corpus, model=model, files=[upload(content) for content in contents])


def _stored() -> list[Path]:
    return [path for path in (settings.MEDIA_ROOT / "received").rglob("*") if path.is_file()]


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


def test_an_upload_stores_its_bytes_under_a_name_of_our_own() -> None:
    receipt = receive_upload(
        corpus_of(), model=" Kestrel ", files=[upload(b"{}\n", "../../settings.py")]
    )
    file = receipt.submission.files.get()
    assert (receipt.is_new, receipt.submission.label) == (True, "Kestrel")
    assert (file.name, file.size, file.sha256[:8]) == ("settings.py", 3, "ca3d163b")
    assert file.stored.name.startswith("received/")
    assert file.stored.read() == b"{}\n"


def test_the_same_file_again_opens_the_first_result() -> None:
    corpus = corpus_of()
    first = _receive(corpus, b"one")
    again = _receive(corpus, b"one", model="KESTREL\u00a0")
    assert (again.is_new, again.submission) == (False, first.submission)
    assert len(_stored()) == Submission.objects.count() == 1


def test_the_same_file_of_another_model_or_corpus_is_another_submission() -> None:
    corpus, other = corpus_of(), corpus_of("mill", seed=1)
    receipts = [
        _receive(corpus, b"one"),
        _receive(corpus, b"one", model="osprey"),
        _receive(other, b"one"),
    ]
    assert [receipt.is_new for receipt in receipts] == [True, True, True]


def test_another_file_of_the_same_model_is_a_second_run() -> None:
    corpus = corpus_of()
    _receive(corpus, b"one")
    second = _receive(corpus, b"two", model="Kestrel")
    assert (second.submission.run, second.submission.label) == (2, "Kestrel (2)")


def test_what_is_new_in_an_upload_is_taken_and_what_is_known_is_named() -> None:
    corpus = corpus_of()
    first = _receive(corpus, b"one")
    second = _receive(corpus, b"one", b"two", b"three")
    assert [file.submission for file in second.known] == [first.submission]
    assert second.submission.files.count() == 2


def test_one_file_twice_in_an_upload_counts_once() -> None:
    assert _receive(corpus_of(), b"one", b"one").submission.files.count() == 1


@pytest.mark.parametrize("count", [0, MOST_FILES + 1])
def test_too_few_and_too_many_files_are_refused(count: int) -> None:
    with pytest.raises(BadInput, match=f"files: found {count}, expected from 1 to 20 files"):
        _receive(corpus_of(), *[b"%d" % n for n in range(count)])


def test_a_corpus_that_is_not_complete_takes_no_replies() -> None:
    corpus = create_corpus("young", seed=0, families=1, levels=["L00"], genres=["maritime"])
    with pytest.raises(BadInput, match="corpus: found 'young', expected a corpus that is complete"):
        _receive(corpus, b"one")


class _Overtaken(io.BytesIO):
    """A file during whose storing the same bytes are uploaded by somebody else, and stored."""

    def __init__(self, content: bytes, corpus: Corpus) -> None:
        super().__init__(content)
        self.corpus = corpus
        self.passes = 0

    def seek(self, *args: int) -> int:
        self.passes += 1
        if self.passes == 2:
            _receive(self.corpus, self.getvalue())
        return super().seek(*args)


def test_of_two_uploads_of_one_file_at_one_moment_the_second_opens_the_first() -> None:
    corpus = corpus_of()
    slow = File(_Overtaken(b"one", corpus), name="slow.jsonl")
    receipt = receive_upload(corpus, model="kestrel", files=[slow])
    assert receipt.is_new is False
    assert [file.submission for file in receipt.known] == [receipt.submission]
    assert len(_stored()) == Submission.objects.count() == UploadedFile.objects.count() == 1


def test_a_file_that_is_overtaken_loses_only_itself() -> None:
    corpus = corpus_of()
    slow = File(_Overtaken(b"one", corpus), name="slow.jsonl")
    receipt = receive_upload(corpus, model="kestrel", files=[slow, upload(b"two")])
    assert (receipt.is_new, receipt.submission.run) == (True, 2)
    assert [file.name for file in receipt.submission.files.all()] == ["replies.jsonl"]
    assert len(_stored()) == UploadedFile.objects.count() == 2
