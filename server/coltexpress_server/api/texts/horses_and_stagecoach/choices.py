"""The choices of Horses & Stagecoach in words: the labels of options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from coltexpress_server.api.texts.language import Language
from coltexpress_server.api.texts.wording import ChoiceWriter
from coltexpress_server.game.boxes.horses_and_stagecoach import choices as ch
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.loot import UNKNOWN_VALUE


def _ride(choice: ch.RideTo, lang: Language) -> str:
    return lang.say("Ride {to}", to=lang.to(choice.space))


def _board(choice: ch.Board, lang: Language) -> str:
    return lang.say("Board this car") if choice.boards else lang.say("Ride on")


def _board_car(choice: ch.BoardCar, lang: Language) -> str:
    return lang.say("Board the train {where}", where=lang.where_car(choice.car))


def _board_bandits(choice: ch.BoardBandits, lang: Language) -> str:
    if not choice.bandits:
        return lang.say("Ride on")
    figures = lang.listed([lang.figure(bandit) for bandit in choice.bandits])
    return lang.say("Board here: {figures}", figures=figures)


def _board_cars(choice: ch.BoardCars, lang: Language) -> str:
    pairs = zip(choice.bandits, choice.cars, strict=True)
    return lang.listed(
        [
            lang.say(
                "{figure} boards {where}", figure=lang.figure(bandit), where=lang.where_car(car)
            )
            for bandit, car in pairs
        ]
    )


def _take_hostage(choice: ch.TakeHostage, lang: Language) -> str:
    return lang.say("Take a hostage: {hostage}", hostage=lang.hostage(choice.hostage))


def _drink(choice: ch.Drink, lang: Language) -> str:
    flask = lang.loot(choice.flask, UNKNOWN_VALUE)
    if choice.figure:
        figure = lang.figure(choice.figure)
        return lang.say("{figure} drinks from {flask}", figure=figure, flask=flask)
    return lang.say("Drink from {flask}", flask=flask)


def _flee(choice: ch.FleeTo, lang: Language) -> str:
    return lang.say("Flee {to}", to=lang.to(choice.space))


CHOICES: Final[Mapping[type[Choice], ChoiceWriter]] = {
    ch.RideTo: _ride,
    ch.Board: _board,
    ch.BoardCar: _board_car,
    ch.BoardBandits: _board_bandits,
    ch.BoardCars: _board_cars,
    ch.TakeHostage: _take_hostage,
    ch.Drink: _drink,
    ch.FleeTo: _flee,
}
