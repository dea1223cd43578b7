"""Print a new one-time sign-in link."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from enigmaforge_site import address
from enigmaforge_site.signin import services

__all__ = ["Command"]


class Command(BaseCommand):
    """`manage.py sign_in_link`."""

    help = "Print a new one-time sign-in link. The person's older link stops working."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the person, how long the link is good for, and where the site is."""
        parser.add_argument("--user", default=services.OWNER, help="who signs in (%(default)s)")
        parser.add_argument("--create", action="store_true", help="make the person if need be")
        parser.add_argument("--minutes", type=int, default=60, help="good for (%(default)s)")
        parser.add_argument("--site", help="where the site is, as https://forge.example.org")

    def handle(self, *_: Any, **options: Any) -> None:
        """Print the link and nothing else."""
        if not 1 <= options["minutes"] <= 7 * 24 * 60:
            raise CommandError(f"--minutes {options['minutes']}: expected 1 to 10080 (a week)")
        secret = services.issue(
            self._person(options["user"], create=options["create"]),
            valid_for=timedelta(minutes=options["minutes"]),
        )
        site = (options["site"] or address.current()).rstrip("/")
        self.stdout.write(site + reverse("sign_in_confirm", args=(secret,)))

    def _person(self, name: str, *, create: bool) -> User:
        if name == services.OWNER:
            return services.ensure_owner()
        if create and not User.objects.filter(username=name).exists():
            return User.objects.create_user(username=name)
        person = User.objects.filter(username=name).first()
        if person is None:
            raise CommandError(f"there is no user {name!r}; add --create to make one")
        return person
