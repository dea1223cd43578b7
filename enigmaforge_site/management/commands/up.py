"""Start everything on this machine: database, static files, web, worker."""

from __future__ import annotations

import http.client
import socket
import sys
from contextlib import closing, suppress
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.storage import ManifestFilesMixin, staticfiles_storage
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, InterfaceError, connection
from django.urls import reverse
from django.utils.module_loading import import_string

from enigmaforge_site import address, collected
from enigmaforge_site.jobs.models import Job
from enigmaforge_site.signin import services as signin
from enigmaforge_site.supervisor import Program, StartFailed, Supervisor

__all__ = ["Command"]

_HOST = "127.0.0.1"
_BACKLOG = 2048
_LINK_IS_GOOD_FOR = timedelta(hours=1)
_FIRST_ANSWER_WITHIN_SECONDS = 30
# A dotted path, not an import: the site is below the apps it serves.
_STARTER_CORPUS = "worlds.services.ensure_starter_corpus"


class Command(BaseCommand):
    """`manage.py up`, which `make run` calls."""

    help = "Start EnigmaForge on this machine: web and worker, until Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the port; the host is always loopback."""
        parser.add_argument("--port", type=int, default=8000, help="on 127.0.0.1 (%(default)s)")

    def handle(self, *_: Any, **options: Any) -> None:
        """Prepare, start, print the one address, and look after it."""
        port = options["port"]
        with _listen(port) as listener:
            call_command("migrate", verbosity=0, interactive=False)
            call_command("clearsessions")
            if isinstance(staticfiles_storage, ManifestFilesMixin):
                collected.collect_if_changed()
            import_string(_STARTER_CORPUS)()
            secret = signin.issue(signin.ensure_owner(), valid_for=_LINK_IS_GOOD_FOR)
            link = f"http://{_HOST}:{port}{reverse('sign_in_confirm', args=(secret,))}"
            # The programs are forked next; none of them shares our connection.
            connection.close()
            self._run(listener, link)

    def _run(self, listener: socket.socket, link: str) -> None:
        port = listener.getsockname()[1]
        supervisor = Supervisor(_programs(listener.fileno()), self._say)
        supervisor.listen()
        supervisor.start()
        try:
            self._await_first_answer(supervisor, port)
            if not supervisor.is_stopping:
                address.note(f"http://{_HOST}:{port}")
                self._say(
                    "EnigmaForge is running. Open this address to sign in"
                    f" (it works once, within an hour):\n\n    {link}\n\nCtrl-C stops it."
                )
            known: dict[int, str] = {}
            while not supervisor.is_stopping:
                # Telling is a courtesy: a database that is busy or away must not end the site.
                with suppress(DatabaseError, InterfaceError):
                    self._tell_jobs(known)
                supervisor.watch(seconds=5)
            self._say("\nStopping …")
        except StartFailed as reason:
            raise CommandError(str(reason)) from None
        finally:
            supervisor.stop()
            address.forget()
        self._say("Stopped.")

    def _await_first_answer(self, supervisor: Supervisor, port: int) -> None:
        for _ in range(_FIRST_ANSWER_WITHIN_SECONDS * 4):
            supervisor.watch(seconds=0.25)
            if supervisor.is_stopping or _answers(port):
                return
        raise StartFailed(f"no answer from web within {_FIRST_ANSWER_WITHIN_SECONDS} s; see above")

    def _tell_jobs(self, known: dict[int, str]) -> None:
        """Print how the jobs stand that have moved since the last look."""
        for job in Job.objects.live() | Job.objects.filter(pk__in=list(known)):
            standing = f"{job.title}: {job.get_state_display()}"
            if job.total:
                standing += f", {job.done} of {job.total}"
            if job.error:
                standing += f". {job.error}"
            if known.get(job.pk) != standing:
                self._say(standing)
            if job.is_live:
                known[job.pk] = standing
            else:
                known.pop(job.pk, None)
        connection.close()

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def _programs(listener: int) -> list[Program]:
    python = (sys.executable, "-m")
    web = (
        *python, "gunicorn", "enigmaforge_site.wsgi:application",
        "--bind", f"fd://{listener}",
        "--worker-class", "gthread", "--workers", "1", "--threads", "16",
        "--graceful-timeout", "5", "--no-control-socket", "--log-level", "warning",
    )  # fmt: skip
    worker = (
        *python, "celery", "--app", "enigmaforge_site", "--quiet", "worker",
        "--concurrency", str(settings.WORKER_PROCESSES), "--loglevel", "WARNING",
        "--without-gossip", "--without-mingle", "--without-heartbeat",
    )  # fmt: skip
    return [Program("web", web, inherits=(listener,)), Program("worker", worker)]


def _listen(port: int) -> socket.socket:
    """Take the port before anything else is done, or stop with one line.

    The web process is handed this socket, so there is no moment at which another could take the
    port, and a caller who comes while web is started again waits instead of being refused.
    """
    if not 1 <= port <= 65_535:
        raise CommandError(f"--port {port}: expected 1 to 65535")
    listener = socket.socket()
    # A port whose last connections are still winding down can be had.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((_HOST, port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise CommandError(
            f"port {port} cannot be used ({error.strerror}); choose another: make run PORT=9000"
        ) from None
    return listener


def _answers(port: int) -> bool:
    """Say whether the web process answers a request."""
    probe = http.client.HTTPConnection(_HOST, port, timeout=5)
    with closing(probe), suppress(OSError, http.client.HTTPException):
        probe.request("GET", reverse("sign_in"))
        return probe.getresponse().status < http.client.INTERNAL_SERVER_ERROR
    return False
