from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from tests.worlds.core.prose.mill import FACTS, mill_id, mill_pack, mill_world
from tests.worlds.core.prose.story.filler import filler
from worlds.core.bridges import bank
from worlds.core.engines.dpll import Dpll
from worlds.core.errors import BadInput, ForgeError, GateRejected, Unreadable
from worlds.core.forge.pipeline import sample_world
from worlds.core.ids import PROFILES, InstanceId, parse_id
from worlds.core.instance import Document, Span
from worlds.core.levels import level_spec
from worlds.core.mint import check_mintable, mint
from worlds.core.model import World
from worlds.core.packs import genres, pack
from worlds.core.policy import resolve
from worlds.core.prose.conditions import CONTRACT, OPENING, QUESTION
from worlds.core.prose.meaning import constraints
from worlds.core.prose.mutations import mutations
from worlds.core.prose.normal import normal, renamed
from worlds.core.prose.reader import read_prompt
from worlds.core.prose.story import StoryGate, check_story, outline_story
from worlds.core.prose.story.plan import GAPS
from worlds.core.prose.surface import write_surface
from worlds.core.seeds import derive

LEVELS = tuple(f"L0{number}" for number in range(6))


@cache
def drawn(profile: str, genre: str, level: str, seed: int = 3) -> World:
    """A world as the forge draws it, not yet certified."""
    for attempt in range(60):
        stream = derive(seed, "story test", profile, level, attempt)
        try:
            return sample_world(level_spec(profile, level), pack(genre).lexicon, bank(), stream)
        except ForgeError:
            continue
    raise AssertionError(f"no world of {genre} at {level}")


def identity(text: str) -> InstanceId:
    return parse_id(f"ef1-{text}")


def mill_story(burial: int = 2, seed: int = 7) -> Document:
    told = replace(mill_id(seed=seed), burial=burial)
    return write_surface(mill_world(), told, genre=mill_pack(), facts=FACTS).documents[0]


def mill_findings(*documents: Document) -> list[str]:
    return list(StoryGate(mill_world(), mill_pack(), FACTS).findings(documents))


def is_read_back(world: World, name: InstanceId) -> bool:
    """Whether the prompt of a story, read alone, gives the world's evidence and its question."""
    genre = pack(name.family.genre)
    keys = {fact.question: fact.key for fact in bank()}
    terms = {bridge.id: keys[bridge.question] for bridge in world.bridges}
    wanted = constraints(world, bank())
    found = read_prompt(write_surface(world, name).prompt, genre, bank())
    read = [normal(renamed(c, lambda term: terms.get(term, term))) for c in found.clues]
    return (
        set(found.marks) == {v.mark for v in world.variables}
        and sorted(map(repr, read)) == sorted(repr(wanted[u.id]) for u in world.clues)
        and len(found.reports) == len(world.distractors)
        and found.apparent == world.mark_of(world.apparent)
    )


@pytest.mark.parametrize("genre", genres())
def test_a_story_reads_back_from_its_prompt(genre: str) -> None:
    at = genres().index(genre)
    profile, level, burial = PROFILES[at % 2], LEVELS[at % 6], (at * 5 + 2) % 6
    name = identity(f"{profile}-{level}-{genre}-s3-exp1-b{burial}")
    assert is_read_back(drawn(profile, genre, level), name)


@pytest.mark.slow
@pytest.mark.parametrize("genre", genres())
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("level", LEVELS)
def test_every_burial_reads_back_from_its_prompt(genre: str, profile: str, level: str) -> None:
    seed = 10 * genres().index(genre) + LEVELS.index(level)
    world = drawn(profile, genre, level, seed)
    for burial in range(6):
        condition = ("imp", "exp")[(seed + burial) % 2]
        name = identity(f"{profile}-{level}-{genre}-s{seed}-{condition}1-b{burial}")
        assert is_read_back(world, name), name


