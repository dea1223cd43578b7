"""When two marks or values written differently are the same."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.core.normal import NotAValue, Number, normalise, storable, value_key


@pytest.mark.parametrize(
    "written",
    [
        "Élodie Brandt",
        "E\u0301lodie Brandt",
        "Élodie\u00a0Brandt",
        "Élodie\u200b Brandt",
        "\ufeffÉlodie Brandt\u200e",
        " élodie  BRANDT ",
        '"Élodie Brandt"',
        "“Élodie Brandt”",
        "**Élodie Brandt**",
        "`Élodie Brandt`:",
        "Élodie Brandt.",
    ],
)
def test_normalise_typographic_variants(written: str) -> None:
    assert normalise(written) == "élodie brandt"


@pytest.mark.parametrize("written", ["Élodie Br\u0430ndt", "Elodie Brandt", "Élodie", "Élodie B."])
def test_normalise_keeps_different_names_apart(written: str) -> None:
    assert normalise(written) != "élodie brandt"


def test_normalise_folds_apostrophes_and_dashes() -> None:
    assert normalise("O’Hara") == normalise("O'Hara")
    assert normalise("P\u201133") == normalise("P–33") == normalise("p-33")


@given(st.text())
def test_normalise_twice_is_once(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_normalise_composed_and_decomposed_agree(text: str) -> None:
    assert normalise(text) == normalise(unicodedata.normalize("NFD", text))


@pytest.mark.parametrize(
    "raw", [4, "4", Number("4.0"), "4.0", "**4**", " 4 ", '"4"', "04", "+4", "4.", "4:"]
)
def test_ordinal_numerals_of_four(raw: object) -> None:
    assert value_key(raw, ordinal=True) == 4


@pytest.mark.parametrize(
    "raw",
    [
        Number("4.0000001"),
        Number("4e0"),
        Number("1e999"),
        "four",
        "berth 4",
        "4 or 5",
        "４",
        "",
        [4],
        {"value": 4},
        True,
        None,
        NotAValue("NaN"),
        4.0,
    ],
)
def test_ordinal_no_value(raw: object) -> None:
    assert value_key(raw, ordinal=True) is None


def test_ordinal_other_numbers_stay_apart() -> None:
    assert [value_key(raw, ordinal=True) for raw in ("14", 40, "-4", 0)] == [14, 40, -4, 0]


@pytest.mark.parametrize(("flag", "number"), [(True, 1), (False, 0)])
def test_booleans_are_no_integers(flag: bool, number: int) -> None:
    for ordinal in (True, False):
        assert value_key(flag, ordinal) is None
        assert value_key(number, ordinal) is not None


def test_name_printed_as_a_number() -> None:
    assert value_key(4, ordinal=False) == value_key("4", ordinal=False) == "4"
    assert value_key(Number("4.0"), ordinal=False) == "4"
    assert value_key("4.0", ordinal=False) == "4.0"


def test_storable_replaces_one_for_one() -> None:
    assert storable("a\0b\ud800c") == "a\ufffdb\ufffdc"
    assert storable("a\0b") == "a\ufffdb"
    assert type(storable(Number("4.0"))) is type(storable(Number("4\u066b0"))) is str
