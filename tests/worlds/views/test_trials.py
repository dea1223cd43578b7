"""The page to try a world: asked by a form, found by its address, forged by a job."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from enigmaforge_site.jobs import services as jobs
from enigmaforge_site.jobs import tasks as job_tasks
from enigmaforge_site.jobs.models import Job, State
from worlds.core.ids import parse_id
from worlds.core.mint import mint
from worlds.models import Trial

HTMX = {"HX-Request": "true"}
ASKED: dict[str, Any] = {
    "profile": "chain",
    "level": "L00",
    "seed": "7",
    "contract": "inline",
    "genre": ["maritime"],
    "condition": ["implicit", "formal"],
    "realization": ["1"],
    "burial": ["none", "1"],
}
ADDRESS = (
    "/try/?profile=chain&level=L00&seed=7&contract=inline&genre=maritime"
    "&condition=implicit&condition=formal&realization=1&burial=none&burial=1"
)
IDS = [f"ef1-chain-L00-maritime-s7-{tail}" for tail in ("imp1", "frm1", "imp1-b1")]


def _ask(client: Client, **changes: Any) -> Any:
    return client.post("/try/", ASKED | changes)


@pytest.mark.django_db
def test_a_visitor_is_sent_to_sign_in(client: Client) -> None:
    assert client.get(ADDRESS).url.startswith("/sign-in/?next=")
    assert _ask(client).url.startswith("/sign-in/?next=")
    assert client.get("/try/1/ef1-chain-L00-maritime-s7-imp1.json").url.startswith("/sign-in/")
    assert client.get(ADDRESS, headers=HTMX).status_code == 403
    assert not Job.objects.exists()


@pytest.mark.django_db
def test_the_empty_page_says_what_to_do(owner_client: Client) -> None:
    text = owner_client.get("/try/").content.decode()
    assert "Nothing asked yet" in text
    assert "error-summary" not in text


@pytest.mark.django_db
def test_asking_leads_to_an_address_that_holds_the_request(
    owner_client: Client, run_jobs: Callable[[], int]
) -> None:
    answer = _ask(owner_client)
    assert (answer.status_code, answer["Location"]) == (302, ADDRESS)
    job = Job.objects.get()
    assert (job.kind, job.link) == ("try_world", ADDRESS)
    waiting = owner_client.get(ADDRESS).content.decode()
    assert f'hx-get="{ADDRESS.replace("&", "&amp;")}"' in waiting
    assert '<meta http-equiv="refresh"' in waiting
    assert f"/jobs/{job.pk}/cancel/" in waiting
    assert run_jobs() == 1
    done = owner_client.get(ADDRESS).content.decode()
    assert "hx-get" not in done
    assert "http-equiv" not in done
    assert re.findall(r"forge --id (\S+)<", done) == IDS
    assert "One world in 3 surfaces" in done
    assert "Clause by clause" in done
    assert 'data-verdict="proved"' in done
    assert "data-unit=" in done


@pytest.mark.django_db
def test_polling_stops_when_the_trial_is_over(
    owner_client: Client, run_jobs: Callable[[], int]
) -> None:
    _ask(owner_client)
    waiting = owner_client.get(ADDRESS, headers=HTMX)
    assert waiting.status_code == 200
    assert "<html" not in waiting.content.decode()
    run_jobs()
    over = owner_client.get(ADDRESS, headers=HTMX)
    assert over.status_code == 286
    assert "forge --id" in over.content.decode()
    assert owner_client.get("/try/?seed=x", headers=HTMX).status_code == 286


@pytest.mark.django_db
def test_the_same_request_is_forged_once(owner_client: Client, run_jobs: Callable[[], int]) -> None:
    for _ in range(2):
        _ask(owner_client)
    assert run_jobs() == 1
    _ask(owner_client)
    assert run_jobs() == 0
    assert Trial.objects.count() == 1


@pytest.mark.django_db
def test_two_genres_are_told_to_be_two_worlds(
    owner_client: Client, run_jobs: Callable[[], int]
) -> None:
    answer = _ask(owner_client, genre=["maritime", "manor"], condition=["implicit"], burial="none")
    run_jobs()
    text = owner_client.get(answer["Location"]).content.decode()
    assert "2 worlds. The same seed in another genre is another world" in text
    assert {"world-A", "world-B"} <= set(re.findall(r'id="(world-\w)"', text))


@pytest.mark.django_db
def test_no_id_stands_on_the_page_twice(owner_client: Client, run_jobs: Callable[[], int]) -> None:
    answer = _ask(owner_client, condition=["implicit", "explicit"], burial="none")
    run_jobs()
    ids = re.findall(r'\sid="([^"]+)"', owner_client.get(answer["Location"]).content.decode())
    assert len(ids) == len(set(ids))


@pytest.mark.django_db
def test_an_address_that_nobody_asked_for_forges_nothing(owner_client: Client) -> None:
    text = owner_client.get("/try/?seed=5&genre=hotel").content.decode()
    assert "Not forged here yet" in text
    assert 'value="5"' in text
    assert not Job.objects.exists()


@pytest.mark.django_db
def test_a_link_may_name_one_thing_only(owner_client: Client) -> None:
    text = owner_client.get("/try/?level=L05").content.decode()
    assert '<option value="L05" selected>' in text
    assert '<option value="chain" selected>' in text


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"seed": "-1"}, "from 0 to 9007199254740991"),
        ({"seed": "9" * 5000}, "from 0 to 9007199254740991"),
        ({"seed": "a\x00b"}, "from 0 to 9007199254740991"),
        ({"genre": []}, "Expected hotel or"),
        ({"genre": ["moon"]}, "Found moon; expected hotel or"),
        ({"genre": ["\x00"]}, "expected hotel or"),
        ({"burial": ["6"]}, "Found 6; expected none or 0"),
        ({"realization": ["1", "2", "3"]}, "Surfaces: Found 9; expected at most 4"),
        ({"contract": "loud"}, "expected inline or deferred"),
        ({"level": "L99"}, "expected L00 or"),
    ],
)
def test_what_cannot_be_tried_is_422_with_the_reason(
    owner_client: Client, changes: dict[str, Any], sentence: str
) -> None:
    answer = _ask(owner_client, **changes)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Job.objects.exists()
    assert owner_client.get("/try/", changes).status_code in (200, 400)


@pytest.mark.django_db
def test_a_seed_that_was_left_out_is_drawn_and_kept(owner_client: Client) -> None:
    address = _ask(owner_client, seed="")["Location"]
    assert re.search(r"seed=\d+&", address)
    assert "Not forged here yet" not in owner_client.get(address).content.decode()


@pytest.mark.django_db
def test_the_longest_address_fits_into_its_job(owner_client: Client) -> None:
    genres = ["observatory", "maritime", "theater", "hotel"]
    _ask(owner_client, seed=str(2**53 - 1), genre=genres, condition="implicit",
         burial="none", contract="deferred")  # fmt: skip
    _ask(owner_client, seed=str(2**53 - 1), genre="observatory", condition="formal",
         burial=["none", "0", "1", "2", "3", "4", "5"], contract="deferred")  # fmt: skip
    assert max(len(job.link) for job in Job.objects.all()) <= 200
    assert Job.objects.count() == 2


@pytest.mark.django_db
def test_a_cancelled_trial_offers_to_go_on(
    owner_client: Client, run_jobs: Callable[[], int]
) -> None:
    _ask(owner_client)
    job = Job.objects.get()
    owner_client.post(f"/jobs/{job.pk}/cancel/")
    answer = owner_client.get(ADDRESS, headers=HTMX)
    assert answer.status_code == 286
    assert f"/jobs/{job.pk}/retry/" in answer.content.decode()
    owner_client.post(f"/jobs/{job.pk}/retry/")
    run_jobs()
    assert "Clause by clause" in owner_client.get(ADDRESS).content.decode()


@pytest.mark.django_db
def test_a_trial_that_is_no_longer_kept_fails_with_a_sentence(owner_client: Client) -> None:
    _ask(owner_client)
    Trial.objects.all().delete()
    job = Job.objects.get()
    job_tasks.run_now(job.pk)
    job.refresh_from_db()
    assert job.state == State.FAILED
    assert "ask again" in job.error


@pytest.mark.django_db
def test_a_lost_world_shows_its_reason(owner_client: Client) -> None:
    _ask(owner_client)
    Trial.objects.update(
        families={"ef1-chain-L00-maritime-s7": {"reason": "60 <b>died</b>", "seconds": 1.5}},
        finished="2026-01-01T00:00Z",
    )
    text = owner_client.get(ADDRESS).content.decode()
    assert "60 &lt;b&gt;died&lt;/b&gt;" in text
    assert text.count("its world is lost") == 3


@pytest.mark.django_db
def test_a_second_person_sees_the_progress_but_stops_nothing(
    owner_client: Client,
) -> None:
    _ask(owner_client)
    job = Job.objects.get()
    guest = Client()
    guest.force_login(User.objects.create_user("guest"))
    text = guest.get(ADDRESS).content.decode()
    assert "Somebody else has asked for the same" in text
    assert f"/jobs/{job.pk}/cancel/" not in text
    assert jobs.claim(job.pk) is not None


@pytest.mark.django_db
def test_json_is_what_the_id_reproduces(owner_client: Client, run_jobs: Callable[[], int]) -> None:
    _ask(owner_client)
    run_jobs()
    trial = Trial.objects.get()
    for sample_id in IDS:
        answer = owner_client.get(f"/try/{trial.pk}/{sample_id}.json")
        assert answer["Content-Disposition"] == f'attachment; filename="{sample_id}.json"'
        assert json.loads(answer.content)["prompt"] == mint(parse_id(sample_id)).prompt
    for url in ("/try/999999999999999999999/x.json", f"/try/{trial.pk}/x.json"):
        assert owner_client.get(url).status_code == 404


@pytest.mark.django_db
def test_the_page_takes_as_many_queries_for_four_surfaces_as_for_one(
    owner_client: Client, run_jobs: Callable[[], int]
) -> None:
    counts = []
    for realizations in (["1"], ["1", "2", "3", "4"]):
        changes = {"condition": "implicit", "burial": "none", "realization": realizations}
        address = _ask(owner_client, **changes)["Location"]
        run_jobs()
        with CaptureQueriesContext(connection) as asked:
            owner_client.get(address)
        counts.append(len(asked))
    assert counts[0] == counts[1]
