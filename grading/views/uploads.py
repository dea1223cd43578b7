"""The upload pages: take files in, hand them to the worker, show where to watch."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from grading import tasks
from grading.core.formats import FORMATS, LIMITS
from grading.forms import FilesForm, UploadForm
from grading.models import Submission
from grading.services.receiving import MOST_FILES, Receipt, add_files, receive_upload
from grading.views.access import get_submission, own_submission, person_of
from worlds.core.errors import BadInput

__all__ = ["submission_create", "submission_extend", "submission_resume"]

_EARLIER = 10


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def submission_create(request: HttpRequest) -> HttpResponse:
    """Take an upload: 422 with the form if it cannot be had, else on to its submission."""
    form = UploadForm(
        request.POST or None,
        request.FILES or None,
        initial={"corpus": request.GET.get("corpus", "")},
    )
    if form.is_valid():
        try:
            receipt = receive_upload(
                form.cleaned_data["corpus"],
                model=form.cleaned_data["model"],
                files=form.cleaned_data["replies"],
                created_by=person_of(request),
            )
        except BadInput as error:
            form.refuse(error)
        else:
            return _received(request, receipt)
    return render(
        request,
        "grading/submission_create.html",
        {
            "form": form,
            "has_corpora": form.fields["corpus"].queryset.exists(),  # type: ignore[attr-defined]
            "limits": _limits(),
            "formats": FORMATS,
            "most_files": MOST_FILES,
            "upload_limit_mb": settings.UPLOAD_LIMIT_MB,
            "upload_limit_bytes": settings.UPLOAD_LIMIT_MB * 1_000_000,
            "earlier": Submission.objects.of_models().for_lists()[:_EARLIER],
        },
        status=422 if form.is_bound else 200,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def submission_extend(request: HttpRequest, submission_id: int) -> HttpResponse:
    """Add files that were forgotten to a run: 422 with the form, else on to its new edition."""
    submission = own_submission(request.user, submission_id)
    form = FilesForm(request.POST, request.FILES) if request.method == "POST" else FilesForm()
    if form.is_valid():
        try:
            receipt = add_files(
                submission, files=form.cleaned_data["replies"], created_by=person_of(request)
            )
        except BadInput as error:
            form.refuse(error)
        else:
            return _received(request, receipt)
    return render(
        request,
        "grading/submission_extend.html",
        {
            "form": form,
            "submission": submission,
            "upload_limit_bytes": settings.UPLOAD_LIMIT_MB * 1_000_000,
            "crumbs": [
                (submission.corpus.title, submission.corpus.get_absolute_url()),
                (submission.label, submission.get_absolute_url()),
                ("Add files", ""),
            ],
        },
        status=422 if form.is_bound else 200,
    )


@require_POST
@login_required
def submission_resume(request: HttpRequest, submission_id: int) -> HttpResponse:
    """Go on with an import that no job is working on."""
    submission = get_submission(submission_id)
    if submission.imported is None:
        tasks.enqueue_import(submission, created_by=person_of(request))
    return redirect(submission)


def _limits() -> list[tuple[str, str]]:
    """What is checked while a file is read."""
    megabyte = 2**20
    unpacked = f"{LIMITS.inflated_bytes // megabyte:,} MB and {LIMITS.inflation} times its size"
    members = f"{LIMITS.zip_members:,}"
    return [
        ("One row", f"at most {LIMITS.line_bytes // megabyte} MB"),
        ("A gzip file", f"unpacked at most {unpacked}"),
        ("An Inspect archive", f"at most {members} members, each unpacked as one row"),
    ]


def _received(request: HttpRequest, receipt: Receipt) -> HttpResponse:
    submission = receipt.submission
    if receipt.is_new:
        tasks.enqueue_import(submission, created_by=person_of(request))
        for file in receipt.known:
            messages.info(
                request,
                f"{file.name} is part of {file.submission.label} already and was left out here.",
            )
    else:
        messages.info(request, "These files are here already. This is their result.")
    return redirect(submission)
