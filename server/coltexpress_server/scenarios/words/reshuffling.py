"""The words for hands that are shuffled anew each round: none, but a round begins without hands."""

from __future__ import annotations

from coltexpress_server.scenarios.language import Position, Prepare, Words


class ReshufflingWords(Words):
    """Nothing to write down."""

    def set_up(self) -> list[tuple[int, Prepare]]:
        """After the cards are dealt."""
        return [(95, _gather)]


def _gather(position: Position) -> None:
    """At the start of a round all own cards are about to be shuffled (1.5.1)."""
    if position.start == "ROUND":
        for deck in position.state.decks:
            deck.cards += deck.hand
            deck.hand.clear()
