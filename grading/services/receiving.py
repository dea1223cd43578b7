"""Take uploaded files in: hash, store, and open a submission for them. Nothing is parsed here.

The same file of the same model on the same corpus belongs to the submission that had it first, and
the database's unique claim decides who that is. An upload that brings nothing new opens the first
result; one that brings something new makes a submission of its own, a further run of the model.
Files of one run go up together; one that was forgotten is added, which makes a new edition.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.core.files import File
from django.db import IntegrityError, transaction
from django.db.models import Max

from grading.models import Submission, SubmissionKind, UploadedFile
from grading.services.editions import newest_edition, next_edition
from grading.services.names import clean_model_name, model_key, shown_file_name
from worlds.core.errors import BadInput
from worlds.models import Corpus

__all__ = ["MOST_FILES", "Receipt", "add_files", "receive_upload"]

MOST_FILES = 20


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of an upload: its submission, and which files had been there already."""

    submission: Submission
    is_new: bool
    known: tuple[UploadedFile, ...]


@dataclass(frozen=True, slots=True)
class _Incoming:
    file: File[bytes]
    name: str
    size: int
    sha256: str
    claim: str


def receive_upload(
    corpus: Corpus,
    *,
    model: str,
    files: Sequence[File[bytes]],
    kind: SubmissionKind = SubmissionKind.MODEL,
    created_by: User | None = None,
) -> Receipt:
    """Store the files that are new as one submission; without any, return the first one's.

    Raises BadInput for a corpus that is not complete, a name that cannot be shown, or no files.
    """
    if not corpus.is_complete:
        raise BadInput("corpus", corpus.slug, "a corpus that is complete")
    if not corpus.is_published:
        expected = "a corpus that is published; its distractors still wait for approval"
        raise BadInput("corpus", corpus.slug, expected)
    _check_count(len(files), MOST_FILES)
    name = clean_model_name(model)
    incoming = _hashed(files, _solver(corpus.pk, kind, model_key(name)))
    while True:
        known = _known(incoming)
        new = [each for each in incoming if each.claim not in known]
        if not new:
            first = known[incoming[0].claim].submission
            return Receipt(newest_edition(first), is_new=False, known=tuple(known.values()))
        submission = Submission(
            corpus=corpus, kind=kind, model=name, model_key=model_key(name), created_by=created_by
        )
        if _store(submission, new):
            return Receipt(submission, is_new=True, known=tuple(known.values()))
        # Somebody stored one of these files meanwhile, or took the run: look again.


def add_files(
    submission: Submission, *, files: Sequence[File[bytes]], created_by: User | None = None
) -> Receipt:
    """Open a further edition of a run, to be read from its files and these together.

    Files that the run has already add nothing. Raises BadInput for a run that is not graded yet,
    for a file that belongs to another run of the model, and for no files or too many.
    """
    solver = _solver(submission.corpus_id, submission.kind, submission.model_key)
    incoming = _hashed(files, solver)
    while True:
        newest = newest_edition(submission)
        if newest.imported is None:
            raise BadInput("submission", newest.label, "a run that is graded to its end")
        kept = list(newest.files.all())
        _check_count(len(files), MOST_FILES - len(kept))
        known = _known(incoming)
        _check_run(newest, known.values())
        if new := [each for each in incoming if each.claim not in known]:
            edition = next_edition(newest, created_by)
            if not _store(edition, new, kept):
                continue  # Somebody was faster with a file or an edition: look again.
            newest = edition
        return Receipt(newest, is_new=bool(new), known=tuple(known.values()))


def _check_count(count: int, most: int) -> None:
    if not 1 <= count <= most:
        raise BadInput("files", count, f"from 1 to {most} files")


def _check_run(submission: Submission, known: Iterable[UploadedFile]) -> None:
    for file in known:
        if file.submission.run != submission.run:
            raise BadInput(
                "files",
                f"{file.name}, which is in {file.submission.label}",
                "a file that is in no other run; withdraw that run first",
            )


def _solver(corpus: int, kind: str, key: str) -> str:
    return f"{corpus}\0{kind}\0{key}"


def _hashed(files: Iterable[File[bytes]], solver: str) -> list[_Incoming]:
    """Hash each file, in chunks; a file that is twice in one upload counts once."""
    incoming: dict[str, _Incoming] = {}
    for file in files:
        content, size = hashlib.sha256(), 0
        for chunk in file.chunks():
            content.update(chunk)
            size += len(chunk)
        sha256 = content.hexdigest()
        claim = hashlib.sha256(f"{solver}\0{sha256}".encode()).hexdigest()
        name = shown_file_name(file.name or "")
        incoming.setdefault(claim, _Incoming(file, name, size, sha256, claim))
    return list(incoming.values())


def _known(incoming: Iterable[_Incoming]) -> dict[str, UploadedFile]:
    claims = [each.claim for each in incoming]
    stored = UploadedFile.objects.filter(claim__in=claims).select_related("submission__corpus")
    return {file.claim: file for file in stored}


def _store(
    submission: Submission, new: Sequence[_Incoming], kept: Sequence[UploadedFile] = ()
) -> bool:
    """Write the submission with its files; False, and nothing kept, when a claim was taken.

    `kept` are the files of the edition before; without any, the submission is a run of its own.
    """
    rows = [
        UploadedFile(
            submission=submission,
            name=each.name,
            size=each.size,
            sha256=each.sha256,
            claim=each.claim,
        )
        for each in new
    ]
    # The bytes go to disk before the transaction: no lock is held while they are written. They are
    # copied, not moved as an upload's spool file would be, so a second try finds them again.
    for row, each in zip(rows, new, strict=True):
        row.stored.save("", File(each.file.file), save=False)
    try:
        with transaction.atomic():
            if not kept:
                submission.run = _next_run(submission)
            submission.save(force_insert=True)
            for row in rows:
                row.submission = submission
            UploadedFile.objects.bulk_create(rows)
            submission.files.set([*kept, *rows])
    except IntegrityError:
        _discard(submission, rows)
        return False
    except BaseException:
        _discard(submission, rows)
        raise
    return True


def _next_run(submission: Submission) -> int:
    runs = Submission.objects.filter(
        corpus=submission.corpus, kind=submission.kind, model_key=submission.model_key
    )
    return (runs.aggregate(last=Max("run"))["last"] or 0) + 1


def _discard(submission: Submission, rows: Iterable[UploadedFile]) -> None:
    submission.pk = None
    for row in rows:
        row.stored.delete(save=False)
