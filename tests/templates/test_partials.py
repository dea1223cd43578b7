"""The shared partials, rendered: what they take, what they leave out, what they escape."""

from __future__ import annotations

from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from django import forms
from django.core.paginator import Paginator
from django.template.loader import render_to_string
from django.test import RequestFactory


class _Elements(HTMLParser):
    """The start tags of a fragment, with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


class UploadForm(forms.Form):
    model = forms.CharField(help_text="The name on the leaderboard.")
    note = forms.CharField(required=False)


def _render(template: str, **context: object) -> _Elements:
    return _Elements(render_to_string(template, context))


def test_interval_draws_its_numbers_unlocalised() -> None:
    lines = _render("_interval.html", low=1234.5, high=2000.25, point=0, bound_low=None).all("line")
    drawn = {line["class"]: (line["x1"], line["x2"]) for line in lines}
    assert drawn["interval__range"] == ("1234.5", "2000.25")
    assert drawn["interval__point"] == ("0", "0")
    assert "interval__bounds" not in drawn


def test_interval_without_numbers_is_an_empty_axis() -> None:
    lines = _render("_interval.html", low=None, high=None, point=None).all("line")
    assert {line["class"] for line in lines} == {"interval__axis"}


@pytest.mark.parametrize(
    ("sort", "descending", "state", "link"),
    [
        ("f1", False, "ascending", "?level=L03&sort=-f1"),
        ("f1", True, "descending", "?level=L03&sort=f1"),
        ("name", True, None, "?level=L03&sort=f1"),
    ],
)
def test_sort_header_turns_its_own_order_round(
    sort: str,
    descending: bool,
    state: str | None,
    link: str,
) -> None:
    head = _render(
        "_sort_header.html",
        key="f1",
        label="Fact F1",
        sort=sort,
        descending=descending,
        query="level=L03&",
    )
    assert head.all("th")[0].get("aria-sort") == state
    assert head.all("a")[0]["href"] == link


def test_pagination_links_work_without_a_script_and_keep_the_filters() -> None:
    page = Paginator(range(600), 50).page(2)
    links = _render("_pagination.html", page=page, query="level=L03&", target="#rows").all("a")
    assert [link["href"] for link in links] == ["?level=L03&page=1", "?level=L03&page=3"]
    assert [link["hx-get"] for link in links] == [link["href"] for link in links]


def test_pagination_of_an_empty_list_has_no_links() -> None:
    page = Paginator([], 50).page(1)
    assert _render("_pagination.html", page=page, query="").all("a") == []


def test_field_describes_its_control_by_help_and_error() -> None:
    form = UploadForm({"model": ""})
    form.is_valid()
    field = _render("_field.html", field=form["model"])
    ids = {attributes["id"] for _, attributes in field.found if "id" in attributes}
    control = field.all("input")[0]
    assert control["aria-invalid"] == "true"
    assert set((control["aria-describedby"] or "").split()) <= ids


def test_error_summary_links_each_error_to_its_field() -> None:
    form = UploadForm({"model": ""})
    form.is_valid()
    assert [a["href"] for a in _render("_error_summary.html", form=form).all("a")] == ["#id_model"]


def test_error_summary_of_a_valid_form_is_nothing() -> None:
    form = UploadForm({"model": "kestrel"})
    form.is_valid()
    assert _render("_error_summary.html", form=form).found == []


def test_partials_escape_what_people_wrote() -> None:
    canary = "\"><img src=x onerror=alert(1)>'"
    for template, context in [
        ("_state.html", {"title": canary, "text": canary, "href": canary, "action": canary}),
        ("_notice.html", {"level": canary, "title": canary, "text": canary}),
        ("_code_block.html", {"id": "x", "label": canary, "text": canary}),
        ("_breadcrumb.html", {"crumbs": [(canary, canary), (canary, "")]}),
    ]:
        assert _render(template, **context).all("img") == [], template


@pytest.mark.parametrize(
    ("path", "marked"),
    [("/jobs/", {"/jobs/": "page"}), ("/jobs/7/", {"/jobs/": "true"}), ("/", {})],
)
def test_navigation_marks_the_section_of_the_page(path: str, marked: dict[str, str]) -> None:
    request = RequestFactory().get(path)
    user = SimpleNamespace(is_authenticated=True, get_username=lambda: "owner")
    header = _Elements(render_to_string("_site_header.html", {"user": user, "request": request}))
    links = header.all("a")
    assert {a["href"]: a["aria-current"] for a in links if "aria-current" in a} == marked


def test_visitors_are_not_shown_the_jobs() -> None:
    request = RequestFactory().get("/")
    context = {"user": SimpleNamespace(is_authenticated=False), "request": request}
    header = _Elements(render_to_string("_site_header.html", context))
    assert "/jobs/" not in [link["href"] for link in header.all("a")]


def test_the_500_page_needs_no_context() -> None:
    text = render_to_string("500.html")
    assert "Something broke on our side" in text
    assert "Sign in" not in text
