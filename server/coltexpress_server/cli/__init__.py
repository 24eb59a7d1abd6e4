"""The command `colt-express`: one module a subcommand.

A module imports at its top what describes its command, and in the command what carrying it out
takes, so that `--help` is quick.
"""

from coltexpress_server.cli.main import main

__all__ = ["main"]
