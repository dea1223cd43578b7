"""`python -m worlds.core --id ID`: print an instance, without Django.

The bytes are those of `manage.py forge --id ID`. Errors are one line on stderr with exit code 2
for a wrong id and 1 for a world that could not be forged.
"""

from __future__ import annotations

import argparse
import sys

from worlds.core.codec import encode_instance
from worlds.core.errors import BadInput, EnigmaError
from worlds.core.ids import parse_id
from worlds.core.mint import mint

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Print the instance of the id given; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m worlds.core", description=__doc__)
    parser.add_argument(
        "--id", required=True, help="an id such as ef1-chain-L03-maritime-s417-imp1"
    )
    options = parser.parse_args(arguments)
    try:
        text = encode_instance(mint(parse_id(options.id)))
    except EnigmaError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2 if isinstance(error, BadInput) else 1
    sys.stdout.buffer.write(text.encode("utf-8") + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
