"""Error pages come even when the database does not."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.test import Client, RequestFactory

from enigmaforge_site import errors


def _refuse_queries(*_: Any) -> None:
    raise OperationalError("the database is away")


def test_the_server_error_page_asks_nothing_of_the_database() -> None:
    response = errors.server_error(RequestFactory().get("/"))
    assert response.status_code == 500
    assert "Something broke" in response.content.decode()


def test_not_found_is_shown_to_a_signed_in_person_without_the_database(
    owner_client: Client,
) -> None:
    with connection.execute_wrapper(_refuse_queries):
        response = owner_client.get("/no-such-page/")
    assert response.status_code == 404
    assert "There is no such page" in response.content.decode()


def test_not_found_shows_who_is_signed_in_when_the_database_answers(
    owner_client: Client, owner: User
) -> None:
    assert owner.username in owner_client.get("/no-such-page/").content.decode()


def test_a_view_that_breaks_is_a_server_error_page(owner_client: Client) -> None:
    owner_client.raise_request_exception = False
    with connection.execute_wrapper(_refuse_queries):
        response = owner_client.get("/jobs/")
    assert response.status_code == 500
    assert "Something broke" in response.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_stale_form_is_told_so(headers: dict[str, str]) -> None:
    response = Client(enforce_csrf_checks=True).post("/sign-out/", headers=headers)
    assert response.status_code == 403
    assert "This form is out of date" in response.content.decode()
