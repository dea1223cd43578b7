"""A corpus into the database: here and now, in this process or in several."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import CommandParser

from worlds import services
from worlds.core.errors import BadInput
from worlds.core.ids import MAX_BURIAL
from worlds.management.sentences import SentenceCommand
from worlds.models import Corpus, Family, LostFamily

__all__ = ["Command"]

_MOST_WORKERS = 64


class Command(SentenceCommand):
    """`manage.py forge_corpus`."""

    help = (
        "Forge a corpus into the database. The same seed, levels and genres give the same hash. "
        "A corpus that was interrupted goes on when the same command is given again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """What `create_corpus` takes, and how many processes share the work."""
        parser.add_argument("name", help="small letters, digits and hyphens")
        parser.add_argument("--families", type=int, default=120, help="120 unless given")
        parser.add_argument("--profile", default="chain")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--levels", default="", help="such as L00,L03; L00 to L05 unless given")
        parser.add_argument("--genres", default="", help="such as maritime; all unless given")
        parser.add_argument(
            "--burial",
            default="",
            help="such as 3 or 0,3: tell every family as a story too; papers only unless given",
        )
        parser.add_argument(
            "--narrator",
            default="seeded",
            help="who tells the stories: seeded, or chat, which asks the endpoint of "
            "ENIGMAFORGE_NARRATOR_URL and gives another hash each time",
        )
        parser.add_argument("--workers", type=int, default=1, help="processes; 1 unless given")
        parser.add_argument("--json", action="store_true", help="report in JSON on stdout")

    def handle(self, *_: Any, **options: Any) -> None:
        """Create the corpus, or take up the one that this order began; fill and complete it."""
        workers = options["workers"]
        if not 1 <= workers <= _MOST_WORKERS:
            raise BadInput("--workers", workers, f"a whole number from 1 to {_MOST_WORKERS}")
        corpus = services.take_up_corpus(
            options["name"],
            seed=options["seed"],
            families=options["families"],
            profile=options["profile"],
            levels=_listed(options["levels"]),
            genres=_listed(options["genres"]),
            burials=[_burial(text) for text in _listed(options["burial"])],
            narrator=options["narrator"],
        )
        self._fill(corpus, workers)
        self._report(services.complete_corpus(corpus), as_json=options["json"])

    def _fill(self, corpus: Corpus, workers: int) -> None:
        def tell(row: Family | LostFamily) -> None:
            self.stderr.write(
                f"{corpus.families.count()} of {corpus.family_count}: {services.step_note(row)}",
                str,  # Progress is no error: leave it uncoloured.
            )

        if workers == 1:
            services.mint_missing(corpus, on_stored=tell)
            return
        with services.AheadMinter(corpus, workers) as minter:
            services.mint_missing(corpus, minter=minter, on_stored=tell)

    def _report(self, corpus: Corpus, *, as_json: bool) -> None:
        report = {
            "corpus": corpus.slug,
            "sha256": corpus.sha256,
            "families": corpus.families.count(),
            "instances": corpus.instances.count(),
            "lost": [
                {"family": lost.family_id, "reason": lost.reason} for lost in corpus.lost.all()
            ],
        }
        if as_json:
            self.stdout.write(json.dumps(report, ensure_ascii=False))
            return
        self.stdout.write(
            f"{corpus.slug}: {report['families']} families, {report['instances']} instances, "
            f"sha256 {corpus.sha256}"
        )


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _burial(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) == 1):
        raise BadInput("--burial", text, f"whole numbers from 0 to {MAX_BURIAL}, such as 0,3")
    return int(text)
