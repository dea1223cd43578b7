"""Every proposal is true of the world it was derived from, and speaks of what it was asked."""

from __future__ import annotations

import pytest

from tests.worlds.core.forge.lexicons import LEXICON
from worlds.core.constraints import AllDifferent, ExactlyOne, Implication
from worlds.core.forge.derive import SHAPES, Deriver
from worlds.core.forge.sample import Draft, sample_draft
from worlds.core.levels import CHAIN
from worlds.core.seeds import derive


@pytest.fixture(scope="module")
def draft() -> Draft:
    return sample_draft(CHAIN["L03"], LEXICON, derive(1, "draft"))


@pytest.mark.parametrize("shape", SHAPES)
def test_proposals_are_true_and_about_the_term(draft: Draft, shape: str) -> None:
    deriver = Deriver(draft.values, draft.domain_names)
    stream = derive(2, shape)
    everyone = list(draft.solution)
    found = 0
    for _ in range(300):
        term = stream.choice(everyone)
        proposal = deriver.propose(shape, term, stream.shuffled(everyone), draft.solution, stream)
        if proposal is None:
            continue
        found += 1
        assert term in proposal.scope
        assert proposal.holds(draft.solution)
        assert len(set(proposal.scope)) == len(proposal.scope)
    assert found > 20


def test_terms_are_compared_only_within_a_domain(draft: Draft) -> None:
    deriver = Deriver(draft.values, draft.domain_names)
    stream = derive(3)
    everyone = list(draft.solution)
    for shape in ("same", "inequality", "all_different", "arithmetic"):
        for _ in range(100):
            term = stream.choice(everyone)
            found = deriver.propose(shape, term, stream.shuffled(everyone), draft.solution, stream)
            if found is not None:
                assert len({draft.domain_names[t] for t in found.scope}) == 1


def test_no_premise_is_vacuous(draft: Draft) -> None:
    """A premise that no value or every value makes true would say nothing."""
    deriver = Deriver(draft.values, draft.domain_names)
    stream = derive(4)
    everyone = list(draft.solution)
    for shape in ("implication", "exactly_one"):
        for _ in range(200):
            term = stream.choice(everyone)
            found = deriver.propose(shape, term, stream.shuffled(everyone), draft.solution, stream)
            literals = []
            if isinstance(found, Implication):
                literals = [*found.rows[0]]
            elif isinstance(found, ExactlyOne):
                literals = [*found.literals]
            for literal in literals:
                values = draft.values[literal.term]
                assert 0 < len(literal.true_values(values)) < len(values)


def test_all_different_has_three_terms_or_more(draft: Draft) -> None:
    deriver = Deriver(draft.values, draft.domain_names)
    stream = derive(5)
    everyone = list(draft.solution)
    for _ in range(200):
        term = stream.choice(everyone)
        found = deriver.propose("all_different", term, everyone, draft.solution, stream)
        assert found is None or (isinstance(found, AllDifferent) and len(found.terms) >= 3)
