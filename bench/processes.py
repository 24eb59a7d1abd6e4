"""What the system tells of a process."""

from __future__ import annotations

import os
from pathlib import Path


def memory_bytes(pid: int) -> int:
    """The memory that a process has in use (resident set size); 0 where the system does not say."""
    statm = Path("/proc") / str(pid) / "statm"
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if statm.exists() else 0


def open_sockets(pid: int) -> int:
    """How many sockets a process has open; 0 where the system does not say."""
    folder = Path("/proc") / str(pid) / "fd"
    if not folder.exists():
        return 0
    return sum(_leads_to(link).startswith("socket:") for link in folder.iterdir())


def _leads_to(link: Path) -> str:
    try:
        return str(link.readlink())
    except FileNotFoundError:  # closed meanwhile
        return ""


def cpu_seconds(pid: int) -> float:
    """The time that a process has spent on processors; 0 where the system does not say."""
    stat = Path("/proc") / str(pid) / "stat"
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
