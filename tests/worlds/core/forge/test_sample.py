"""A draft has the size of its level, and marks that say what they mark."""

from __future__ import annotations

import pytest

from tests.worlds.core.forge.lexicons import LEXICON
from worlds.core.forge.sample import sample_draft
from worlds.core.levels import CHAIN
from worlds.core.seeds import derive


@pytest.mark.parametrize("level", list(CHAIN))
def test_a_draft_has_the_size_of_its_level(level: str) -> None:
    spec = CHAIN[level]
    draft = sample_draft(spec, LEXICON, derive(1, level))
    ordinal = {d.name for d in draft.domains if d.is_ordinal}
    persons = [v for v in draft.variables if v.domain not in ordinal]
    assert len(draft.variables) == spec.variables
    assert len(ordinal) == spec.scales
    assert len(draft.domains) == spec.scales + spec.rosters
    assert len(draft.variables) - len(persons) == round(spec.variables * spec.ordinal_share)


@pytest.mark.parametrize("level", list(CHAIN))
def test_marks_are_unique_and_a_letter_marks_one_kind(level: str) -> None:
    draft = sample_draft(CHAIN[level], LEXICON, derive(2, level))
    marks = [v.mark for v in draft.variables]
    assert len(set(marks)) == len(marks)
    kinds: dict[str, set[str]] = {}
    for v in draft.variables:
        kinds.setdefault(v.mark[0], set()).add(LEXICON.kind_of(v.role, v.mark).key)
    assert all(len(found) == 1 for found in kinds.values())


def test_rosters_share_no_name() -> None:
    draft = sample_draft(CHAIN["L05"], LEXICON, derive(3))
    names = [value for d in draft.domains if not d.is_ordinal for value in d.values]
    assert len(set(names)) == len(names)


def test_the_truth_gives_every_variable_a_value_of_its_domain() -> None:
    draft = sample_draft(CHAIN["L04"], LEXICON, derive(4))
    assert set(draft.solution) == {v.id for v in draft.variables}
    assert all(draft.solution[term] in values for term, values in draft.values.items())
