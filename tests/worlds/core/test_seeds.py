"""Streams depend on a seed and a path only, and every seed in range is a seed."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worlds.core.errors import BadInput
from worlds.core.seeds import MAX_SEED, check_seed, derive, derive_seed

PATHS = st.lists(st.one_of(st.integers(0, 50), st.text(max_size=4)), max_size=4)


def test_a_stream_keeps_its_sequence() -> None:
    stream = derive(7, "family", 17, "surface", 2)
    assert [stream.below(100) for _ in range(6)] == [82, 52, 28, 0, 25, 9]


def test_path_parts_do_not_run_together() -> None:
    assert derive_seed(0, 1, 23) != derive_seed(0, 12, 3)
    assert derive_seed(0, "1") != derive_seed(0, 1)
    assert derive_seed(12, "a") != derive_seed(1, "2a")


def test_no_two_paths_of_a_corpus_share_a_seed() -> None:
    seeds = {
        derive_seed(seed, "family", family, "surface", surface)
        for seed in (0, 1)
        for family in range(120)
        for surface in range(5)
    }
    assert len(seeds) == 2 * 120 * 5


@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_another_process_draws_the_same(hash_seed: str) -> None:
    code = "from worlds.core.seeds import derive; print(derive(3, 'a', 1).sample(range(50), 9))"
    printed = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert printed.strip() == str(derive(3, "a", 1).sample(range(50), 9))


@pytest.mark.parametrize("seed", [0, 1, MAX_SEED])
def test_seeds_in_range_are_seeds(seed: int) -> None:
    assert check_seed(seed) == seed


@pytest.mark.parametrize("seed", [-1, MAX_SEED + 1, 2**64, 1.5, "7", "", None, True])
def test_other_seeds_are_refused_with_the_range(seed: object) -> None:
    with pytest.raises(BadInput, match=f"from 0 to {MAX_SEED}"):
        check_seed(seed)


@given(st.integers(0, MAX_SEED), PATHS)
def test_derived_seeds_are_seeds(seed: int, path: list[str | int]) -> None:
    assert check_seed(derive_seed(seed, *path)) == derive_seed(seed, *path)


@given(st.integers(0, MAX_SEED), st.lists(st.integers(), max_size=20))
def test_shuffled_keeps_the_items(seed: int, items: list[int]) -> None:
    assert sorted(derive(seed).shuffled(items)) == sorted(items)


def test_weighted_follows_its_weights() -> None:
    stream = derive(1)
    drawn = Counter(stream.weighted("abc", (1, 0, 3)) for _ in range(4000))
    assert set(drawn) == {"a", "c"}
    assert 2.6 < drawn["c"] / drawn["a"] < 3.4


def test_weighted_without_a_positive_weight_is_an_error() -> None:
    with pytest.raises(ValueError, match="positive weight"):
        derive(1).weighted("ab", (0, 0))


def test_below_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing to choose from"):
        derive(1).below(0)
