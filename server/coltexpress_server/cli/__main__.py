"""Run the command where its script is not on the path: `python -m coltexpress_server.cli`."""

from coltexpress_server.cli.main import main

main()
