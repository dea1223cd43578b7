"""Exports: one shape per tool, parts within a tool's limits, nothing true where none is wanted."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worlds.core.codec import canonical, decode_instance, encode_instance, truth_payload
from worlds.core.errors import BadInput
from worlds.core.export import EXPORTS, Export, Limits, Options, Sample, export_named, parts
from worlds.core.export.inspect_task import TASK_FILE
from worlds.core.ids import parse_id
from worlds.core.instance import Instance
from worlds.core.mint import mint

ID = "ef1-chain-L00-maritime-s7-imp1"


def _sample(instance: Instance, *, target: bool = True) -> Sample:
    return Sample(
        id=instance.id,
        narrator=instance.narrator,
        prompt=instance.prompt,
        documents=[
            {"id": d.id, "number": d.number, "channel": d.channel, "heading": d.heading,
             "text": d.text}
            for d in instance.documents
        ],
        truth=truth_payload(instance.world) if target else None,
        whole=encode_instance(instance) if target else None,
    )  # fmt: skip


@pytest.fixture(scope="module")
def instance() -> Instance:
    return mint(parse_id(ID))


def _line(name: str, instance: Instance, *, target: bool = True) -> dict[str, object]:
    line = export_named(name).line(_sample(instance, target=target), Options("lab/model", 99))
    parsed: dict[str, object] = json.loads(line)
    assert canonical(parsed) == line
    return parsed


def test_json_lines_are_the_instances_themselves(instance: Instance) -> None:
    line = canonical(_line("jsonl", instance))
    assert decode_instance(line) == decode_instance(encode_instance(instance))


def test_a_request_holds_the_prompt_and_the_id_that_comes_back(instance: Instance) -> None:
    message = {"role": "user", "content": instance.prompt}
    assert _line("openai-batch", instance) == {
        "custom_id": ID,
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {"model": "lab/model", "max_completion_tokens": 99, "messages": [message]},
    }
    assert _line("anthropic-batch", instance) == {
        "custom_id": ID,
        "params": {"model": "lab/model", "max_tokens": 99, "messages": [message]},
    }


def test_a_target_is_a_right_answer_in_the_form_of_the_contract(instance: Instance) -> None:
    target = json.loads(str(_line("lm-eval", instance)["target"]))
    world = instance.world
    facts = [[v.mark, "is", world.solution[v.id]] for v in world.variables]
    action = [world.action.item, world.action.verb, world.action.party]
    assert target == {"answer": [*facts, action]}
    assert _line("inspect", instance)["target"] == canonical(target)


@pytest.mark.parametrize("export", EXPORTS, ids=lambda export: export.name)
def test_without_target_nothing_true_is_in_a_line(export: Export, instance: Instance) -> None:
    line = export.line(_sample(instance, target=False), Options())
    assert ID in line
    told = json.loads(line)
    flat = canonical(told)
    for key in ('"truth"', '"spans"', '"certificate"', '"fingerprint"', '"solution"', '"unit"'):
        assert key not in flat
    assert told.get("target", "") == ""


@pytest.mark.parametrize("export", EXPORTS, ids=lambda export: export.name)
def test_a_contract_that_follows_the_reply_needs_two_turns(export: Export) -> None:
    sample = _sample(mint(parse_id(f"{ID}-d")))
    if export.turns == 2:
        export.check(sample)
        assert '"contract":"deferred"' in export.line(sample, Options())
    else:
        with pytest.raises(BadInput, match="two turns"):
            export.check(sample)


def test_inspect_asks_for_a_deferred_answer_in_a_second_turn() -> None:
    inline, deferred = (mint(parse_id(name)) for name in (ID, f"{ID}-d"))
    about = _line("inspect", deferred)["metadata"]
    assert isinstance(about, dict)
    assert inline.prompt == f"{deferred.prompt}\n\n{about['second_turn']}"
    assert "second_turn" not in json.dumps(_line("inspect", inline))


def test_a_tool_that_is_not_known_is_refused_with_those_that_are() -> None:
    with pytest.raises(BadInput, match="jsonl or inspect or lm-eval or openai-batch"):
        export_named("helm")


def test_limits_are_those_of_the_batch_apis() -> None:
    assert export_named("openai-batch").limits == Limits(50_000, 200_000_000)
    assert export_named("anthropic-batch").limits == Limits(100_000, 256_000_000)


def _cut(lines: Iterable[str], limits: Limits) -> list[list[bytes]]:
    found: dict[int, list[bytes]] = {}
    for part in parts(lines, limits):
        found.setdefault(part.number, []).append(part.data)
    assert list(found) == list(range(1, len(found) + 1))
    return list(found.values())


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"),
                        max_size=9), max_size=30),
       st.integers(1, 5), st.integers(40, 60))  # fmt: skip
def test_parts_lose_nothing_and_keep_within_limits(
    lines: list[str], most_lines: int, most_bytes: int
) -> None:
    cut = _cut(lines, Limits(most_lines, most_bytes))
    whole = [data for part in cut for data in part]
    assert whole == [line.encode() + b"\n" for line in lines]
    for part in cut:
        assert len(part) <= most_lines
        assert sum(map(len, part)) <= most_bytes
    for part, after in pairwise(cut):
        full = len(part) == most_lines
        assert full or sum(map(len, part)) + len(after[0]) > most_bytes


def test_a_line_over_the_limit_is_refused() -> None:
    with pytest.raises(BadInput, match="at most 5"):
        list(parts(["abcde"], Limits(bytes=5)))


def test_the_task_asks_the_grading_for_what_it_has() -> None:
    """Inspect is not installed here; the names that the task takes from the grading are checked."""
    text = export_named("inspect").extras("harbour", "0" * 8)[TASK_FILE]
    taken = {
        (node.module, alias.name)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("grading")
        for alias in node.names
    }
    assert taken == {
        ("grading.core.inspect_scorer", "headline_scores"),
        ("grading.core.inspect_scorer", "score_sample"),
    }


def test_the_task_of_lm_eval_names_the_corpus() -> None:
    text = export_named("lm-eval").extras("harbour-2", "bf22f00b")["task.yaml"]
    assert "task: enigmaforge_harbour_2\n" in text
    assert "corpus: harbour-2-bf22f00b" in text
    assert 'doc_to_text: "{{prompt}}"' in text
