"""Input files of OpenAI's batch API: one chat completion a line, `custom_id` is the sample id."""

from __future__ import annotations

from worlds.core.codec import canonical
from worlds.core.export.base import Export, Limits, Options, Sample

__all__ = ["OpenAIBatchExport"]


class OpenAIBatchExport(Export):
    """Requests to `/v1/chat/completions`."""

    name = "openai-batch"
    label = "OpenAI batch"
    stem = "requests"
    has_target = False
    limits = Limits(lines=50_000, bytes=200_000_000)

    def line(self, sample: Sample, options: Options) -> str:
        """One request."""
        return canonical(
            {
                "custom_id": str(sample.id),
                "method": "POST",
                "url": "/v1/chat/completions",
                "body": {
                    "model": options.model,
                    "max_completion_tokens": options.max_tokens,
                    "messages": [{"role": "user", "content": sample.prompt}],
                },
            }
        )
