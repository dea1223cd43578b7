"""The pages that explain: Markdown files under templates/pages, rendered and cleaned.

The first line of a file is its title, `# Title`. The files are the project's own; they are cleaned
all the same, since Markdown lets raw HTML through.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import markdown
import nh3
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

__all__ = ["FOLDER", "page", "rendered", "slugs"]

FOLDER: Path = settings.BASE_DIR / "templates" / "pages"


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one page; 404 for a slug that has none."""
    if slug not in slugs():
        raise Http404(f"There is no page {slug}.")
    title, body = rendered((FOLDER / f"{slug}.md").read_text(encoding="utf-8"))
    return render(request, "pages/page.html", {"title": title, "body": body})


@cache
def slugs() -> tuple[str, ...]:
    """The pages there are."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.md")))


def rendered(text: str) -> tuple[str, SafeString]:
    """The title and the cleaned HTML of a Markdown text whose first line is `# Title`."""
    heading, _, rest = text.partition("\n")
    html = markdown.markdown(rest, extensions=["tables", "fenced_code", "toc"])
    clean = nh3.clean(html, attributes={**nh3.ALLOWED_ATTRIBUTES, "*": {"id"}})
    # nh3 has taken out everything that could run; format_html only marks the result as HTML.
    return heading.removeprefix("# ").strip(), format_html("{}", SafeString(clean))
