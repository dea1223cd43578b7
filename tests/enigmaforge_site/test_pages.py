"""The explaining pages: every one opens, is linked, and nothing raw comes through."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from enigmaforge_site.pages import GROUPS, HelpPage, rendered

PAGES = [page for _, pages in GROUPS for page in pages]

# Case F02: attributes broken out of, in every place where Markdown has one; and F16's canary.
HOSTILE = [
    '![p\\" onerror=alert(7) ](q)',
    '![k](u "<v w="x" onerror=alert(7) >")',
    '[t](u"><script>alert(7)</script>)',
    '```" onmouseover=alert(7)\ncode\n```',
    "[x](javascript:alert(1)) [y](data:text/html,<script>alert(1)</script>) [z](vbscript:a)",
    "[x](JaVaScRiPt:alert(1)) <a href='&#106;avascript:alert(1)'>y</a>",
    "<script>alert(1)</script><style>*{display:none}</style><iframe src=//x></iframe>",
    '<p style="position:fixed" class="notice" onclick="alert(1)" hx-get="/x">p</p>',
    '"><img src=x onerror=__xss(1)>{{7*7}}${7*7}\u202egnp',
    '## "><img src=x onerror=__xss(1)>{{7*7}}',
    "<svg onload=alert(1)><math><mtext></mtext></math></svg>",
    "| a |\n| --- |\n| <img src=x onerror=alert(1)> |",
]


class _Seen(HTMLParser):
    """Every tag and attribute of a text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {(name, value or "") for name, value in attrs}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.slug)
def test_every_page_opens_under_its_title(client: Client, page: HelpPage) -> None:
    response = client.get(reverse("page", args=(page.slug,)))
    assert response.status_code == 200
    text = response.content.decode()
    assert text.count("<h1>") == 1
    assert f"<h1>{page.title}</h1>" in text
    assert "<h2" in text


def test_every_page_is_on_the_list_and_the_list_on_every_page(client: Client) -> None:
    listed = client.get("/help/").content.decode()
    for page in PAGES:
        assert f'href="{reverse("page", args=(page.slug,))}"' in listed
        assert page.title in listed
    for part in ("<header", "<footer"):
        tail = listed.partition(part)[2].partition(f"</{part[1:]}")[0]
        assert 'href="/help/"' in tail


def test_every_file_of_the_folder_is_a_page() -> None:
    files = {path.stem for path in (settings.BASE_DIR / "templates" / "pages").glob("*.md")}
    assert files <= {page.slug for page in PAGES}
    assert len(PAGES) == len({page.slug for page in PAGES})


@pytest.mark.parametrize("name", ["genre-packs", "proofs"])
def test_a_guide_of_the_repository_is_rendered_from_there(client: Client, name: str) -> None:
    text = (settings.BASE_DIR / "docs" / f"{name}.md").read_text(encoding="utf-8")
    shown = client.get(f"/help/{name}/").content.decode()
    for heading in re.findall(r"(?m)^## ([^`\n]+)$", text):
        assert heading in shown


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.slug)
def test_links_within_the_site_lead_somewhere(client: Client, page: HelpPage) -> None:
    links = dict.fromkeys(re.findall(r'href="(/[^"#]*)', rendered(page.text).body))
    for link in links:
        assert client.get(link).status_code == 200, link


def test_a_page_that_is_not_there_is_a_404(client: Client) -> None:
    for address in ("/help/nothing/", "/help/running/", "/help/../settings/", "/help/home/"):
        assert client.get(address).status_code == 404


def test_markdown_is_cleaned() -> None:
    page = rendered("# Title\n\n<script>alert(1)</script>[x](javascript:alert(1)) *em*")
    assert page.title == "Title"
    assert "script" not in page.body
    assert "<em>em</em>" in page.body


@pytest.mark.parametrize("text", HOSTILE)
def test_no_markdown_brings_in_what_could_run_or_fetch(text: str) -> None:
    page = rendered(f"# {text}\n\n{text}\n\n> {text}\n\n- {text}")
    seen = _Seen(page.body)
    assert seen.tags & {"script", "style", "iframe", "img", "svg", "math", "object"} == set()
    for name, value in seen.attributes:
        assert not name.startswith(("on", "hx-", "style", "class", "data-"))
        if name == "href":
            assert not re.match(r"\s*(?:javascript|data|vbscript):", value, re.IGNORECASE)


def test_a_hostile_title_or_heading_is_escaped_on_the_page(client: Client) -> None:
    from django.template.loader import render_to_string

    canary = HOSTILE[8]
    sections = "".join(f"\n\n## {n} {canary}" for n in range(5))
    page = rendered(f"# {canary}{sections}")
    assert len(page.contents) == 5
    html = render_to_string("pages/page.html", {"page": page})
    assert "img" not in _Seen(html).tags
    assert "49" not in html


def test_tables_and_code_are_kept_and_code_is_within_reach_of_the_keyboard() -> None:
    body = rendered("# T\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```\nx = 1\n```").body
    assert '<table tabindex="0">' in body
    assert '<pre tabindex="0"><code>x = 1' in body
