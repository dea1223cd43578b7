"""The truth in words: complete, and equal to the certificate."""

from __future__ import annotations

from worlds.core.model import World
from worlds.models import Instance
from worlds.services.evidence import evidence_of, facts_of, placed, statements_of
from worlds.services.instances import documents_of, world_of
from worlds.services.papers import papers_of


def _world(row: Instance) -> World:
    return world_of(row.family)


def test_every_unit_has_a_card_with_words(implicit: Instance) -> None:
    cards = evidence_of(
        _world(implicit), implicit.family.certificate, documents_of(implicit.documents)
    )
    assert [card.id for card in cards] == [unit.id for unit in _world(implicit).units]
    assert all(card.words and card.paper for card in cards)


def test_every_clue_shows_what_is_lost_without_it(implicit: Instance) -> None:
    certificate = implicit.family.certificate
    world = _world(implicit)
    cards = {card.id: card for card in evidence_of(world, certificate, ())}
    for proof in certificate["ablations"]:
        clue = cards[proof["unit"]].clue
        assert clue is not None
        assert (clue.models_without, clue.load_bits) == (
            proof["models_without"],
            proof["load_bits"],
        )
        assert {change.mark: change.other for change in clue.witness} == {
            world.mark_of(term): value for term, value in proof["witness"].items()
        }
        assert all(change.true != change.other for change in clue.witness)


def test_every_distractor_shows_its_kind_and_what_refutes_it(implicit: Instance) -> None:
    world = _world(implicit)
    cards = evidence_of(world, implicit.family.certificate, ())
    shown = [card.distractor for card in cards if card.role == "distractor"]
    assert sorted(each.kind for each in shown if each) == ["false", "idle"]
    assert all(bool(each.refuted_by) == (each.kind == "false") for each in shown if each)


def test_contradicted_clues_are_marked(implicit: Instance) -> None:
    world = _world(implicit)
    unit = world.clues[0].id
    cards = evidence_of(world, implicit.family.certificate, (), contradicted={unit})
    assert [card.id for card in cards if card.contradicted] == [unit]


def test_words_use_marks_and_the_notation_ids(implicit: Instance) -> None:
    world = _world(implicit)
    cards = {card.id: card for card in evidence_of(world, implicit.family.certificate, ())}
    for unit in world.clues:
        assert unit.constraint is not None
        card = cards[unit.id]
        assert card.words == unit.constraint.describe(world.mark_of)
        assert all(term in card.formal for term in unit.constraint.scope)


def test_facts_are_the_solution(implicit: Instance) -> None:
    world = _world(implicit)
    assert {fact.id: fact.value for fact in facts_of(world)} == dict(world.solution)


def test_statements_are_told_in_the_order_asked_for(implicit: Instance) -> None:
    world = _world(implicit)
    clue, bridge = world.clues[-1], world.bridges[0]
    assert clue.constraint is not None
    told = statements_of(world, [bridge.id, clue.id])
    assert [each.id for each in told] == [bridge.id, clue.id]
    assert [each.words for each in told] == [
        f"{bridge.question} {bridge.answer}.",
        clue.constraint.describe(world.mark_of),
    ]


def test_cards_are_placed_where_a_surface_tells_them(implicit: Instance) -> None:
    world = _world(implicit)
    documents = documents_of(implicit.documents)
    cards = evidence_of(world, implicit.family.certificate, ())
    assert all(card.paper is None for card in cards)
    roles = {card.id: card.role for card in cards}
    texts = {document.number: document.text for document in documents}
    for card in placed(cards, papers_of(documents, roles=roles)):
        assert card.paper is not None
        assert card.where == f"paper {card.paper}"
        assert card.quote in texts[card.paper]
    assert all(not card.quote and not card.where for card in placed(cards, ()))
