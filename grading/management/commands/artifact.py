"""The results artifact of a corpus: written, or recomputed and compared."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from grading.core.artifact import FORMAT, Difference, differences
from grading.services.artifacts import artifact_text
from worlds.core.codec import canonical
from worlds.core.errors import BadInput
from worlds.management.sentences import SentenceCommand
from worlds.services import find_corpus

__all__ = ["Command"]

_MOST_SHOWN = 100


class Command(SentenceCommand):
    """`manage.py artifact`."""

    help = (
        "Print the results artifact of a corpus as JSON: every number, with the SHA-256 of the "
        "source, the corpus and the uploaded files, and the seeds. The same inputs give the same "
        "bytes. With --check FILE it is computed anew and compared with that file; exits with 1 "
        "and names each place that differs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Which corpus, and what to compare with."""
        parser.add_argument("name", metavar="NAME", help="a complete corpus")
        parser.add_argument("--check", metavar="FILE", help="an artifact to compare with")
        parser.add_argument("--json", action="store_true", help="with --check: report in JSON")

    def handle(self, *_: Any, **options: Any) -> None:
        """Write, or compare and fail if anything differs."""
        corpus = find_corpus(options["name"])
        if options["check"] is None:
            self.stdout.write(artifact_text(corpus))
            return
        expected = _read(options["check"])
        found = json.loads(artifact_text(corpus))
        told = list(differences(expected, found))
        if options["json"]:
            payload = {
                "corpus": corpus.slug,
                "same": not told,
                "differences": [asdict(each) for each in told],
            }
            self.stdout.write(json.dumps(payload, ensure_ascii=False))
        else:
            self._print(told, corpus.slug)
        if told:
            raise CommandError(f"{len(told)} places differ from {options['check']}")

    def _print(self, told: list[Difference], slug: str) -> None:
        for each in told[:_MOST_SHOWN]:
            self.stdout.write(str(each))
        if len(told) > _MOST_SHOWN:
            self.stdout.write(f"and {len(told) - _MOST_SHOWN} more; --json has them all")
        if not told:
            self.stdout.write(f"{slug}: everything recomputed is the same")


def _read(name: str) -> dict[str, Any]:
    """An artifact from a file, as this program wrote it."""
    expected = f"an artifact ({FORMAT}), as this command prints it"
    try:
        text = Path(name).read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput(name, error.strerror, "a file that can be read") from error
    except UnicodeDecodeError as error:
        raise BadInput(name, "bytes that are no UTF-8", expected) from error
    try:
        value = json.loads(text)
        written = canonical(value)
    except (ValueError, RecursionError) as error:
        raise BadInput(name, "no JSON", expected) from error
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise BadInput(name, "JSON of another kind", expected)
    if text.rstrip("\n") != written:
        raise BadInput(name, "an artifact written in another form", expected)
    return value
