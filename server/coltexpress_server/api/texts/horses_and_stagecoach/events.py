"""What happens with Horses & Stagecoach, told in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from coltexpress_server.api.texts.base.events import EVENTS as BASE_EVENTS
from coltexpress_server.api.texts.language import Language
from coltexpress_server.api.texts.wording import Cast, EventWriter
from coltexpress_server.game.boxes.horses_and_stagecoach import events as ev
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import RIDE
from coltexpress_server.game.cards import HIDDEN
from coltexpress_server.game.events import CardsDrawn, Event
from coltexpress_server.game.loot import UNKNOWN_VALUE

# --- the horse attack ----------------------------------------------------------------------------


def _hostages_displayed(event: ev.HostagesDisplayed, lang: Language, cast: Cast) -> str:
    hostages = lang.listed([lang.hostage(name) for name in event.hostages])
    return lang.say("In the stagecoach travel: {hostages}.", hostages=hostages)


def _car_boarded(event: ev.CarBoarded, lang: Language, cast: Cast) -> str:
    where = lang.where_car(event.car)
    if not event.figures:
        return lang.say("Nobody boards the train {where}.", where=where)
    figures = lang.listed([lang.figure(name) for name in event.figures])
    return lang.say("Boarding the train {where}: {figures}.", where=where, figures=figures)


def _first_player_chosen(event: ev.FirstPlayerChosen, lang: Language, cast: Cast) -> str:
    return lang.say("{first} begins.", first=lang.seat(event.seat, cast))


# --- horses and the stagecoach -------------------------------------------------------------------


def _horse_moved(event: ev.HorseMoved, lang: Language, cast: Cast) -> str:
    return lang.say("A horse runs {to}.", to=lang.to_car(event.car))


def _horse_left(event: ev.HorseLeft, lang: Language, cast: Cast) -> str:
    if event.cause == RIDE:
        return lang.say("A horse gallops off with its rider.")
    return lang.say("A tired horse drops out.")


def _stagecoach_moved(event: ev.StagecoachMoved, lang: Language, cast: Cast) -> str:
    return lang.say("The stagecoach drops back {to}.", to=lang.to_car(event.car))


# --- hostages, whiskey, cards --------------------------------------------------------------------


def _hostage_taken(event: ev.HostageTaken, lang: Language, cast: Cast) -> str:
    return lang.say(
        "{figure} takes a hostage: {hostage}.",
        figure=lang.figure(event.figure),
        hostage=lang.hostage(event.hostage),
    )


def _whiskey_drunk(event: ev.WhiskeyDrunk, lang: Language, cast: Cast) -> str:
    figure, flask = lang.figure(event.figure), lang.loot(event.flask, UNKNOWN_VALUE)
    if event.old:
        return lang.say(
            "{figure} drinks from {flask}: it is old whiskey.", figure=figure, flask=flask
        )
    return lang.say(
        "{figure} drinks from {flask}: it is normal whiskey.", figure=figure, flask=flask
    )


def _cards_kept(event: ev.CardsKept, lang: Language, cast: Cast) -> str:
    player = lang.seat(event.seat, cast)
    if event.cards and event.cards[0].action != HIDDEN:
        cards = lang.listed([lang.card(card) for card in event.cards])
        return lang.say("{player} keeps {cards}.", player=player, cards=cards)
    if not event.cards:
        return lang.say("{player} keeps no card.", player=player)
    return lang.counted(
        "{player} keeps a card.", "{player} keeps {number} cards.", len(event.cards), player=player
    )


EVENTS: Final[Mapping[type[Event], EventWriter]] = {
    ev.HostagesDisplayed: _hostages_displayed,
    ev.CarBoarded: _car_boarded,
    ev.FirstPlayerChosen: _first_player_chosen,
    ev.HorseMoved: _horse_moved,
    ev.HorseLeft: _horse_left,
    ev.StagecoachMoved: _stagecoach_moved,
    ev.HostageTaken: _hostage_taken,
    ev.WhiskeyDrunk: _whiskey_drunk,
    ev.CardsKept: _cards_kept,
    ev.DrawnInSecret: BASE_EVENTS[CardsDrawn],
}
