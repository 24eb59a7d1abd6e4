"""What the tests of the service's promises share: how much of them is run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Size = Callable[[int, int], int]


@pytest.fixture
def size(request: pytest.FixtureRequest) -> Size:
    """Chooses how often something is done: `size(as_a_rule, with --full)`."""
    full = bool(request.config.getoption("--full"))

    def choose(usual: int, whole: int) -> int:
        return whole if full else usual

    return choose
