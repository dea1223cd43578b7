"""Long tables, a few rows at a time."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from worlds.services import in_batches

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("count", "queries"), [(0, 1), (2, 1), (3, 2), (7, 3)])
def test_every_row_comes_once_and_in_order(count: int, queries: int) -> None:
    users = [User.objects.create(username=f"user-{number}") for number in range(count)]
    with CaptureQueriesContext(connection) as asked:
        assert list(in_batches(User.objects.order_by("-username"), 3)) == users
    assert len(asked) == queries
