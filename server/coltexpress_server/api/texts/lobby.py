"""What happens to a game outside its rules, told in sentences; these are no events of any box."""

from __future__ import annotations

from typing import Final

from coltexpress_server.api.texts.language import Language
from coltexpress_server.api.texts.wording import Cast, Wording
from coltexpress_server.service import events as ev


def _game_created(event: ev.GameCreated, lang: Language, cast: Cast) -> str:
    return lang.say("The game is created.")


def _seat_taken(event: ev.SeatTaken, lang: Language, cast: Cast) -> str:
    name, seat = event.display_name, event.seat
    figures = lang.listed([lang.figure(figure) for figure in event.figures])
    if name and figures:
        return lang.say(
            "Seat {seat} is taken by {name} to play {figures}.",
            seat=seat,
            name=name,
            figures=figures,
        )
    if name:
        return lang.say("Seat {seat} is taken by {name}.", seat=seat, name=name)
    if figures:
        return lang.say("Seat {seat} is taken to play {figures}.", seat=seat, figures=figures)
    return lang.say("Seat {seat} is taken.", seat=seat)


def _seat_left(event: ev.SeatLeft, lang: Language, cast: Cast) -> str:
    if event.removed:
        return lang.say("The host takes seat {seat} from its player.", seat=event.seat)
    return lang.say("Seat {seat} is free again.", seat=event.seat)


def _auto_play_started(event: ev.AutoPlayStarted, lang: Language, cast: Cast) -> str:
    player = lang.seat(event.seat, cast)
    match event.reason:
        case ev.MISSED_DEADLINES:
            return lang.say("{player} has not answered in time; a bot plays on.", player=player)
        case ev.ABANDONED:
            return lang.say(
                "Nobody has answered for very long; a bot plays for {player}.", player=player
            )
    return lang.say("A bot plays for {player} from now on.", player=player)


def _auto_play_stopped(event: ev.AutoPlayStopped, lang: Language, cast: Cast) -> str:
    return lang.say("{player} is back.", player=lang.seat(event.seat, cast))


def _seat_handed_over(event: ev.SeatHandedOver, lang: Language, cast: Cast) -> str:
    player = lang.seat(event.seat, cast)
    return lang.say("{player} has left; a bot plays on to the end.", player=player)


def _game_updated(event: ev.GameUpdated, lang: Language, cast: Cast) -> str:
    return lang.say("The host changes what is to be played.")


def _rematch_created(event: ev.RematchCreated, lang: Language, cast: Cast) -> str:
    return lang.say("There will be a rematch.")


def _game_aborted(event: ev.GameAborted, lang: Language, cast: Cast) -> str:
    if event.reason:
        return lang.say("The game is ended by its operator: {reason}", reason=event.reason)
    return lang.say("The game is ended by its operator.")


LOBBY: Final = Wording(
    events={
        ev.GameCreated: _game_created,
        ev.SeatTaken: _seat_taken,
        ev.SeatLeft: _seat_left,
        ev.AutoPlayStarted: _auto_play_started,
        ev.AutoPlayStopped: _auto_play_stopped,
        ev.SeatHandedOver: _seat_handed_over,
        ev.GameUpdated: _game_updated,
        ev.RematchCreated: _rematch_created,
        ev.GameAborted: _game_aborted,
    }
)
