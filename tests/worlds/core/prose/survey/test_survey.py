"""A survey of real records, and of records in which something was broken on purpose."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import pytest

from worlds.core.bridges import bank
from worlds.core.errors import BadFormat
from worlds.core.ids import InstanceId
from worlds.core.instance import Instance
from worlds.core.mint import SURFACES, corpus_families, mint_family
from worlds.core.packs import pack
from worlds.core.prose.gate import RULES
from worlds.core.prose.survey import Figure, read_survey, survey
from worlds.core.prose.survey.balance import balance_figures
from worlds.core.prose.survey.guessing import guessing_figures
from worlds.core.prose.survey.records import Piece, Record, records
from worlds.core.prose.survey.repetition import repetition_figures
from worlds.core.prose.survey.rules import rule_figures


@cache
def instances() -> tuple[Instance, ...]:
    families = corpus_families(
        4, 24, profile="chain", levels=["L00", "L02"], genres=["maritime", "hotel"]
    )
    return tuple(
        instance
        for family in families
        for instance in mint_family(family, [family.instance(*surface) for surface in SURFACES])
    )


@cache
def read() -> tuple[Record, ...]:
    return tuple(records(instances(), pack, bank()))


def named(figures: Sequence[Figure], name: str, of: str = "") -> Figure:
    found = [figure for figure in figures if figure.name.startswith(name) and figure.of == of]
    assert len(found) == 1, (name, of)
    return found[0]


def with_pieces(change: Callable[[Record, Piece], Piece]) -> list[Record]:
    return [
        replace(record, pieces=tuple(change(record, piece) for piece in record.pieces))
        for record in read()
    ]


def test_a_record_counts_once_however_many_prompts_show_it() -> None:
    assert len(instances()) == 120
    assert len(read()) == 48
    assert len({(str(record.family), record.realization) for record in read()}) == 48


def test_evidence_stands_in_reading_order_without_hedges() -> None:
    for record in read():
        units = {unit.id for unit in (*record.world.clues, *record.world.distractors)}
        assert {piece.unit.id for piece in record.pieces} == units
        assert [piece.rank for piece in record.pieces] == list(range(len(units)))
        assert all(piece.wording in piece.offered for piece in record.pieces)
        for piece in record.pieces:
            assert piece.clause in piece.text
            assert (piece.clause != piece.text) == piece.is_report


def test_real_records_break_no_rule_and_wear_out_no_wording() -> None:
    found = survey(instances())
    assert [figure.name for figure in found.figures if figure.group == "rules"] == [
        f"breaches of {rule}" for rule in RULES
    ]
    assert [figure for figure in found.missed if figure.group != "reports"] == []


def test_the_same_instances_give_the_same_survey_in_any_order_of_conditions() -> None:
    assert survey(instances()).payload() == survey(sorted(instances(), key=_by_number)).payload()


def _by_number(instance: Instance) -> tuple[int, int]:
    family = instances().index(instance) // len(SURFACES)
    return family, instance.id.realization


def test_a_survey_reads_back_from_its_json() -> None:
    found = survey(instances())
    assert read_survey(json.loads(json.dumps(found.payload()))) == found
    with pytest.raises(BadFormat, match="survey/1"):
        read_survey({"format": "enigmaforge.survey/0"})


def test_nothing_is_surveyed_without_failing() -> None:
    found = survey([])
    assert (found.records, found.papers, found.clauses) == (0, 0, 0)
    assert all(figure.ok is not False for figure in found.figures if figure.group == "rules")


# What is broken on purpose is found.


def test_one_wording_for_everything_is_repetition() -> None:
    worn = with_pieces(lambda _, piece: replace(piece, plain="@ did #", bare="@ did #"))
    figures = list(repetition_figures([*worn, *worn]))
    name = "most frequent clause skeleton, marks"
    assert named(figures, name, "hotel").ok is False
    assert named(figures, name, "hotel").shown == "100 %"
    assert named(figures, "distinct clause skeletons, lexicon", "maritime").found == 1


def test_few_clauses_are_not_judged() -> None:
    figure = named(
        list(repetition_figures(read()[:1])), "distinct clause skeletons, marks", "maritime"
    )
    assert figure.found > 0
    assert figure.ok is None


def test_a_wording_three_times_over_is_worn_while_others_are_unused() -> None:
    def alike(record: Record, piece: Piece) -> Piece:
        return replace(piece, wording=min(piece.offered))

    figure = named(
        list(repetition_figures(with_pieces(alike))), "wordings used three times", "hotel"
    )
    assert figure.found > 0
    assert figure.ok is False


def test_equal_papers_are_counted_over_the_whole_corpus() -> None:
    twice = [*read(), replace(read()[0], realization=3)]
    figure = named(list(repetition_figures(twice)), "papers equal")
    assert figure.found == 2 * len(read()[0].papers)
    assert figure.ok is False


def test_reports_in_the_first_place_are_found() -> None:
    def first(record: Record, piece: Piece) -> Piece:
        reports = sum(other.is_report for other in record.pieces)
        rank = piece.rank % reports if piece.is_report else reports + piece.rank % 5
        return replace(piece, rank=min(rank, piece.ranks - 1))

    figures = list(balance_figures(with_pieces(first)))
    assert named(figures, "reports by place in the record").ok is False
    assert named(figures, "reports by channel").ok is True


def test_reports_in_one_channel_are_found() -> None:
    def moved(record: Record, piece: Piece) -> Piece:
        return replace(piece, channel="margin") if piece.is_report else piece

    figures = list(balance_figures(with_pieces(moved)))
    assert named(figures, "reports by channel").ok is False
    assert named(list(guessing_figures(with_pieces(moved))), "a classifier").ok is False


def test_reports_that_are_longer_are_found() -> None:
    def longer(record: Record, piece: Piece) -> Piece:
        return replace(piece, clause=piece.clause * 3) if piece.is_report else piece

    figure = named(list(guessing_figures(with_pieces(longer))), "a classifier")
    assert figure.found > 0.7
    assert figure.ok is False


def test_a_verb_that_is_always_required_is_found() -> None:
    first = [record for record in read() if _requires_first(record)]
    figure = named(list(balance_figures(first * 2)), "required verb")
    assert figure.shown == "100 %"
    assert named(list(balance_figures(read())), "required verb").found == 0.5


def _requires_first(record: Record) -> bool:
    return record.world.action.verb in {pair[0] for pair in record.pack.lexicon.verbs}


def test_too_many_stated_facts_are_found() -> None:
    stated = [
        replace(
            r,
            certificate={**r.certificate, "inference": {"facts": 10, "direct": 4, "propagated": 7}},
        )
        for r in read()
    ]
    figures = list(balance_figures(stated))
    assert named(figures, "facts stated directly", "L02").ok is False
    assert named(figures, "facts that unit propagation reaches", "L02").ok is False
    assert named(figures, "facts stated directly", "L00").ok is None


def test_a_missing_class_of_clue_is_found() -> None:
    bare = [
        replace(
            record,
            world=replace(
                record.world,
                units=tuple(
                    unit
                    for unit in record.world.units
                    if unit.constraint is None or unit.constraint.kind != "arithmetic"
                ),
            ),
        )
        for record in read()
    ]
    assert named(list(balance_figures(bare)), "clues of class arithmetic").ok is False
    assert named(list(balance_figures(bare)), "clues of class equality").ok is True


def test_a_damaged_record_is_a_breach_and_no_crash() -> None:
    damaged = [
        replace(instance, documents=tuple(replace(d, spans=()) for d in instance.documents))
        for instance in instances()[:5]
    ]
    found = survey(damaged)
    assert found.clauses == 0
    assert named(found.figures, "breaches of round trip").found > 0


def test_stories_are_no_papers() -> None:
    family = corpus_families(4, 1, profile="chain", levels=["L00"], genres=["maritime"])[0]
    told = mint_family(family, [InstanceId(family, "implicit", 1, burial=0)])
    assert told[0].documents
    assert survey(told).records == 0


def test_breaches_are_counted_by_rule() -> None:
    broken = [replace(read()[0], breaches=Counter({"voice": 2, "dates": 1})), *read()[1:]]
    figures = list(rule_figures(broken))
    assert [(f.name, f.found) for f in figures if f.ok is False] == [
        ("breaches of voice", 2),
        ("breaches of dates", 1),
    ]
