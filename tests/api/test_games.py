"""Games as messages: nothing in them but what the viewer may know."""

from __future__ import annotations

import random
from collections.abc import Iterator

from coltexpress.v1 import game_pb2
from coltexpress.v1.vocabulary_pb2 import (
    CARD_KIND_FIRE,
    CARD_KIND_HIDDEN,
    LEVEL_ROOF,
    LOOT_KIND_STRONGBOX,
    PHASE_SCHEMIN,
)
from coltexpress_server.api import games
from coltexpress_server.api.games import listed
from coltexpress_server.api.texts import DEFAULT
from coltexpress_server.game.cards import PileCard
from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.game.options import STANDARD
from coltexpress_server.game.state import State
from coltexpress_server.game.views import determinize, view
from coltexpress_server.service.clocks import Clock, SeatClock
from coltexpress_server.service.events import SeatShown
from coltexpress_server.service.records import (
    FINISHED,
    LOBBY,
    PRIVATE,
    PUBLIC,
    RUNNING,
    GameRecord,
    SeatRecord,
    StoredGame,
    Summary,
)
from coltexpress_server.service.views import Seen
from coltexpress_server.store import Cursor
from tests.api.games import CAST, played

GAME_ID = "00" + "a" * 24
SEED = bytes(32)
VIEWERS = (*range(len(CAST)), SPECTATOR)
CLOCK = Clock(30, 60, 2)


def record(state: State | None) -> GameRecord:
    seats = [
        SeatRecord(b"hash", f"Player {number}", [], list(names), bytes([number]))
        for number, names in enumerate(CAST)
    ]
    status = LOBBY if state is None else FINISHED if state.finished else RUNNING
    return GameRecord(
        *(status, PRIVATE, STANDARD, "owner", b"host", 0, SEED, CLOCK, "RANDOM", seats, state),
        opened_by="decade",
    )


def seen(state: State | None, viewer: int = SPECTATOR) -> Seen:
    return Seen(StoredGame(GAME_ID, Cursor(7, "c0ffee"), record(state), 1_500, 2_750), viewer)


def game(seen: Seen) -> game_pb2.Game:
    return games.game(seen, DEFAULT)


def sampled(every: int = 60) -> Iterator[State]:
    return iter(played().states[::every])


def test_a_game_in_the_lobby() -> None:
    message = game(seen(None))
    assert message.name == f"games/{GAME_ID}"
    assert message.cursor == "7-c0ffee"
    assert message.state == game_pb2.Game.STATE_LOBBY
    assert message.visibility == game_pb2.VISIBILITY_PRIVATE
    assert [seat.display_name for seat in message.seats] == [f"Player {n}" for n in range(5)]
    assert [list(seat.figures) for seat in message.seats] == CAST
    assert not message.HasField("viewer")
    assert not message.HasField("table")
    assert not message.HasField("result")
    assert not message.fairness.entropies
    assert not message.fairness.seed
    assert len(message.fairness.seed_hash) == 32
    assert message.create_time.ToMilliseconds() == 1_500
    assert message.update_time.ToMilliseconds() == 2_750


def test_secrets_of_the_record_are_in_no_message() -> None:
    for viewer in VIEWERS:
        data = game(seen(played().states[0], viewer)).SerializeToString()
        for secret in (SEED, b"hash", b"host", b"code", b"owner"):
            assert secret not in data


def test_what_a_viewer_may_not_know_makes_no_difference() -> None:
    chance = random.Random(1)
    for state in sampled():
        for viewer in VIEWERS:
            other = determinize(view(state, viewer), chance)
            assert (
                game(seen(state, viewer)).SerializeToString()
                == game(seen(other, viewer)).SerializeToString()
            )


def test_what_only_the_owner_may_know_makes_a_difference_to_him() -> None:
    state = played().states[0]
    messages = {game(seen(state, viewer)).table.SerializeToString() for viewer in VIEWERS}
    assert len(messages) == len(VIEWERS)


def test_options_and_prompt_are_the_deciding_seats_alone() -> None:
    for state in sampled():
        for decision in state.pending:
            for viewer in VIEWERS:
                [message] = game(seen(state, viewer)).decisions
                assert message.id == f"{decision.id}.decade"
                assert message.seat == decision.seat
                if viewer == decision.seat:
                    assert [option.option_id for option in message.options] == [
                        option.text for option in decision.options
                    ]
                    assert message.prompt
                else:
                    assert not message.options
                    assert not message.prompt


