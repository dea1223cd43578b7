"""The pages that explain: Markdown files of the project, rendered and cleaned.

The first line of a file is its title, `# Title`. What is also read in the repository, such as the
guide to genre packs, is rendered from there: there is one source. The files are the project's own;
they are cleaned all the same, since Markdown lets raw HTML through.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import unescape
from pathlib import Path

import markdown
import nh3
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

__all__ = ["GROUPS", "HelpPage", "Rendered", "page", "page_list", "rendered"]

_PAGES: Path = settings.BASE_DIR / "templates" / "pages"
_DOCS: Path = settings.BASE_DIR / "docs"
_LEAST_CONTENTS = 5

# No picture comes from elsewhere, and a page has one first heading: its title.
_TAGS = nh3.ALLOWED_TAGS - {"img", "map", "area", "h1"}


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A page: its address, what it is about in one line, and the file it is made of."""

    slug: str
    summary: str
    folder: Path = _PAGES

    @property
    def text(self) -> str:
        """The Markdown."""
        return (self.folder / f"{self.slug}.md").read_text(encoding="utf-8")

    @property
    def title(self) -> str:
        """The first line of the file."""
        return _title(self.text.partition("\n")[0])


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as HTML; `contents` has its sections by id, if there are enough to need a list."""

    title: str
    body: SafeString
    contents: tuple[tuple[str, str], ...]


GROUPS: tuple[tuple[str, tuple[HelpPage, ...]], ...] = (
    (
        "Understand",
        (
            HelpPage("about", "What an instance is, what is proved of it, and by whom."),
            HelpPage("methodology", "How a number on a board comes about, from forge to report."),
            HelpPage("scores", "Each score in a line, from one record to a corpus."),
            HelpPage(
                "limits", "About tasks, proofs, secrecy and people; read it before you quote."
            ),
        ),
    ),
    (
        "Take part",
        (
            HelpPage("exports", "Give a corpus to a model through the tool that you use."),
            HelpPage("uploads", "Bring replies back, also those that were forgotten at first."),
            HelpPage("solving", "Be the human baseline: what is timed, kept and shown."),
            HelpPage("reviewing", "Judge distractors before a corpus is published."),
        ),
    ),
    (
        "Build and check",
        (
            HelpPage("genre-packs", "Add a genre: one folder of texts, and no code.", _DOCS),
            HelpPage("proofs", "Check a certificate with programs that are not ours.", _DOCS),
        ),
    ),
)


@require_safe
def page_list(request: HttpRequest) -> HttpResponse:
    """Every page that explains something."""
    return render(request, "pages/page_list.html", {"groups": GROUPS})


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one page; 404 for a slug that has none."""
    for _, pages in GROUPS:
        for each in pages:
            if each.slug == slug:
                shown = rendered(each.text)
                crumbs = [("Help", reverse("page_list")), (shown.title, "")]
                return render(request, "pages/page.html", {"page": shown, "crumbs": crumbs})
    raise Http404(f"There is no page {slug}.")


def rendered(text: str) -> Rendered:
    """A Markdown text whose first line is `# Title` as cleaned HTML."""
    heading, _, rest = text.partition("\n")
    parser = markdown.Markdown(extensions=["tables", "fenced_code", "toc"])
    html = parser.convert(rest)
    clean = nh3.clean(
        html,
        tags=_TAGS,
        attributes={**nh3.ALLOWED_ATTRIBUTES, "*": {"id"}},
        # A block that scrolls sideways must be within reach of the keyboard.
        set_tag_attribute_values={"pre": {"tabindex": "0"}, "table": {"tabindex": "0"}},
        url_schemes={"http", "https", "mailto"},
    )
    tokens = getattr(parser, "toc_tokens", [])
    sections = tuple((token["id"], unescape(token["name"])) for token in tokens)
    return Rendered(
        title=_title(heading),
        # nh3 has taken out everything that could run; format_html only marks it as HTML.
        body=format_html("{}", SafeString(clean)),
        contents=sections if len(sections) >= _LEAST_CONTENTS else (),
    )


def _title(heading: str) -> str:
    return heading.removeprefix("# ").strip()
