"""The controls, run through the path of an upload, with the counts they must come to."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import CommandError, CommandParser

from grading.models import ControlRun
from grading.services.controlling import run_controls
from grading.services.freezing import freeze_report
from worlds.core.errors import BadInput
from worlds.management.sentences import SentenceCommand
from worlds.models import Corpus
from worlds.services import find_corpus

__all__ = ["Command"]

_COUNTS = ("records", "facts", "right", "worlds", "actions", "successes")


class Command(SentenceCommand):
    """`manage.py controls`."""

    help = (
        "Run every control on a corpus through the grading path, print what each came to beside "
        "what it must come to, and freeze the report. Exits with 1 if a control is off; the "
        "corpus's board is void then. NAME may be left out when one corpus alone is complete."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Which corpus."""
        parser.add_argument("name", nargs="?", metavar="NAME", help="a complete corpus")
        parser.add_argument("--json", action="store_true", help="report in JSON on stdout")

    def handle(self, *_: Any, **options: Any) -> None:
        """Run all of them anew, report, and fail if one is off."""
        corpus = find_corpus(options["name"]) if options["name"] else _only_corpus()
        last = ""

        def tell(done: int, note: str) -> None:
            nonlocal last
            if note != last:
                self.stderr.write(note, str)
                last = note

        runs = run_controls(corpus, again=True, on_progress=tell)
        report = freeze_report(corpus)
        off = [run.control for run in runs if not run.passed]
        if options["json"]:
            told = {
                "corpus": corpus.slug,
                "corpus_sha256": corpus.sha256,
                "report_sha256": report.sha256,
                "void": bool(off),
                "controls": [_payload(run) for run in runs],
            }
            self.stdout.write(json.dumps(told, ensure_ascii=False))
        else:
            self._print(corpus, runs)
        if off:
            raise CommandError(f"{', '.join(off)} off: the board of {corpus.slug} is void")

    def _print(self, corpus: Corpus, runs: list[ControlRun]) -> None:
        self.stdout.write(f"{corpus.slug}, sha256 {corpus.sha256}")
        head = "".join(f"{name:>16}" for name in _COUNTS)
        self.stdout.write(f"{'control':<16}{'':<10}{head}")
        for run in runs:
            state = "reported" if not run.exact else "exact" if run.passed else "OFF"
            cells = "".join(f"{_cell(run, name):>16}" for name in _COUNTS)
            self.stdout.write(f"{run.control:<16}{state:<10}{cells}")


def _only_corpus() -> Corpus:
    corpora = list(Corpus.objects.complete().values_list("slug", flat=True))
    if len(corpora) != 1:
        names = (
            f"one of {', '.join(corpora[:20])}" if corpora else "a complete corpus; there is none"
        )
        raise BadInput("NAME", "", names)
    return Corpus.objects.get(slug=corpora[0])


def _cell(run: ControlRun, name: str) -> str:
    found, expected = run.found[name], run.expected.get(name)
    if expected is None:
        return str(found)
    return f"{found} {'=' if found == expected else '!='} {expected}"


def _payload(run: ControlRun) -> dict[str, Any]:
    return {
        "name": run.control,
        "exact": run.exact,
        "ok": run.passed,
        "expected": run.expected,
        "found": run.found,
    }
