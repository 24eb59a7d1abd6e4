"""A round from the deal to the passing of the first player (RULES.md 1.5)."""

from __future__ import annotations

from typing import ClassVar, Final

from coltexpress_server.game.boxes.base.tables import HAND, ROUNDS
from coltexpress_server.game.cards import Card, rank_of
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.events import (
    CardsDrawn,
    CardTurnedUp,
    GameEnded,
    RoundEnded,
    RoundEventStarted,
    RoundStarted,
    TurnStarted,
)
from coltexpress_server.game.rules import Op, Step
from coltexpress_server.game.scoring import score
from coltexpress_server.game.state import FINISHED, SCHEMIN, STEALIN, Deck, Frame, Seat, State

NO_EVENT: Final = "NONE"
FIRST_ROUND: Final = "FIRST_ROUND"
CARD_HOME: Final = "CARD_HOME"
"""The op that puts a resolved card away; its actor is whose card it is, its index who played it."""


def fill_hands(state: State) -> None:
    """Everybody draws until the hand holds its number of cards (1.5.1)."""
    for number, seat in enumerate(state.seats):
        deck = state.decks[seat.deck]
        draw_cards(state, number, deck, hand_size(state, seat) - len(deck.hand))


def reveal(state: State) -> None:
    """The round card is turned up (1.5.1)."""
    current = state.round
    card = current.card
    state.record(
        RoundStarted(
            current.number,
            card.name,
            list(card.turns),
            card.event,
            current.first_seat,
            card.keep,
        )
    )


def schemin(state: State) -> None:
    """Schemin' (1.5.2)."""
    state.round.phase = SCHEMIN
    state.round.turn = 0
    state.push(Schemin.name)


def stealin(state: State) -> None:
    """Stealin' (1.5.6)."""
    state.round.phase = STEALIN
    state.push(Stealin.name)


def happen(state: State) -> None:
    """The round card's event (1.5.7)."""
    event = state.round.card.event
    if event != NO_EVENT:
        state.record(RoundEventStarted(event))
        state.push(event)


def pass_first_player(state: State) -> None:
    """The next player clockwise becomes first player (1.5.7)."""
    current = state.round
    if current.number < ROUNDS:
        current.first_seat = state.rules.seating.next_first_seat(state)
        state.record(RoundEnded(current.number, current.first_seat))


HANDS_AWAY: Final = 40
"""The rank of the step in which what is left in the hands is put away, whichever way that goes."""

STEPS: Final[list[tuple[int, Step]]] = [
    (15, fill_hands),
    (20, reveal),
    (30, schemin),
    (50, stealin),
    (60, happen),
    (90, pass_first_player),
]


def hand_size(state: State, seat: Seat) -> int:
    """How many cards a seat draws at the start of a round (1.5.1, 1.7.6)."""
    size = HAND
    for name in seat.figures:
        size += state.rules.extra_cards(state, state.figures[name])
    return size


def shuffle_deck(state: State, deck: Deck) -> None:
    """Shuffles the cards of a deck."""
    shuffle_cards(state, deck.cards)


def shuffle_cards(state: State, cards: list[Card]) -> None:
    """Shuffles a pile of cards.

    They are put in canonical order first, so that who checks the shuffle needs to know only which
    they are.
    """
    if state.generator is None:
        raise ValueError("a view has no generator; determinize it first")
    cards.sort(key=rank_of)
    state.generator.shuffle(cards)


def draw_cards(state: State, number: int, deck: Deck, count: int, told: bool = False) -> None:
    """Seat `number` draws up to `count` cards; a deck that stays empty gives nothing (1.5.2).

    told: whether it has been told already which.
    """
    drawn: list[Card] = []
    while len(drawn) < count:
        if not deck.cards:
            for refill in state.rules.refills:
                refill(state, number, deck)
            if not deck.cards:
                break
        start = max(0, len(deck.cards) - count + len(drawn))
        taken = deck.cards[start:]
        taken.reverse()
        drawn += taken
        del deck.cards[start:]
    deck.hand.extend(drawn)
    deck.hand.sort(key=rank_of)
    if state.log is not None:
        state.log.append(CardsDrawn(number, drawn, told))


class FirstRound(Op):
    """The rounds begin; whatever a box does before them lies on top of this."""

    name: ClassVar[str] = FIRST_ROUND

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Goes on with the first round."""
        state.stack.pop()
        state.round.number = 1
        state.push(RoundOp.name)
        return []


class RoundOp(Op):
    """A whole round, step by step; then the next one, or the end of the game (1.9.1)."""

    name: ClassVar[str] = "ROUND"

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Takes the next of the steps that the boxes brought."""
        steps = state.rules.round_steps
        if frame.index < len(steps):
            frame.index += 1
            steps[frame.index - 1](state)
            return []
        state.stack.pop()
        if state.round.number < ROUNDS:
            state.round.number += 1
            state.push(self.name)
        else:
            state.round.phase = FINISHED
            result = score(state)
            state.record(GameEnded(result.totals, result.winners))
        return []


class Schemin(Op):
    """All turns of a round card, one after the other (1.5.2)."""

    name: ClassVar[str] = "SCHEMIN"

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Begins the next turn."""
        turns = state.round.card.turns
        if frame.index == len(turns):
            state.stack.pop()
            return []
        state.round.turn = frame.index
        turn = turns[frame.index]
        if state.log is not None:
            state.log.append(TurnStarted(frame.index, turn))
        frame.index += 1
        state.push(state.rules.turns[turn].op)
        return []


class Stealin(Op):
    """The cards of the pile resolve in the order they were played (1.5.6)."""

    name: ClassVar[str] = "STEALIN"

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Turns up the next card: its effect, then its way home."""
        if not state.pile:
            state.stack.pop()
            return []
        played = state.pile.pop(0)
        turn_up(state, played.seat, played.card)
        return []


def turn_up(state: State, seat: int, card: Card) -> None:
    """A card that a seat has played lies open: its effect comes next, then its way home."""
    if state.log is not None:
        state.log.append(CardTurnedUp(seat, card))
    rules = state.rules
    rules.seen_by_all(state, seat, card)
    for hook in rules.card_turned:
        hook(state, card)
    state.push(CARD_HOME, card.figure, card).index = seat
    state.push(rules.effect(state, state.figures[card.figure], card.action), card.figure)


OPS: Final = (FirstRound(), RoundOp(), Schemin(), Stealin())
