"""A kind of job for tests: it counts, one line of a file per step, slowly if asked to.

Each step is stored as a line before the job reports it, as a real step stores its rows, so a test
can see from outside whether a step was lost or done twice.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from enigmaforge_site.jobs import services
from enigmaforge_site.jobs.models import Job
from enigmaforge_site.jobs.registry import job_kind

KIND = "tests.count"


@job_kind(KIND)
def count(job: Job) -> None:
    """Append the numbers that are missing from the file, then one line per process that worked."""
    ledger = Path(job.argument("ledger"))
    for number in range(len(ledger.read_text().splitlines()), job.argument("steps")):
        time.sleep(job.argument("seconds"))
        if number == job.payload.get("dies_at"):
            os.kill(os.getpid(), signal.SIGKILL)
        with ledger.open("a") as file:
            file.write(f"{number}\n")
        services.progress(job, number + 1, f"step {number}", total=job.argument("steps"))
