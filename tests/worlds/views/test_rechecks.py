"""Asking an engine again from the page of the certificate."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from enigmaforge_site.jobs import services as jobs
from enigmaforge_site.jobs import tasks as job_tasks
from enigmaforge_site.jobs.models import Job
from worlds.models import Instance, Recheck

HTMX = {"HX-Request": "true"}


def _url(row: Instance, engine: str = "z3") -> str:
    return f"/corpora/harbour/{row.sample_id}/recheck/{engine}/"


def _page(row: Instance) -> str:
    return f"/corpora/harbour/{row.sample_id}/certificate/"


def _only() -> Recheck:
    return Recheck.objects.select_related("job").get()


def test_button_starts_a_recheck_and_the_fragment_polls(
    owner_client: Client, implicit: Instance
) -> None:
    answer = owner_client.post(_url(implicit), headers=HTMX)
    text = answer.content.decode()
    assert answer.status_code == 200
    assert f'hx-get="{_url(implicit)}"' in text
    recheck = _only()
    assert recheck.job is not None
    assert f"/jobs/{recheck.job.pk}/cancel/" in text
    assert owner_client.get(_url(implicit), headers=HTMX).status_code == 200


def test_polling_stops_when_the_engine_has_answered(
    owner_client: Client, implicit: Instance
) -> None:
    owner_client.post(_url(implicit), headers=HTMX)
    recheck = _only()
    assert recheck.job is not None
    job_tasks.run_now(recheck.job.pk)
    answer = owner_client.get(_url(implicit), headers=HTMX)
    text = answer.content.decode()
    assert answer.status_code == 286
    assert 'data-verdict="proved"' in text
    assert "hx-get" not in text
    page = owner_client.get(_page(implicit)).content.decode()
    assert "Ask z3 again" in page
    assert f"{_only().work['seconds']} s" in page


def test_cancelled_recheck_is_unknown_and_polling_stops(
    owner_client: Client, implicit: Instance
) -> None:
    owner_client.post(_url(implicit), headers=HTMX)
    recheck = _only()
    assert recheck.job is not None
    owner_client.post(f"/jobs/{recheck.job.pk}/cancel/")
    answer = owner_client.get(_url(implicit), headers=HTMX)
    assert answer.status_code == 286
    assert 'data-verdict="unknown"' in answer.content.decode()


def test_recheck_that_is_being_stopped_says_so(owner_client: Client, implicit: Instance) -> None:
    owner_client.post(_url(implicit), headers=HTMX)
    recheck = _only()
    assert recheck.job is not None
    claimed = jobs.claim(recheck.job.pk)
    assert claimed is not None
    jobs.cancel(claimed)
    text = owner_client.get(_url(implicit), headers=HTMX).content.decode()
    assert "It is being stopped." in text
    assert "Cancel" not in text


@pytest.mark.parametrize(("seconds", "pause"), [(0, 1), (120, 15)])
def test_recheck_that_no_worker_takes_says_so_and_asks_less_often(
    owner_client: Client, implicit: Instance, seconds: int, pause: int
) -> None:
    owner_client.post(_url(implicit), headers=HTMX)
    Recheck.objects.update(created=timezone.now() - timedelta(seconds=seconds))
    text = owner_client.get(_url(implicit), headers=HTMX).content.decode()
    assert f'hx-trigger="every {pause}s"' in text
    assert ("No sign of a worker since" in text) == bool(seconds)


def test_recheck_whose_worker_went_silent_says_since_when(
    owner_client: Client, implicit: Instance
) -> None:
    owner_client.post(_url(implicit), headers=HTMX)
    recheck = _only()
    assert recheck.job is not None
    jobs.claim(recheck.job.pk)
    silent = timezone.now() - timedelta(minutes=9)
    Job.objects.update(beat=silent)
    assert _only().silent_since == silent
    text = owner_client.get(_url(implicit), headers=HTMX).content.decode()
    assert f"{silent:%H:%M:%S} UTC" in text


def test_recheck_that_runs_for_long_is_asked_about_less_often(implicit: Instance) -> None:
    job = jobs.create("recheck", {"family_id": implicit.family_id}, title="Ask")
    created = timezone.now() - timedelta(minutes=2)
    recheck = Recheck.objects.create(family=implicit.family, job=job, created=created)
    assert jobs.claim(job.pk) is not None
    recheck = _only()
    assert (recheck.silent_since, recheck.wait_seconds) == (None, 5)


def test_polling_a_page_without_a_recheck_stops(owner_client: Client, implicit: Instance) -> None:
    assert owner_client.get(_url(implicit), headers=HTMX).status_code == 286


def test_without_javascript_the_page_comes_back(owner_client: Client, implicit: Instance) -> None:
    answer = owner_client.post(_url(implicit))
    page = f"{_page(implicit)}#engine-z3"
    assert (answer.status_code, answer["Location"]) == (302, page)
    assert owner_client.get(_url(implicit))["Location"] == page


def test_two_clicks_are_one_recheck(owner_client: Client, implicit: Instance) -> None:
    for _ in range(2):
        owner_client.post(_url(implicit), headers=HTMX)
    assert Recheck.objects.count() == 1


def test_engines_are_asked_side_by_side(owner_client: Client, implicit: Instance) -> None:
    for engine in ("dpll", "oracle", "z3"):
        owner_client.post(_url(implicit, engine), headers=HTMX)
    assert sorted(Recheck.objects.values_list("engine", flat=True)) == ["dpll", "oracle", "z3"]
    text = owner_client.get(_page(implicit)).content.decode()
    assert text.count('hx-trigger="every 1s"') == 3


def test_engine_that_there_is_not_is_404(owner_client: Client, implicit: Instance) -> None:
    assert owner_client.post(_url(implicit, "z4"), headers=HTMX).status_code == 404
    assert not Recheck.objects.exists()
