"""What happens before a game begins, told in sentences; these are no events of any box."""

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
        ev.GameUpdated: _game_updated,
        ev.RematchCreated: _rematch_created,
        ev.GameAborted: _game_aborted,
    }
)
