"""The pages of corpora."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from enigmaforge_site.jobs import services as jobs
from enigmaforge_site.jobs.models import Job, State
from tests.worlds.builders import OrderCorpus, fill
from worlds import services, tasks
from worlds.core.ids import FamilyId
from worlds.models import Corpus

HTMX = {"HX-Request": "true"}
FORM: dict[str, Any] = {
    "slug": "quay",
    "families": "2",
    "seed": "7",
    "profile": "chain",
    "levels": ["L00"],
    "genres": ["maritime"],
}


def _queries(client: Client, url: str) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert client.get(url).status_code == 200
    return len(asked)


@pytest.mark.django_db
def test_start_page_says_what_this_is(client: Client) -> None:
    text = client.get("/").content.decode()
    assert "exactly one world is true" in text


@pytest.mark.django_db
def test_start_page_shows_how_the_starter_corpus_comes_on(owner_client: Client) -> None:
    services.ensure_starter_corpus()
    job = Job.objects.get()
    text = owner_client.get("/").content.decode()
    assert f'id="job-{job.pk}"' in text
    assert f'hx-get="/jobs/{job.pk}/"' in text


@pytest.mark.django_db
def test_list_without_corpora_says_what_to_do(client: Client) -> None:
    assert "There is no corpus yet" in client.get("/corpora/").content.decode()


def test_list_shows_each_corpus_with_its_hash(client: Client, corpus: Corpus) -> None:
    text = client.get("/corpora/").content.decode()
    assert 'href="/corpora/harbour/"' in text
    assert "10 instances of 2 families" in text
    assert corpus.sha256[:8] in text


def test_list_takes_as_many_queries_for_many(
    client: Client, corpus: Corpus, order_corpus: OrderCorpus
) -> None:
    one = _queries(client, "/corpora/")
    for slug in ("quay", "wharf"):
        order_corpus(slug)
    assert _queries(client, "/corpora/") == one


def test_corpus_shows_its_instances_shape_and_hash(client: Client, corpus: Corpus) -> None:
    text = client.get("/corpora/harbour/").content.decode()
    assert text.count('data-label="Instance"') == 10
    assert corpus.sha256 in text
    assert "What a family of each level is made of" in text


def test_corpus_takes_as_many_queries_for_many(
    client: Client, corpus: Corpus, order_corpus: OrderCorpus
) -> None:
    larger = fill(order_corpus("larger", families=4))
    assert _queries(client, "/corpora/harbour/") == _queries(client, larger.get_absolute_url())


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("", 10),
        ("level=L00", 10),
        ("condition=formal", 2),
        ("condition=implicit&level=L00", 4),
        ("genre=maritime", 10),
        ("level=&condition=&genre=", 10),
    ],
)
def test_filter_shows_what_fits(client: Client, corpus: Corpus, query: str, rows: int) -> None:
    text = client.get(f"/corpora/harbour/?{query}").content.decode()
    assert text.count('data-label="Instance"') == rows
    assert f"{rows} instances" in text


@pytest.mark.parametrize(
    "query",
    [
        "level=L9'",
        "level=L05",
        "condition=loud",
        "genre=__class__",
        "level=%ff%fe",
        "condition=" + "x" * 20_000,
        "level=%3Cscript%3E",
        "level=L00&level=nonsense",
    ],
)
def test_filter_that_makes_no_sense_is_named_and_left_out(
    client: Client, corpus: Corpus, query: str
) -> None:
    answer = client.get(f"/corpora/harbour/?{query}")
    text = answer.content.decode()
    assert answer.status_code == 200
    assert "This filter was left out" in text
    assert text.count('data-label="Instance"') == 10
    assert len(text) < 60_000


@pytest.mark.parametrize(
    "query",
    [
        "page=999999999999999999999",
        "page=-1",
        "page=0",
        "page=1e9",
        "page=%D9%A3",
        "page=",
        "sort=__class__",
        "page=last",
        "unknown=1",
    ],
)
def test_page_that_does_not_exist_becomes_one_that_does(
    client: Client, corpus: Corpus, query: str
) -> None:
    answer = client.get(f"/corpora/harbour/?{query}")
    assert answer.status_code == 200
    assert answer.content.decode().count('data-label="Instance"') == 10


def test_long_list_is_cut_into_pages_that_keep_the_filter(
    client: Client, corpus: Corpus, order_corpus: OrderCorpus
) -> None:
    fill(order_corpus("long", families=7))
    text = client.get("/corpora/long/?level=L00").content.decode()
    assert text.count('data-label="Instance"') == 25
    assert 'href="?level=L00&amp;page=2"' in text
    second = client.get("/corpora/long/?level=L00&page=2").content.decode()
    assert second.count('data-label="Instance"') == 10


def test_htmx_gets_the_rows_alone(client: Client, corpus: Corpus) -> None:
    answer = client.get("/corpora/harbour/?condition=formal", headers=HTMX)
    text = answer.content.decode()
    assert text.lstrip().startswith('<div class="section" id="instance-rows"')
    assert "<html" not in text
    assert "HX-Request" in answer["Vary"]


def test_page_restored_from_history_comes_whole(client: Client, corpus: Corpus) -> None:
    headers = {**HTMX, "HX-History-Restore-Request": "true"}
    assert "<html" in client.get("/corpora/harbour/", headers=headers).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("url", ["/corpora/nowhere/", "/corpora/nowhere/x/", "/corpora/Ünruh/"])
def test_what_is_not_there_is_404(client: Client, url: str) -> None:
    assert client.get(url).status_code == 404


def test_lost_families_are_listed(client: Client, corpus: Corpus) -> None:
    corpus.lost.create(place=0, family_id="ef1-chain-L00-maritime-s1", reason="<b>no</b> world")
    text = client.get("/corpora/harbour/").content.decode()
    assert "&lt;b&gt;no&lt;/b&gt; world" in text


@pytest.mark.django_db
def test_order_makes_a_corpus_and_its_job(owner_client: Client, owner: User) -> None:
    answer = owner_client.post("/corpora/new/", FORM)
    corpus = Corpus.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, "/corpora/quay/")
    assert (corpus.seed, corpus.levels, corpus.created_by) == (7, ["L00"], owner)
    assert Job.objects.get().payload == {"corpus_id": corpus.pk}
    page = owner_client.get("/corpora/quay/").content.decode()
    assert f'hx-get="/jobs/{Job.objects.get().pk}/"' in page


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("slug", "Quay 1", "expected 1 to 64 small letters"),
        ("slug", "new", "a name other than new"),
        ("slug", "harbour", "a name that no other corpus has"),
        ("slug", "", "Expected a name."),
        ("slug", "a\x00b", "Null characters are not allowed"),
        ("families", "0", "from 1 to 2000"),
        ("families", "many", "from 1 to 2000"),
        ("families", "", "from 1 to 2000"),
        ("seed", "-1", "from 0 to 9007199254740991"),
        ("seed", "9007199254740992", "from 0 to 9007199254740991"),
        ("seed", "1" * 5000, "from 0 to 9007199254740991"),
        ("levels", ["L00", "L88"], "Found L88; expected L00 or"),
        ("levels", [], "Expected L00 or"),
        ("profile", "loud", "Found loud; expected chain"),
        ("genres", ["moon"], "Found moon; expected"),
        ("burials", ["6"], "Found 6; expected 0 or 1"),
    ],
)
def test_bad_order_is_422_with_the_form(
    owner_client: Client, corpus: Corpus, field: str, value: Any, sentence: str
) -> None:
    answer = owner_client.post("/corpora/new/", FORM | {field: value})
    text = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in text
    assert 'name="families"' in text
    assert Corpus.objects.get() == corpus


@pytest.mark.django_db
@pytest.mark.parametrize(("given", "kept"), [("0", 0), ("007", 7)])
def test_a_seed_is_kept_as_given(owner_client: Client, given: str, kept: int) -> None:
    owner_client.post("/corpora/new/", FORM | {"seed": given})
    assert Corpus.objects.get().seed == kept


@pytest.mark.django_db
def test_without_a_seed_one_is_drawn_stored_and_shown(owner_client: Client) -> None:
    owner_client.post("/corpora/new/", FORM | {"seed": ""})
    owner_client.post("/corpora/new/", FORM | {"seed": "", "slug": "pier"})
    first, second = Corpus.objects.order_by("pk")
    assert first.seed != second.seed
    assert str(first.seed) in owner_client.get("/corpora/quay/").content.decode()


def test_unfinished_corpus_can_go_on(owner_client: Client, order_corpus: OrderCorpus) -> None:
    order_corpus("quay")
    assert "Go on forging" in owner_client.get("/corpora/quay/").content.decode()
    answer = owner_client.post("/corpora/quay/forge/")
    assert (answer.status_code, Job.objects.count()) == (302, 1)


def test_complete_corpus_is_not_forged_again(owner_client: Client, corpus: Corpus) -> None:
    answer = owner_client.post("/corpora/harbour/forge/", follow=True)
    assert "This corpus is complete." in answer.content.decode()
    assert not Job.objects.filter(kind="forge_corpus").exists()


def test_failed_job_stays_in_sight(owner_client: Client, order_corpus: OrderCorpus) -> None:
    job = tasks.enqueue_corpus(order_corpus("quay"))
    Job.objects.update(state="failed", error="no certified world for place 1")
    text = owner_client.get("/corpora/quay/").content.decode()
    assert f'id="job-{job.pk}"' in text
    assert "no certified world for place 1" in text
    assert f"/jobs/{job.pk}/retry/" in text


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_pages_are_only_read(owner_client: Client, corpus: Corpus, method: str) -> None:
    assert getattr(owner_client, method)("/corpora/harbour/").status_code == 405


def test_visitor_sees_repetition_and_no_truth(client: Client, corpus: Corpus) -> None:
    services.survey_corpus(corpus)
    text = client.get("/corpora/harbour/").content.decode()
    assert "Clauses by genre" in text
    assert "Papers equal to another once masked" in text
    for secret in ("required verb", "Reports among", "right value", "(thing)", "classifier"):
        assert secret not in text


def test_owner_sees_every_figure_of_the_survey(owner_client: Client, corpus: Corpus) -> None:
    services.survey_corpus(corpus)
    text = owner_client.get("/corpora/harbour/").content.decode()
    for told in ("Required verb is the first of its pair", "Reports by channel", "What the gate"):
        assert told in text
    assert text.count(">met</span>") > 15
    assert ">missed</span>" not in text


def test_corpus_that_was_not_surveyed_yet_says_so(client: Client, corpus: Corpus) -> None:
    assert "Not surveyed yet" in client.get("/corpora/harbour/").content.decode()


@pytest.mark.django_db
def test_incomplete_corpus_has_no_survey_to_wait_for(
    client: Client, order_corpus: OrderCorpus
) -> None:
    order_corpus("quay")
    assert "Not surveyed yet" not in client.get("/corpora/quay/").content.decode()


def test_owner_has_a_corpus_surveyed(
    owner_client: Client, corpus: Corpus, run_jobs: Callable[[], int]
) -> None:
    Job.objects.all().delete()
    assert "Survey now" in owner_client.get("/corpora/harbour/").content.decode()
    for _ in range(2):
        assert owner_client.post("/corpora/harbour/survey/").url == "/corpora/harbour/"
    assert Job.objects.count() == 1
    waiting = owner_client.get("/corpora/harbour/").content.decode()
    assert f'id="job-{Job.objects.get().pk}"' in waiting
    assert "Survey now" not in waiting
    run_jobs()
    done = owner_client.get("/corpora/harbour/").content.decode()
    assert "Clauses by genre" in done
    assert "Survey again" in done


def test_visitor_has_nothing_surveyed(client: Client, corpus: Corpus) -> None:
    assert "/sign-in/" in client.post("/corpora/harbour/survey/").url
    text = client.get("/corpora/harbour/").content.decode()
    assert "Survey now" not in text
    assert 'id="job-' not in text
    assert client.get("/corpora/harbour/survey/").status_code == 405


def test_incomplete_corpus_is_surveyed_later(
    owner_client: Client, order_corpus: OrderCorpus
) -> None:
    order_corpus("quay")
    assert owner_client.post("/corpora/quay/survey/").url == "/corpora/quay/"
    assert not Job.objects.exists()


def test_a_paused_job_goes_on_from_the_page_of_its_corpus(
    owner_client: Client, owner: User, order_corpus: OrderCorpus
) -> None:
    job = tasks.enqueue_corpus(order_corpus("quay"), created_by=owner)
    jobs.pause(job)
    text = owner_client.get("/corpora/quay/").content.decode()
    assert f"/jobs/{job.pk}/retry/" in text
    assert 'hx-get="/jobs/' not in text


def test_a_job_that_somebody_else_paused_stays_paused(
    client: Client, owner: User, order_corpus: OrderCorpus
) -> None:
    job = tasks.enqueue_corpus(order_corpus("quay"), created_by=owner)
    jobs.pause(job)
    client.force_login(User.objects.create_user("guest"))
    answer = client.post("/corpora/quay/forge/", follow=True)
    assert "Somebody has paused this" in answer.content.decode()
    assert Job.objects.get().state == State.PAUSED


@pytest.mark.django_db
def test_an_estimate_forges_nothing_and_needs_no_name(owner_client: Client) -> None:
    services.note_cost(FamilyId("chain", "L00", "maritime", 1), {"world": 59.0, "papers": 1.0})
    order = FORM | {"slug": "", "families": "60", "estimate": "1"}
    page = owner_client.post("/corpora/new/", order)
    text = page.content.decode()
    assert page.status_code == 200
    assert "<strong>300 instances</strong> of 60 families" in text
    assert "<strong>1 h 0 min</strong> of one processor" in text
    assert "error-summary" not in text
    assert 'value="60"' in text
    assert not Corpus.objects.exists()
    assert not Job.objects.exists()
    part = owner_client.post("/corpora/new/", order, headers=HTMX)
    assert part.content.decode().lstrip().startswith('<section class="sheet" id="estimate"')


@pytest.mark.django_db
def test_an_estimate_says_what_was_never_timed(owner_client: Client) -> None:
    order = FORM | {"burials": ["3"], "estimate": "1"}
    text = owner_client.post("/corpora/new/", order, headers=HTMX).content.decode()
    assert "<strong>14 instances</strong>" in text
    assert "not known yet" in text
    assert "of one processor" not in text


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("field", "value", "status"),
    [("families", "many", 422), ("levels", [], 422), ("genres", ["moon"], 422)],
)
def test_an_order_that_cannot_be_read_has_no_estimate(
    owner_client: Client, field: str, value: Any, status: int
) -> None:
    order = FORM | {field: value, "estimate": "1"}
    page = owner_client.post("/corpora/new/", order)
    assert page.status_code == status
    part = owner_client.post("/corpora/new/", order, headers=HTMX)
    assert part.status_code == 200
    assert ("cannot be read yet" in part.content.decode()) is (field != "genres")


def test_visitor_estimates_nothing(client: Client, corpus: Corpus) -> None:
    answer = client.post("/corpora/new/", FORM | {"estimate": "1"})
    assert answer["Location"].startswith("/sign-in/?next=")


@pytest.mark.django_db
def test_an_order_with_stories_is_kept(owner_client: Client) -> None:
    owner_client.post("/corpora/new/", FORM | {"burials": ["3", "0"]})
    assert Corpus.objects.get().burials == [0, 3]


@pytest.mark.parametrize(
    ("query", "rows"), [("", 7), ("burial=none", 5), ("burial=2", 2), ("burial=3", 7)]
)
def test_stories_can_be_told_from_papers(db: None, client: Client, query: str, rows: int) -> None:
    told = services.create_corpus(
        "told", seed=7, families=1, levels=["L00"], genres=["maritime"], burials=[2]
    )
    fill(told, services.minter_of(told))
    text = client.get(f"/corpora/told/?{query}").content.decode()
    assert text.count('data-label="Instance"') == rows
    assert ("This filter was left out" in text) is (query == "burial=3")
    assert "7 surfaces of each family, stories at burial 2" in text


def test_a_corpus_without_stories_has_no_filter_for_them(client: Client, corpus: Corpus) -> None:
    assert 'name="burial"' not in client.get("/corpora/harbour/").content.decode()


def test_a_survey_that_failed_says_why(owner_client: Client, corpus: Corpus) -> None:
    job = Job.objects.get(kind="survey_corpus")
    claimed = jobs.claim(job.pk)
    assert claimed is not None
    jobs.fail(claimed, "the records cannot be read")
    text = owner_client.get("/corpora/harbour/").content.decode()
    assert "the records cannot be read" in text
    assert f"/jobs/{job.pk}/retry/" in text


@pytest.mark.django_db
def test_who_tells_the_stories_is_kept_and_needs_a_story(owner_client: Client) -> None:
    refused = owner_client.post("/corpora/new/", FORM | {"narrator": "chat"})
    assert refused.status_code == 422
    assert "a burial at which it tells stories" in refused.content.decode()
    owner_client.post("/corpora/new/", FORM | {"narrator": "chat", "burials": ["1"]})
    assert Corpus.objects.get().narrator == "chat"
