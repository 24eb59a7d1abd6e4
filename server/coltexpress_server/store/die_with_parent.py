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


def main() -> None:
    """Ask for the signal, make sure that it is not too late, and become the program."""
    parent, program, *arguments = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        if os.getppid() != int(parent):
            sys.exit("the parent is gone already")
    os.execv(program, [program, *arguments])  # noqa: S606 (no shell is what we want)


if __name__ == "__main__":
    main()
