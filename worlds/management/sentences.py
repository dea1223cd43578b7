"""Commands that fail in one sentence: on standard error, with an exit code that says whose fault.

0 is success, 1 a failure, 2 input that is not allowed. There is no usage text and no traceback
before the sentence.
"""

from __future__ import annotations

import io
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, handle_default_options
from django.db import DatabaseError, connections

from worlds.core.errors import BadInput, EnigmaError

__all__ = ["SentenceCommand"]

BAD_INPUT = 2
INTERRUPTED = 130


class SentenceCommand(BaseCommand):
    """A command whose errors are sentences; subclasses write `handle` and let errors pass."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run, and turn an error of the core into one of the command line."""
        try:
            return super().execute(*args, **options)
        except EnigmaError as error:
            code = BAD_INPUT if isinstance(error, BadInput) else 1
            raise CommandError(str(error), returncode=code) from error
        except DatabaseError as error:
            raise CommandError(
                f"the database cannot be used ({error}); if it is new: python manage.py migrate"
            ) from error

    def run_from_argv(self, argv: list[str]) -> None:
        """Run from the command line; print an error as one line and exit."""
        # What is printed is data: the same bytes on every machine.
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8", newline="\n")
        try:
            options = self._parse(argv)
            self.execute(*options.pop("args", ()), **options)
        except CommandError as error:
            sys.exit(self._told(error, error.returncode))
        except KeyboardInterrupt:
            sys.exit(self._told("stopped", INTERRUPTED))
        except BrokenPipeError:
            # Whoever reads our output has enough of it; what is left cannot be told to anyone.
            sys.stderr.close()
            sys.exit(1)
        finally:
            connections.close_all()

    def _parse(self, argv: list[str]) -> dict[str, Any]:
        """Read the arguments; the parser's own complaint becomes a sentence."""
        parser = self.create_parser(argv[0], argv[1])
        try:
            options = parser.parse_args(argv[2:])
        except CommandError as error:
            message = str(error).removeprefix("Error: ")
            raise CommandError(message, returncode=BAD_INPUT) from error
        handle_default_options(options)
        return vars(options)

    def _told(self, error: object, code: int) -> int:
        sentence = " ".join(str(error).split())
        self.stderr.write(f"error: {sentence}")
        return code
