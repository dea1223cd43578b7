"""lm-eval sample files: one row per document and filter, without any word on how a reply ended.

A document is told by `doc.sample_id`; `doc_id` is a place in a data set and joins nothing. The
reply is `resps`, before any filter: filters cut answers out by pattern, and scores are not read.
"""

from __future__ import annotations

from typing import Any

from grading.core.formats.base import Format
from grading.core.formats.fields import sample_id_of, text_of
from grading.core.formats.rows import Malformed, Row, told
from grading.core.statuses import Status

__all__ = ["LmEval"]


class LmEval(Format):
    """The format of lm-eval's `--log_samples`."""

    name = "lm-eval"
    label = "lm-eval samples"
    id_field = "doc.sample_id"
    layouts = ("lines", "array")

    def matches(self, keys: frozenset[str]) -> bool:
        """Whether rows with these keys are lm-eval samples."""
        return {"doc", "resps"} <= keys

    def row(self, record: dict[str, Any], line: int) -> Row:
        """One row from one sample; raises Malformed.

        Rows of other filters repeat the same reply, so they drop out as repeats.
        """
        doc = record.get("doc")
        if not isinstance(doc, dict):
            raise Malformed("doc", told(doc), "an object with a sample_id")
        replies = record.get("resps")
        match replies:
            case [[str() as text]] | [str() as text]:
                completion = text_of(text, "resps")
            case _:
                raise Malformed("resps", told(replies), "one reply to the document")
        return Row(
            line=line,
            sample_id=sample_id_of(doc.get("sample_id")),
            epoch=1,
            completion=completion,
            model=None,
            status=Status.ANSWERED,
            stop_unknown=True,
        )
