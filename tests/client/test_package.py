"""What the client takes to be installed."""

from __future__ import annotations

import subprocess
import sys

IMPORTED = """
import pkgutil, sys
before = set(sys.modules)
import coltexpress
for module in pkgutil.walk_packages(coltexpress.__path__, "coltexpress."):
    __import__(module.name)
imported = {name.partition(".")[0] for name in set(sys.modules) - before}
print(*imported - sys.stdlib_module_names)
"""


def test_the_client_needs_nothing_of_the_server() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=True, timeout=60
    )
    found = done.stdout.split()
    assert "coltexpress" in found
    assert "coltexpress_server" not in found
