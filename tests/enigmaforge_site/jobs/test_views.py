"""The job pages: they poll while there is something to wait for, and no longer."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from enigmaforge_site.jobs import services
from enigmaforge_site.jobs.models import Job, State

HTMX = {"HX-Request": "true"}


def _job(**changes: Any) -> Job:
    job = services.create("k", {}, title="Forging <harbour>", link="/corpora/harbour/", total=4)
    Job.objects.filter(pk=job.pk).update(**changes)
    return Job.objects.get(pk=job.pk)


def _text(response: Any) -> str:
    return response.content.decode()


def test_the_page_shows_the_bar_and_reloads_itself_without_scripts(owner_client: Client) -> None:
    job = _job(state=State.RUNNING, done=1, note="family 1", beat=timezone.now())
    text = _text(owner_client.get(job.get_absolute_url()))
    assert 'value="1"' in text
    assert 'max="4"' in text
    assert "1 of 4" in text
    assert "Forging &lt;harbour&gt;" in text
    assert '<meta http-equiv="refresh"' in text


def test_the_fragment_of_a_live_job_asks_again(owner_client: Client) -> None:
    job = _job()
    response = owner_client.get(job.get_absolute_url(), headers=HTMX)
    assert response.status_code == 200
    assert f'id="job-{job.pk}"' in _text(response)
    assert 'hx-trigger="every 1s"' in _text(response)
    assert "<html" not in _text(response)
    assert "HX-Request" in response["Vary"]


@pytest.mark.parametrize("state", [State.DONE, State.FAILED, State.CANCELLED, State.PAUSED])
def test_polling_stops_when_the_job_is_over(owner_client: Client, state: State) -> None:
    job = _job(state=state, error="Out of <luck>." if state == State.FAILED else "")
    response = owner_client.get(job.get_absolute_url(), headers=HTMX)
    assert response.status_code == 286
    assert "hx-trigger" not in _text(response)
    assert ("Out of &lt;luck&gt;." in _text(response)) is (state == State.FAILED)
    assert ("/corpora/harbour/" in _text(response)) is (state == State.DONE)


@pytest.mark.parametrize(
    ("age", "seconds"),
    [(timedelta(), 1), (timedelta(minutes=5), 2), (timedelta(hours=1), 5)],
)
def test_polling_slows_down_with_age(owner_client: Client, age: timedelta, seconds: int) -> None:
    job = _job(created=timezone.now() - age)
    text = _text(owner_client.get(job.get_absolute_url(), headers=HTMX))
    assert f'hx-trigger="every {seconds}s"' in text


def test_a_stalled_job_says_since_when(owner_client: Client) -> None:
    job = _job(state=State.RUNNING, beat=timezone.now() - timedelta(hours=1))
    text = _text(owner_client.get(job.get_absolute_url(), headers=HTMX))
    assert "No sign of life since" in text
    assert 'hx-trigger="every 15s"' in text


@pytest.mark.django_db
def test_a_visitor_is_sent_to_sign_in_and_a_visitors_poller_stops(client: Client) -> None:
    job = _job()
    page = client.get(job.get_absolute_url())
    assert page.status_code == 302
    assert page["Location"] == f"/sign-in/?next={job.get_absolute_url()}"
    fragment = client.get(job.get_absolute_url(), headers=HTMX)
    assert fragment.status_code == 286
    assert "harbour" not in _text(fragment)


def test_a_job_of_somebody_else_does_not_exist_for_others(client: Client, owner: User) -> None:
    job = _job(created_by=owner)
    client.force_login(User.objects.create_user("guest"))
    assert client.get(job.get_absolute_url()).status_code == 404
    assert client.get(job.get_absolute_url(), headers=HTMX).status_code == 286
    assert client.post(reverse("jobs:cancel", args=(job.pk,))).status_code == 404
    assert "harbour" not in _text(client.get(reverse("jobs:list")))


@pytest.mark.parametrize("path", ["/jobs/999/", "/jobs/9223372036854775808/", "/jobs/0/"])
def test_a_job_that_is_not_there_is_not_found(owner_client: Client, path: str) -> None:
    assert owner_client.get(path).status_code == 404
    assert owner_client.get(path, headers=HTMX).status_code == 286


def test_cancel_and_go_on(owner_client: Client) -> None:
    job = _job()
    owner_client.post(reverse("jobs:cancel", args=(job.pk,)))
    job.refresh_from_db()
    assert job.state == State.CANCELLED
    response = owner_client.post(reverse("jobs:retry", args=(job.pk,)))
    job.refresh_from_db()
    assert (response["Location"], job.state) == (job.get_absolute_url(), State.QUEUED)


def test_pause_and_go_on(owner_client: Client) -> None:
    job = _job(done=1)
    assert f"/jobs/{job.pk}/pause/" in _text(owner_client.get(job.get_absolute_url()))
    owner_client.post(reverse("jobs:pause", args=(job.pk,)))
    job.refresh_from_db()
    assert job.state == State.PAUSED
    page = _text(owner_client.get(job.get_absolute_url()))
    assert 'value="1"' in page
    assert f"/jobs/{job.pk}/pause/" not in page
    assert f"/jobs/{job.pk}/cancel/" in page
    assert "http-equiv" not in page
    owner_client.post(reverse("jobs:retry", args=(job.pk,)))
    job.refresh_from_db()
    assert (job.state, job.done) == (State.QUEUED, 1)


def test_a_running_job_says_that_it_is_going_to_pause(owner_client: Client) -> None:
    job = _job(state=State.RUNNING, beat=timezone.now())
    owner_client.post(reverse("jobs:pause", args=(job.pk,)))
    page = _text(owner_client.get(job.get_absolute_url()))
    assert "it pauses after this step" in page
    assert f"/jobs/{job.pk}/pause/" not in page


def test_a_job_without_steps_offers_no_pause(owner_client: Client) -> None:
    job = _job(total=None)
    assert f"/jobs/{job.pk}/pause/" not in _text(owner_client.get(job.get_absolute_url()))


@pytest.mark.parametrize(
    ("referer", "leads_back"),
    [
        ("http://testserver/corpora/harbour/?level=L00", True),
        ("http://elsewhere.test/corpora/harbour/", False),
        ("//elsewhere.test/", False),
        ("javascript:alert(1)", False),
    ],
)
@pytest.mark.parametrize("name", ["cancel", "pause", "retry"])
def test_a_button_leads_back_to_its_page_of_this_site(
    owner_client: Client, name: str, referer: str, leads_back: bool
) -> None:
    job = _job()
    answer = owner_client.post(
        reverse(f"jobs:{name}", args=(job.pk,)), headers={"Referer": referer}
    )
    assert answer["Location"] == (referer if leads_back else job.get_absolute_url())


@pytest.mark.parametrize("name", ["cancel", "pause", "retry"])
def test_changes_need_a_post_and_a_token(owner: User, name: str) -> None:
    job = _job()
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(owner)
    address = reverse(f"jobs:{name}", args=(job.pk,))
    assert strict.get(address).status_code == 405
    assert strict.post(address).status_code == 403


def test_the_list_costs_the_same_for_many_jobs(
    owner_client: Client, django_assert_num_queries: Any, owner: User
) -> None:
    for _ in range(5):
        _job(created_by=owner)
    with django_assert_num_queries(3):  # session, user, jobs
        assert _text(owner_client.get(reverse("jobs:list"))).count("Forging") == 5
