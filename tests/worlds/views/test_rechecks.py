"""Asking z3 again from the page."""

from __future__ import annotations

from django.test import Client

from enigmaforge_site.jobs import services as jobs
from enigmaforge_site.jobs import tasks as job_tasks
from worlds.models import Instance, Recheck

HTMX = {"HX-Request": "true"}


def _url(row: Instance) -> str:
    return f"/corpora/harbour/{row.sample_id}/recheck/"


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


def test_polling_stops_when_z3_has_answered(owner_client: Client, implicit: Instance) -> None:
    owner_client.post(_url(implicit), headers=HTMX)
    recheck = _only()
    assert recheck.job is not None
    job_tasks.run_now(recheck.job.pk)
    answer = owner_client.get(_url(implicit), headers=HTMX)
    text = answer.content.decode()
    assert answer.status_code == 286
    assert 'data-verdict="proved"' in text
    assert "hx-get" not in text
    page = owner_client.get(f"/corpora/harbour/{implicit.sample_id}/").content.decode()
    assert "Check again with z3" in page


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
    assert "it is being stopped" in text
    assert "Cancel" not in text


def test_polling_a_page_without_a_recheck_stops(owner_client: Client, implicit: Instance) -> None:
    assert owner_client.get(_url(implicit), headers=HTMX).status_code == 286


def test_without_javascript_the_page_comes_back(owner_client: Client, implicit: Instance) -> None:
    answer = owner_client.post(_url(implicit))
    page = f"/corpora/harbour/{implicit.sample_id}/#recheck"
    assert (answer.status_code, answer["Location"]) == (302, page)
    assert owner_client.get(_url(implicit))["Location"] == page


def test_two_clicks_are_one_recheck(owner_client: Client, implicit: Instance) -> None:
    for _ in range(2):
        owner_client.post(_url(implicit), headers=HTMX)
    assert Recheck.objects.count() == 1
