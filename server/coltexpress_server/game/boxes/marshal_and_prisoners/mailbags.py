"""What mailbags may be worth, for players who look ahead (RULES.md 4.3)."""

from __future__ import annotations

from random import Random

from coltexpress_server.game.boxes.base.hidden import imagine_tokens, show_to_owners
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import MAILBAG, MAILBAGS
from coltexpress_server.game.state import State


def imagine(state: State, chance: Random) -> None:
    """Every mailbag of unknown value gets one that is nowhere else; owners know theirs."""
    values = [value for value, count in MAILBAGS.items() for _ in range(count)]
    imagine_tokens(state, chance, {MAILBAG}, values)
    show_to_owners(state, MAILBAG)
