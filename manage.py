#!/usr/bin/env python
"""The command line of EnigmaForge; `python manage.py help` lists the commands."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run one command. A wrong setting ends the start with one line, not with a traceback."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "enigmaforge_site.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415
        from django.core.management import execute_from_command_line  # noqa: PLC0415
    except ImportError:
        sys.exit(
            "Django is not installed for this Python. Run `make install`, then .venv/bin/python."
        )
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
