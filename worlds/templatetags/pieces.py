"""The small parts of which the page of an instance has hundreds: spans, references, differences.

A template takes ten times as long as this does for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from worlds.services import Piece
from worlds.services.evidence import Change

__all__ = ["changes", "pieces", "references"]

register = template.Library()


@register.simple_tag
def changes(found: Iterable[Change]) -> SafeString:
    """Facts that come out otherwise in a second world."""
    each = '<span class="mono">{}</span> {} (not {})'
    rows = ((change.mark, change.other, change.true) for change in found)
    return format_html("<span>{}</span>", format_html_join(", ", each, rows))


@register.simple_tag
def references(ids: Iterable[str], units_at: str = "", bridges_at: str = "") -> SafeString:
    """Evidence units (E…) and bridges (K…), each a link to where it is explained.

    On a page that does not hold them itself, `units_at` and `bridges_at` are the pages that do.
    """
    rows = (
        (f"{bridges_at}#bridge-" if each.startswith("K") else f"{units_at}#unit-", each, each, each)
        for each in ids
    )
    links = format_html_join(", ", '<a href="{}{}" data-unit="{}">{}</a>', rows)
    return format_html('<span class="mono">{}</span>', links)


@register.simple_tag
def pieces(paragraph: Iterable[Piece], prefix: str = "") -> SafeString:
    """The text of a paragraph, its clauses marked; no white space is added to it."""
    return format_html_join("", "{}", ((_piece(each, prefix),) for each in paragraph))


def _piece(piece: Piece, prefix: str) -> SafeString | str:
    if not piece.units:
        return piece.text
    named = ' id="{}span-{}" data-label="{}"'
    return format_html(
        '<mark class="clue-span" data-unit="{}" data-role="{}"{}{}{}{}{}>{}</mark>',
        " ".join(piece.units),
        piece.role,
        format_html(named, prefix, piece.label, piece.label) if piece.label else "",
        _flag("overlap", raised=len(piece.units) > 1),
        _flag("contradicted", raised=piece.contradicted),
        _flag("forcing", raised=piece.forcing),
        _flag("missing", raised=piece.missing),
        format_html("<s>{}</s>", piece.text) if piece.missing else piece.text,
    )


def _flag(name: str, *, raised: bool) -> SafeString | str:
    return format_html(" data-{}", name) if raised else ""
