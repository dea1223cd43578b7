"""The benchmark suite, with its goals: ratios to other programs, and of grading to plain work."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import CommandParser

from grading import bench as grading_bench
from worlds import bench as worlds_bench
from worlds.bench import Plan, run
from worlds.core.errors import BadInput
from worlds.core.ids import LEVELS, PROFILES
from worlds.management.sentences import SentenceCommand

__all__ = ["Command"]

_MOST_WORLDS = 1000
_PARTS = {**worlds_bench.PARTS, **grading_bench.PARTS}


class Command(SentenceCommand):
    """`manage.py bench`."""

    help = (
        "Measure certificates and worlds against z3, CaDiCaL and reasoning-gym, and grading, "
        "importing and reporting against reading JSON and storing rows, pair by pair, in processor "
        "time. Exits with 1 if two engines give different answers. `make bench` installs "
        "what this compares with; without it the rest is measured. A goal that is missed is shown "
        "and is no failure."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """What to measure."""
        parser.add_argument("--worlds", type=int, default=20, help="per level; 20 unless given")
        parser.add_argument("--levels", default="", help="such as L00,L05; all unless given")
        parser.add_argument("--profiles", default="", help="such as chain; both unless given")
        parser.add_argument("--only", default="", metavar="NAME", help=f"of {', '.join(_PARTS)}")
        parser.add_argument("--json", action="store_true", help="report in JSON on stdout")

    def handle(self, *_: Any, **options: Any) -> None:
        """Measure and report; say on standard error how far it is."""
        if not 1 <= options["worlds"] <= _MOST_WORLDS:
            expected = f"a whole number from 1 to {_MOST_WORLDS}"
            raise BadInput("--worlds", options["worlds"], expected)
        plan = Plan(
            worlds=options["worlds"],
            levels=_chosen("--levels", options["levels"], LEVELS),
            profiles=_chosen("--profiles", options["profiles"], PROFILES),
            tell=self._tell,
        )
        only = _chosen("--only", options["only"], tuple(_PARTS))
        report = run(plan, only, _PARTS)
        if options["json"]:
            self.stdout.write(json.dumps(report.payload(), ensure_ascii=False))
        else:
            self.stdout.write(report.table(), ending="")

    def _tell(self, sentence: str) -> None:
        # Progress is no error: leave it uncoloured.
        self.stderr.write(sentence, str)


def _chosen(option: str, text: str, allowed: tuple[str, ...]) -> tuple[str, ...]:
    """The names of a list with commas, in the order of those allowed; all of them for none."""
    names = {part.strip() for part in text.split(",") if part.strip()}
    for name in sorted(names - set(allowed)):
        raise BadInput(option, name, " or ".join(allowed))
    return tuple(name for name in allowed if not names or name in names)
