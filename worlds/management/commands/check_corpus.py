"""How a corpus reads: every figure beside what it must come to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandError, CommandParser

from worlds import services
from worlds.core.prose.survey import Figure
from worlds.management.sentences import SentenceCommand

__all__ = ["Command"]

_STATES = {True: "ok", False: "MISSED", None: ""}


class Command(SentenceCommand):
    """`manage.py check_corpus`."""

    help = (
        "Survey a complete corpus: whether it repeats itself, whether its form gives anything away "
        "and whether its records keep the rules. Prints every figure beside its goal; a figure "
        "without a verdict has no goal, or too little to judge by. Exits with 1 if one is missed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Which corpus."""
        parser.add_argument("name", metavar="NAME", help="a complete corpus")
        parser.add_argument("--json", action="store_true", help="report in JSON on stdout")

    def handle(self, *_: Any, **options: Any) -> None:
        """Survey anew, report, and fail if a goal is missed."""
        corpus = services.find_corpus(options["name"])
        found = services.survey_now(corpus)
        cost = services.cost_figure(corpus)
        figures = [*found.figures, *([cost] if cost else [])]
        missed = [figure for figure in figures if figure.ok is False]
        if options["json"]:
            report = found.payload()
            report["figures"] = [figure.payload() for figure in figures]
            told = {"corpus": corpus.slug, "corpus_sha256": corpus.sha256, **report}
            self.stdout.write(json.dumps({**told, "missed": len(missed)}, ensure_ascii=False))
        else:
            self.stdout.write(
                f"{corpus.slug}, sha256 {corpus.sha256}: {found.records:,} records, "
                f"{found.papers:,} papers, {found.clauses:,} clauses"
            )
            self._print(figures)
        if missed:
            names = "; ".join(f"{figure.of} {figure.name}".strip() for figure in missed)
            raise CommandError(f"{len(missed)} of {len(figures)} figures missed: {names}")

    def _print(self, figures: Sequence[Figure]) -> None:
        wide = max(len(figure.name) for figure in figures)
        group = ""
        for figure in figures:
            if figure.group != group:
                group = figure.group
                self.stdout.write(f"\n{group}")
            line = (
                f"  {_STATES[figure.ok]:<7} {figure.of:<12} {figure.name:<{wide}} "
                f"{figure.shown:>10}  {figure.goal}"
            )
            self.stdout.write(line.rstrip())
