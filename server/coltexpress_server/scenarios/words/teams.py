"""The words for borrowed cards (RULES.md 2.3.2)."""

from __future__ import annotations

from coltexpress_server.game.boxes.teams.borrowing import Borrowed
from coltexpress_server.game.boxes.teams.partners import lay_out
from coltexpress_server.game.cards import Card
from coltexpress_server.scenarios.language import Position, Prepare, Words


class TeamsWords(Words):
    """Nothing of its own: a partner's card is `DOC.FIRE` wherever cards are named."""

    def set_up(self) -> list[tuple[int, Prepare]]:
        """What is borrowed follows from the cards that the file names."""
        return [(0, lambda position: lay_out(position.state)), (95, _borrow)]


def _borrow(position: Position) -> None:
    """A partner's card that a seat holds in Schemin' or has laid face down is this round's."""
    state = position.state
    cards: dict[int, list[Card]] = {}
    for number, seat in enumerate(state.seats):
        held = [played.card for played in state.pile if played.seat == number and played.face_down]
        if position.start == "SCHEMIN":
            held += state.decks[seat.deck].hand
        partners = [
            card
            for card in held
            if card.action in state.rules.actions and card.figure not in seat.figures
        ]
        if partners:
            cards[number] = partners[:1]
    state.extras[Borrowed.name] = Borrowed(cards)
