"""Static files under hashed names, compressed; a large one quickly.

Brotli's highest quality takes a quarter of a minute on the script that draws figures, which nobody
would sit through at the first start; a medium one takes a fifth of a second.
"""

from __future__ import annotations

from typing import Any

import brotli  # type: ignore[import-untyped]
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

__all__ = ["QuickManifestStorage"]

_LARGE = 500_000
_MEDIUM_QUALITY = 5


class _QuickCompressor(Compressor):  # type: ignore[misc]
    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        """Compress a file, large ones less tightly."""
        if len(data) < _LARGE:
            return bytes(brotli.compress(data))
        return bytes(brotli.compress(data, quality=_MEDIUM_QUALITY))


class QuickManifestStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """The storage of the collected files."""

    def create_compressor(self, **kwargs: Any) -> Compressor:
        """Return what compresses one file after another."""
        return _QuickCompressor(**kwargs)
