"""CLOSING_ACTIONS: cards left over are played, the Marshal acts freely (RULES.md 4.16)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from coltexpress_server.game.boxes.base.actions.action import Action
from coltexpress_server.game.boxes.base.actions.move import Move
from coltexpress_server.game.boxes.base.round import HANDS_AWAY, turn_up
from coltexpress_server.game.boxes.base.scheme import open_plays, refused_turn
from coltexpress_server.game.boxes.marshal_and_prisoners.choices import Search
from coltexpress_server.game.boxes.marshal_and_prisoners.shooting import MarshalsFire
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import CLOSING, MARSHAL
from coltexpress_server.game.cards import BULLET
from coltexpress_server.game.choices import PASS, Choice, Pass, Play
from coltexpress_server.game.decisions import NO_MEMBERS, Decision, IllegalChoice
from coltexpress_server.game.events import CardPlayed, Declined
from coltexpress_server.game.rules import MOVE, Box, Op, Step
from coltexpress_server.game.state import Frame, State

NAME: Final = "CLOSING_ACTIONS"
_RULE: Final = "4.16"


class ClosingActions(Box):
    """An option of the box: hands stay until Stealin' is over."""

    name: ClassVar[str] = NAME

    def ops(self) -> Sequence[Op]:
        """The closing cards, and what the Marshal does without one."""
        return (Closing(), FreeFire(), FreeMove())

    def ranks(self) -> dict[int, int]:
        """Hands are put away after the closing cards."""
        return {HANDS_AWAY: 54}

    def round_steps(self) -> list[tuple[int, Step]]:
        """After Stealin', before the event."""
        return [(52, close), (56, act_freely)]


def close(state: State) -> None:
    """In seat order from the first player everybody may play one card."""
    state.push(CLOSING)


def act_freely(state: State) -> None:
    """The Marshal may fire, then move."""
    state.push(FreeMove.name, MARSHAL)
    state.push(FreeFire.name, MARSHAL)


class Closing(Op):
    """The seats one after the other; the frame's index counts how many have had their turn."""

    name: ClassVar[str] = CLOSING

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Asks the next seat with a card in hand, even if all are bullets (1.5.8)."""
        seats = len(state.seats)
        while frame.index < seats:
            number = (state.round.first_seat + frame.index) % seats
            seat = state.seats[number]
            if state.decks[seat.deck].hand:
                options = [*open_plays(state, number), PASS]
                figure = seat.figures[0]
                return [Decision(number, figure, CLOSING, options, True, -1, NO_MEMBERS, True)]
            frame.index += 1
        state.stack.pop()
        return []

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """The card is laid open and does at once what it does."""
        number = (state.round.first_seat + frame.index) % len(state.seats)
        seat = state.seats[number]
        frame.index += 1
        choice = choices[0]
        if isinstance(choice, Play):
            card = state.rules.card(seat.figures[0], choice.action)
            state.decks[seat.deck].hand.remove(card)
            state.record(CardPlayed(number, card, face_down=False))
            turn_up(state, number, card)
        else:
            state.record(Declined(seat.figures[0], CLOSING))

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """Bullets, cards that are not in hand, cards face down, anything else."""
        if isinstance(choice, Play) and choice.action != BULLET and choice.face_down:
            return IllegalChoice("FACE_DOWN_NOT_ALLOWED", _RULE, "a closing card is played openly")
        if isinstance(choice, Play):
            return refused_turn(state, decision, choice)
        if isinstance(choice, Search):
            return IllegalChoice("NOT_OFFERED", _RULE, "there is no searching in Stealin'")
        return IllegalChoice("WRONG_CHOICE", _RULE, "this decision is to play one more card or not")


class FreeFire(MarshalsFire):
    """A FIRE without a card, or none; asked only with a target."""

    name: ClassVar[str] = "FREE_FIRE"

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Refusing is the last option."""
        return _ask(self, state, frame)

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """Fires, or does not."""
        if not _declined(self, state, frame, choices):
            super().resolve(state, frame, choices)


class FreeMove(Move):
    """A MOVE without a card, or none; asked only where there is somewhere to go."""

    name: ClassVar[str] = "FREE_MOVE"
    card: ClassVar[str] = MOVE

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Refusing is the last option."""
        return _ask(self, state, frame)

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """Goes, or does not."""
        if not _declined(self, state, frame, choices):
            super().resolve(state, frame, choices)


def _ask(action: Action, state: State, frame: Frame) -> list[Decision]:
    """An action that may be refused; it is over where there is nothing to do."""
    marshal = state.figures[frame.actor]
    options = action.options(state, marshal)
    if not options:
        state.stack.pop()
        return []
    options = [*options, PASS]
    return [
        Decision(marshal.seat, marshal.name, action.called, options, False, -1, NO_MEMBERS, True)
    ]


def _declined(action: Action, state: State, frame: Frame, choices: list[Choice]) -> bool:
    """Whether an action is refused; it is over then."""
    if not isinstance(choices[0], Pass):
        return False
    state.stack.pop()
    state.record(Declined(frame.actor, action.name))
    return True
