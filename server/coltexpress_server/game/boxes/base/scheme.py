"""One turn of Schemin': each seat in order plays a card or draws (RULES.md 1.5.2, 1.5.3)."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from coltexpress_server.game.boxes.base.round import draw_cards, turn_kind
from coltexpress_server.game.boxes.base.tables import DRAW as CARDS_TO_DRAW
from coltexpress_server.game.boxes.base.turns import turn_order
from coltexpress_server.game.cards import BULLET, Card, PileCard
from coltexpress_server.game.choices import DRAW, Choice, Draw, Pass, Play
from coltexpress_server.game.decisions import NO_MEMBERS, Decision, IllegalChoice
from coltexpress_server.game.events import CardPlayed
from coltexpress_server.game.rules import Op
from coltexpress_server.game.seating import Seating
from coltexpress_server.game.state import Frame, Seat, State

SCHEME = "SCHEME"


class Turn(Op):
    """The seats of one turn; the frame's index counts how many have played or drawn."""

    name: ClassVar[str] = "TURN"

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Asks the next seat.

        With cards in hand it is asked even if all are bullets, so that nobody learns that they are
        (1.5.8).
        """
        kind = turn_kind(state)
        order = turn_order(kind, state.rules.seating, len(state.seats), state.round.first_seat)
        if frame.index == len(order):
            state.stack.pop()
            return []
        number = order[frame.index]
        seat = state.seats[number]
        hand = state.decks[seat.deck].hand
        if not hand:
            return [Decision(number, seat.figures[0], SCHEME, [DRAW], False, -1, NO_MEMBERS)]
        hiding: tuple[str, ...] = ()
        if not kind.face_down:
            hiding = self._hiding(state, seat, number not in order[: frame.index])
        options = _options(state.rules.seating, tuple(hand), tuple(seat.figures), hiding)
        return [Decision(number, seat.figures[0], SCHEME, options, True, -1, NO_MEMBERS)]

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """Lays the card on the pile, or draws three (1.5.2)."""
        kind = turn_kind(state)
        number = turn_order(kind, state.rules.seating, len(state.seats), state.round.first_seat)[
            frame.index
        ]
        frame.index += 1
        seat = state.seats[number]
        deck = state.decks[seat.deck]
        choice = choices[0]
        if isinstance(choice, Play):
            card = state.rules.card(choice.figure or seat.figures[0], choice.action)
            deck.hand.remove(card)
            face_down = choice.face_down or kind.face_down
            state.pile.append(PileCard(number, card, face_down))
            if not face_down and state.rules.card_seen:
                state.rules.seen_by_all(state, number, card)
            if state.log is not None:
                state.log.append(CardPlayed(number, card, face_down))
        else:
            draw_cards(state, number, deck, CARDS_TO_DRAW)

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """Bullets, cards not in hand, hiding a card without the power to."""
        seat = state.seats[decision.seat]
        if isinstance(choice, Play):
            return self._refused_play(state, seat, choice)
        if isinstance(choice, Pass):
            return IllegalChoice("COMPULSORY", "1.5.2", "a turn is to play a card or to draw")
        if isinstance(choice, Draw):
            return IllegalChoice("NOT_OFFERED", "1.5.2", "there is no drawing in this turn")
        return IllegalChoice(
            "WRONG_CHOICE", "1.5.2", "in Schemin' a card is played or cards are drawn, nothing else"
        )

    def _refused_play(self, state: State, seat: Seat, choice: Play) -> IllegalChoice:
        if choice.action == BULLET:
            return IllegalChoice("BULLET_NOT_PLAYABLE", "1.3.2", "a bullet can never be played")
        if choice.action not in state.rules.actions:
            return IllegalChoice("NO_SUCH_CARD", "1.3.1", f"no deck holds a {choice.action} card")
        owner = choice.figure or seat.figures[0]
        named = owner
        if owner in state.rules.powers:
            card = state.rules.card(owner, choice.action)
            named = state.rules.seating.owner(seat.figures, card)
        if named and not choice.figure:
            return IllegalChoice("NOT_OFFERED", "2.2.2", f"it is not said whose {choice.action}")
        held = any(
            card.figure == owner and card.action == choice.action
            for card in state.decks[seat.deck].hand
        )
        if not held:
            return IllegalChoice("CARD_NOT_IN_HAND", "1.5.2", f"no {choice.card} card in hand")
        if choice.figure and not named:
            rule = "1.4.1" if len(seat.figures) == 1 else "2.2.2"
            return IllegalChoice("NOT_OFFERED", rule, f"the name for this is {choice.action} alone")
        if turn_kind(state).face_down:
            return IllegalChoice(
                "FACE_DOWN_NOT_A_CHOICE", "1.5.3", "in a TUNNEL every card is face down anyway"
            )
        return IllegalChoice(
            "FACE_DOWN_NOT_ALLOWED",
            "1.7.1",
            "only GHOST may hide a card, in his first turn of a round, unless he drew in it",
        )

    def _hiding(self, state: State, seat: Seat, first_play: bool) -> tuple[str, ...]:
        """Those of a seat's figures whose power lets it lay a card face down in an open turn."""
        hiding: tuple[str, ...] = ()
        for name in seat.figures:
            for power in state.rules.powers_of(state.figures[name]):
                if power.may_hide(state, first_play):
                    hiding += (name,)
        return hiding


@lru_cache(maxsize=10_000)
def _options(
    seating: Seating, hand: tuple[Card, ...], figures: tuple[str, ...], hiding: tuple[str, ...]
) -> list[Choice]:
    """What a seat that leads these figures can do with a hand.

    hiding: those of its figures whose power to hide a card counts now.
    The same few hands come up again and again, and nobody changes a list of options.
    """
    names = list(figures)
    options: list[Choice] = []
    last = None
    for card in hand:
        if card is not last and card.action != BULLET:
            last = card
            owner = seating.owner(names, card)
            options.append(Play(owner, card.action, False))
            if hiding and any(name in hiding for name in seating.covers(names, card)):
                options.append(Play(owner, card.action, True))
    options.append(DRAW)
    return options
