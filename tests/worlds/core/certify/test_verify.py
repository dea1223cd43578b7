"""Verification accepts what is proved, and names every field of a certificate that is not so."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from tests.worlds.core.builders import clue, observatory, with_units
from worlds.core.certify import certify, verify
from worlds.core.codec import truth_payload
from worlds.core.constraints import Equality
from worlds.core.errors import BadFormat

Path = tuple[str | int, ...]


@cache
def _text() -> str:
    return json.dumps(certify(observatory()))


def _certificate() -> dict[str, Any]:
    certificate: dict[str, Any] = json.loads(_text())
    return certificate


def _leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _leaves(inner, (*path, place))
    else:
        yield path


def _changed(path: Path, change: Any) -> dict[str, Any]:
    """The certificate with the value at a path replaced by what `change` makes of it."""
    certificate = _certificate()
    holder: Any = certificate
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = change(holder[path[-1]])
    return certificate


def _other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    return value + 7 if isinstance(value, int | float) else value + "?"


LEAVES = [path for path in _leaves(_certificate()) if path != ("uniqueness", "z3", "version")]


def test_a_certificate_verifies_against_the_world_and_against_its_truth() -> None:
    assert verify(observatory(), _certificate()) == ()
    assert verify(truth_payload(observatory()), _certificate()) == ()


@pytest.mark.parametrize("path", LEAVES, ids=lambda path: ".".join(map(str, path)))
def test_a_changed_value_is_named(path: Path) -> None:
    findings = verify(observatory(), _changed(path, _other))
    assert findings
    assert all(finding.certificate == path[0] for finding in findings)


@pytest.mark.parametrize("path", LEAVES[::5], ids=lambda path: ".".join(map(str, path)))
def test_a_value_of_another_type_is_named(path: Path) -> None:
    for value in (None, [], {}, ["E1"], {"V0": 1}):
        assert verify(observatory(), _changed(path, lambda _, value=value: value))


@pytest.mark.parametrize("key", list(_certificate()))
def test_a_missing_section_is_named(key: str) -> None:
    certificate = _certificate()
    del certificate[key]
    (finding,) = verify(observatory(), certificate)
    assert (finding.certificate, finding.found) == (key, "nothing")


def test_a_missing_entry_is_named() -> None:
    certificate = _certificate()
    del certificate["ablations"][3]
    assert [finding.certificate for finding in verify(observatory(), certificate)] == ["ablations"]


def test_a_claim_that_nobody_recomputes_is_named() -> None:
    certificate = _certificate()
    certificate["fairness"] = {"verdict": "proved"}
    (finding,) = verify(observatory(), certificate)
    assert (finding.certificate, finding.recomputed) == ("fairness", "nothing")


def test_a_finding_says_what_where_and_what_it_should_be() -> None:
    certificate = _changed(("ablations", 2, "models_without"), lambda _: 30)
    (finding,) = verify(observatory(), certificate)
    assert (finding.certificate, finding.unit, finding.field) == (
        "ablations",
        "E4",
        "models_without",
    )
    assert str(finding) == "ablations E4 models_without: found 30, recomputed 31"


def test_a_finding_about_a_reading_says_which() -> None:
    place = next(
        index
        for index, entry in enumerate(_certificate()["readings"])
        if entry["reading"] == "the provisional rule in force"
    )
    findings = verify(observatory(), _changed(("readings", place, "solved"), lambda _: "same"))
    assert [(f.unit, f.field, f.found, f.recomputed) for f in findings] == [
        ("the provisional rule in force", "solved", "same", "another")
    ]


def test_another_second_model_is_accepted_if_it_is_one() -> None:
    # Without E2 the shutter of night N-57 may have stood anywhere.
    place: Path = ("ablations", 1, "witness")
    assert verify(observatory(), _changed(place, lambda _: {"V4": 2})) == ()
    for wrong in ({"V4": 3}, {"V4": 9}, {"V3": 1}, {}, {"V9": 1}, {"K0": "Kepler"}):
        (finding,) = verify(observatory(), _changed(place, lambda _, wrong=wrong: wrong))
        assert (finding.certificate, finding.unit, finding.field) == ("ablations", "E2", "witness")


def test_another_support_of_a_literal_is_accepted_if_it_is_one() -> None:
    place: Path = ("policy", "literals", 1, "falsifiable_without")
    assert verify(observatory(), _changed(place, lambda _: "E9")) == ()
    assert verify(observatory(), _changed(place, lambda _: "E1"))


def test_a_refutation_with_an_idle_clue_is_named() -> None:
    place: Path = ("distractors", 0, "refuted_by")
    assert verify(observatory(), _changed(place, lambda core: [*core, "E9"]))
    assert verify(observatory(), _changed(place, lambda core: core[1:]))


def test_work_figures_of_another_version_can_be_left_out() -> None:
    certificate = _changed(("inference", "decisions"), lambda _: 5)
    assert verify(observatory(), certificate, work=False) == ()
    assert verify(observatory(), certificate)
    assert verify(observatory(), _changed(("inference", "decisions"), lambda _: -1), work=False)


@pytest.mark.parametrize("key", ["cnf_sha256", "proof_sha256"])
def test_the_proof_of_another_version_can_be_left_out(key: str) -> None:
    certificate = _changed(("uniqueness", key), lambda _: "0" * 64)
    assert verify(observatory(), certificate, work=False) == ()
    (finding,) = verify(observatory(), certificate)
    assert (finding.certificate, finding.field) == ("uniqueness", key)
    assert verify(observatory(), _changed(("uniqueness", key), lambda _: "?"), work=False)


def test_another_version_of_z3_is_no_fault() -> None:
    assert verify(observatory(), _changed(("uniqueness", "z3", "version"), lambda _: "4.8")) == ()


def test_a_certificate_of_another_world_is_named() -> None:
    changed = with_units(observatory(), clue("E4", Equality("V3", value=3)))
    (finding,) = verify(changed, _certificate())
    assert (finding.certificate, finding.recomputed) == (
        "uniqueness",
        "uniqueness is refuted: E4 is false of the solution",
    )


def test_a_truth_that_is_none_is_refused() -> None:
    truth = copy.deepcopy(truth_payload(observatory()))
    truth["solution"]["V0"] = "Nobody"
    with pytest.raises(BadFormat, match=r"truth\.solution\.V0"):
        verify(truth, _certificate())
