"""Who may see what: the one place that decides whether the truth is loaded.

The truth is what answers an instance: units, spans, certificate, solution. A visitor gets the
record alone, and the truth does not even leave the database: no template can leak what its context
never held.
"""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404, HttpRequest

from worlds.models import Corpus, Instance

__all__ = ["get_corpus", "get_instance", "person_of", "sees_truth"]


def sees_truth(user: User | AnonymousUser) -> bool:
    """Whether this reader may know the answers: whoever is signed in."""
    return user.is_authenticated


def person_of(request: HttpRequest) -> User | None:
    """The person who is signed in, if one is."""
    return request.user if isinstance(request.user, User) else None


def get_corpus(slug: str, reader: User | AnonymousUser | None = None) -> Corpus:
    """The corpus of that name, or a 404 that says so.

    One that waits for the approval of its distractors is found only for a reader who is signed in:
    a page that names no reader, such as a leaderboard, does not show it to anybody.
    """
    corpus = Corpus.objects.filter(slug=slug).first()
    if corpus is None or not corpus.is_readable_by(reader or AnonymousUser()):
        raise Http404(f"There is no corpus {slug}, or it is not published yet.")
    return corpus


def get_instance(user: User | AnonymousUser, slug: str, sample_id: str) -> Instance:
    """An instance with its corpus and family, and with the truth for those who may see it."""
    rows = Instance.objects.in_corpus(slug)
    rows = rows.with_truth() if sees_truth(user) else rows.without_truth()
    if not user.is_authenticated:
        rows = rows.filter(corpus__in=Corpus.objects.readable_by(user))
    row = rows.filter(sample_id=sample_id).first()
    if row is None:
        raise Http404(f"There is no instance {sample_id} in a corpus {slug}.")
    return row
