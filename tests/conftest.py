"""What holds for every test: how property tests are run; and a PostgreSQL for those that ask for one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from tests.postgres import WHY_NOT, programs, server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.postgres import Server

# No deadlines: on a busy machine they fail tests that are right. What must be fast has a test of
# its own, marked `timing`.
settings.register_profile("default", deadline=None)
# The same examples in every run, so that a change is blamed only for what it did.
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
# For a long look, by hand: HYPOTHESIS_PROFILE=thorough
settings.register_profile("thorough", deadline=None, max_examples=5000)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "default")
)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A real PostgreSQL, started once for each test process."""
    if programs() is None:
        pytest.skip(WHY_NOT)
    with server() as running:
        yield running
