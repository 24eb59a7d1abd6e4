"""What happened, as messages: events, and the commits that brought them about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from google.protobuf.message import Message

from coltexpress.v1 import event_pb2 as pb
from coltexpress.v1.game_pb2 import Seat
from coltexpress_server.api import horses_and_stagecoach, marshal_and_prisoners
from coltexpress_server.api.cards import card, cards
from coltexpress_server.api.decisions import decisions
from coltexpress_server.api.options import clock, options
from coltexpress_server.api.tables import first_seat, round_card, token
from coltexpress_server.api.texts import Cast, Language
from coltexpress_server.api.times import timestamp
from coltexpress_server.api.words import (
    AUTO_PLAY_REASONS,
    CARD_KINDS,
    CAUSES,
    ROUND_EVENTS,
    TRIGGERS,
    TURN_KINDS,
    VISIBILITIES,
)
from coltexpress_server.game import events as ev
from coltexpress_server.service import events as lobby
from coltexpress_server.service.views import SeenStep
from coltexpress_server.service.watch import cursor_text


def commit(seen: SeenStep, language: Language) -> pb.Commit:
    """A step of a game's history, as its viewer may see it.

    language: of its texts.
    """
    past = seen.past
    step = past.step
    return pb.Commit(
        version=past.cursor.version,
        cursor=cursor_text(past.cursor),
        commit_time=timestamp(past.time_ms),
        trigger=TRIGGERS.values[step.trigger],
        events=[
            event(whole.seen_by(seen.viewer), seen.figures, language, step.seed)
            for whole in step.events
            if not whole.hidden_from(seen.viewer)
        ],
        decisions=decisions(step.decisions, step.opened_by, seen.viewer, past.deadlines, language),
    )


def event(shown: ev.Event, cast: Cast, language: Language, seed: bytes = b"") -> pb.Event:
    """An event.

    shown: as the viewer may see it (`seen_by`). cast: who plays. language: of its text. seed: the
        server's, which the end of the game reveals.
    """
    found = _WRITERS[type(shown)](shown)
    # Any: a body for each field of the oneof.
    body: dict[str, Any] = {_FIELDS[type(found).__name__]: found}
    message = pb.Event(text=language.story(shown, cast), **body)
    if isinstance(shown, ev.GameEnded):
        message.game_ended.seed = seed
    return message


# --- at the table --------------------------------------------------------------------------------


def _cards_drawn(shown: ev.CardsDrawn) -> Message:
    return pb.CardsDrawn(seat=shown.seat, count=len(shown.cards), cards=cards(shown.cards))


def _card_played(shown: ev.CardPlayed) -> Message:
    return pb.CardPlayed(seat=shown.seat, card=card(shown.card), face_down=shown.face_down)


def _card_turned_up(shown: ev.CardTurnedUp) -> Message:
    return pb.CardTurnedUp(seat=shown.seat, card=card(shown.card))


def _figure_moved(shown: ev.FigureMoved) -> Message:
    return pb.FigureMoved(
        figure=shown.figure,
        source=shown.source,
        space=shown.space,
        cause=CAUSES.values[shown.cause],
    )


def _loot_moved(shown: ev.LootMoved) -> Message:
    return pb.LootMoved(
        loot=token(shown.token),
        source=shown.source,
        target=shown.target,
        cause=CAUSES.values[shown.cause],
    )


def _bullet_given(shown: ev.BulletGiven) -> Message:
    cause = CAUSES.values[shown.cause]
    return pb.BulletGiven(giver=shown.giver, figure=shown.figure, cause=cause)


def _no_effect(shown: ev.NoEffect) -> Message:
    action = CARD_KINDS.values[shown.action]
    return pb.NoEffect(figure=shown.figure, action=action, rule=shown.rule)


def _cards_discarded(shown: ev.CardsDiscarded) -> Message:
    return pb.CardsDiscarded(
        seat=shown.seat, count=len(shown.cards), cards=cards(shown.cards), kept=shown.kept
    )


def _card_borrowed(shown: ev.CardBorrowed) -> Message:
    return pb.CardBorrowed(seat=shown.seat, partner=shown.partner, card=card(shown.card))


def _round_started(shown: ev.RoundStarted) -> Message:
    return pb.RoundStarted(
        number=shown.number,
        card=round_card(shown.card, shown.turns, shown.event, shown.keep),
        first_seat=shown.first_seat,
    )


def _game_started(shown: ev.GameStarted) -> Message:
    return pb.GameStarted(
        cars=shown.cars, figures=shown.figures, first_seat=first_seat(shown.first_seat)
    )


# Any: each writer is given events of the class that is its key.
_OF_THE_BASE_BOX: Final[Mapping[type[ev.Event], Callable[[Any], Message]]] = {
    ev.GameStarted: _game_started,
    ev.RoundStarted: _round_started,
    ev.CardsDrawn: _cards_drawn,
    ev.TurnStarted: lambda shown: pb.TurnStarted(
        index=shown.index, turn=TURN_KINDS.values[shown.turn]
    ),
    ev.CardPlayed: _card_played,
    ev.HandReturned: lambda shown: pb.HandReturned(seat=shown.seat, count=shown.count),
    ev.DeckRebuilt: lambda shown: pb.DeckRebuilt(seat=shown.seat, count=shown.count),
    ev.CardsDiscarded: _cards_discarded,
    ev.CardBorrowed: _card_borrowed,
    ev.CardTurnedUp: _card_turned_up,
    ev.NoEffect: _no_effect,
    ev.FigureMoved: _figure_moved,
    ev.BulletGiven: _bullet_given,
    ev.NeutralBulletsGone: lambda shown: pb.NeutralBulletsGone(count=shown.count),
    ev.Punched: lambda shown: pb.Punched(figure=shown.figure, target=shown.target),
    ev.LootMoved: _loot_moved,
    ev.Declined: lambda shown: pb.Declined(figure=shown.figure, cause=CAUSES.values[shown.cause]),
    ev.RoundEventStarted: lambda shown: pb.RoundEventStarted(
        event=ROUND_EVENTS.values[shown.event]
    ),
    ev.RoundEnded: lambda shown: pb.RoundEnded(number=shown.number, first_seat=shown.first_seat),
    ev.GameEnded: lambda shown: pb.GameEnded(scores=shown.scores, winners=shown.winners),
}


# --- around it -----------------------------------------------------------------------------------


def _seat_taken(shown: lobby.SeatTaken) -> Message:
    return pb.SeatTaken(
        seat=shown.seat,
        display_name=shown.display_name,
        figures=shown.figures,
        bot=shown.bot,
    )


def _auto_play_started(shown: lobby.AutoPlayStarted) -> Message:
    return pb.AutoPlayStarted(
        seat=shown.seat, level=shown.level, reason=AUTO_PLAY_REASONS.values[shown.reason]
    )


def _game_updated(shown: lobby.GameUpdated) -> Message:
    return pb.GameUpdated(
        visibility=VISIBILITIES.values[shown.visibility],
        options=options(shown.options),
        seats=[
            Seat(
                number=number,
                taken=seat.taken,
                display_name=seat.display_name,
                figures=seat.figures,
                team=number,
                reserved=seat.reserved,
                bot=seat.bot,
            )
            for number, seat in enumerate(shown.seats)
        ],
        clock=clock(shown.clock),
        stand_in=shown.stand_in,
    )


_OF_THE_LOBBY: Final[Mapping[type[ev.Event], Callable[[Any], Message]]] = {
    lobby.GameCreated: lambda shown: pb.GameCreated(seed_hash=shown.seed_hash),
    lobby.SeatTaken: _seat_taken,
    lobby.SeatLeft: lambda shown: pb.SeatLeft(seat=shown.seat, removed=shown.removed),
    lobby.AutoPlayStarted: _auto_play_started,
    lobby.AutoPlayStopped: lambda shown: pb.AutoPlayStopped(seat=shown.seat),
    lobby.SeatHandedOver: lambda shown: pb.SeatHandedOver(seat=shown.seat, level=shown.level),
    lobby.GameUpdated: _game_updated,
    lobby.RematchCreated: lambda shown: pb.RematchCreated(game=f"games/{shown.game}"),
    lobby.GameAborted: lambda shown: pb.GameAborted(reason=shown.reason),
}

_WRITERS: Final = {
    **_OF_THE_BASE_BOX,
    **_OF_THE_LOBBY,
    **horses_and_stagecoach.EVENTS,
    **marshal_and_prisoners.EVENTS,
}
"""The message of an event, by its class."""

_FIELDS: Final = {
    field.message_type.name: field.name
    for field in pb.Event.DESCRIPTOR.oneofs_by_name["event"].fields
    if field.message_type is not None
}
"""The field of Event that a message stands in, by the message's name."""
