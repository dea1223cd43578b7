"""A corpus that waits for approval is seen by people who are signed in, and by nobody else."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.test import Client
from django.utils import timezone

from grading.services.receiving import receive_upload
from worlds import services
from worlds.core.errors import BadInput
from worlds.models import Corpus, Instance, Said
from worlds.services.reviewing import content_of, decide

FORM = {
    "slug": "quay", "families": "1", "seed": "7", "profile": "chain", "levels": ["L00"],
    "genres": ["maritime"],
}  # fmt: skip


@pytest.fixture
def waiting(corpus: Corpus) -> Corpus:
    """A complete corpus whose distractors nobody has approved."""
    Corpus.objects.update(required_approvals=1)
    return Corpus.objects.get()


def _approve_all(corpus: Corpus) -> None:
    reviewer = User.objects.create_user("reviewer")
    for item in corpus.review_items.select_related("corpus", "instance"):
        decide(
            item, reviewer=reviewer, said=Said.APPROVE, seen=content_of(item).sha256,
            now=timezone.now(),
        )  # fmt: skip


def _pages(corpus: Corpus) -> list[str]:
    row = Instance.objects.filter(corpus=corpus)[0]
    own = corpus.get_absolute_url()
    return [own, f"{own}{row.sample_id}/", f"{own}{row.sample_id}/prompt.txt"]


def test_a_visitor_sees_it_when_it_is_published(client: Client, waiting: Corpus) -> None:
    board = "/leaderboard/harbour/"
    for url in (*_pages(waiting), board):
        assert client.get(url).status_code == 404, url
    assert "harbour" not in client.get("/corpora/").content.decode()
    assert "harbour" not in client.get("/leaderboard/").content.decode()
    _approve_all(waiting)
    for url in (*_pages(waiting), board):
        assert client.get(url).status_code == 200, url
    assert "harbour" in client.get("/corpora/").content.decode()
    assert "harbour" in client.get("/leaderboard/").content.decode()


def test_a_signed_in_person_sees_it_and_what_it_waits_for(
    owner_client: Client, waiting: Corpus
) -> None:
    for url in _pages(waiting):
        assert owner_client.get(url).status_code == 200, url
    assert "waits for review" in owner_client.get("/corpora/").content.decode()
    text = owner_client.get("/corpora/harbour/").content.decode()
    assert "Not published yet" in text
    assert 'href="/review/corpus/harbour/"' in text
    assert 'href="/leaderboard/harbour/"' not in text
    _approve_all(waiting)
    text = owner_client.get("/corpora/harbour/").content.decode()
    assert "Not published yet" not in text
    assert 'href="/leaderboard/harbour/"' in text


def test_it_takes_no_upload_and_the_message_says_why(waiting: Corpus, owner_client: Client) -> None:
    with pytest.raises(BadInput, match="distractors still wait for approval"):
        receive_upload(waiting, model="kestrel", files=[ContentFile(b"{}\n", "replies.jsonl")])
    assert "harbour" not in owner_client.get("/upload/").content.decode()
    _approve_all(waiting)
    assert "harbour" in owner_client.get("/upload/").content.decode()


def test_the_form_sets_how_many_approvals_it_takes(owner_client: Client) -> None:
    for typed, stored in (("", 0), ("0", 0), ("2", 2)):
        Corpus.objects.all().delete()
        answer = owner_client.post("/corpora/new/", {**FORM, "required_approvals": typed})
        assert answer.status_code == 302
        assert Corpus.objects.get().required_approvals == stored


@pytest.mark.parametrize("typed", ["-1", "10", "two", "9" * 40])
def test_a_number_of_approvals_that_makes_no_sense_comes_back(
    owner_client: Client, typed: str
) -> None:
    answer = owner_client.post("/corpora/new/", {**FORM, "required_approvals": typed})
    assert answer.status_code == 422
    assert "Expected a whole number from 0 to 9." in answer.content.decode()
    assert not Corpus.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("number", [-1, 10])
def test_the_service_refuses_it_as_well(number: int) -> None:
    with pytest.raises(BadInput, match="a whole number from 0 to 9"):
        services.create_corpus("quay", seed=7, families=1, required_approvals=number)
