from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from worlds.core.errors import BadFormat, BadInput
from worlds.core.packs import FILES, Pack, Wording, check, genres, pack, read_pack
from worlds.core.packs.model import Shape

MILL = Path(__file__).parent / "mill"


def mill() -> Pack:
    return read_pack(MILL)


def rules(changed: Pack) -> set[str]:
    """The rules that a changed pack breaks, beyond being small."""
    return {finding.rule for finding in check(changed)} - {"count"}


def with_clause(text: str, form: str = "pin_person", **more: str) -> Pack:
    wording = Wording(form, text, **more)  # type: ignore[arg-type]
    return replace(mill(), clauses=(*mill().clauses, wording))


def with_filler(channel: str, key: str, text: str) -> Pack:
    fillers = {name: dict(lists) for name, lists in mill().fillers.items()}
    fillers[channel][key] = (*fillers[channel].get(key, ()), text)
    return replace(mill(), fillers=fillers)


def with_name(name: str) -> Pack:
    lexicon = mill().lexicon
    return replace(mill(), lexicon=replace(lexicon, names=(*lexicon.names, name)))


@pytest.mark.parametrize("genre", genres())
def test_every_genre_is_complete(genre: str) -> None:
    assert [str(finding) for finding in check(pack(genre))] == []


def test_maritime_is_a_genre() -> None:
    assert "maritime" in genres()
    assert pack("maritime").genre == "maritime"


def test_an_unknown_genre_is_told_which_there_are() -> None:
    with pytest.raises(BadInput, match=r"genre: found 'marine', expected .*maritime"):
        pack("marine")


def test_a_small_pack_lacks_nothing_but_numbers() -> None:
    assert rules(mill()) == set()
    told = [str(finding) for finding in check(mill())]
    assert "lexicon.toml roles: 6 where at least 130 are needed [count]" in told
    assert any("openings of letter" in finding for finding in told)


@pytest.mark.parametrize(
    "name", ["Ash", "Ashdowne", "Oddy", "Mill", "Lantern", "Newton", "D'Arcy", "Van Dorn", "Peter"]
)
def test_a_name_that_can_be_confused_is_found(name: str) -> None:
    assert "names" in rules(with_name(name))


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("{v} {a.past} {a.thing} {k.n}", "slots"),
        ("{v} {a.past} {a.things}", "slots"),
        ("{v} did it", "slots"),
        ("{v} {a.past} {a.thing}. Really", "clauses"),
        ("So {v} {a.past} {a.thing}", "clauses"),
        ("{v} {a.past} {a.thing}", "twice"),
        ("{v} never {a.past} {a.thing}", "clauses"),
        ("{v} {a.past {a.thing}", "slots"),
        ("{a.thing} was the work of {v}", "clauses"),
    ],
)
def test_a_clause_that_cannot_be_read_is_found(text: str, rule: str) -> None:
    assert rule in rules(with_clause(text))


def test_an_unknown_form_is_found() -> None:
    assert "forms" in rules(with_clause("{v} {a.past} {a.thing}", form="pin_ship"))


@pytest.mark.parametrize(
    ("channel", "key", "text", "rule"),
    [
        ("letter", "opening", "Ashdown is well.", "colour"),
        ("letter", "opening", "There were 3 geese.", "colour"),
        ("letter", "opening", "The lantern smokes.", "colour"),
        ("letter", "opening", "He looked after the picture.", "colour"),
        ("letter", "opening", "They mean to auction the cow.", "colour"),
        ("letter", "opening", "A otter came.", "lint"),
        ("letter", "opening", "It rained in an {place}.", "lint"),
        ("letter", "opening", "What a {month} it was.", "lint"),
        ("letter", "opening", "We saw {person}.", "slots"),
        ("letter", "carrier", "You may take it.", "documents"),
        ("letter", "carrier", "You may take it that {Clause}.", "documents"),
        ("letter", "carrier", "{clause}.", "documents"),
    ],
)
def test_colour_that_says_too_much_is_found(channel: str, key: str, text: str, rule: str) -> None:
    assert rule in rules(with_filler(channel, key, text))


@pytest.mark.parametrize(
    "shape",
    [
        Shape("postcard", "Postcard", "{units}"),
        Shape("letter", "Letter of 1902", "{units}"),
        Shape("letter", "Ledger", "{units}"),
        Shape("letter", "Note", "{opening}"),
        Shape("letter", "Note", "{units} {stamp}"),
    ],
)
def test_a_layout_that_cannot_be_used_is_found(shape: Shape) -> None:
    assert rules(replace(mill(), shapes=(*mill().shapes, shape))) & {"documents", "slots"}


