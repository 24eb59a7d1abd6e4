"""KEEP icons: cards that stay in hand for the next round (RULES.md 3.7.2)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.tables import ROUNDS
from coltexpress_server.game.boxes.horses_and_stagecoach.events import CardsKept
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import KEEP
from coltexpress_server.game.boxes.reshuffling import return_cards, return_hands
from coltexpress_server.game.cards import BULLET, NEUTRAL, Card
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.choices import Keep as KeepChoice
from coltexpress_server.game.decisions import Decision, IllegalChoice
from coltexpress_server.game.rules import Op
from coltexpress_server.game.state import Frame, Seat, State


def keep_or_return(state: State) -> None:
    """Everybody chooses what to keep, where the round card says so; not in the last round."""
    if state.round.card.keep and state.round.number < ROUNDS:
        state.push(KEEP)
    else:
        return_hands(state)


class Keep(Op):
    """Everybody keeps a card an icon, of any kind; all choose at the same time, secretly."""

    name: ClassVar[str] = KEEP

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Asks everybody who holds a card."""
        found = [
            _decision(state, number, seat)
            for number, seat in enumerate(state.seats)
            if state.decks[seat.deck].hand
        ]
        if not found:
            state.stack.pop()
        return found

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """The other cards go back to the decks."""
        state.stack.pop()
        holding = [number for number, seat in enumerate(state.seats) if state.decks[seat.deck].hand]
        for number, choice in zip(holding, choices, strict=True):
            if isinstance(choice, KeepChoice):
                seat = state.seats[number]
                names = list(choice.cards)
                kept: list[Card] = []
                for card in state.decks[seat.deck].hand:
                    name = _name(state, seat, card)
                    if name in names:
                        names.remove(name)
                        kept.append(card)
                return_cards(state, number, kept)
                state.record(CardsKept(number, kept))

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """Too many cards, and cards that are not in hand, or not so often."""
        if not isinstance(choice, KeepChoice):
            return IllegalChoice("WRONG_CHOICE", "3.7.2", "this decision is which cards to keep")
        for card in choice.cards:
            if choice.cards.count(card) > decision.members.count(card):
                return IllegalChoice("CARD_NOT_IN_HAND", "3.7.2", f"not so many {card} in hand")
        return IllegalChoice(
            "NOT_OFFERED", "3.7.2", f"no more than {decision.most} cards may be kept"
        )


def _decision(state: State, number: int, seat: Seat) -> Decision:
    members = [_name(state, seat, card) for card in state.decks[seat.deck].hand]
    options: list[Choice] = [
        KeepChoice(tuple(members[: state.round.card.keep])),
        KeepChoice(()),
    ]
    return Decision(number, seat.figures[0], KEEP, options, True, -1, members)


def _name(state: State, seat: Seat, card: Card) -> str:
    """A card's name as in `Play`; a bullet's with who gave it."""
    if card.action == BULLET:
        return BULLET if card.figure == NEUTRAL else f"{card.figure}.{BULLET}"
    owner = state.rules.seating.owner(seat.figures, card)
    return f"{owner}.{card.action}" if owner else card.action
