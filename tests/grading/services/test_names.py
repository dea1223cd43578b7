"""Names are levelled by space, Unicode form and case, and by nothing else."""

from __future__ import annotations

import pytest

from grading.services.names import clean_model_name, model_key, shown_file_name
from worlds.core.errors import BadInput


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (" gpt-x ", "gpt-x"),
        ("gpt-x\u00a0", "gpt-x"),
        ("kestrel\u2003 large", "kestrel large"),
        ("Cafe\u0301", "Café"),
        ("GPT-X", "GPT-X"),
        ('=HYPERLINK("http://x.test","a")', '=HYPERLINK("http://x.test","a")'),
    ],
)
def test_a_model_name_is_trimmed_and_keeps_its_case(given: str, shown: str) -> None:
    assert clean_model_name(given) == shown


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("", "a name"),
        (" \u00a0 ", "a name"),
        ("x" * 121, "at most 120 characters"),
        ("a\u202egnp", r"visible characters only, without U\+202E"),
        ("a\x00b", r"visible characters only, without U\+0000"),
        ("a\u200bb", r"visible characters only, without U\+200B"),
    ],
)
def test_a_name_that_cannot_be_shown_is_refused_with_the_reason(given: str, expected: str) -> None:
    with pytest.raises(BadInput, match=expected):
        clean_model_name(given)


def test_one_model_under_two_spellings_has_one_key() -> None:
    names = ["GPT-X", " gpt-x ", "gpt-x\u00a0", "Gpt-X"]
    assert {model_key(name) for name in names} == {"gpt-x"}


def test_models_that_only_look_alike_have_keys_of_their_own() -> None:
    names = ["gpt-x", "openai/gpt-x", "gpt-x-2026-01-01", "x[1m]", "vendor/model.gguf"]
    assert len({model_key(name) for name in [*names, "other/model.gguf"]}) == 6


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("../../settings.py", "settings.py"),
        ("C:\\files\\x.jsonl", "x.jsonl"),
        ("a\u202elnosj.exe", "a\ufffdlnosj.exe"),
        ("folder/", "unnamed"),
        ("", "unnamed"),
    ],
)
def test_a_file_name_is_shown_without_folders_and_tricks(given: str, shown: str) -> None:
    assert shown_file_name(given) == shown


def test_a_long_file_name_keeps_its_ends() -> None:
    shown = shown_file_name("x" * 300 + ".jsonl")
    assert len(shown) == 200
    assert shown.endswith("xxxxxxxxxxxxxx.jsonl")
