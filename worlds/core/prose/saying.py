"""Print a template with its bindings: the one place where slots turn into words."""

from __future__ import annotations

from collections.abc import Sequence

from worlds.core.bridges import BridgeFact
from worlds.core.errors import Unrenderable
from worlds.core.lexicon import Kind, Measure, PersonRole
from worlds.core.packs.template import Slot, Template, compile_template
from worlds.core.prose.forms import Env
from worlds.core.prose.lexis import KIND_FACETS, MARK_FACETS, VALUE_FACETS, Lexis
from worlds.core.prose.listing import listed

__all__ = ["say"]


def say(template: Template, env: Env, lexis: Lexis, row: str = "") -> str:
    """The text of a template; raises Unrenderable for a slot that the bindings leave open.

    `row` is the inner wording of a table.
    """
    elements = template.loud if lexis.loud else template.elements
    parts = []
    for element in elements:
        if isinstance(element, str):
            parts.append(element)
            continue
        try:
            parts.append(_slot(element, env, lexis, row))
        except KeyError as error:
            raise Unrenderable(f"{element} is not known in {template.text!r}") from error
    return "".join(parts)


def _listed(items: Sequence[str], lexis: Lexis) -> str:
    return listed(items, lexis.say(" and "))


def _slot(slot: Slot, env: Env, lexis: Lexis, row: str) -> str:
    name, facet = slot.name, slot.facet
    if name == "v":
        return _value(facet, env, lexis)
    if name == "k":
        return _steps(facet, env, lexis)
    if name == "all":
        return _all(facet, env, lexis)
    if facet == "verb" and f"{name}.verb" in env:
        return lexis.say(env[f"{name}.verb"])
    if name == "m":
        return lexis.facet(env["m"], facet)
    if facet in MARK_FACETS or facet in KIND_FACETS:
        return _marked(env[name], facet, lexis)
    if facet:
        raise Unrenderable(f"there is no facet {slot}")
    return _plain(name, env, lexis, row)


def _plain(name: str, env: Env, lexis: Lexis, row: str) -> str:
    match name:
        case "p" | "q" | "r" | "s" | "clause":
            return str(env[f"{name}.text"])
        case "rows":
            inner = compile_template(row)
            said = [say(inner, {"v": who, "option": what}, lexis) for what, who in env["rows"]]
            return _listed(said, lexis)
        case "option":
            return lexis.say(env["option"])
        case "subject":
            return lexis.say(_fact(env["fact"], lexis).subject)
        case "note":
            return _fact(env["fact"], lexis).note
        case "asked":
            return lexis.asked(lexis.kind_of(env["a"])) + str(env["a"])
        case "jobs":
            return _jobs(env["kinds"], lexis)
        case "names":
            return _listed([lexis.say(name) for name in env["names"]], lexis)
        case "low" | "high":
            return str(env[name])
        case "roster":
            return next(title for title, key in lexis.rosters.items() if key == env["roster"])
    return lexis.say(env[name])


def _marked(mark: str, facet: str, lexis: Lexis) -> str:
    text = lexis.facet(lexis.kind_of(mark), facet)
    return text + mark if facet in MARK_FACETS else text


def _value(facet: str, env: Env, lexis: Lexis) -> str:
    value = env["v"]
    if facet == "":
        return lexis.say(value)
    if facet == "n":
        return str(value)
    if facet in VALUE_FACETS:
        return lexis.value(_measure(env["a"], lexis), facet, value)
    raise Unrenderable(f"there is no facet {{v.{facet}}}")


def _steps(facet: str, env: Env, lexis: Lexis) -> str:
    if facet == "n":
        return str(env["k"])
    if facet == "word":
        return lexis.count(env["k"])
    if facet in ("more", "less", "steps"):
        return lexis.steps(_measure(env["a"], lexis), facet, env["k"])
    raise Unrenderable(f"there is no facet {{k.{facet}}}")


def _all(facet: str, env: Env, lexis: Lexis) -> str:
    marks = env["all"]
    if facet == "count":
        return lexis.count(len(marks))
    if facet == "things":
        return _listed([_marked(mark, "thing", lexis) for mark in marks], lexis)
    if facet == "whens":
        return _listed([_marked(mark, "when", lexis) for mark in marks], lexis)
    if facet == "occasions":
        return _listed([_marked(mark, "occasion", lexis) for mark in marks], lexis)
    if facet == "jobs":
        was = lexis.say("was ")
        return _listed(
            [
                f"{_marked(mark, 'thing', lexis)} {'' if i else was}{_marked(mark, 'done', lexis)}"
                for i, mark in enumerate(marks)
            ],
            lexis,
        )
    raise Unrenderable(f"there is no facet {{all.{facet}}}")


def _jobs(kinds: Sequence[Kind], lexis: Lexis) -> str:
    """`each watch was kept, each crate signed for and each log sealed`."""
    said = []
    for i, kind in enumerate(kinds):
        was = lexis.say("was ") if i == 0 else ""
        said.append(f"{lexis.facet(kind, 'each')}{was}{lexis.facet(kind, 'done')}")
    return _listed(said, lexis)


def _measure(mark: str, lexis: Lexis) -> Measure:
    kind = lexis.kind_of(mark)
    if isinstance(kind, PersonRole):
        raise Unrenderable(f"{mark} has no scale")
    return kind


def _fact(key: str, lexis: Lexis) -> BridgeFact:
    for fact in lexis.facts:
        if fact.key == key:
            return fact
    raise Unrenderable(f"the bank has no fact {key!r}")
