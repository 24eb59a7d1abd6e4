"""The Marshal's cards with a plus sign: one more card at once (RULES.md 4.6)."""

from __future__ import annotations

from typing import ClassVar, Final

from coltexpress_server.game.boxes.base.scheme import (
    open_plays,
    play_card,
    refused_turn,
    turn_kind,
)
from coltexpress_server.game.boxes.base.tables import STANDARD
from coltexpress_server.game.boxes.marshal_and_prisoners.choices import Search
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import (
    MARSHAL,
    MARSHALS_SEAT,
    PLUS_CARDS,
)
from coltexpress_server.game.cards import Card
from coltexpress_server.game.choices import PASS, Choice, Play
from coltexpress_server.game.decisions import NO_MEMBERS, Decision, IllegalChoice
from coltexpress_server.game.events import Declined
from coltexpress_server.game.rules import Op
from coltexpress_server.game.state import Frame, State

FURTHER_CARD: Final = "FURTHER_CARD"


def go_on(state: State, seat: int, card: Card, turn: str) -> None:
    """After a card with a plus sign, in a STANDARD turn, another may follow."""
    if card.action in PLUS_CARDS and turn == STANDARD:
        state.push(FURTHER_CARD, MARSHAL)


class FurtherCard(Op):
    """One more card, or none; that may be one with a plus sign too."""

    name: ClassVar[str] = FURTHER_CARD

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Asks while there is a card in hand, even if all are bullets (1.5.8)."""
        if not state.decks[state.seats[MARSHALS_SEAT].deck].hand:
            state.stack.pop()
            return []
        options = [*open_plays(state, MARSHALS_SEAT), PASS]
        return [Decision(MARSHALS_SEAT, MARSHAL, self.name, options, True, -1, NO_MEMBERS, True)]

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """Lays it on the pile."""
        state.stack.pop()
        choice = choices[0]
        if isinstance(choice, Play):
            play_card(state, MARSHALS_SEAT, turn_kind(state), choice)
        else:
            state.record(Declined(MARSHAL, self.name))

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """As in any turn, but there is nothing else to do."""
        if isinstance(choice, Search):
            return IllegalChoice("NOT_OFFERED", "4.6", "a further card is played, or none")
        return refused_turn(state, decision, choice)
