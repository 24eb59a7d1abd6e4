"""What lies on the table, as messages. All of it is made from a view, never from a whole state.

Small messages that come up again and again are made once: putting one into another copies it, which
takes a third of the time of making it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from coltexpress.v1 import table_pb2 as pb
from coltexpress_server.api import horses_and_stagecoach, marshal_and_prisoners
from coltexpress_server.api.cards import card, cards
from coltexpress_server.api.words import (
    LEVELS,
    LOOT_KINDS,
    PHASES,
    ROUND_EVENTS,
    TURN_KINDS,
)
from coltexpress_server.game.boxes.base.round import CARD_HOME
from coltexpress_server.game.cards import HIDDEN, Card
from coltexpress_server.game.loot import UNKNOWN_VALUE, Token
from coltexpress_server.game.state import Frame, State
from coltexpress_server.game.train import Train


def table(seen: State, deck_sizes: Sequence[int]) -> pb.Table:
    """The table.

    seen: a view. deck_sizes: by seat, since a view may show a deck with a card more.
    """
    train, spaces = seen.train, seen.spaces
    hostages = horses_and_stagecoach.hostages(seen)
    return pb.Table(
        cars=_cars(tuple(seen.cars)),
        spaces=[
            _space(train, space, tuple([(each.kind, each.value) for each in spaces.get(space, ())]))
            for space in train.order
        ],
        figures=[
            pb.Figure(
                name=figure.name,
                seat=figure.seat if figure.seat >= 0 else None,
                space=figure.space,
                loot=[token(each) for each in figure.loot],
                bullets_left=figure.bullets_left,
                bullets_received=figure.received,
                hostage=hostages.get(figure.name, ""),
                **marshal_and_prisoners.possessions(seen, figure.name),
            )
            for figure in seen.figures.values()
        ],
        hands=[_hand(seen, number, size) for number, size in enumerate(deck_sizes)],
        pile=[
            pb.PileCard(seat=played.seat, card=card(played.card), face_down=played.face_down)
            for played in seen.pile
        ],
        resolving=_resolving(seen),
        round=_round(seen),
        round_cards=[
            round_card(each.name, each.turns, each.event, each.keep)
            for each in seen.round.cards
            if each.name != HIDDEN
        ],
        neutral_bullets=seen.neutral_bullets,
        strongbox_waiting=bool(seen.waiting),
        stagecoach=horses_and_stagecoach.stagecoach(seen),
        prison_train=marshal_and_prisoners.prison_train(seen),
    )


def token(shown: Token) -> pb.Loot:
    """A loot token, without its value where the viewer does not know that."""
    return _token(shown.kind, shown.value)


def round_card(name: str, turns: Sequence[str], event: str, keep: int) -> pb.RoundCard:
    """A round card."""
    return _round_card(name, tuple(turns), event, keep)


def first_seat(seat: int) -> int | None:
    """A first player; None where that is not settled yet."""
    return seat if seat >= 0 else None


@lru_cache(maxsize=1024)
def _token(kind: str, value: int) -> pb.Loot:
    return _LOOT.get(kind, _worth)(kind, value)


def _worth(kind: str, value: int) -> pb.Loot:
    """A token with its dollars."""
    return pb.Loot(kind=LOOT_KINDS.values[kind], value=None if value == UNKNOWN_VALUE else value)


_LOOT: Final = horses_and_stagecoach.LOOT
"""By kind, the tokens that have something else in the place of dollars."""


@lru_cache(maxsize=1024)
def _round_card(name: str, turns: tuple[str, ...], event: str, keep: int) -> pb.RoundCard:
    return pb.RoundCard(
        name=name,
        turns=[TURN_KINDS.values[turn] for turn in turns],
        event=ROUND_EVENTS.values[event],
        keep=keep,
    )


@lru_cache(maxsize=1024)
def _cars(letters: tuple[str, ...]) -> list[pb.Car]:
    return [pb.Car(number=number, letter=letter) for number, letter in enumerate(["", *letters])]


@lru_cache(maxsize=4096)
def _space(train: Train, space: str, tokens: tuple[tuple[str, int], ...]) -> pb.Space:
    return pb.Space(
        id=space,
        car=train.car_of.get(space),
        level=LEVELS.values[train.level_of[space].upper()],
        loot=[_token(kind, value) for kind, value in tokens],
    )


def _hand(seen: State, number: int, deck_size: int) -> pb.Hand:
    deck = seen.decks[seen.seats[number].deck]
    return pb.Hand(
        seat=number,
        hand_size=len(deck.hand),
        deck_size=deck_size,
        hand=cards(deck.hand),
        deck=cards(deck.cards),
        discards=cards(deck.discards),
        discards_size=len(deck.discards),
    )


def _round(seen: State) -> pb.Round:
    current = seen.round
    shown = current.card if current.number else None
    return pb.Round(
        number=current.number,
        of=len(current.cards),
        card=None
        if shown is None
        else round_card(shown.name, shown.turns, shown.event, shown.keep),
        turn=current.turn,
        phase=PHASES.values[current.phase],
        first_seat=first_seat(current.first_seat),
    )


def _resolving(seen: State) -> pb.PileCard | None:
    """The card whose way home is pending, which is the one that has been turned up."""
    for frame in reversed(seen.stack):
        if frame.op == CARD_HOME and frame.card is not None:
            return _turned_up(frame, frame.card)
    return None


def _turned_up(frame: Frame, shown: Card) -> pb.PileCard:
    return pb.PileCard(seat=frame.index, card=card(shown), face_down=False)
