"""What the system tells of a process."""

from __future__ import annotations

import os
from pathlib import Path


def cpu_seconds(pid: int) -> float:
    """The time that a process has spent on processors; 0 where the system does not say."""
    stat = Path("/proc") / str(pid) / "stat"
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
