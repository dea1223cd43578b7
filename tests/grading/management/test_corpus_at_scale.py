"""A corpus of 600 instances of each profile, in every genre: surveyed, and read from its text."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from worlds.core.levels import available_profiles
from worlds.core.packs import genres
from worlds.models import Instance

FAMILIES = 120


def _report(command: str, *names: str, **options: object) -> Any:
    out = StringIO()
    call_command(command, *names, json=True, stdout=out, stderr=StringIO(), **options)
    return json.loads(out.getvalue())


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("profile", available_profiles())
def test_a_corpus_of_600_meets_every_goal_and_reads_back_exactly(profile: str) -> None:
    forged = _report("forge_corpus", "large", families=FAMILIES, profile=profile, seed=600)
    assert (forged["families"], forged["instances"]) == (FAMILIES, 5 * FAMILIES)
    assert set(Instance.objects.values_list("genre", flat=True)) == set(genres())

    surveyed = _report("check_corpus", "large")
    assert [figure for figure in surveyed["figures"] if figure["ok"] is False] == []

    controls = {run["name"]: run for run in _report("controls", "large")["controls"]}
    assert all(run["ok"] for run in controls.values())
    read = controls["reader"]["found"]
    assert read["records"] == read["worlds"] == read["actions"] == read["successes"] == 600
    assert read["facts"] == read["right"] == read["stated"]
