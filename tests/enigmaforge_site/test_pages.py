"""The explaining pages: every one opens, is linked, and nothing raw comes through."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from enigmaforge_site.pages import rendered, slugs


@pytest.mark.parametrize("slug", slugs())
def test_every_page_opens_under_its_title(client: Client, slug: str) -> None:
    response = client.get(reverse("page", args=(slug,)))
    assert response.status_code == 200
    text = response.content.decode()
    assert text.count("<h1>") == 1
    assert "<h2" in text


@pytest.mark.django_db
@pytest.mark.parametrize("slug", slugs())
def test_every_page_is_linked_from_the_footer(client: Client, slug: str) -> None:
    assert reverse("page", args=(slug,)) in client.get(reverse("sign_in")).content.decode()


def test_a_page_that_is_not_there_is_a_404(client: Client) -> None:
    assert client.get("/help/nothing/").status_code == 404
    assert client.get("/help/../settings/").status_code == 404


def test_markdown_is_cleaned() -> None:
    title, body = rendered("# Title\n\n<script>alert(1)</script>[x](javascript:alert(1)) *em*")
    assert title == "Title"
    assert "script" not in body
    assert "<em>em</em>" in body


def test_tables_and_code_are_kept() -> None:
    _, body = rendered("# T\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```\nx = 1\n```")
    assert "<table>" in body
    assert "<code>x = 1" in body
