"""Horses & Stagecoach as messages: choices, events, loot, part of the table, of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from google.protobuf.message import Message

from coltexpress.v1 import horses_and_stagecoach_pb2 as pb
from coltexpress.v1.action_pb2 import Action
from coltexpress.v1.catalog_pb2 import Catalog
from coltexpress.v1.event_pb2 import CardsDrawn, CardsKept
from coltexpress.v1.table_pb2 import Loot
from coltexpress_server.api import fields
from coltexpress_server.api.cards import cards
from coltexpress_server.api.words import CARD_KINDS, CAUSES, EDITIONS, LOOT_KINDS
from coltexpress_server.game.boxes.horses_and_stagecoach import choices as ch
from coltexpress_server.game.boxes.horses_and_stagecoach import events as ev
from coltexpress_server.game.boxes.horses_and_stagecoach.attack import attacked_car
from coltexpress_server.game.boxes.horses_and_stagecoach.state import NAME, Stagecoach
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import (
    FLASK_KINDS,
    OLD_WHISKEY,
    ransom,
)
from coltexpress_server.game.cards import BULLET
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.events import Event
from coltexpress_server.game.loot import UNKNOWN_VALUE
from coltexpress_server.game.state import State

# --- from choices to messages --------------------------------------------------------------------


def _board_cars(choice: ch.BoardCars) -> Action:
    pairs = zip(choice.bandits, choice.cars, strict=True)
    return Action(
        board_cars=pb.BoardCars(
            boardings=[pb.BoardCars.Boarding(figure=name, car=car) for name, car in pairs]
        )
    )


def _drink(choice: ch.Drink) -> Action:
    flask = LOOT_KINDS.values[choice.flask]
    return Action(drink_whiskey=pb.DrinkWhiskey(flask=flask, figure=choice.figure))


# Any, here and below: each function is given what its key says.
ACTIONS: Final[Mapping[type[Choice], Callable[[Any], Action]]] = {
    ch.Board: lambda choice: Action(board=pb.Board(boards=choice.boards)),
    ch.BoardCar: lambda choice: Action(board_car=pb.BoardCar(car=choice.car)),
    ch.BoardBandits: lambda choice: Action(board_bandits=pb.BoardBandits(figures=choice.bandits)),
    ch.BoardCars: _board_cars,
    ch.RideTo: lambda choice: Action(ride=pb.Ride(space=choice.space)),
    ch.TakeHostage: lambda choice: Action(take_hostage=pb.TakeHostage(hostage=choice.hostage)),
    ch.Drink: _drink,
    ch.FleeTo: lambda choice: Action(flee=pb.Flee(space=choice.space)),
}
"""The message of a choice, by its class."""


# --- from messages to choices --------------------------------------------------------------------


def _read_bandits(message: pb.BoardBandits, path: str) -> Choice:
    return ch.BoardBandits(
        tuple(
            fields.name(name, f"{path}.figures[{place}]")
            for place, name in enumerate(message.figures)
        )
    )


def _read_cars(message: pb.BoardCars, path: str) -> Choice:
    return ch.BoardCars(
        tuple(
            fields.name(boarding.figure, f"{path}.boardings[{place}].figure")
            for place, boarding in enumerate(message.boardings)
        ),
        tuple(boarding.car for boarding in message.boardings),
    )


def _read_ride(message: pb.Ride, path: str) -> Choice:
    return ch.RideTo(fields.name(message.space, f"{path}.space"))


def _read_hostage(message: pb.TakeHostage, path: str) -> Choice:
    return ch.TakeHostage(fields.name(message.hostage, f"{path}.hostage"))


def _read_drink(message: pb.DrinkWhiskey, path: str) -> Choice:
    return ch.Drink(
        fields.name(message.figure, f"{path}.figure") if message.figure else "",
        fields.word(message.flask, LOOT_KINDS.words, f"{path}.flask"),
    )


def _read_flight(message: pb.Flee, path: str) -> Choice:
    return ch.FleeTo(fields.name(message.space, f"{path}.space"))


CHOICES: Final[Mapping[str, Callable[[Any, str], Choice]]] = {
    "board": lambda message, path: ch.Board(message.boards),
    "board_car": lambda message, path: ch.BoardCar(message.car),
    "board_bandits": _read_bandits,
    "board_cars": _read_cars,
    "ride": _read_ride,
    "take_hostage": _read_hostage,
    "drink_whiskey": _read_drink,
    "flee": _read_flight,
}
"""The choice that a message makes, by its field in Action; given its path too.

