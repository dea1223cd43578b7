"""Corpora whose stories a chat model tells: what is stored, what is exported, what is verified."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from enigmaforge_site.jobs import tasks as job_tasks
from enigmaforge_site.jobs.models import State
from tests.worlds.services.chat_server import ChatServer, Reply, chat_server, good_scene
from worlds import services, tasks
from worlds.core.codec import decode_instance, encode_instance
from worlds.core.errors import BadInput
from worlds.models import Corpus, ForgingCost

pytestmark = pytest.mark.django_db

KEY = "sk-do-not-tell-anybody"


def _ordered(slug: str = "told", **changes: Any) -> Corpus:
    order = {"seed": 7, "families": 1, "levels": ["L00"], "genres": ["maritime"]}
    return services.create_corpus(slug, **order | {"burials": [0], "narrator": "chat"} | changes)


def _use(settings: Any, server: ChatServer) -> None:
    settings.NARRATOR_URL = server.url
    settings.NARRATOR_MODEL = "teller-1"
    settings.NARRATOR_KEY = KEY


def _forged(settings: Any, corpus: Corpus, behave: Any) -> ChatServer:
    with chat_server(behave) as server:
        _use(settings, server)
        services.mint_missing(corpus)
    services.complete_corpus(corpus)
    return server


def test_narration_is_stored_once_told_and_read_back_with_its_instance(settings: Any) -> None:
    corpus = _ordered()
    _forged(settings, corpus, lambda prompt, n: Reply(good_scene(prompt)))
    stories = list(corpus.instances.with_truth().filter(narrator="chat").order_by("pk"))
    assert [row.condition for row in stories] == ["explicit", "implicit"]
    assert stories[0].narration == stories[1].narration
    assert stories[0].narration["model"] == "teller-1"
    attempts = [a for scene in stories[0].narration["scenes"] for a in scene["attempts"]]
    assert all(attempt["prompt"] and attempt["reply"] for attempt in attempts)
    for row in stories:
        told = decode_instance(services.instance_json(row))
        assert told == services.instance_of(row)
        assert told.id.narration is not None
        assert row.sample_id.endswith(f"-b0-n{told.id.narration}")
    assert list(corpus.instances.exclude(narrator="chat").filter(burial__isnull=False)) == []
    assert not [found for each in services.verify_corpus(corpus) for found in each.findings]


def test_papers_are_those_of_any_corpus_of_the_seed(settings: Any) -> None:
    corpus = _ordered()
    _forged(settings, corpus, lambda prompt, n: Reply(good_scene(prompt)))
    plain = _ordered("plain", burials=[], narrator="seeded")
    services.mint_missing(plain)
    papers = corpus.instances.filter(burial=None).values_list("sha256", flat=True)
    assert set(papers) == set(plain.instances.values_list("sha256", flat=True))
    assert list(plain.instances.exclude(narration=None)) == []


def test_a_scene_that_no_try_tells_right_is_told_by_the_seed_with_the_refusals(
    settings: Any,
) -> None:
    corpus = _ordered()
    _forged(settings, corpus, lambda prompt, n: Reply(good_scene(prompt) if n % 7 > 3 else "No."))
    row = corpus.instances.filter(narrator="chat").earliest("pk")
    tellers = {scene["narrator"] for scene in row.narration["scenes"]}
    assert tellers == {"chat", "seeded"}
    refused = [
        a["rejected"]
        for scene in row.narration["scenes"]
        if scene["narrator"] == "seeded"
        for a in scene["attempts"]
    ]
    assert refused
    assert all(refused)
    assert not [found for each in services.verify_corpus(corpus) for found in each.findings]


def test_an_endpoint_that_is_gone_leaves_seeded_scenes_and_says_why(settings: Any) -> None:
    with chat_server(lambda prompt, n: Reply("")) as server:
        _use(settings, server)
    corpus = _ordered()
    services.mint_missing(corpus)
    row = corpus.instances.filter(narrator="chat").earliest("pk")
    assert {scene["narrator"] for scene in row.narration["scenes"]} == {"seeded"}
    assert any("rejected" in a for scene in row.narration["scenes"] for a in scene["attempts"])


def test_the_key_is_in_no_row_and_no_export(settings: Any, owner_client: Client) -> None:
    corpus = _ordered()
    server = _forged(settings, corpus, lambda p, n: Reply(f"Your key is {KEY}." if n == 0
                                                          else good_scene(p)))  # fmt: skip
    assert set(server.keys) == {f"Bearer {KEY}"}
    row = corpus.instances.with_truth().filter(narrator="chat").earliest("pk")
    exported = owner_client.get(f"/corpora/told/{row.sample_id}/instance.json").content.decode()
    assert json.loads(exported)["narration"] == row.narration
    assert encode_instance(services.instance_of(row)) + "\n" == exported
    assert KEY not in exported
    assert server.url not in exported
    with connection.cursor() as cursor:
        cursor.execute("SELECT narration FROM worlds_instance WHERE narration IS NOT NULL")
        assert not [text for (text,) in cursor.fetchall() if KEY in text]


def test_a_narration_that_was_changed_is_found(settings: Any) -> None:
    corpus = _ordered()
    _forged(settings, corpus, lambda prompt, n: Reply(good_scene(prompt)))
    row = corpus.instances.filter(narrator="chat").earliest("pk")
    row.narration["scenes"][0]["text"] += " It rained."
    row.save()
    found = {each.id: each.findings for each in services.verify_corpus(corpus) if each.findings}
    assert list(found) == [row.sample_id]
    assert {finding.check for finding in found[row.sample_id]} >= {"narration", "sha256"}


def test_a_job_without_an_endpoint_fails_with_the_name_of_the_variable(settings: Any) -> None:
    settings.NARRATOR_URL = ""
    corpus = _ordered()
    job = tasks.enqueue_corpus(corpus)
    job_tasks.run_now(job.pk)
    job.refresh_from_db()
    assert job.state == State.FAILED
    assert "ENIGMAFORGE_NARRATOR_URL" in job.error
    assert corpus.families.count() == 0


def test_a_story_by_a_model_is_not_timed(settings: Any) -> None:
    _forged(settings, _ordered(), lambda prompt, n: Reply(good_scene(prompt)))
    assert set(ForgingCost.objects.values_list("part", flat=True)) == {"world", "papers"}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [({"narrator": "loud"}, "seeded or chat"), ({"burials": []}, "a burial at which")],
)
def test_a_narrator_that_cannot_tell_is_refused(changes: dict[str, Any], expected: str) -> None:
    with pytest.raises(BadInput) as refused:
        _ordered(**changes)
    assert refused.value.field == "narrator"
    assert expected in refused.value.expected


def test_another_narrator_is_another_order() -> None:
    order = {"seed": 7, "families": 1, "profile": "chain", "levels": ["L00"],
             "genres": ["maritime"], "burials": [0]}  # fmt: skip
    corpus = _ordered()
    assert services.take_up_corpus("told", **order, narrator="chat") == corpus
    with pytest.raises(BadInput, match="the order it began with"):
        services.take_up_corpus("told", **order)


def test_the_page_of_a_story_says_how_it_was_told(settings: Any, owner_client: Client) -> None:
    corpus = _ordered()
    _forged(settings, corpus, lambda p, n: Reply(good_scene(p) if n else "<b>No.</b>"))
    row = corpus.instances.filter(narrator="chat").earliest("pk")
    address = row.get_absolute_url()
    text = owner_client.get(address).content.decode()
    assert "How it was told" in text
    assert "teller-1" in text
    assert '<td data-label="Told by">the model</td>' in text
    with CaptureQueriesContext(connection) as asked:
        stranger = Client().get(address).content.decode()
    assert "How it was told" not in stranger
    assert not [q["sql"] for q in asked.captured_queries if '"narration"' in q["sql"]]
