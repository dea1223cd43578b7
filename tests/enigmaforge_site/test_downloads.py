"""Files that a page gives out."""

from __future__ import annotations

from enigmaforge_site.downloads import download


def test_a_text_is_given_out_in_its_bytes_and_under_its_name() -> None:
    answer = download("Cáceres\n", name="a.txt", content_type="text/plain; charset=utf-8")
    assert answer.content == "Cáceres\n".encode()
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="a.txt"'