def solve_from_its_story(genre: str, burial: int) -> None:
    """Mint a story, read its prompt alone, and find the world and the action in that."""
    profile = PROFILES[burial % 2]
    instance = mint(identity(f"{profile}-L01-{genre}-s{burial}-imp1-b{burial}"))
    record = read_prompt(instance.prompt, pack(genre), bank())
    problem = record.problem({fact.question: fact.answer for fact in bank()})
    engine = Dpll(problem.domains)
    for label, constraint in problem.constraints.items():
        engine.add(label, constraint)
    model = engine.solve(list(problem.constraints)).model
    assert model is not None
    world = instance.world
    assert {m: model[m] for m in record.marks} == {
        v.mark: world.solution[v.id] for v in world.variables
    }
    assert resolve(record.rule.live(model), model, lambda mark: mark) == world.action


@pytest.mark.parametrize("genre", genres())
def test_a_reader_of_the_story_alone_solves_it(genre: str) -> None:
    solve_from_its_story(genre, 1 + genres().index(genre))


@pytest.mark.slow
@pytest.mark.parametrize("genre", genres())
@pytest.mark.parametrize("burial", range(6))
def test_a_reader_of_any_story_alone_solves_it(genre: str, burial: int) -> None:
    solve_from_its_story(genre, burial)


@pytest.mark.parametrize("genre", genres())
def test_no_sentence_stands_twice_in_a_long_story(genre: str) -> None:
    profile = PROFILES[genres().index(genre) % 2]
    name = identity(f"{profile}-L05-{genre}-s3-imp1-b5")
    told = filler(write_surface(drawn(profile, genre, "L05"), name).documents[0])
    assert len(told) > 600
    assert [text for text, count in Counter(told).items() if count > 1] == []


@pytest.mark.slow
@pytest.mark.parametrize("genre", genres())
def test_twenty_stories_have_thousands_of_sentences(genre: str) -> None:
    told: Counter[str] = Counter()
    for at in range(20):
        profile, level, burial = PROFILES[at % 2], LEVELS[at % 6], at % 5 + 1
        name = identity(f"{profile}-{level}-{genre}-s{at}-imp1-b{burial}")
        document = write_surface(drawn(profile, genre, level, at % 10), name).documents[0]
        sentences = filler(document)
        assert len(set(sentences)) == len(sentences), name
        told.update(sentences)
    assert len(told) > 2_000


def test_a_small_stock_is_told_again_only_when_it_is_told() -> None:
    told = Counter(filler(mill_story(burial=5)))
    assert max(told.values()) > 1
    assert len(told) > 100


@pytest.mark.parametrize("seed", range(4))
def test_strangers_are_nobody_whom_the_teller_knows(seed: int) -> None:
    world = mill_world()
    outline = outline_story(world, mill_pack(), FACTS, 3, derive(seed, "who"))
    hosts = {plan.host for plan in outline.scenes}
    companion = {plan.companion for plan in outline.scenes}
    quoted = " ".join(line.text for plan in outline.scenes for line in plan.lines)
    assert len(companion) == 1
    assert not companion & hosts
    assert not any(name in quoted for name in companion)


@pytest.mark.parametrize("genre", genres())
def test_weather_goes_with_the_month_and_holds_for_a_day(genre: str) -> None:
    season = pack(genre).story.season
    world = drawn("chain", genre, "L00", 0)
    for seed in range(4):
        scenes = outline_story(world, pack(genre), bank(), 0, derive(seed, "weather")).scenes
        by_day: dict[int, set[str]] = {}
        for plan in scenes:
            assert plan.month in season[plan.weather]
            by_day.setdefault(plan.day, set()).add(plan.weather)
        assert all(len(skies) == 1 for skies in by_day.values())


@pytest.mark.parametrize("genre", genres())
@pytest.mark.parametrize("burial", range(6))
def test_burial_sets_how_much_story_stands_between_clauses(genre: str, burial: int) -> None:
    name = identity(f"chain-L02-{genre}-s3-imp1-b{burial}")
    document = write_surface(drawn("chain", genre, "L02"), name).documents[0]
    gaps = [
        len(re.findall(r"[.?!]”?(?=\s)", document.text[one.end : other.start]))
        for one, other in pairwise(document.spans)
    ]
    assert min(gaps) >= GAPS[burial][0]
    # A clause's own full stop, what leads to an order, and a scene's first and last sentences.
    assert sum(gaps) / len(gaps) <= GAPS[burial][1] + 6


