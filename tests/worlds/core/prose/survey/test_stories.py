"""Stories in a survey: counted apart from records, once each, against counts by other means."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from worlds.core.bridges import bank
from worlds.core.ids import FamilyId
from worlds.core.instance import Instance
from worlds.core.mint import mint_family, surfaces_of
from worlds.core.packs import pack
from worlds.core.prose.survey import read_survey, survey
from worlds.core.prose.survey.stories import Story, stories, story_figures, story_tables


@cache
def instances() -> tuple[Instance, ...]:
    families = [FamilyId("chain", "L00", genre, seed) for genre in ("maritime", "hotel")
                for seed in (1, 2)]  # fmt: skip
    return tuple(i for f in families for i in mint_family(f, surfaces_of(f, (0, 3))))


@cache
def read() -> tuple[Story, ...]:
    return tuple(stories(instances(), pack, bank()))


def _found(told: list[Story], name: str, of: str) -> float:
    (found,) = [f.found for f in story_figures(told) if f.name.startswith(name) and f.of == of]
    return found


def test_two_prompts_of_one_burial_share_a_story() -> None:
    assert len([i for i in instances() if i.id.burial is not None]) == 16
    assert Counter((story.genre, story.burial) for story in read()) == {
        (genre, burial): 2 for genre in ("maritime", "hotel") for burial in (0, 3)
    }


def test_a_story_of_more_burial_has_more_between_its_clauses() -> None:
    by_burial = {b: [s for s in read() if s.burial == b] for b in (0, 3)}
    between = {b: sum(len(s.sentences) for s in own) for b, own in by_burial.items()}
    assert between[0] < between[3]
    share = {b: sum(s.evidence for s in own) / sum(s.words for s in own)
             for b, own in by_burial.items()}  # fmt: skip
    assert share[0] > share[3]


def test_no_sentence_between_holds_a_unit() -> None:
    for story in read():
        assert not set(story.clauses) & set(story.sentences)


def test_words_between_and_words_of_units_are_all_words() -> None:
    for story in read():
        between = sum(len(sentence.split()) for sentence in story.sentences)
        # A full stop that a clause leaves behind stands alone, and a mark may touch a word.
        assert story.words - story.evidence == pytest.approx(between, rel=0.05)


def test_a_sentence_of_two_stories_is_shared() -> None:
    story = replace(read()[0], sentences=("a rope", "a rope", "a bell"))
    other = replace(story, sentences=("a bell", "a lamp", "a lamp", "a lamp"))
    assert _found([story, other], "sentences between", story.genre) == 2 / 7
    assert _found([story], "sentences between", story.genre) == 0
    assert _found([story, other], "most frequent sentence", story.genre) == 3 / 7


def test_stories_pass_their_gate_and_a_broken_one_is_counted() -> None:
    (found,) = [f for f in story_figures(read()) if f.of == ""]
    assert (found.found, found.ok) == (0, True)
    story = next(i for i in instances() if i.id.burial == 3)
    document = story.documents[0]
    broken = replace(story, documents=(replace(document, spans=document.spans[1:]),))
    (bad,) = stories([broken], pack, bank())
    assert bad.breaches > 0
    assert [f.ok for f in story_figures([bad]) if f.of == ""] == [False]


def test_stories_leave_the_figures_of_records_alone() -> None:
    with_stories = survey(instances())
    without = survey([i for i in instances() if i.id.burial is None])
    assert (with_stories.stories, without.stories) == (8, 0)
    assert [f for f in with_stories.figures if f.group != "stories"] == list(without.figures)
    assert [t.title for t in with_stories.tables if t.group == "stories"] == [
        "Stories by genre",
        "Stories by burial",
    ]
    assert read_survey(with_stories.payload()) == with_stories


def test_without_stories_nothing_is_said_of_them() -> None:
    assert list(story_figures([])) == []
    assert list(story_tables([])) == []


def test_a_survey_from_before_there_were_stories_can_be_read() -> None:
    payload = survey([]).payload()
    del payload["stories"]
    assert read_survey(payload).stories == 0
