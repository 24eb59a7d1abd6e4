"""What is answered for a seat that does not answer in time (RULES.md section 7)."""

from __future__ import annotations

from coltexpress_server.game.choices import DRAW, Choice
from coltexpress_server.game.decisions import Decision


def answer(decision: Decision) -> Choice:
    """The choice made for a seat whose time is up.

    It draws in Schemin' where it may, does nothing that is not due, and else takes the first option
    of the canonical order.
    """
    if DRAW in decision.options:
        return DRAW
    return decision.options[-1 if decision.voluntary else 0]
