"""Becomes another program that is told to end when the process that started it is gone.

Run as a script: `python die_with_parent.py PARENT_PID PROGRAM ARGUMENT...`. It stands alone, so
that starting it costs no imports. On Linux the kernel sends SIGTERM at the death of the parent (of
the thread that started this process, to be exact), and still does after the exec; elsewhere there
is no such service, and the program is merely run.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def die_with(parent: int) -> None:
    """Ask for the signal, and make sure that it is not too late: else end at once."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        if os.getppid() != parent:
            sys.exit("the parent is gone already")


def main() -> None:
    """Arrange to die with the parent, and become the program."""
    parent, program, *arguments = sys.argv[1:]
    die_with(int(parent))
    os.execv(program, [program, *arguments])  # noqa: S606 (no shell is what we want)


if __name__ == "__main__":
    main()
