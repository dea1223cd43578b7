"""An instance is the same bytes from whoever mints it: page, worker, command, core alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client

from tests.processes import environment
from worlds import services, tasks
from worlds.core.codec import encode_instance
from worlds.core.ids import parse_id
from worlds.core.mint import forge_family, mint

_ROOT = Path(__file__).parents[2]


def _printed(folder: Path, hash_seed: int, *arguments: str) -> bytes:
    """What a fresh process prints, without its line end."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=_ROOT, env=environment(folder, PYTHONHASHSEED=str(hash_seed)),
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.removesuffix(b"\n")


@pytest.mark.parametrize("profile", ["chain", "case"])
def test_page_worker_command_and_core_give_the_same_bytes(
    profile: str,
    owner_client: Client,
    run_jobs: Callable[[], int],
    tmp_path: Path,
) -> None:
    forge_family.cache_clear()
    corpus = services.create_corpus(
        "harbour", seed=3, profile=profile, families=2, levels=["L00"], genres=["maritime"]
    )
    tasks.enqueue_corpus(corpus)
    run_jobs()
    rows = corpus.instances.with_truth().in_condition("implicit").filter(realization=1)
    assert len(rows) == 2
    for row in rows:
        name = row.sample_id
        forge_family.cache_clear()
        minted = encode_instance(mint(parse_id(name))).encode()
        page = owner_client.get(f"{row.get_absolute_url()}instance.json").content
        assert services.instance_json(row).encode() == minted
        assert page.removesuffix(b"\n") == minted
        assert _printed(tmp_path, 1, "manage.py", "forge", "--id", name) == minted
        assert _printed(tmp_path, 2, "-m", "worlds.core", "--id", name) == minted