All raise Refused where a field is missing or malformed.
"""


# --- events --------------------------------------------------------------------------------------


def _stagecoach_moved(event: ev.StagecoachMoved) -> Message:
    cause = CAUSES.values[event.cause]
    return pb.StagecoachMoved(source=event.source, car=event.car, cause=cause)


def _whiskey_drunk(event: ev.WhiskeyDrunk) -> Message:
    flask = LOOT_KINDS.values[event.flask]
    return pb.WhiskeyDrunk(seat=event.seat, figure=event.figure, flask=flask, old=event.old)


def _horse_moved(event: ev.HorseMoved) -> Message:
    return pb.HorseMoved(source=event.source, car=event.car, cause=CAUSES.values[event.cause])


def _cards_kept(event: ev.CardsKept) -> Message:
    return CardsKept(seat=event.seat, count=len(event.cards), cards=cards(event.cards))


def _drawn_in_secret(event: ev.DrawnInSecret) -> Message:
    return CardsDrawn(seat=event.seat, count=len(event.cards), cards=cards(event.cards))


EVENTS: Final[Mapping[type[Event], Callable[[Any], Message]]] = {
    ev.HostagesDisplayed: lambda event: pb.HostagesDisplayed(hostages=event.hostages),
    ev.CarBoarded: lambda event: pb.CarBoarded(car=event.car, figures=event.figures),
    ev.FirstPlayerChosen: lambda event: pb.FirstPlayerChosen(seat=event.seat),
    ev.HorseMoved: _horse_moved,
    ev.HorseLeft: lambda event: pb.HorseLeft(car=event.car, cause=CAUSES.values[event.cause]),
    ev.StagecoachMoved: _stagecoach_moved,
    ev.HostageTaken: lambda event: pb.HostageTaken(figure=event.figure, hostage=event.hostage),
    ev.WhiskeyDrunk: _whiskey_drunk,
    ev.CardsKept: _cards_kept,
    ev.DrawnInSecret: _drawn_in_secret,
}
"""The message of an event as its viewer may see it, by its class."""


# --- the table -----------------------------------------------------------------------------------


def _flask(kind: str, sort: int) -> Loot:
    """A flask is worth nothing; where another token has its value it has its sort."""
    return Loot(
        kind=LOOT_KINDS.values[kind],
        value=0,
        old_whiskey=None if sort == UNKNOWN_VALUE else sort == OLD_WHISKEY,
    )


LOOT: Final[Mapping[str, Callable[[str, int], Loot]]] = dict.fromkeys(FLASK_KINDS, _flask)
"""The message of a token of its kind and with its value, by its kind."""


def stagecoach(seen: State) -> pb.Stagecoach | None:
    """Stagecoach and horses, in a game that has them."""
    extra = _extra(seen)
    if extra is None:
        return None
    return pb.Stagecoach(
        car=extra.car,
        hostages=extra.displayed,
        horses=extra.horses,
        attacked_car=attacked_car(seen),
    )


def hostages(seen: State) -> Mapping[str, str]:
    """The hostages that have been taken, by who has them."""
    extra = _extra(seen)
    return {} if extra is None else extra.hostages


def ransoms(hostage: str) -> list[Catalog.Ransom]:
    """What a hostage is worth, in each edition."""
    found = []
    for edition, value in EDITIONS.values.items():
        if edition:
            paid = ransom(hostage, edition)
            message = Catalog.Ransom(edition=value, dollars=paid.dollars)
            if paid.per == BULLET:
                message.card = CARD_KINDS.values[BULLET]
            elif paid.per:
                message.loot = LOOT_KINDS.values[paid.per]
            found.append(message)
    return found


def _extra(seen: State) -> Stagecoach | None:
    extra = seen.extras.get(NAME)
    return extra if isinstance(extra, Stagecoach) else None
