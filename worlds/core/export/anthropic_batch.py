"""Requests of Anthropic's message batches, one a line; `custom_id` is the sample id.

The API takes them as the list `requests` of one call: a part holds as many as one batch may.
"""

from __future__ import annotations

from worlds.core.codec import canonical
from worlds.core.export.base import Export, Limits, Options, Sample

__all__ = ["AnthropicBatchExport"]


class AnthropicBatchExport(Export):
    """Message requests."""

    name = "anthropic-batch"
    label = "Anthropic batch"
    stem = "requests"
    has_target = False
    limits = Limits(lines=100_000, bytes=256_000_000)

    def line(self, sample: Sample, options: Options) -> str:
        """One request."""
        return canonical(
            {
                "custom_id": str(sample.id),
                "params": {
                    "model": options.model,
                    "max_tokens": options.max_tokens,
                    "messages": [{"role": "user", "content": sample.prompt}],
                },
            }
        )
