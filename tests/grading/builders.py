"""Small stored corpora and replies to them, for the tests of grading and beyond.

A corpus is minted for real, once per process: two families of L00 in five surfaces each.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from django.core.files import File

from enigmaforge_site.jobs.models import Job
from grading.models import Submission
from grading.services.importing import import_submission
from grading.services.receiving import receive_upload
from worlds.core.errors import BadFormat
from worlds.core.ids import FamilyId
from worlds.core.model import World
from worlds.models import Corpus, Family, Instance
from worlds.services import complete_corpus, create_corpus, mint_missing, mint_outcome, world_of
from worlds.services.minting import Outcome

__all__ = [
    "EARLIER",
    "answer",
    "corpus_of",
    "falsify",
    "graded",
    "graded_by_earlier_code",
    "line",
    "lines",
    "openai_line",
    "perfect",
    "rows_of",
    "upload",
    "wrong",
]

EARLIER = "0" * 64
"""The digest of a grader that was here before."""


@cache
def _minted(family: FamilyId) -> Outcome:
    return mint_outcome(family)


def corpus_of(
    slug: str = "harbour",
    *,
    seed: int = 0,
    families: int = 2,
    levels: Sequence[str] = ("L00",),
    controls: bool = False,
) -> Corpus:
    """Store a complete corpus; the job that runs its controls waits only if asked for."""
    corpus = create_corpus(slug, seed=seed, families=families, levels=levels, genres=["maritime"])
    mint_missing(corpus, minter=_minted)
    corpus = complete_corpus(corpus)
    Job.objects.filter(kind="survey_corpus").delete()
    if not controls:
        Job.objects.filter(kind="run_controls").delete()
    return corpus


def rows_of(corpus: Corpus, condition: str = "") -> list[Instance]:
    """The instances of a corpus with their truth, by id."""
    rows = corpus.instances.with_truth().order_by("sample_id")
    return list(rows.in_condition(condition) if condition else rows)


def answer(world: World, **changed: Any) -> list[list[Any]]:
    """The contract's list for a world: every fact, then the action.

    `changed` gives other values by variable (`V0="Quill"`), and another action by `verb`, `item`
    or `party`.
    """
    facts = [[v.mark, "is", changed.get(v.id, world.solution[v.id])] for v in world.variables]
    action = world.action
    act = [
        changed.get("item", action.item),
        changed.get("verb", action.verb),
        changed.get("party", action.party),
    ]
    return [*facts, act]


def perfect(row: Instance) -> str:
    """A reply that is right in everything."""
    return json.dumps({"answer": answer(world_of(row.family))}, ensure_ascii=False)


def wrong(row: Instance) -> str:
    """A reply with one fact wrong, the first, and the action right."""
    world = world_of(row.family)
    first = world.variables[0]
    other = next(v for v in world.term_values[first.id] if v != world.solution[first.id])
    return json.dumps({"answer": answer(world, **{first.id: other})}, ensure_ascii=False)


def falsify(corpus: Corpus) -> Family:
    """Change one fact in the stored truth of a family, so that its prompts say something else.

    A fact on which the action does not depend, or the truth could not even be read.
    """
    family = corpus.families.order_by("place").first()
    assert family is not None
    true = family.truth["solution"]
    for variable in family.truth["variables"]:
        for value in family.truth["domains"][variable["domain"]]:
            family.truth["solution"] = true | {variable["id"]: value}
            with suppress(BadFormat):
                if value != true[variable["id"]] and world_of(family):
                    family.save()
                    return family
    raise AssertionError("the action depends on every fact")


def line(row: Instance | str, completion: str | None, **more: Any) -> bytes:
    """One line of a plain JSONL file."""
    sample_id = row if isinstance(row, str) else row.sample_id
    fields = {"sample_id": sample_id, "completion": completion, "stop_reason": "stop"} | more
    return json.dumps(fields, ensure_ascii=False).encode("utf-8") + b"\n"


def openai_line(row: Instance, completion: str | None) -> bytes:
    """One line of an OpenAI batch: of its output, or without a completion of its errors."""
    body = {
        "object": "chat.completion",
        "model": "gpt-x",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": completion},
            }
        ],
    }
    error = {"code": "server_error", "message": "again"}
    failed = {"status_code": 500, "body": {"error": error}}
    response = failed if completion is None else {"status_code": 200, "body": body}
    fields = {"id": "batch_req_1", "custom_id": row.sample_id, "response": response, "error": None}
    return json.dumps(fields).encode("utf-8") + b"\n"


def lines(rows: Iterable[Instance], **more: Any) -> bytes:
    """A file of perfect replies."""
    return b"".join(line(row, perfect(row), **more) for row in rows)


def upload(content: bytes, name: str = "replies.jsonl") -> File[bytes]:
    """A file as the services take it."""
    return File(io.BytesIO(content), name=name)


def graded(corpus: Corpus, *contents: bytes, model: str = "kestrel") -> Submission:
    """Receive and import files as one submission."""
    files = [upload(content, f"part{n}.jsonl") for n, content in enumerate(contents, start=1)]
    return import_submission(receive_upload(corpus, model=model, files=files).submission)


def graded_by_earlier_code(corpus: Corpus, *contents: bytes, model: str = "kestrel") -> Submission:
    """A run as a grader left it that took no task for solved."""
    submission = graded(corpus, *contents, model=model)
    submission.records.update(task_success=False)
    Submission.objects.filter(pk=submission.pk).update(grader_sha256=EARLIER)
    submission.refresh_from_db()
    return submission