def test_a_story_has_no_numbers_headings_or_task() -> None:
    name = identity("chain-L01-maritime-s3-imp1-b3")
    surface = write_surface(drawn("chain", "maritime", "L01"), name)
    opening, story, contract = surface.prompt.split("\n\n")
    assert (opening, contract) == (OPENING, CONTRACT)
    assert story == surface.documents[0].text
    assert not re.search(r"(?m)^[0-9]+\.", story)
    assert QUESTION not in surface.prompt


def test_conditions_share_a_story_and_burials_do_not() -> None:
    world = drawn("chain", "maritime", "L01")

    def told(tail: str) -> Document:
        return write_surface(world, identity(f"chain-L01-maritime-s3-{tail}")).documents[0]

    assert told("imp1-b2") == told("exp1-b2")
    texts = {told(f"imp{n}-b{burial}").text for n in (1, 2) for burial in range(6)}
    assert len(texts) == 12


def test_people_and_weather_hold_through_a_day() -> None:
    text = mill_story(burial=4).text
    first = text.split("\n")[0]
    companions = [name for name in mill_pack().bystanders if name in first]
    assert companions
    assert all(text.count(name) > 5 for name in companions)


def test_a_sound_story_passes() -> None:
    assert mill_findings(mill_story()) == []
    check_story(mill_world(), mill_pack(), FACTS, (mill_story(),))


@pytest.mark.parametrize("how", ["repeated", "dropped", "moved order", "no date", "two dates"])
def test_a_story_that_says_something_else_is_refused(how: str) -> None:
    document = mill_story()
    policy = next(unit.id for unit in mill_world().units if unit.role == "policy")
    order = next(document.clause(span) for span in document.spans if span.unit == policy)
    clue = document.clause(document.spans[4])
    text = document.text
    match how:
        case "repeated":
            text += f" {clue}."
        case "dropped":
            text = text.replace(clue, "Nothing was found")
        case "moved order":
            text = order + " " + text.replace(order, "")
        case "no date":
            text = re.sub(r"the [0-9]+(?:st|nd|rd|th) of [A-Z][a-z]+ ", "that day ", text, count=1)
        case "two dates":
            text += " It was the 3rd of March."
    assert mill_findings(replace(document, text=text))


def test_every_damage_to_a_story_is_refused() -> None:
    document = mill_story(burial=1)
    gate = StoryGate(mill_world(), mill_pack(), FACTS)
    damaged = list(mutations(document, gate.papers.grammar))
    assert len(damaged) > 20
    for damage in damaged:
        refused = any(True for _ in gate.findings([damage.document]))
        # Two operands of a symmetric clause may change places without harm.
        assert refused or damage.how == "operands swapped", damage.how


def test_a_story_is_one_document_with_one_span_a_unit() -> None:
    document = mill_story()
    assert mill_findings(document, document) == ["a story is one document, not 2"]
    short = replace(document, spans=document.spans[1:])
    assert any("0 spans instead of one" in finding for finding in mill_findings(short))
    moved = replace(document, spans=(Span(document.spans[0].unit, 0, 5), *document.spans[1:]))
    with pytest.raises(GateRejected):
        check_story(mill_world(), mill_pack(), FACTS, [moved])


def test_the_formal_condition_and_chat_narrations_cannot_be_minted() -> None:
    with pytest.raises(BadInput, match="formal condition tells no story"):
        check_mintable(identity("chain-L00-maritime-s1-frm1-b2"))
    with pytest.raises(BadInput, match="a seed does not reproduce it"):
        check_mintable(identity("chain-L00-maritime-s1-imp1-b2-n01234567"))


def test_a_prompt_that_holds_no_record_is_unreadable() -> None:
    with pytest.raises(Unreadable, match="no story either"):
        read_prompt(f"Once upon a time.\n\n{CONTRACT}", mill_pack(), FACTS)
