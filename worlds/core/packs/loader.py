"""Read a pack from its TOML files, and name the key that is wrong.

Reading checks shapes only (every key known, every text a string); what a pack must hold is
`worlds.core.packs.checks`.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import fields
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

from worlds.core.errors import BadFormat
from worlds.core.lexicon import Lexicon, Measure, PersonRole, Roster
from worlds.core.packs.model import (
    LITERAL_FORMS,
    STYLES,
    FrameShape,
    Orders,
    Pack,
    Shape,
    Wording,
)
from worlds.core.packs.story import STORY, story_of

__all__ = ["FILES", "read_folder"]

T = TypeVar("T")

FILES = ("lexicon.toml", "clauses.toml", "documents.toml", "orders.toml", STORY)
_LEXICON_KEYS = {
    "genre",
    "title",
    "names",
    "bystanders",
    "verbs",
    "rosters",
    "roles",
    "measures",
}
_SINGULAR = {"houses": "house", "addresses": "address", "watches": "watch"}


def read_folder(folder: Traversable) -> Pack:
    """The pack in a folder; raises BadFormat with file and key of what is wrong."""
    lexicon, clauses, documents, orders, story = (_toml(folder, name) for name in FILES)
    _only(clauses, {"literal", "clause", "hedge"}, "clauses.toml")
    _only(documents, {"document", "channel"}, "documents.toml")
    literals = _wordings(clauses, "literal", "clauses.toml")
    for i, literal in enumerate(literals):
        if literal.form not in LITERAL_FORMS:
            where = f"clauses.toml literal[{i}].form"
            raise BadFormat(where, literal.form, " or ".join(LITERAL_FORMS))
    return Pack(
        title=_text(lexicon, "title", "lexicon.toml"),
        lexicon=_lexicon(lexicon),
        bystanders=_texts(lexicon, "bystanders", "lexicon.toml"),
        lists={
            _singular(key): _texts(lexicon, key, "lexicon.toml")
            for key in lexicon
            if key not in _LEXICON_KEYS
        },
        literals=literals,
        clauses=_wordings(clauses, "clause", "clauses.toml"),
        hedges=_wordings(clauses, "hedge", "clauses.toml", form="hedge"),
        shapes=tuple(
            _record(Shape, raw, f"documents.toml document[{i}]")
            for i, raw in enumerate(_tables(documents, "document", "documents.toml"))
        ),
        fillers=_fillers(documents),
        orders=_orders(orders),
        story=story_of(story),
    )


def _toml(folder: Traversable, name: str) -> dict[str, Any]:
    path = folder / name
    if not path.is_file():
        raise BadFormat(f"pack {folder.name}", f"no {name}", "a folder with " + ", ".join(FILES))
    try:
        text = unicodedata.normalize("NFC", path.read_text(encoding="utf-8"))
        return tomllib.loads(text.replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadFormat(f"pack {folder.name}: {name}", str(error), "valid TOML in UTF-8") from error


def _lexicon(raw: Mapping[str, Any]) -> Lexicon:
    where = "lexicon.toml"
    return Lexicon(
        genre=_text(raw, "genre", where),
        names=_texts(raw, "names", where),
        rosters=_records(Roster, raw, "rosters", where),
        roles=_records(PersonRole, raw, "roles", where),
        measures=_records(Measure, raw, "measures", where),
        verbs=tuple(_pair(pair, where) for pair in _list(raw, "verbs", where)),
    )


def _pair(raw: object, where: str) -> tuple[str, str]:
    match raw:
        case [str() as one, str() as other]:
            return one, other
    raise BadFormat(f"{where} verbs", raw, "pairs of opposite verbs")


def _fillers(documents: Mapping[str, Any]) -> dict[str, dict[str, tuple[str, ...]]]:
    channels = documents.get("channel", {})
    if not isinstance(channels, dict) or not all(isinstance(c, dict) for c in channels.values()):
        raise BadFormat("documents.toml channel", channels, "one table per channel")
    return {
        channel: {key: _texts(lists, key, f"documents.toml channel.{channel}") for key in lists}
        for channel, lists in channels.items()
    }


def _orders(raw: Mapping[str, Any]) -> Orders:
    where = "orders.toml"
    singles = ("closure", "scale", "testimony", "objective", "provisional", "policy", "note")
    _only(raw, {"frame", "orders", *singles}, where)
    told = {key: _wordings(raw, key, where, form=key) for key in singles}
    voices = raw.get("orders", {})
    _only(voices, {"writer", "opening", "closing"}, f"{where} orders")
    return Orders(
        frames=_records(FrameShape, raw, "frame", where),
        closures=told["closure"],
        scales=told["scale"],
        testimonies=told["testimony"],
        objectives=told["objective"],
        provisionals=told["provisional"],
        policies=told["policy"],
        notes=told["note"],
        writers=_texts(voices, "writer", f"{where} orders"),
        openings=_texts(voices, "opening", where) if "opening" in voices else (),
        closings=_texts(voices, "closing", where) if "closing" in voices else (),
    )


def _wordings(raw: Mapping[str, Any], key: str, where: str, form: str = "") -> tuple[Wording, ...]:
    found = []
    for i, table in enumerate(_tables(raw, key, where)):
        path = f"{where} {key}[{i}]"
        data = {**table, "form": form} if form else dict(table)
        if isinstance(data.get("channels"), list):
            data["channels"] = _texts(data, "channels", path)
        wording = _record(Wording, data, path)
        if wording.style not in STYLES:
            raise BadFormat(f"{path}.style", wording.style, " or ".join(STYLES))
        found.append(wording)
    return tuple(found)


def _records(shape: type[T], raw: Mapping[str, Any], key: str, where: str) -> tuple[T, ...]:
    tables = _tables(raw, key, where)
    return tuple(_record(shape, table, f"{where} {key}[{i}]") for i, table in enumerate(tables))


def _record(shape: type[T], raw: Mapping[str, Any], where: str) -> T:
    """A dataclass from a TOML table: every key known, every value of its field's type."""
    types = {field.name: str(field.type) for field in fields(shape)}  # type: ignore[arg-type]
    _only(raw, set(types), where)
    expected = {"str": str, "int": int, "bool": bool}
    for key, value in raw.items():
        wanted = expected.get(types[key])
        if wanted is not None and type(value) is not wanted:
            raise BadFormat(f"{where}.{key}", value, f"a {types[key]}")
    try:
        return shape(**raw)
    except TypeError as error:
        raise BadFormat(where, dict(raw), str(error).partition("() ")[2]) from error


def _only(raw: Mapping[str, Any], known: set[str], where: str) -> None:
    for key in raw:
        if key not in known:
            raise BadFormat(where, key, "one of the keys " + ", ".join(sorted(known)))


def _tables(raw: Mapping[str, Any], key: str, where: str) -> list[dict[str, Any]]:
    tables = _list(raw, key, where)
    if not all(isinstance(table, dict) for table in tables):
        raise BadFormat(f"{where} {key}", tables, f"tables [[{key}]]")
    return tables


def _list(raw: Mapping[str, Any], key: str, where: str) -> list[Any]:
    value = raw.get(key)
    if not isinstance(value, list):
        raise BadFormat(f"{where} {key}", value, "a list")
    return value


def _texts(raw: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    values = _list(raw, key, where)
    if not all(isinstance(value, str) for value in values):
        raise BadFormat(f"{where} {key}", values, "a list of texts")
    return tuple(values)


def _text(raw: Mapping[str, Any], key: str, where: str) -> str:
    value = raw.get(key)
    if not isinstance(value, str):
        raise BadFormat(f"{where} {key}", value, "a text")
    return value


def _singular(key: str) -> str:
    return _SINGULAR.get(key) or (key.removesuffix("s") if not key.endswith("ss") else key)
