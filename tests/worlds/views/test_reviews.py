"""The pages of the distractor review, without a script."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.worlds.builders import OrderCorpus, fill
from worlds.models import Corpus, ReviewEntry, ReviewItem
from worlds.services.reviewing import content_of, lock_item

HTMX = {"HX-Request": "true"}


@pytest.fixture
def items(corpus: Corpus) -> list[ReviewItem]:
    return list(corpus.review_items.select_related("corpus", "family", "instance"))


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("ada")


@pytest.fixture
def ada_client(ada: User) -> Client:
    client = Client()
    client.force_login(ada)
    return client


def _post(
    client: Client, item: ReviewItem, what: str, query: str = "", **fields: str
) -> HttpResponse:
    fields = {"seen": content_of(item).sha256, **fields}
    return client.post(f"/review/{item.pk}/{what}/{query}", fields)  # type: ignore[return-value]


def _approve(client: Client, item: ReviewItem, query: str = "") -> HttpResponse:
    return _post(client, item, "decide", query, said="approve")


def _text(client: Client, url: str) -> str:
    answer = client.get(url)
    assert answer.status_code == 200
    return answer.content.decode()


def _listed(text: str) -> list[int]:
    return [int(pk) for pk in re.findall(r'<a class="mono" href="/review/(\d+)/', text)]


def test_the_queue_without_anything_says_so(owner_client: Client) -> None:
    assert "There is nothing to review" in _text(owner_client, "/review/")
    answer = owner_client.get("/review/next/")
    assert answer.status_code == 302
    assert answer["Location"] == "/review/"


def test_the_queue_lists_each_distractor(owner_client: Client, items: list[ReviewItem]) -> None:
    text = _text(owner_client, "/review/")
    assert _listed(text) == [item.pk for item in items]
    assert f"{len(items)} distractors" in text


def test_the_queue_is_narrowed_by_its_address(
    owner_client: Client, ada_client: Client, ada: User, items: list[ReviewItem]
) -> None:
    _approve(owner_client, items[0])
    items[2].assignments.create(reviewer=ada)
    everything = [item.pk for item in items]
    idle = [item.pk for item in items if item.kind == "idle"]
    for query, found in (
        ("corpus=harbour&level=L00&genre=maritime", everything),
        ("kind=idle", idle),
        ("state=approved", everything[:1]),
        ("state=undecided", everything[1:]),
        ("mine=1", everything[2:3]),
        ("todo=1", everything),
        ("todo=1&mine=1&kind=" + items[2].kind, everything[2:3]),
        ("state=outdated", []),
    ):
        assert _listed(_text(ada_client, f"/review/?{query}")) == found, query
    assert _listed(_text(owner_client, "/review/?todo=1")) == everything[1:]
    assert "No distractor fits" in _text(ada_client, "/review/?state=outdated")


@pytest.mark.parametrize(
    "query",
    ["corpus=none", "level=L9'", "kind=%3Cscript%3E", "state=" + "x" * 9000, "genre=%ff%fe"],
)
def test_a_filter_that_makes_no_sense_is_named_and_left_out(
    owner_client: Client, items: list[ReviewItem], query: str
) -> None:
    text = _text(owner_client, f"/review/?{query}")
    assert "This filter was left out" in text
    assert len(_listed(text)) == len(items)


@pytest.mark.parametrize(
    "query", ["after=1e9", "after=-1", "before=", f"after={'9' * 40}", "todo=2"]
)
def test_other_nonsense_is_ignored(
    owner_client: Client, items: list[ReviewItem], query: str
) -> None:
    assert len(_listed(_text(owner_client, f"/review/?{query}"))) == len(items)


def test_the_queue_is_paged_by_key(
    owner_client: Client, order_corpus: OrderCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worlds.views.review_filter._ROWS", 3)
    fill(order_corpus("harbour", families=2))
    everything = list(ReviewItem.objects.values_list("pk", flat=True))
    text, seen = _text(owner_client, "/review/?level=L00"), []
    while True:
        seen += _listed(text)
        onwards = re.search(r'rel="next" href="(\?level=L00&amp;after=\d+)"', text)
        if onwards is None:
            break
        text = _text(owner_client, "/review/" + onwards[1].replace("&amp;", "&"))
    assert seen == everything
    back = re.search(r'rel="prev" href="(\?level=L00&amp;before=\d+)"', text)
    assert back is not None
    text = _text(owner_client, "/review/" + back[1].replace("&amp;", "&"))
    assert _listed(text)[-1] < seen[-1]


def test_htmx_gets_the_rows_alone(owner_client: Client, items: list[ReviewItem]) -> None:
    text = owner_client.get("/review/?kind=idle", headers=HTMX).content.decode()
    assert text.lstrip().startswith('<div class="section" id="review-rows"')
    assert "<html" not in text


def test_a_false_distractor_is_shown_with_all_that_it_takes(
    owner_client: Client, items: list[ReviewItem]
) -> None:
    item = next(each for each in items if each.kind == "false")
    text = _text(owner_client, f"/review/{item.pk}/")
    proof = next(p for p in item.family.certificate["distractors"] if p["unit"] == item.unit)
    assert f'data-role="distractor" id="span-{item.unit}"' in text
    for unit in proof["refuted_by"]:
        assert f'data-role="clue" id="span-{unit}"' in text
        assert f'<a class="core-clue__id" href="#span-{unit}">' in text
    for words in ("Why it is false", "Why it is plausible", "What believing it costs"):
        assert words in text


def test_an_idle_distractor_says_that_it_does_no_harm(
    owner_client: Client, items: list[ReviewItem]
) -> None:
    item = next(each for each in items if each.kind == "idle")
    text = _text(owner_client, f"/review/{item.pk}/")
    assert "nothing depends on it" in text
    assert "Why it is false" not in text


def test_the_text_of_a_paper_is_shown_to_the_character(
    owner_client: Client, items: list[ReviewItem]
) -> None:
    _post(owner_client, items[0], "comment", comment="Here.", quote="")
    text = _text(owner_client, f"/review/{items[0].pk}/")
    shown = re.findall(r'data-anchor-document="(\w+)">(.*?)</p>', text, re.DOTALL)
    plain = {name: re.sub(r"<[^>]*>", "", html) for name, html in shown}
    for entity, character in (("&#x27;", "'"), ("&quot;", '"'), ("&lt;", "<"), ("&amp;", "&")):
        plain = {name: each.replace(entity, character) for name, each in plain.items()}
    assert plain == {each["id"]: each["text"] for each in items[0].instance.documents}


def test_a_decision_brings_the_next_one_of_the_same_filter(
    owner_client: Client, items: list[ReviewItem]
) -> None:
    kind = items[0].kind
    alike = [item for item in items if item.kind == kind]
    answer = _approve(owner_client, alike[0], f"?kind={kind}&todo=1")
    assert answer.status_code == 302
    assert answer["Location"] == f"/review/{alike[1].pk}/?kind={kind}&todo=1"
    for item in alike[2:]:
        _approve(owner_client, item)
    answer = _approve(owner_client, alike[1], f"?kind={kind}")
    assert answer["Location"] == f"/review/?kind={kind}"
    assert "Nothing is left here" in _text(owner_client, answer["Location"])


def test_after_the_last_one_comes_the_first_that_was_skipped(
    owner_client: Client, items: list[ReviewItem]
) -> None:
    answer = _post(owner_client, items[0], "skip")
    assert answer["Location"] == f"/review/{items[1].pk}/"
    assert _approve(owner_client, items[-1])["Location"] == f"/review/{items[0].pk}/"
    assert owner_client.get("/review/next/")["Location"] == f"/review/{items[0].pk}/"


def test_a_rejection_without_a_reason_comes_back_open(
    owner_client: Client, items: list[ReviewItem]
) -> None:
    answer = _post(owner_client, items[0], "decide", said="reject", reason=" ")
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "Found nothing; expected a few words." in text
    assert re.search(
        r'<details class="review__more" name="review-form" open>\s*<summary[^>]*data-key="r"', text
    )
    assert not ReviewEntry.objects.exists()
    answer = _post(owner_client, items[0], "decide", said="reject", reason="Too plain.")
    assert answer.status_code == 302
    assert ReviewEntry.objects.get().text == "Too plain."


@pytest.mark.parametrize("said", ["", "applaud", "comment"])
def test_a_decision_that_is_none_is_refused(
    owner_client: Client, items: list[ReviewItem], said: str
) -> None:
    answer = _post(owner_client, items[0], "decide", said=said)
    assert answer.status_code == 422
    assert "Expected approve or reject." in answer.content.decode()


def test_opening_locks_and_others_are_told_by_whom_and_until_when(
    owner_client: Client, ada_client: Client, items: list[ReviewItem]
) -> None:
    _text(ada_client, f"/review/{items[0].pk}/")
    until = ReviewItem.objects.get(pk=items[0].pk).locked_until
    assert until is not None
    text = _text(owner_client, f"/review/{items[0].pk}/")
    assert f"ada has this one until {until:%H:%M} UTC" in text
    assert 'value="approve"' not in text
    assert "ada is at it" in _text(owner_client, "/review/")
    answer = _approve(owner_client, items[0])
    assert answer.status_code == 409
    assert "Nothing was stored" in answer.content.decode()
    assert owner_client.get("/review/next/")["Location"] == f"/review/{items[1].pk}/"


def test_what_was_typed_survives_a_refusal(
    owner_client: Client, ada: User, items: list[ReviewItem]
) -> None:
    lock_item(items[0], reviewer=ada, now=timezone.now() - timedelta(minutes=9))
    answer = _post(owner_client, items[0], "decide", said="reject", reason="Too plain.")
    assert answer.status_code == 409
    ReviewItem.objects.update(locked_until=None)
    answer = _post(owner_client, items[0], "decide", said="reject", reason="Too plain.", seen="0")
    assert answer.status_code == 409
    assert "Too plain.</textarea>" in answer.content.decode()
    assert "The text has changed" in answer.content.decode()


def test_a_look_at_the_head_locks_nothing(ada_client: Client, items: list[ReviewItem]) -> None:
    ada_client.head(f"/review/{items[0].pk}/")
    assert ReviewItem.objects.get(pk=items[0].pk).locked_by is None


def test_who_has_decided_does_not_lock_again(ada_client: Client, items: list[ReviewItem]) -> None:
    _approve(ada_client, items[0])
    text = _text(ada_client, f"/review/{items[0].pk}/")
    assert "You approved it on" in text
    assert ReviewItem.objects.get(pk=items[0].pk).locked_by is None


def test_a_lock_is_renewed_by_a_fragment(
    owner_client: Client, ada_client: Client, items: list[ReviewItem]
) -> None:
    url = f"/review/{items[0].pk}/lock/"
    assert "Yours until" in ada_client.post(url, headers=HTMX).content.decode()
    assert "ada has this one until" in owner_client.post(url, headers=HTMX).content.decode()
    Corpus.objects.update(created_by=User.objects.get(username="ada"))
    ReviewItem.objects.update(locked_until=None)
    ada_client.post(url, headers=HTMX)
    assert ReviewItem.objects.get(pk=items[0].pk).locked_until is None


def test_nobody_judges_their_own_corpus(
    ada_client: Client, ada: User, items: list[ReviewItem]
) -> None:
    Corpus.objects.update(created_by=ada)
    text = _text(ada_client, f"/review/{items[0].pk}/")
    assert "You forged this corpus" in text
    assert 'value="approve"' not in text
    answer = _approve(ada_client, items[0])
    assert answer.status_code == 409
    assert "Somebody else has to judge" in answer.content.decode()
    assert ada_client.get("/review/next/")["Location"] == "/review/"
    assert _post(ada_client, items[0], "comment", comment="See paper 2.").status_code == 302


def test_a_comment_is_shown_at_its_place(owner_client: Client, items: list[ReviewItem]) -> None:
    clause = content_of(items[0]).clause
    words = " ".join(clause.split()[:3])
    answer = _post(owner_client, items[0], "comment", "?todo=1", comment="Who?", quote=clause)
    entry = ReviewEntry.objects.get()
    assert answer["Location"] == f"/review/{items[0].pk}/?todo=1#entry-{entry.pk}"
    text = _text(owner_client, f"/review/{items[0].pk}/")
    assert f'<span class="note-span">{words}' in text.replace("&#x27;", "'")
    assert 'href="#note-1"' in text
    assert 'id="note-1"' in text


def test_a_selected_place_is_taken_to_the_code_point(
    owner_client: Client, items: list[ReviewItem]
) -> None:
    document = items[0].instance.documents[0]
    place = {"document": document["id"], "start": "2", "end": "9"}
    _post(owner_client, items[0], "comment", comment="Here.", quote="whatever", **place)
    entry = ReviewEntry.objects.get()
    assert (entry.start, entry.end, entry.quote) == (2, 9, document["text"][2:9])


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"comment": " "}, "expected a few words"),
        ({"comment": "Hm.", "quote": "not in any paper"}, "just as they are printed"),
        ({"comment": "Hm.", "document": "D99", "start": "0", "end": "3"}, "a paper of this record"),
        ({"comment": "Hm.", "document": "D1", "start": "0", "end": "9" * 30}, "a place from 0 to"),
        ({"comment": "Hm.", "document": "D1", "start": "x", "end": "3"}, "whole number"),
    ],
)
def test_a_comment_that_cannot_be_placed_comes_back(
    owner_client: Client, items: list[ReviewItem], fields: dict[str, str], why: str
) -> None:
    answer = _post(owner_client, items[0], "comment", **fields)
    assert answer.status_code == 422
    assert why in answer.content.decode()
    assert not ReviewEntry.objects.exists()


def test_decisions_of_others_are_hidden_until_one_has_decided(
    owner_client: Client, ada_client: Client, items: list[ReviewItem]
) -> None:
    _post(ada_client, items[0], "decide", said="reject", reason="Nobody is named.")
    url = f"/review/{items[0].pk}/"
    before = _text(owner_client, url)
    assert "1 decision by others appears here once you have decided" in before
    assert "Nobody is named." not in before
    _approve(owner_client, items[0])
    assert "Nobody is named." in _text(owner_client, url)
    assert "disputed" in _text(owner_client, url)


def test_a_decision_on_another_text_is_shown_as_outdated(
    owner_client: Client, items: list[ReviewItem]
) -> None:
    _approve(owner_client, items[0])
    items[0].instance.sha256 = "f" * 64
    items[0].instance.save()
    text = _text(owner_client, f"/review/{items[0].pk}/")
    assert "Of another text, and no longer counted." in text
    assert text.count(">outdated<") == 2
    assert "Yours until" in text


def test_what_people_write_is_escaped(owner_client: Client, items: list[ReviewItem]) -> None:
    canary = '"><img src=x onerror=alert(1)>'
    _post(owner_client, items[0], "comment", comment=canary)
    _post(owner_client, items[0], "decide", said="reject", reason=canary)
    for url in (f"/review/{items[0].pk}/", "/review/", "/review/corpus/harbour/"):
        assert "<img" not in _text(owner_client, url)
    answer = _post(owner_client, items[0], "comment", comment=canary, quote=canary)
    assert "<img" not in answer.content.decode()


def _queries(client: Client, url: str) -> int:
    client.get(url)
    with CaptureQueriesContext(connection) as asked:
        assert client.get(url).status_code == 200
    return len(asked)


def test_pages_take_as_many_queries_for_many(
    owner_client: Client, ada_client: Client, corpus: Corpus, order_corpus: OrderCorpus
) -> None:
    larger = fill(order_corpus("larger", families=4))
    for client, each in ((owner_client, larger), (ada_client, larger), (ada_client, corpus)):
        for item in each.review_items.select_related("corpus", "instance"):
            _approve(client, item)
    small, large = corpus.review_items.all()[0].pk, larger.review_items.all()[0].pk
    for one, other in (
        ("/review/?corpus=harbour", "/review/?corpus=larger"),
        ("/review/?corpus=harbour&todo=1&state=approved&mine=1", "/review/"),
        (f"/review/{small}/", f"/review/{large}/"),
        ("/review/corpus/harbour/", "/review/corpus/larger/"),
    ):
        assert _queries(ada_client, one) == _queries(ada_client, other), one


def test_the_review_of_a_corpus_says_how_far_it_is(
    owner_client: Client, ada_client: Client, items: list[ReviewItem]
) -> None:
    text = _text(owner_client, "/review/corpus/harbour/")
    assert "This corpus does not wait for the review" in text
    assert "Nobody has decided anything yet." in text
    assert "NaN" not in text
    Corpus.objects.update(required_approvals=2)
    _approve(owner_client, items[0])
    for client in (owner_client, ada_client):
        _approve(client, items[1])
    text = _text(owner_client, "/review/corpus/harbour/")
    assert "Not published yet" in text
    assert f"{len(items) - 1} of {len(items)} distractors still need approval by 2 people" in text
    assert "alpha is not defined" in text
    assert "needs more approvals" in text.lower()
    for item in items:
        for client in (owner_client, ada_client):
            _approve(client, item)
    assert "Every distractor is approved" in _text(owner_client, "/review/corpus/harbour/")


def test_a_corpus_without_families_has_nothing_to_review(
    owner_client: Client, order_corpus: OrderCorpus
) -> None:
    order_corpus("empty")
    assert "There is nothing to review yet" in _text(owner_client, "/review/corpus/empty/")


def test_people_are_asked_to_review(
    owner_client: Client, ada: User, items: list[ReviewItem]
) -> None:
    url = "/review/corpus/harbour/assign/"
    form: dict[str, Any] = {"reviewers": [str(ada.pk)], "each": "1"}
    answer = owner_client.post(url, form)
    assert answer.status_code == 302
    text = _text(owner_client, answer["Location"])
    assert f"{len(items)} requests to review made." in text
    assert ada.review_assignments.count() == len(items)
    owner_client.post(url, form)
    assert "Everything is assigned" in _text(owner_client, answer["Location"])


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"each": "1"}, "Expected at least one person."),
        ({"reviewers": ["ada"], "each": "2"}, "a whole number from 1 to 1"),
        ({"reviewers": ["ada"], "each": "0"}, "Expected a whole number from 1 to 9."),
        ({"reviewers": ["ada"], "each": "9" * 40}, "Expected a whole number from 1 to 9."),
        ({"reviewers": ["999"], "each": "1"}, "Expected people of the list."),
    ],
)
def test_a_request_that_makes_no_sense_comes_back(
    owner_client: Client, ada: User, corpus: Corpus, form: dict[str, Any], why: str
) -> None:
    chosen = [str(ada.pk) if name == "ada" else name for name in form.get("reviewers", [])]
    answer = owner_client.post("/review/corpus/harbour/assign/", {**form, "reviewers": chosen})
    assert answer.status_code == 422
    assert why in answer.content.decode()
    assert not ada.review_assignments.exists()


def test_who_may_not_assign_is_told(ada_client: Client, ada: User, corpus: Corpus) -> None:
    assert "Ask people to review" not in _text(ada_client, "/review/corpus/harbour/")
    form = {"reviewers": [str(ada.pk)], "each": "1"}
    assert ada_client.post("/review/corpus/harbour/assign/", form).status_code == 403
    Corpus.objects.update(created_by=ada)
    assert ada_client.post("/review/corpus/harbour/assign/", form).status_code == 422


@pytest.mark.parametrize("pk", [0, 999_999, 10**30])
@pytest.mark.parametrize("what", ["decide", "comment", "skip", "lock"])
def test_an_item_that_is_not_there_is_404(owner_client: Client, pk: int, what: str) -> None:
    assert owner_client.get(f"/review/{pk}/").status_code == 404
    assert owner_client.post(f"/review/{pk}/{what}/").status_code == 404
