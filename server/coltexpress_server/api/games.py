"""Games as messages: whole ones through somebody's eyes, and what lists show of them."""

from __future__ import annotations

from collections.abc import Sequence

from coltexpress.v1 import game_pb2 as pb
from coltexpress_server.api import marshal_and_prisoners
from coltexpress_server.api.decisions import decisions
from coltexpress_server.api.options import clock, options
from coltexpress_server.api.tables import table
from coltexpress_server.api.texts import Language
from coltexpress_server.api.times import timestamp
from coltexpress_server.api.words import STATES, VISIBILITIES
from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.game.scoring import score
from coltexpress_server.game.state import State
from coltexpress_server.game.views import view
from coltexpress_server.service.events import SeatShown
from coltexpress_server.service.records import (
    FINISHED,
    GameRecord,
    SeatRecord,
    StoredGame,
    Summary,
)
from coltexpress_server.service.views import Seen
from coltexpress_server.service.watch import cursor_text


def name(game_id: str) -> str:
    """The resource name of a game."""
    return f"games/{game_id}"


def game(seen: Seen, language: Language) -> pb.Game:
    """A game as its viewer may see it; language: of its texts."""
    stored: StoredGame = seen.game
    record = stored.record
    whole = record.state
    state = view(whole, seen.viewer) if whole is not None else None
    finished = record.status == FINISHED
    return pb.Game(
        name=name(stored.game_id),
        version=stored.cursor.version,
        cursor=cursor_text(stored.cursor),
        state=STATES.values[record.status],
        visibility=VISIBILITIES.values[record.visibility],
        options=options(record.options),
        seats=_seats(record.seats, record.figures, state, reserves=_has_reserves(record)),
        viewer=None if seen.viewer == SPECTATOR else seen.viewer,
        table=table(state, _deck_sizes(whole, state))
        if state is not None and whole is not None
        else None,
        decisions=decisions(
            state.pending,
            record.opened_by,
            seen.viewer,
            [record.seats[decision.seat].clock.deadline for decision in state.pending],
            language,
        )
        if state is not None
        else (),
        result=_result(state) if state is not None and state.finished else None,
        fairness=_fairness(record, begun=state is not None, finished=finished),
        create_time=timestamp(stored.created_ms),
        update_time=timestamp(stored.updated_ms),
        clock=clock(record.clock),
        stand_in=record.stand_in,
        join_code=seen.join_code,
        rematch=name(record.rematch) if record.rematch else "",
        aborted=record.aborted,
    )


def listed(summary: Summary) -> pb.Game:
    """What lists show of a game."""
    return pb.Game(
        name=name(summary.game_id),
        version=summary.version,
        state=STATES.values[summary.status],
        visibility=VISIBILITIES.values[summary.visibility],
        options=options(summary.options),
        seats=_seats(summary.seats, [seat.figures for seat in summary.seats]),
        create_time=timestamp(summary.created_ms),
        update_time=timestamp(summary.updated_ms),
        clock=clock(summary.clock),
        aborted=summary.aborted,
    )


def _deck_sizes(whole: State, seen: State) -> list[int]:
    """By seat; who sees at once what he draws in secret sees his deck without it."""
    sizes = []
    for seat in whole.seats:
        deck = whole.decks[seat.deck]
        drawn = len(seen.decks[seat.deck].hand) - len(deck.hand)
        sizes.append(len(deck.cards) - drawn)
    return sizes


def _has_reserves(record: GameRecord) -> bool:
    """Whether the seats have reserves of time, which they have from the start on."""
    return record.state is not None and record.clock is not None and record.clock.reserve_s > 0


def _seats(
    seats: Sequence[SeatRecord | SeatShown],
    figures: Sequence[Sequence[str]],
    state: State | None = None,
    *,
    reserves: bool = False,
) -> list[pb.Seat]:
    """The seats; before the start each is a team of its own, as far as anybody knows."""
    found = []
    for number, (seat, names) in enumerate(zip(seats, figures, strict=True)):
        message = pb.Seat(
            number=number,
            taken=seat.taken,
            display_name=seat.display_name,
            figures=names,
            reserved=seat.reserved,
            team=state.seats[number].team if state is not None else number,
            bot=seat.bot,
            auto_play=seat.auto_play,
        )
        if isinstance(seat, SeatRecord):
            message.missed_deadlines = seat.misses
            if reserves:
                message.reserve.FromMilliseconds(seat.clock.reserve_ms)
        found.append(message)
    return found


def _result(state: State) -> pb.Result:
    final = score(state)
    losers = state.rules.losers(state)
    return pb.Result(
        seats=[
            pb.SeatResult(
                seat=number,
                score=final.totals[number],
                bullets_received=final.bullets[number],
                rows=[
                    pb.ScoreRow(
                        name=title,
                        dollars=sum(
                            dollars.get(figure.name, 0)
                            for figure in state.bandits
                            if state.seats[figure.seat].team == seat.team
                        ),
                    )
                    for title, dollars in final.rows
                ],
                caught=[name for name in seat.figures if name in losers],
                goals=marshal_and_prisoners.achievements(state, number),
            )
            for number, seat in enumerate(state.seats)
        ],
        winners=final.winners,
    )


def _fairness(record: GameRecord, *, begun: bool, finished: bool) -> pb.Fairness:
    return pb.Fairness(
        seed_hash=record.seed_hash,
        entropies=[seat.entropy for seat in record.seats] if begun else (),
        seed=record.seed if finished else b"",
    )
