"""Every address of the site, read from its own table of addresses, so that none is forgotten."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse

__all__ = ["addresses", "pages_of", "queries_of"]


def addresses(known: Mapping[str, object]) -> dict[str, str]:
    """Every address but the admin's, by its name, such as `worlds:corpus_detail`.

    Its parameters are looked up in `known`, first as `name.parameter`, then as `parameter`; one
    that is in neither is a KeyError.
    """
    found = {}
    for name, pattern in _named(get_resolver(), ""):
        needed = pattern.pattern.converters
        kwargs = {each: known.get(f"{name}.{each}", known.get(each)) for each in needed}
        if missing := [each for each, value in kwargs.items() if value is None]:
            raise KeyError(f"{name} needs {', '.join(missing)}")
        found[name] = reverse(name, kwargs=kwargs)
    return found


def pages_of(client: Client, known: Mapping[str, object]) -> dict[str, str]:
    """Those addresses that answer this reader with a page, each asked once."""
    found = {}
    for name, url in addresses(known).items():
        answer = client.get(url)
        if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
            found[name] = url
    return found


def queries_of(client: Client, pages: Mapping[str, str]) -> dict[str, int]:
    """How many queries each page takes, once what it keeps in memory is there."""
    found = {}
    for name, url in pages.items():
        client.get(url)
        with CaptureQueriesContext(connection) as asked:
            client.get(url)
        found[name] = len(asked)
    return found


def _named(resolver: URLResolver, space: str) -> Iterator[tuple[str, URLPattern]]:
    """Each pattern with its whole name."""
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            if each.namespace != "admin":
                yield from _named(each, f"{each.namespace}:" if each.namespace else space)
        elif each.name:
            yield f"{space}{each.name}", each
