"""What every page of the site promises, whatever it shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from grading.models import Submission
from tests.pages import addresses, pages_of, queries_of
from tests.scale import multiply_corpus, multiply_submission
from tests.site import furnish
from worlds.models import Corpus, Instance

NONSENSE = (
    "page=99999999999999999999&sort=%00&level=%00&condition=%F0%9F%92%A9&status=%27&outcome=-1"
    "&why=%00&lit=%00&slice=%00:%00&corpus=%00&q=%00"
)


@pytest.fixture(autouse=True)
def _own_files(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


def test_number_of_queries_does_not_grow_with_the_site(owner: User, owner_client: Client) -> None:
    known = furnish(owner)
    pages = pages_of(owner_client, known)
    small = queries_of(owner_client, pages)
    multiply_corpus(Corpus.objects.get(slug=known["slug"]), copies=30)
    for submission in Submission.objects.of_models():
        multiply_submission(submission, copies=15)
    assert Instance.objects.count() == 620
    assert len(small) > 10
    assert queries_of(owner_client, pages) == small


def test_nonsense_in_the_query_is_never_an_error_of_the_server(
    owner: User, owner_client: Client
) -> None:
    known = furnish(owner)
    for url in addresses(known).values():
        assert owner_client.get(f"{url}?{NONSENSE}").status_code < 500, url
