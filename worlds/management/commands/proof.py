"""The refutation behind a certificate, as two files that anyone's checker reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from worlds.core.engines.proof import proof_of
from worlds.core.engines.rup import check_refutation
from worlds.core.errors import BadInput
from worlds.core.ids import parse_id
from worlds.core.mint import forge_family
from worlds.management.sentences import SentenceCommand

__all__ = ["Command"]


class Command(SentenceCommand):
    """`manage.py proof`."""

    help = (
        "Write the proof that a world is the only one: FAMILY.cnf, the evidence and the ban on its "
        "solution in DIMACS, and FAMILY.drat, the refutation. Both are checked before they are "
        "written; any checker of DRAT proofs can check them again."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """An id and a folder."""
        parser.add_argument(
            "id",
            metavar="ID",
            help="such as ef1-case-L02-maritime-s7-imp1; all of a family give the same",
        )
        parser.add_argument("--out", metavar="DIR", required=True, help="made if it is not there")
        parser.add_argument("--json", action="store_true", help="report in JSON on stdout")

    def handle(self, *_: Any, **options: Any) -> None:
        """Forge, prove, check, write, and say what was written."""
        family = parse_id(options["id"]).family
        folder = Path(options["out"])
        proof = proof_of(forge_family(family).world)
        check_refutation(proof.cnf, proof.drat)
        files = (
            _write(folder / f"{family}.cnf", proof.cnf, proof.cnf_sha256),
            _write(folder / f"{family}.drat", proof.drat, proof.drat_sha256),
        )
        if options["json"]:
            cnf, drat = files
            report = {
                "family": str(family),
                "cnf": cnf,
                "drat": drat,
                "learned": proof.learned,
                "checked": True,
            }
            self.stdout.write(json.dumps(report, ensure_ascii=False))
            return
        for told in files:
            self.stdout.write("{file}: {bytes} bytes, sha256 {sha256}".format_map(told))
        self.stdout.write(f"checked: {proof.learned} learned clauses and the empty one")


def _write(path: Path, text: str, sha256: str) -> dict[str, Any]:
    """Write one of the files; its line of the report."""
    data = text.encode("ascii")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise BadInput("--out", str(path), f"a file to write ({error.strerror})") from error
    return {"file": str(path), "bytes": len(data), "sha256": sha256}