@pytest.mark.parametrize(
    "carrier",
    [
        "They say that {clause}.",
        "I heard that {clause}.",
        "It seems {clause}.",
        "It is not true that {clause}.",
        "I doubt whether {clause}.",
    ],
)
def test_a_carrier_that_blurs_or_turns_its_clause_is_found(carrier: str) -> None:
    assert "voice" in rules(with_filler("letter", "carrier", carrier))


def test_a_hedge_in_the_writers_own_voice_is_found() -> None:
    hedge = Wording("hedge", "I was there, and {clause}")
    assert "voice" in rules(replace(mill(), hedges=(*mill().hedges, hedge)))


def test_an_article_goes_with_every_word_that_can_follow_it() -> None:
    orders = mill().orders
    text = f"{orders.scales[0].text[:-1]}, which is an {{step}}."
    scale = replace(orders.scales[0], text=text)
    found = check(replace(mill(), orders=replace(orders, scales=(scale,))))
    assert [f.what for f in found if f.rule == "lint"] == [
        f"an peg: {text!r}",
        f"an pound: {text!r}",
    ]
    assert "lint" in rules(with_clause("{v} {a.past} {a.thing} like an {a.noun}"))


def test_an_order_without_its_dates_or_branches_is_found() -> None:
    orders = mill().orders
    undated = replace(orders.policies[0], text=orders.policies[0].text.replace("{dates}", "Monday"))
    assert "slots" in rules(replace(mill(), orders=replace(orders, policies=(undated,))))
    open_ended = replace(orders.policies[0], text="This replaces {dates}. If {p}, and if {q}, do.")
    assert "orders" in rules(replace(mill(), orders=replace(orders, policies=(open_ended,))))


@pytest.mark.parametrize(
    ("old", "told"),
    [
        ("may be true or false", "reports may be true or false"),
        ("What every child knows may be used.", "common knowledge"),
    ],
)
def test_a_testimony_rule_that_leaves_a_question_is_found(old: str, told: str) -> None:
    orders = mill().orders
    testimony = orders.testimonies[0]
    assert old in testimony.text
    changed = replace(testimony, text=testimony.text.replace(old, "So it is."))
    found = check(replace(mill(), orders=replace(orders, testimonies=(changed,))))
    assert any(told in finding.what for finding in found)


def test_a_verb_that_it_cannot_follow_is_found() -> None:
    lexicon = mill().lexicon
    roles = lexicon.roles
    split = replace(roles[0], past="took down", done="taken down")
    lexicon = replace(lexicon, roles=(split, *roles[1:]))
    found = check(replace(mill(), lexicon=lexicon))
    assert any("cannot be followed by it" in finding.what for finding in found)


def test_a_verb_that_a_role_uses_is_found() -> None:
    lexicon = replace(mill().lexicon, verbs=(("dressed", "pawn"),))
    assert "verbs" in rules(replace(mill(), lexicon=lexicon))


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(name: str, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(MILL, tmp_path / "mill"))
    (folder / name).unlink()
    with pytest.raises(BadFormat, match=f"no {name}"):
        read_pack(folder)


def test_a_file_in_another_encoding_is_told(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(MILL, tmp_path / "mill"))
    (folder / "orders.toml").write_bytes("# Größe".encode("latin-1"))
    with pytest.raises(BadFormat, match=r"orders\.toml.*UTF-8"):
        read_pack(folder)


@pytest.mark.parametrize(
    ("name", "added", "told"),
    [
        ("lexicon.toml", "names = 3", "lexicon.toml"),
        ("clauses.toml", '[[clause]]\nform = "sum"\nwords = "x"', "words"),
        ("clauses.toml", '[[clause]]\nform = "sum"', "text"),
        ("clauses.toml", '[[clause]]\nform = "sum"\ntext = 4', "text"),
        ("clauses.toml", '[[literal]]\nform = "sum"\ntext = "x"', "person_is"),
        ("clauses.toml", '[[clause]]\nform = "sum"\ntext = "x"\nstyle = "song"', "style"),
        ("orders.toml", '[[decree]]\ntext = "x"', "decree"),
        ("documents.toml", "[channel]\nletter = 3", "documents.toml"),
    ],
)
def test_a_broken_file_is_told_where(name: str, added: str, told: str, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(MILL, tmp_path / "mill"))
    path = folder / name
    path.write_text(path.read_text(encoding="utf-8") + "\n" + added, encoding="utf-8")
    with pytest.raises(BadFormat, match=told):
        read_pack(folder)


def test_a_sixth_pack_is_one_folder(tmp_path: Path) -> None:
    folder = shutil.copytree(MILL, tmp_path / "mill")
    assert read_pack(Path(folder)) == mill()
