"""Keeping cards of a hand for the next round: what all ways to do so have in common."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.cards import BULLET, NEUTRAL, Card
from coltexpress_server.game.choices import Choice, Keep
from coltexpress_server.game.decisions import Decision, IllegalChoice
from coltexpress_server.game.rules import Op
from coltexpress_server.game.state import Frame, Seat, State


class Keeping(Op):
    """Everybody chooses which cards stay in his hand; all at the same time, secretly.

    rule: the paragraph of RULES.md about it.
    """

    rule: ClassVar[str] = ""

    def may_keep(self, card: Card) -> bool:
        """Whether a card of this kind may be kept."""
        raise NotImplementedError

    def most(self, state: State, members: list[str]) -> int:
        """How many of the cards that may be kept a seat may keep."""
        raise NotImplementedError

    def put_away(self, state: State, number: int, kept: list[Card], others: list[Card]) -> None:
        """Does with the rest of seat `number`'s hand what is done with it; both in hand order."""
        raise NotImplementedError

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Asks everybody who holds a card, even if none may be kept (1.5.8)."""
        found = [
            self._decision(state, number, seat)
            for number, seat in enumerate(state.seats)
            if state.decks[seat.deck].hand
        ]
        if not found:
            state.stack.pop()
        return found

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """By seat."""
        state.stack.pop()
        holding = [number for number, seat in enumerate(state.seats) if state.decks[seat.deck].hand]
        for number, choice in zip(holding, choices, strict=True):
            if isinstance(choice, Keep):
                seat = state.seats[number]
                names = list(choice.cards)
                kept: list[Card] = []
                others: list[Card] = []
                for card in state.decks[seat.deck].hand:
                    name = _name(state, seat, card)
                    if name in names:
                        names.remove(name)
                        kept.append(card)
                    else:
                        others.append(card)
                self.put_away(state, number, kept, others)

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """Cards that are not in hand, or not so often, and too many of them."""
        if not isinstance(choice, Keep):
            return IllegalChoice("WRONG_CHOICE", self.rule, "this decision is which cards to keep")
        for card in choice.cards:
            if choice.cards.count(card) > decision.members.count(card):
                return IllegalChoice("CARD_NOT_IN_HAND", self.rule, f"not so many {card} in hand")
        return IllegalChoice(
            "NOT_OFFERED", self.rule, f"no more than {decision.most} cards may be kept"
        )

    def _decision(self, state: State, number: int, seat: Seat) -> Decision:
        hand = state.decks[seat.deck].hand
        members = [_name(state, seat, card) for card in hand if self.may_keep(card)]
        sets = [tuple(members[: self.most(state, members)]), ()]
        options: list[Choice] = [Keep(cards) for cards in dict.fromkeys(sets)]
        return Decision(number, seat.figures[0], self.name, options, True, -1, members)


def _name(state: State, seat: Seat, card: Card) -> str:
    """A card's name as in `Play`; a bullet's with who gave it."""
    if card.action == BULLET:
        return BULLET if card.figure == NEUTRAL else f"{card.figure}.{BULLET}"
    owner = state.rules.seating.owner(seat.figures, card)
    return f"{owner}.{card.action}" if owner else card.action