def test_hands_and_decks_are_their_owners_alone() -> None:
    for state in sampled():
        if state.finished:
            continue
        for viewer in VIEWERS:
            for hand in game(seen(state, viewer)).table.hands:
                if hand.seat == viewer:
                    assert len(hand.hand) == hand.hand_size
                    assert len(hand.deck) == hand.deck_size
                else:
                    assert not hand.hand
                    assert not hand.deck


def test_a_face_down_card_is_its_players_alone() -> None:
    state = played().states[0].copy()
    state.pile = [PileCard(0, state.rules.card("DOC", "FIRE"), True)]
    [own] = game(seen(state, 0)).table.pile
    assert own.card.kind == CARD_KIND_FIRE
    assert own.card.figure == "DOC"
    assert own.face_down
    [others] = game(seen(state, 1)).table.pile
    assert others.card.kind == CARD_KIND_HIDDEN
    assert not others.card.figure
    assert others.face_down


def test_the_table() -> None:
    table = game(seen(played().states[0])).table
    assert [car.number for car in table.cars] == list(range(6))
    assert not table.cars[0].letter
    assert all(car.letter for car in table.cars[1:])
    assert [space.id for space in table.spaces][:3] == ["0.inside", "0.roof", "1.inside"]
    assert table.spaces[1].level == LEVEL_ROOF
    assert table.spaces[1].car == 0
    assert [(token.kind, token.value) for token in table.spaces[0].loot] == [
        (LOOT_KIND_STRONGBOX, 1000)
    ]
    assert [figure.name for figure in table.figures] == [*(name for [name] in CAST), "MARSHAL"]
    assert not table.figures[-1].HasField("seat")
    assert table.figures[0].HasField("seat")
    assert [token.value for token in table.figures[0].loot] == [250]
    assert table.round.number == 1
    assert table.round.of == 5
    assert table.round.phase == PHASE_SCHEMIN
    assert [card.name for card in table.round_cards] == [table.round.card.name]
    assert table.strongbox_waiting
    assert not table.HasField("resolving")


def test_the_card_that_resolves() -> None:
    found = [each for each in played().states if each.pending and each.pending[0].kind == "FIRE"]
    state = found[0]
    table = game(seen(state)).table
    assert table.resolving.card.kind == CARD_KIND_FIRE
    assert table.resolving.card.figure == state.pending[0].figure
    assert table.resolving.seat == state.pending[0].seat


def test_a_finished_game_is_open_to_all() -> None:
    state = played().states[-1]
    assert state.finished
    message = game(seen(state))
    assert message.fairness.seed == SEED
    assert list(message.fairness.entropies) == [bytes([number]) for number in range(5)]
    assert all(len(hand.deck) == hand.deck_size > 0 for hand in message.table.hands)
    assert all(token.HasField("value") for figure in message.table.figures for token in figure.loot)
    assert len(message.table.round_cards) == 5
    best = max(seat.score for seat in message.result.seats)
    assert all(message.result.seats[winner].score == best for winner in message.result.winners)
    for seat in message.result.seats:
        assert sum(row.dollars for row in seat.rows) == seat.score


def test_equal_games_are_equal_bytes() -> None:
    state = played().states[40]
    assert (
        game(seen(state, 1)).SerializeToString() == game(seen(state.copy(), 1)).SerializeToString()
    )


def test_who_plays_a_seat_and_what_time_it_has_is_everybodys_to_see() -> None:
    state = played().states[3]
    for viewer in VIEWERS:
        found = seen(state, viewer)
        asked = state.pending[0].seat
        seat = found.game.record.seats[asked]
        seat.auto_play, seat.misses, seat.clock = "RANDOM", 2, SeatClock(4_500, 90_000)
        found.game.record.seats[1 - asked].bot = "RANDOM"
        message = game(found)
        assert (message.clock.reserve_seconds, message.stand_in) == (60, "RANDOM")
        assert message.seats[asked].auto_play == "RANDOM"
        assert message.seats[asked].missed_deadlines == 2
        assert message.seats[asked].reserve.ToMilliseconds() == 4_500
        assert message.decisions[0].deadline.ToMilliseconds() == 90_000
        assert message.seats[1 - asked].bot == "RANDOM"


def test_a_game_in_a_list() -> None:
    seats = [SeatShown(True, "Ann", ["DOC"], "RANDOM"), SeatShown(False, "", [])]
    message = listed(Summary(GAME_ID, 3, LOBBY, PUBLIC, STANDARD, CLOCK, seats, 1_500, 2_750))
    assert message.name == f"games/{GAME_ID}"
    assert message.version == 3
    assert [seat.taken for seat in message.seats] == [True, False]
    assert [seat.bot for seat in message.seats] == ["RANDOM", ""]
    assert message.clock.turn_seconds == 30
    assert not message.HasField("table")
    assert not message.HasField("fairness")
