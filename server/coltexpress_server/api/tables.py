"""What lies on the table, as messages. All of it is made from a view, never from a whole state."""

from __future__ import annotations

from collections.abc import Sequence

from coltexpress.v1 import table_pb2 as pb
from coltexpress_server.api.words import (
    CARD_KINDS,
    LEVELS,
    LOOT_KINDS,
    PHASES,
    ROUND_EVENTS,
    TURN_KINDS,
)
from coltexpress_server.game.cards import HIDDEN, NEUTRAL, Card, RoundCard
from coltexpress_server.game.loot import UNKNOWN_VALUE, Token
from coltexpress_server.game.state import Frame, State

CARD_HOME = "CARD_HOME"


def table(seen: State) -> pb.Table:
    """The table; seen: a view."""
    train = seen.train
    return pb.Table(
        cars=[
            pb.Car(number=number, letter=letter) for number, letter in enumerate(["", *seen.cars])
        ],
        spaces=[
            pb.Space(
                id=space,
                car=train.car_of[space],
                level=LEVELS.values[train.level_of[space].upper()],
                loot=loot(seen.spaces.get(space, ())),
            )
            for space in train.order
        ],
        figures=[
            pb.Figure(
                name=figure.name,
                seat=figure.seat if figure.seat >= 0 else None,
                space=figure.space,
                loot=loot(figure.loot),
                bullets_left=figure.bullets_left,
                bullets_received=figure.received,
            )
            for figure in seen.figures.values()
        ],
        hands=[_hand(seen, number) for number in range(len(seen.seats))],
        pile=[
            pb.PileCard(seat=played.seat, card=card(played.card), face_down=played.face_down)
            for played in seen.pile
        ],
        resolving=_resolving(seen),
        round=_round(seen),
        round_cards=[
            round_card(each.name, each.turns, each.event)
            for each in seen.round.cards
            if each.name != HIDDEN
        ],
        neutral_bullets=seen.neutral_bullets,
        strongbox_waiting=bool(seen.waiting),
    )


def card(shown: Card) -> pb.Card:
    """A card, HIDDEN where the viewer may not know it."""
    return pb.Card(
        kind=CARD_KINDS.values[shown.action],
        figure="" if shown.figure == NEUTRAL else shown.figure,
    )


def cards(shown: Sequence[Card]) -> list[pb.Card]:
    """Cards that the viewer may know; of hidden ones only their number is told, elsewhere."""
    return [card(each) for each in shown if each.action != HIDDEN]


def loot(tokens: Sequence[Token]) -> list[pb.Loot]:
    """Loot tokens as far as the viewer knows them."""
    return [token(each) for each in tokens]


def token(shown: Token) -> pb.Loot:
    """A loot token, without its value where the viewer does not know that."""
    return pb.Loot(
        kind=LOOT_KINDS.values[shown.kind],
        value=None if shown.value == UNKNOWN_VALUE else shown.value,
    )


def round_card(name: str, turns: Sequence[str], event: str) -> pb.RoundCard:
    """A round card."""
    return pb.RoundCard(
        name=name,
        turns=[TURN_KINDS.values[turn] for turn in turns],
        event=ROUND_EVENTS.values[event],
    )


def _hand(seen: State, number: int) -> pb.Hand:
    deck = seen.decks[seen.seats[number].deck]
    return pb.Hand(
        seat=number,
        hand_size=len(deck.hand),
        deck_size=len(deck.cards),
        hand=cards(deck.hand),
        deck=cards(deck.cards),
    )


def _round(seen: State) -> pb.Round:
    current = seen.round
    shown: RoundCard = current.card
    return pb.Round(
        number=current.number,
        of=len(current.cards),
        card=round_card(shown.name, shown.turns, shown.event),
        turn=current.turn,
        phase=PHASES.values[current.phase],
        first_seat=current.first_seat,
    )


def _resolving(seen: State) -> pb.PileCard | None:
    """The card whose way home is pending, which is the one that has been turned up."""
    for frame in reversed(seen.stack):
        if frame.op == CARD_HOME and frame.card is not None:
            return _turned_up(seen, frame, frame.card)
    return None


def _turned_up(seen: State, frame: Frame, shown: Card) -> pb.PileCard:
    return pb.PileCard(seat=seen.figures[frame.actor].seat, card=card(shown), face_down=False)
