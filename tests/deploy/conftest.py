"""The tests of deploy/ take programs that `make test-deploy` installs; others leave them out."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

# Left out by their mark, modules are imported all the same, and so must not be where that fails.
collect_ignore_glob = (
    []
    if all(map(find_spec, ("envoy", "helm_python", "kubernetes_validate", "promql_parser")))
    else ["test_*.py"]
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.deploy)
