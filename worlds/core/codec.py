"""The one JSON shape of worlds and instances, and its canonical bytes.

Canonical form: UTF-8, NFC, LF, keys sorted, no insignificant space. A digest is the SHA-256 of
that. Reading checks every field it uses and names the path of what is wrong.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, cast

from worlds.core import GENERATOR_VERSION
from worlds.core.constraints import Value, read_constraint, read_value
from worlds.core.errors import BadFormat
from worlds.core.ids import parse_id
from worlds.core.instance import Document, Instance, Span
from worlds.core.model import (
    CHANNELS,
    UNIT_ROLES,
    Bridge,
    Domain,
    Unit,
    Variable,
    World,
)
from worlds.core.policy import read_policy

__all__ = [
    "FORMAT",
    "canonical",
    "decode_instance",
    "digest",
    "encode_instance",
    "read_instance",
    "read_world",
    "truth_payload",
]

FORMAT = "enigmaforge.instance/1"


def canonical(value: object) -> str:
    """The canonical JSON text of a value made of JSON types; NaN and infinity are refused."""
    text = json.dumps(
        value,
        ensure_ascii=False,
        sort_keys=True,
        separators=(",", ":"),
        allow_nan=False,
    )
    return unicodedata.normalize("NFC", text)


def digest(value: object) -> str:
    """The SHA-256 of the canonical form, in hex."""
    return hashlib.sha256(canonical(value).encode("utf-8")).hexdigest()


def encode_instance(instance: Instance) -> str:
    """An instance as one line of canonical JSON, without a line end."""
    return canonical(_instance_payload(instance))


def decode_instance(text: str) -> Instance:
    """An instance from its JSON text; raises BadFormat that names the path of what is wrong."""
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadFormat("instance", text, f"one JSON object ({error})") from error
    return read_instance(raw)


def truth_payload(world: World) -> dict[str, Any]:
    """The `truth` of an instance: the world, its solution and the action required."""
    return {
        "domains": {domain.name: list(domain.values) for domain in world.domains},
        "variables": [
            {"id": v.id, "mark": v.mark, "role": v.role, "domain": v.domain}
            for v in world.variables
        ],
        "units": [_unit_payload(unit) for unit in world.units],
        "bridges": [
            {
                "id": bridge.id,
                "question": bridge.question,
                "answer": bridge.answer,
                "alternatives": list(bridge.alternatives),
                "role": bridge.role,
                "source": bridge.source,
            }
            for bridge in world.bridges
        ],
        "objectives": {"apparent": world.apparent, "true": "action"},
        "policy": world.policy.payload(),
        "solution": dict(world.solution),
        "action": world.action.payload(),
    }


def read_world(raw: object, where: str = "truth") -> World:
    """A world from its `truth`; checks that every reference inside it leads somewhere."""
    truth = _mapping(raw, where)
    domains = tuple(
        Domain(
            name,
            tuple(read_value(v, f"{where}.domains.{name}") for v in _list(values, where)),
        )
        for name, values in sorted(_mapping(truth.get("domains"), f"{where}.domains").items())
    )
    variables = _read_variables(truth.get("variables"), f"{where}.variables", domains)
    world = World(
        domains=domains,
        variables=variables,
        bridges=tuple(
            _read_bridge(item, f"{where}.bridges[{i}]")
            for i, item in enumerate(_list(truth.get("bridges"), f"{where}.bridges"))
        ),
        units=tuple(
            _read_unit(item, f"{where}.units[{i}]")
            for i, item in enumerate(_list(truth.get("units"), f"{where}.units"))
        ),
        apparent=_text(_mapping(truth.get("objectives"), f"{where}.objectives"), "apparent", where),
        policy=read_policy(truth.get("policy"), f"{where}.policy"),
        solution=_read_solution(truth.get("solution"), f"{where}.solution", variables),
    )
    _check_references(world, where)
    if truth.get("action") != world.action.payload():
        raise BadFormat(f"{where}.action", truth.get("action"), canonical(world.action.payload()))
    return world


def read_instance(raw: object) -> Instance:
    """An instance from parsed JSON."""
    data = _mapping(raw, "instance")
    if data.get("format") != FORMAT:
        raise BadFormat("format", data.get("format"), FORMAT)
    generator = _mapping(data.get("generator"), "generator")
    instance = Instance(
        id=parse_id(_text(data, "id", "instance")),
        world=read_world(data.get("truth")),
        prompt=_text(data, "prompt", "instance"),
        documents=tuple(
            _read_document(item, f"documents[{i}]")
            for i, item in enumerate(_list(data.get("documents"), "documents"))
        ),
        certificate=_mapping(data.get("certificate"), "certificate"),
        fingerprint=_text(data, "fingerprint", "instance"),
        source_sha256=_text(generator, "source_sha256", "generator"),
        narrator=_text(data, "narrator", "instance"),
        narration=_read_narration(data["narration"]) if "narration" in data else None,
    )
    for key, expected in _identity(instance).items():
        if data.get(key) != expected:
            raise BadFormat(key, data.get(key), f"{expected!r}, as the id says")
    narrated = None if instance.narration is None else digest(instance.narration)[:8]
    if narrated != instance.id.narration:
        raise BadFormat("narration", narrated, f"the digest {instance.id.narration} of the id")
    return instance


def _read_narration(raw: object) -> dict[str, Any]:
    """What a chat model told; whether it is what the document holds is for `verify` to say."""
    data = _mapping(raw, "narration")
    _text(data, "model", "narration")
    for i, scene in enumerate(_list(data.get("scenes"), "narration.scenes")):
        _text(_mapping(scene, f"narration.scenes[{i}]"), "text", f"narration.scenes[{i}]")
    return data


def _instance_payload(instance: Instance) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "id": str(instance.id),
        "generator": {
            "version": GENERATOR_VERSION,
            "source_sha256": instance.source_sha256,
        },
        **_identity(instance),
        "narrator": instance.narrator,
        **({} if instance.narration is None else {"narration": dict(instance.narration)}),
        "prompt": instance.prompt,
        "fingerprint": instance.fingerprint,
        "documents": [
            {
                "id": document.id,
                "number": document.number,
                "channel": document.channel,
                "heading": document.heading,
                "text": document.text,
                "spans": [
                    {"unit": span.unit, "start": span.start, "end": span.end}
                    for span in document.spans
                ],
            }
            for document in instance.documents
        ],
        "truth": truth_payload(instance.world),
        "certificate": dict(instance.certificate),
    }


def _identity(instance: Instance) -> dict[str, Any]:
    """What the id says, spelled out as keys of their own."""
    family = instance.id.family
    return {
        "family": str(family),
        "profile": family.profile,
        "level": family.level,
        "seed": family.seed,
        "genre": family.genre,
        "condition": instance.id.condition,
        "realization": instance.id.realization,
        "burial": instance.id.burial,
        "contract": instance.contract,
    }


def _unit_payload(unit: Unit) -> dict[str, Any]:
    payload: dict[str, Any] = {"id": unit.id, "role": unit.role}
    if unit.constraint is not None:
        payload["constraint"] = unit.constraint.payload()
    if unit.hypothesis is not None:
        payload["hypothesis"] = unit.hypothesis.payload()
    if unit.kind is not None:
        payload["kind"] = unit.kind
    if unit.bridge is not None:
        payload["bridge"] = unit.bridge
    return payload


def _read_variables(raw: object, where: str, domains: Iterable[Domain]) -> tuple[Variable, ...]:
    names = {domain.name for domain in domains}
    variables = []
    for i, item in enumerate(_list(raw, where)):
        path = f"{where}[{i}]"
        data = _mapping(item, path)
        variable = Variable(*(_text(data, key, path) for key in ("id", "mark", "role", "domain")))
        if variable.domain not in names:
            raise BadFormat(f"{path}.domain", variable.domain, f"one of {sorted(names)}")
        variables.append(variable)
    return tuple(variables)


def _read_solution(raw: object, where: str, variables: Iterable[Variable]) -> dict[str, Value]:
    """In the order of the variables, as minted: JSON sorts V10 before V2, and engines see order."""
    values = {
        term: read_value(value, f"{where}.{term}") for term, value in _mapping(raw, where).items()
    }
    known = [variable.id for variable in variables if variable.id in values]
    return {term: values[term] for term in (*known, *values)}


def _read_bridge(raw: object, where: str) -> Bridge:
    data = _mapping(raw, where)
    role = _text(data, "role", where)
    if role not in ("essential", "confirmatory"):
        raise BadFormat(f"{where}.role", role, "essential or confirmatory")
    alternatives = tuple(str(read_value(v, where)) for v in _list(data.get("alternatives"), where))
    return Bridge(
        id=_text(data, "id", where),
        question=_text(data, "question", where),
        answer=_text(data, "answer", where),
        alternatives=alternatives,
        role="essential" if role == "essential" else "confirmatory",
        source=_text(data, "source", where),
    )


def _read_unit(raw: object, where: str) -> Unit:
    data = _mapping(raw, where)
    role = data.get("role")
    if role not in UNIT_ROLES:
        raise BadFormat(f"{where}.role", role, ", ".join(UNIT_ROLES))
    kind = data.get("kind")
    if kind not in (None, "false", "idle"):
        raise BadFormat(f"{where}.kind", kind, "false or idle")
    parts = {
        key: read_constraint(data[key], f"{where}.{key}")
        for key in ("constraint", "hypothesis")
        if key in data
    }
    if (role == "clue") != ("constraint" in parts) or (role == "distractor") != (
        "hypothesis" in parts
    ):
        raise BadFormat(where, raw, "a constraint for a clue, a hypothesis for a distractor, only")
    return Unit(
        id=_text(data, "id", where),
        role=role,
        constraint=parts.get("constraint"),
        hypothesis=parts.get("hypothesis"),
        kind=kind,
        bridge=_text(data, "bridge", where) if "bridge" in data else None,
    )


def _read_document(raw: object, where: str) -> Document:
    data = _mapping(raw, where)
    channel = _text(data, "channel", where)
    if channel not in CHANNELS:
        raise BadFormat(f"{where}.channel", channel, ", ".join(CHANNELS))
    document = Document(
        id=_text(data, "id", where),
        number=_whole(data, "number", where),
        channel=channel,
        heading=_text(data, "heading", where),
        text=_text(data, "text", where),
        spans=tuple(
            Span(
                _text(span, "unit", where),
                _whole(span, "start", where),
                _whole(span, "end", where),
            )
            for span in (_mapping(item, where) for item in _list(data.get("spans"), where))
        ),
    )
    for span in document.spans:
        document.clause(span)
    return document


def _check_references(world: World, where: str) -> None:
    """Every term, unit and bridge that is named exists, once."""
    terms = world.term_values
    for kind, ids in (
        (
            "variables and bridges",
            [*(v.id for v in world.variables), *(b.id for b in world.bridges)],
        ),
        ("units", [unit.id for unit in world.units]),
        ("marks", [v.mark for v in world.variables]),
    ):
        if len(set(ids)) != len(ids):
            raise BadFormat(f"{where}.{kind}", sorted(ids), "each id and mark once")
    for unit in world.units:
        carried = unit.constraint or unit.hypothesis
        for term in carried.scope if carried else ():
            if term not in terms:
                raise BadFormat(
                    f"{where}.units.{unit.id}",
                    term,
                    "a variable or bridge of the world",
                )
    if set(world.solution) != {v.id for v in world.variables}:
        raise BadFormat(f"{where}.solution", sorted(world.solution), "one value per variable")
    for term, value in world.solution.items():
        if value not in terms[term]:
            raise BadFormat(f"{where}.solution.{term}", value, f"one of {list(terms[term])}")
    named = [world.apparent]
    for rule in (world.policy.rule, world.policy.provisional):
        named += [*rule.scope, rule.then.item, rule.otherwise.item]
    for term in named:
        if term not in world.solution:
            raise BadFormat(f"{where}.policy or objectives", term, "a variable of the world")


def _mapping(raw: object, where: str) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise BadFormat(where, raw, "a JSON object")
    return cast("dict[str, Any]", raw)


def _list(raw: object, where: str) -> list[Any]:
    if not isinstance(raw, list):
        raise BadFormat(where, raw, "a JSON array")
    return raw


def _text(data: Mapping[str, Any], key: str, where: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise BadFormat(f"{where}.{key}", value, "a string")
    return value


def _whole(data: Mapping[str, Any], key: str, where: str) -> int:
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadFormat(f"{where}.{key}", value, "a whole number")
    return value
