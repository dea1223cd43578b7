"""One instance as canonical JSON: the command that reproduces any instance."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from worlds.core.codec import encode_instance
from worlds.core.ids import CONDITIONS, FamilyId, InstanceId, parse_id
from worlds.core.instance import Instance
from worlds.core.mint import check_mintable, mint
from worlds.core.seeds import check_seed
from worlds.management.sentences import BAD_INPUT, SentenceCommand
from worlds.services.chat_endpoint import configured_endpoint
from worlds.services.chat_narrator import narrate_instance

__all__ = ["Command"]


class Command(SentenceCommand):
    """`manage.py forge`."""

    help = (
        "Forge one instance and print it as one line of canonical JSON. "
        "Give --id, or --seed with --level and --genre."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """An id, or its parts."""
        parser.add_argument("--id", metavar="ID", help="such as ef1-chain-L03-maritime-s417-imp1")
        parser.add_argument("--seed", type=int, metavar="N", help="0 to 2**53 - 1")
        parser.add_argument("--level", help="L00 to L09")
        parser.add_argument("--genre", help="such as maritime")
        parser.add_argument("--profile", help="chain unless given")
        parser.add_argument(
            "--condition", choices=sorted(CONDITIONS.values()), help="implicit unless given"
        )
        parser.add_argument("--realization", type=int, help="1 to 9, 1 unless given")
        parser.add_argument("--burial", type=int, help="0 to 5 for story mode, without for papers")
        parser.add_argument(
            "--narrator",
            choices=("seeded", "chat"),
            default="seeded",
            help="who tells a story; chat asks the endpoint of ENIGMAFORGE_NARRATOR_URL, _MODEL "
            "and _KEY, and is not reproducible from the id",
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Print the instance."""
        wanted = _instance_id(options)
        check_mintable(wanted)
        told = mint(wanted) if options["narrator"] == "seeded" else _by_chat(wanted)
        self.stdout.write(encode_instance(told), ending="\n")


def _by_chat(wanted: InstanceId) -> Instance:
    return narrate_instance(wanted, configured_endpoint())


def _instance_id(options: dict[str, Any]) -> InstanceId:
    parts = ("seed", "level", "genre", "profile", "condition", "realization", "burial")
    given = [name for name in parts if options[name] is not None]
    if options["id"] is not None:
        if given:
            named = ", ".join(f"--{name}" for name in given)
            raise CommandError(f"--id says everything; leave out {named}", returncode=BAD_INPUT)
        return parse_id(options["id"])
    missing = [name for name in ("seed", "level", "genre") if options[name] is None]
    if missing:
        named = ", ".join(f"--{name}" for name in missing)
        raise CommandError(f"missing: {named}; give --id ID instead, or all of --seed, --level and "
                           "--genre", returncode=BAD_INPUT)  # fmt: skip
    realization = options["realization"]
    family = FamilyId(
        options["profile"] or "chain",
        options["level"],
        options["genre"],
        check_seed(options["seed"], "--seed"),
    )
    instance = InstanceId(
        family,
        options["condition"] or "implicit",
        1 if realization is None else realization,
        options["burial"],
    )
    # Names the level or genre that cannot be forged, before the id as a whole is judged.
    check_mintable(instance)
    return parse_id(str(instance))
