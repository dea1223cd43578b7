"""A corpus for other people's tools, as a folder with a manifest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from worlds import services
from worlds.core.errors import BadInput
from worlds.core.export import EXPORTS, Options
from worlds.management.sentences import SentenceCommand

__all__ = ["Command"]

_MOST_TOKENS = 10_000_000


class Command(SentenceCommand):
    """`manage.py export_corpus`."""

    help = (
        "Write a complete corpus in the shape of a tool: plain JSON lines, a task of Inspect or of "
        "lm-eval, or the requests of a batch API, cut at the API's limits. manifest.json names the "
        "corpus and the SHA-256 of every file. What the tool writes can be uploaded or given to "
        "grade as it is."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """A corpus, a tool and what a request says."""
        defaults = Options()
        parser.add_argument("name", metavar="NAME", help="a complete corpus")
        parser.add_argument(
            "--to", required=True, metavar="TOOL", help=", ".join(e.name for e in EXPORTS)
        )
        parser.add_argument(
            "--no-target", action="store_true", help="leave out everything that is true"
        )
        parser.add_argument(
            "--out",
            metavar="DIR",
            help="where to; an empty folder or none (default: one named after corpus and tool)",
        )
        parser.add_argument(
            "--model",
            default=defaults.model,
            help="whom the requests of a batch are to (default: %(default)s, to be replaced)",
        )
        parser.add_argument(
            "--max-tokens",
            type=int,
            default=defaults.max_tokens,
            metavar="N",
            help="the most that a reply to a request may have (default: %(default)s)",
        )
        parser.add_argument("--json", action="store_true", help="report in JSON on stdout")

    def handle(self, *_: Any, **options: Any) -> None:
        """Export, and say what was written."""
        if not 1 <= options["max_tokens"] <= _MOST_TOKENS:
            raise BadInput("max-tokens", options["max_tokens"], f"from 1 to {_MOST_TOKENS:,}")
        export = services.CorpusExport(
            services.find_corpus(options["name"]),
            options["to"],
            target=not options["no_target"],
            options=Options(model=options["model"], max_tokens=options["max_tokens"]),
        )
        written = export.write(Path(options["out"] or export.name))
        samples = sum(file.samples for file in written.files)
        if options["json"]:
            report = {
                "folder": str(written.folder),
                "target": export.target,
                "samples": samples,
                "files": [
                    {"name": file.name, "bytes": file.bytes, "sha256": file.sha256}
                    for file in written.files
                ],
            }
            self.stdout.write(json.dumps(report, ensure_ascii=False))
            return
        for file in written.files:
            name = written.folder / file.name
            self.stdout.write(f"{name}: {file.bytes:,} bytes, sha256 {file.sha256}")
        told = "with target" if export.target else "without target"
        self.stdout.write(f"{samples:,} instances of {export.corpus.slug}, {told}")
