"""What happened, as messages: events, and the commits that brought them about."""

from __future__ import annotations

from coltexpress.v1 import event_pb2 as pb
from coltexpress.v1.game_pb2 import Seat
from coltexpress_server.api.decisions import decisions
from coltexpress_server.api.options import clock, options
from coltexpress_server.api.tables import card, cards, round_card, token
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
        ],
        decisions=decisions(step.decisions, seen.viewer, past.deadlines, language),
    )


def event(shown: ev.Event, cast: Cast, language: Language, seed: bytes = b"") -> pb.Event:
    """An event.

    shown: as the viewer may see it (`seen_by`). cast: who plays. language: of its text. seed: the
        server's, which the end of the game reveals.
    """
    text = language.story(shown, cast)
    match shown:
        case ev.CardsDrawn():
            drawn = pb.CardsDrawn(seat=shown.seat, count=len(shown.cards), cards=cards(shown.cards))
            return pb.Event(text=text, cards_drawn=drawn)
        case ev.CardPlayed():
            played = pb.CardPlayed(
                seat=shown.seat, card=card(shown.card), face_down=shown.face_down
            )
            return pb.Event(text=text, card_played=played)
        case ev.CardTurnedUp():
            turned_up = pb.CardTurnedUp(seat=shown.seat, card=card(shown.card))
            return pb.Event(text=text, card_turned_up=turned_up)
        case ev.FigureMoved():
            moved = pb.FigureMoved(
                figure=shown.figure,
                source=shown.source,
                space=shown.space,
                cause=CAUSES.values[shown.cause],
            )
            return pb.Event(text=text, figure_moved=moved)
        case ev.LootMoved():
            loot_moved = pb.LootMoved(
                loot=token(shown.token),
                source=shown.source,
                target=shown.target,
                cause=CAUSES.values[shown.cause],
            )
            return pb.Event(text=text, loot_moved=loot_moved)
        case ev.BulletGiven():
            bullet = pb.BulletGiven(
                giver=shown.giver, figure=shown.figure, cause=CAUSES.values[shown.cause]
            )
            return pb.Event(text=text, bullet_given=bullet)
        case ev.NoEffect():
            no_effect = pb.NoEffect(
                figure=shown.figure, action=CARD_KINDS.values[shown.action], rule=shown.rule
            )
            return pb.Event(text=text, no_effect=no_effect)
        case ev.Punched():
            punched = pb.Punched(figure=shown.figure, target=shown.target)
            return pb.Event(text=text, punched=punched)
        case ev.Declined():
            declined = pb.Declined(figure=shown.figure, cause=CAUSES.values[shown.cause])
            return pb.Event(text=text, declined=declined)
        case ev.NeutralBulletsGone():
            gone = pb.NeutralBulletsGone(count=shown.count)
            return pb.Event(text=text, neutral_bullets_gone=gone)
        case ev.DeckRebuilt():
            rebuilt = pb.DeckRebuilt(seat=shown.seat, count=shown.count)
            return pb.Event(text=text, deck_rebuilt=rebuilt)
        case ev.CardsDiscarded():
            discarded = pb.CardsDiscarded(
                seat=shown.seat,
                count=len(shown.cards),
                cards=cards(shown.cards),
                kept=shown.kept,
            )
            return pb.Event(text=text, cards_discarded=discarded)
        case ev.CardBorrowed():
            borrowed = pb.CardBorrowed(
                seat=shown.seat, partner=shown.partner, card=card(shown.card)
            )
            return pb.Event(text=text, card_borrowed=borrowed)
        case ev.HandReturned():
            returned = pb.HandReturned(seat=shown.seat, count=shown.count)
            return pb.Event(text=text, hand_returned=returned)
        case ev.TurnStarted():
            turn = pb.TurnStarted(index=shown.index, turn=TURN_KINDS.values[shown.turn])
            return pb.Event(text=text, turn_started=turn)
        case ev.RoundStarted():
            round_started = pb.RoundStarted(
                number=shown.number,
                card=round_card(shown.card, shown.turns, shown.event),
                first_seat=shown.first_seat,
            )
            return pb.Event(text=text, round_started=round_started)
        case ev.RoundEventStarted():
            round_event = pb.RoundEventStarted(event=ROUND_EVENTS.values[shown.event])
            return pb.Event(text=text, round_event_started=round_event)
        case ev.RoundEnded():
            round_ended = pb.RoundEnded(number=shown.number, first_seat=shown.first_seat)
            return pb.Event(text=text, round_ended=round_ended)
        case ev.GameStarted():
            started = pb.GameStarted(
                cars=shown.cars, figures=shown.figures, first_seat=shown.first_seat
            )
            return pb.Event(text=text, game_started=started)
        case ev.GameEnded():
            ended = pb.GameEnded(scores=shown.scores, winners=shown.winners, seed=seed)
            return pb.Event(text=text, game_ended=ended)
        case lobby.GameCreated():
            created = pb.GameCreated(seed_hash=shown.seed_hash)
            return pb.Event(text=text, game_created=created)
        case lobby.SeatTaken():
            taken = pb.SeatTaken(
                seat=shown.seat,
                display_name=shown.display_name,
                figures=shown.figures,
                bot=shown.bot,
            )
            return pb.Event(text=text, seat_taken=taken)
        case lobby.SeatLeft():
            left = pb.SeatLeft(seat=shown.seat, removed=shown.removed)
            return pb.Event(text=text, seat_left=left)
        case lobby.AutoPlayStarted():
            begun = pb.AutoPlayStarted(
                seat=shown.seat,
                level=shown.level,
                reason=AUTO_PLAY_REASONS.values[shown.reason],
            )
            return pb.Event(text=text, auto_play_started=begun)
        case lobby.AutoPlayStopped():
            stopped = pb.AutoPlayStopped(seat=shown.seat)
            return pb.Event(text=text, auto_play_stopped=stopped)
        case lobby.SeatHandedOver():
            handed_over = pb.SeatHandedOver(seat=shown.seat, level=shown.level)
            return pb.Event(text=text, seat_handed_over=handed_over)
        case lobby.GameUpdated():
            updated = pb.GameUpdated(
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
            return pb.Event(text=text, game_updated=updated)
        case lobby.RematchCreated():
            rematch = pb.RematchCreated(game=f"games/{shown.game}")
            return pb.Event(text=text, rematch_created=rematch)
        case lobby.GameAborted():
            return pb.Event(text=text, game_aborted=pb.GameAborted(reason=shown.reason))
    raise TypeError(f"no message for an event of kind {type(shown).__name__}")
