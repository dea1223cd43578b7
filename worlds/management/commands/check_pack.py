"""What a genre pack lacks or does wrong, gap by gap."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from worlds.core.bridges import bank
from worlds.core.packs import FILES, Finding, Pack, check, read_pack
from worlds.core.prose.roundtrip import roundtrip_findings
from worlds.core.rehearsal import rehearsal_findings
from worlds.management.sentences import SentenceCommand

__all__ = ["Command"]

_HARMLESS = {"count", "colour", "lint", "names", "voice", "twice"}
"""Rules whose breach does not keep wordings from being printed and read."""


class Command(SentenceCommand):
    """`manage.py check_pack`."""

    help = (
        "Lint a genre pack and name every gap: what it lacks or does wrong, which wordings do not "
        "read back, what goes wrong in whole records. Takes a minute for a full pack. Exits with 1 "
        "if there is a gap, with 2 if DIR holds no pack that can be read."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Which folder, and how much to try."""
        parser.add_argument("dir", metavar="DIR", help=f"a folder with {', '.join(FILES)}")
        parser.add_argument(
            "--quick",
            action="store_true",
            help="read wordings back with a few entries of the lexicon instead of every one",
        )
        parser.add_argument("--json", action="store_true", help="report in JSON on stdout")

    def handle(self, *_: Any, **options: Any) -> None:
        """Read, check, report, and fail if there is a gap."""
        pack = read_pack(Path(options["dir"]))
        findings = _findings(pack, every_entry=not options["quick"])
        if options["json"]:
            found = [{"rule": f.rule, "where": f.where, "what": f.what} for f in findings]
            report = {"genre": pack.genre, "findings": found}
            self.stdout.write(json.dumps(report, ensure_ascii=False))
        else:
            for finding in findings:
                self.stdout.write(str(finding))
            if not findings:
                self.stdout.write(f"{pack.genre}: nothing is missing")
        if findings:
            gaps = "1 gap" if len(findings) == 1 else f"{len(findings)} gaps"
            raise CommandError(f"{gaps} in {options['dir']}")


def _findings(pack: Pack, *, every_entry: bool) -> tuple[Finding, ...]:
    """Every gap. What is broken is not tried further: it could not be printed."""
    found = check(pack)
    if not {finding.rule for finding in found} <= _HARMLESS:
        return found
    found = (*found, *roundtrip_findings(pack, bank()[0], every_entry=every_entry))
    return found or tuple(rehearsal_findings(pack, bank()))
