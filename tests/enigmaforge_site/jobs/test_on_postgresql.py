"""The tests of the job services once more, on PostgreSQL, where claims really race."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.postgresql import assert_passes_on_postgresql


@pytest.mark.slow
def test_the_job_services_hold_on_postgresql() -> None:
    assert_passes_on_postgresql(Path(__file__).with_name("test_services.py"))
