"""Whiskey: a drink instead of a normal turn (RULES.md 3.6)."""

from __future__ import annotations

from random import Random
from typing import ClassVar, Final

from coltexpress_server.game.boxes.base.hidden import imagine_tokens
from coltexpress_server.game.boxes.base.looting import draw_token, kinds, lose, named_kind
from coltexpress_server.game.boxes.base.round import draw_cards
from coltexpress_server.game.boxes.base.scheme import (
    play_card,
    play_decision,
    refused_turn,
    turn_kind,
)
from coltexpress_server.game.boxes.base.tables import DRAW, STANDARD
from coltexpress_server.game.boxes.horses_and_stagecoach.choices import Drink
from coltexpress_server.game.boxes.horses_and_stagecoach.events import WhiskeyDrunk
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import (
    FLASK,
    FLASK_KINDS,
    FLASKS,
    HALF_FLASK,
    HALF_OLD_FLASK,
    OLD_WHISKEY,
)
from coltexpress_server.game.choices import Choice, Play
from coltexpress_server.game.decisions import Decision, IllegalChoice
from coltexpress_server.game.loot import PUBLIC, Token
from coltexpress_server.game.rules import Op, TurnOption
from coltexpress_server.game.state import Frame, State

WHISKEY: Final = "WHISKEY"
"""The op of what follows a drink, and the cause of losing an empty flask."""

_OLD_PLAYS: Final = 2
_PLAYS: Final = 1


class Whiskey(TurnOption):
    """In STANDARD turns, one flask a turn; unused ones are one option."""

    def options(self, state: State, number: int, turn: str) -> list[Choice]:
        """By bandit, then by kind."""
        if turn != STANDARD:
            return []
        figures = state.seats[number].figures
        found: list[Choice] = []
        for name in figures:
            owner = name if len(figures) > 1 else ""
            owned = kinds(state.rules, state.figures[name].loot)
            found += [Drink(owner, kind) for kind in owned if kind in FLASK_KINDS]
        return found

    def take(self, state: State, number: int, choice: Choice, told: bool = False) -> bool:
        """An unused flask turns to its half-empty side, a half-empty one is gone."""
        if not isinstance(choice, Drink):
            return False
        figure = state.figures[choice.figure or state.seats[number].figures[0]]
        token = draw_token(state, named_kind(figure.loot, choice.flask))
        old = token.value == OLD_WHISKEY
        state.record(WhiskeyDrunk(number, figure.name, choice.flask, old))
        if choice.flask == FLASK:
            half = HALF_OLD_FLASK if old else HALF_FLASK
            figure.loot[figure.loot.index(token)] = Token(half, token.value, PUBLIC)
        else:
            lose(state, figure, token, WHISKEY)
        if not old:
            draw_cards(state, number, state.decks[state.seats[number].deck], DRAW)
        state.push(WHISKEY, figure.name).index = _OLD_PLAYS if old else _PLAYS
        return True

    def why_not(self, state: State, number: int, choice: Choice) -> IllegalChoice | None:
        """Turns that are not STANDARD, flasks that one does not have."""
        if not isinstance(choice, Drink):
            return None
        if choice.flask not in FLASK_KINDS:
            return IllegalChoice("NO_SUCH_LOOT", "3.6.1", f"{choice.flask} is no flask")
        if choice.figure and choice.figure not in state.figures:
            return IllegalChoice(
                "NO_SUCH_FIGURE", "1.4.1", f"there is no {choice.figure} in this game"
            )
        if self.options(state, number, STANDARD) and not self.options(state, number, _turn(state)):
            return IllegalChoice("NOT_OFFERED", "3.6.2", "whiskey is drunk in STANDARD turns only")
        return IllegalChoice("LOOT_NOT_OWNED", "3.6.2", f"this seat has no such {choice.flask}")


def _turn(state: State) -> str:
    return state.round.card.turns[state.round.turn]


class Drinking(Op):
    """The cards played after a drink; the frame's actor has drunk, its index counts them down.

    GHOST's power covers the first card after old whiskey; drawing costs it.
    """

    name: ClassVar[str] = WHISKEY

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Asks for a card; without one that can be played that play is skipped."""
        if frame.index == 0:
            state.stack.pop()
            return []
        seat = state.figures[frame.actor].seat
        decision = play_decision(state, seat, first_play=frame.index == _OLD_PLAYS)
        if decision is None:
            frame.index -= 1
            return []
        return [decision]

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """Lays it on the pile."""
        frame.index -= 1
        choice = choices[0]
        if isinstance(choice, Play):
            play_card(state, state.figures[frame.actor].seat, turn_kind(state), choice)

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """A second flask; else as in any turn."""
        if isinstance(choice, Drink):
            return IllegalChoice("NOT_OFFERED", "3.6.2", "one flask a turn")
        return refused_turn(state, decision, choice)


def imagine_flasks(state: State, chance: Random) -> None:
    """Every unused flask gets a sort, out of those that are nowhere else."""
    sorts = [sort for sort, count in FLASKS.items() for _ in range(count)]
    imagine_tokens(state, chance, FLASK_KINDS, sorts)
