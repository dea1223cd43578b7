"""Recompute what instances claim: from files, from standard input, or a whole corpus."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from worlds import services
from worlds.core.codec import decode_instance
from worlds.core.errors import BadInput
from worlds.management.sentences import BAD_INPUT, SentenceCommand

__all__ = ["Command"]


class Command(SentenceCommand):
    """`manage.py verify`."""

    help = (
        "Recompute every certificate from the constraints, read every record back, and name what "
        "fails. Takes files of instances in JSON, one a line or a single one, - for standard "
        "input, or a corpus. Exits with 1 if anything fails."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Files or a corpus."""
        parser.add_argument("files", nargs="*", metavar="FILE", help="instance JSON; - is stdin")
        parser.add_argument("--corpus", metavar="NAME", help="all of a stored corpus instead")
        parser.add_argument("--json", action="store_true", help="report in JSON on stdout")

    def handle(self, *_: Any, **options: Any) -> None:
        """Verify, report, and fail if anything failed."""
        if bool(options["files"]) == (options["corpus"] is not None):
            raise CommandError("give either files (- is standard input) or --corpus NAME",
                               returncode=BAD_INPUT)  # fmt: skip
        if options["corpus"] is not None:
            corpus = services.find_corpus(options["corpus"])
            verified: Iterable[services.Verified] = services.verify_corpus(corpus)
        else:
            verified = _verify_files(options["files"])
        checked, failed = self._report(verified, as_json=options["json"])
        if failed:
            raise CommandError(f"{failed} of {checked} failed")

    def _report(self, verified: Iterable[services.Verified], *, as_json: bool) -> tuple[int, int]:
        """Print each as it is done; how many were checked, and how many failed."""
        told = []
        failed = 0
        for each in verified:
            findings = [str(finding) for finding in each.findings]
            failed += bool(findings)
            told.append({"id": each.id, "findings": findings, "note": each.note})
            if not as_json:
                self.stdout.write(_line(each.id, findings, each.note))
        if as_json:
            report = {"checked": len(told), "failed": failed, "results": told}
            self.stdout.write(json.dumps(report, ensure_ascii=False))
        return len(told), failed


def _line(name: str, findings: list[str], note: str) -> str:
    if findings:
        return f"FAILED {name}: {'; '.join(findings)}"
    return f"proved {name}" + (f" ({note})" if note else "")


def _verify_files(names: Iterable[str]) -> Iterator[services.Verified]:
    for name in names:
        shown = "standard input" if name == "-" else name
        texts = _instances(_read(name, shown))
        if not texts:
            raise BadInput(shown, "", "at least one instance in JSON")
        for number, text in enumerate(texts, start=1):
            yield _verify_text(text, f"{shown}, instance {number}")


def _verify_text(text: str, where: str) -> services.Verified:
    """An instance that cannot be read has failed like any other; the rest is still verified."""
    try:
        instance = decode_instance(text)
    except BadInput as error:
        return services.Verified(where, (services.Finding("format", str(error)),))
    return services.verify_instance(instance)


def _read(name: str, shown: str) -> str:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return data.decode("utf-8")
    except OSError as error:
        raise BadInput(shown, error.strerror, "a file that can be read") from error
    except UnicodeDecodeError as error:
        raise BadInput(shown, error.reason, "text in UTF-8") from error


def _instances(text: str) -> list[str]:
    """One instance, if the text is one JSON value; otherwise one per line."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return [line for line in text.split("\n") if line.strip()]
    return [text]
