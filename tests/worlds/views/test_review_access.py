"""The review of distractors is for people who are signed in: every address of it, by a stranger."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from worlds.models import Corpus, ReviewAssignment, ReviewEntry, ReviewItem

POSTED = {"review_assign", "review_comment", "review_decide", "review_lock", "review_skip"}


def _addresses(corpus: Corpus) -> dict[str, str]:
    """Every address whose name says that it is of the review."""
    item = corpus.review_items.all()[0]
    assert item.pk
    known = {"item_id": item.pk, "slug": corpus.slug}
    found = {}
    routes = get_resolver().namespace_dict["worlds"][1]
    for name in routes.reverse_dict:
        if isinstance(name, str) and name.startswith("review_"):
            needed = routes.reverse_dict.getlist(name)[0][0][0][1]
            found[name] = reverse(f"worlds:{name}", kwargs={each: known[each] for each in needed})
    return found


def test_all_of_it_is_asked_for(corpus: Corpus) -> None:
    names = _addresses(corpus).keys()
    assert names - POSTED == {"review_corpus", "review_item", "review_next", "review_queue"}
    assert names >= POSTED


def test_a_stranger_is_sent_to_sign_in(client: Client, corpus: Corpus) -> None:
    for name, url in _addresses(corpus).items():
        answer = client.post(url, {"said": "approve"}) if name in POSTED else client.get(url)
        assert answer.status_code == 302, name
        assert answer["Location"] == f"/sign-in/?next={url}", name
        assert answer.content == b"", name


def test_a_strangers_fragment_is_refused(client: Client, corpus: Corpus) -> None:
    for name, url in _addresses(corpus).items():
        ask = client.post if name in POSTED else client.get
        answer = ask(url, headers={"HX-Request": "true"})
        assert (answer.status_code, answer.content) == (403, b""), name


def test_a_stranger_changes_nothing(client: Client, corpus: Corpus) -> None:
    before = list(ReviewItem.objects.values())
    for url in _addresses(corpus).values():
        for fields in ({"said": "approve", "seen": "0"}, {"comment": "Hm."}, {"each": "1"}):
            client.post(url, fields)
    assert list(ReviewItem.objects.values()) == before
    assert not ReviewEntry.objects.exists()
    assert not ReviewAssignment.objects.exists()


@pytest.mark.parametrize("name", sorted(POSTED))
def test_what_changes_something_is_posted(owner_client: Client, corpus: Corpus, name: str) -> None:
    assert owner_client.get(_addresses(corpus)[name]).status_code == 405


def test_a_form_from_elsewhere_is_refused(corpus: Corpus, owner_client: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = owner_client.cookies
    for name in POSTED:
        assert strict.post(_addresses(corpus)[name], {"said": "approve"}).status_code == 403
