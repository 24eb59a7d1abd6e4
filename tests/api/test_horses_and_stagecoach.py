"""What Horses & Stagecoach brings, over sockets: the horse attack, TURMOIL, flasks, an ESCAPE."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from random import Random

import pytest

from coltexpress.v1 import event_pb2, game_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1.decision_pb2 import Decision
from coltexpress.v1.table_pb2 import Loot
from coltexpress.v1.vocabulary_pb2 import DecisionKind, Expansion, LootKind, Phase, Variant
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import ESCAPE, FLASK_KINDS
from coltexpress_server.game.engine import new_game
from coltexpress_server.game.generator import mix
from coltexpress_server.game.options import Options
from tests.api.games import HORSES
from tests.api.tables import Service, Table, answer, begun, deciding, get, new_id, play, submit

CAST = ("DOC", "GHOST", "BELLE", "TUCO")
EXPANSIONS = (Expansion.EXPANSION_HORSES_AND_STAGECOACH,)
TURMOIL = DecisionKind.DECISION_KIND_TURMOIL
FLASKS = {LootKind.Value(f"LOOT_KIND_{kind}") for kind in FLASK_KINDS}


async def test_a_game_begins_with_the_horse_attack(service: Service) -> None:
    table = await begun(service, CAST, expansions=EXPANSIONS)
    game = await get(service, table)
    assert list(game.options.expansions) == list(EXPANSIONS)
    assert {figure.space for figure in game.table.figures if figure.HasField("seat")} == {
        "horseback"
    }
    current = game.table.round
    assert (current.phase, current.number) == (Phase.PHASE_HORSE_ATTACK, 0)
    assert not current.HasField("first_seat")
    assert not current.HasField("card")
    coach = game.table.stagecoach
    assert (coach.car, coach.attacked_car, len(coach.hostages)) == (0, 4, 3)
    beside = [space for space in game.table.spaces if not space.HasField("car")]
    assert [space.id for space in beside] == ["stagecoach.inside", "stagecoach.roof"]
    [shotgun] = [figure for figure in game.table.figures if figure.name == "SHOTGUN"]
    assert shotgun.space == "stagecoach.roof"
    assert [token.value for token in shotgun.loot] == [1000]
    flasks = [token for token in lying(game) if token.kind in FLASKS]
    assert len(flasks) == 4
    assert all(token.value == 0 and not token.HasField("old_whiskey") for token in flasks)


async def test_everybody_answers_at_once_and_nothing_is_shown_before_all_have(
    service: Service,
) -> None:
    table = await begun(service, CAST, expansions=EXPANSIONS)
    commits = await answer_together(service, table, lambda decision: decision.options[0].option_id)
    shown = [[each.WhichOneof("event") for each in commit.events] for commit in commits]
    assert shown[:3] == [[], [], []]
    assert shown[3][0] == "car_boarded"
    assert list(commits[3].events[0].car_boarded.figures) == list(CAST)
    game = await get(service, table)
    assert list(game.table.stagecoach.horses) == [4, 4, 4, 4]
    assert not game.table.stagecoach.HasField("attacked_car")
    assert game.table.round.HasField("first_seat")


async def test_in_turmoil_nobody_sees_who_plays_and_who_draws(service: Service) -> None:
    table = await begun(service, CAST, expansions=EXPANSIONS, seed=bytes([3]) * 32)
    chance = Random(1)
    while (decision := await deciding(service, table)) is not None and decision.kind != TURMOIL:
        await answer(service, table, decision, chance)
    assert decision is not None, "another seed, with a TURMOIL turn"
    before = await get(service, table)

    def draws_or_plays(decision: Decision) -> str:
        return decision.options[-1 if decision.seat % 2 else 0].option_id

    seats = [each.seat for each in before.decisions]
    drawing = seats[1] if seats[1] % 2 else seats[0]
    [own] = [
        each for each in (await get(service, table, drawing)).decisions if each.seat == drawing
    ]
    commit = await submit(service, table, own, draws_or_plays(own))
    [drawn] = commit.events
    assert len(drawn.cards_drawn.cards) == drawn.cards_drawn.count == 3
    others = await get(service, table)
    for hand, was in zip(others.table.hands, before.table.hands, strict=True):
        assert hand == was
    assert [each.seat for each in others.decisions] == [each for each in seats if each != drawing]
    mine = (await get(service, table, drawing)).table.hands[drawing]
    assert mine.hand_size == len(mine.hand) == before.table.hands[drawing].hand_size + 3
    assert mine.deck_size == len(mine.deck) == before.table.hands[drawing].deck_size - 3

    await answer_together(service, table, draws_or_plays)
    told: list[tuple[str, int | None]] = [
        ("cards_drawn" if seat % 2 else "card_played", seat) for seat in seats
    ]
    for viewer in (*seats, None):
        history = await service.games.ListEvents(
            pb.ListEventsRequest(parent=table.name, page_size=1000), metadata=table.as_seat(viewer)
        )
        by_commit = [
            [(kind_of(each), seat_of(each)) for each in commit.events]
            for commit in history.commits[-4:]
        ]
        # Each learns of his own draw at once and once, of everything else when all have chosen.
        before_the_last = [each for events in by_commit[:3] for each in events]
        at_the_end = by_commit[3]
        own_draw = ("cards_drawn", viewer)
        assert set(before_the_last) <= {own_draw}
        assert [*before_the_last, *at_the_end].count(own_draw) == told.count(own_draw)
        rest = [each for each in told if each != own_draw]
        assert [each for each in at_the_end if each != own_draw][: len(rest)] == rest


async def test_a_deadline_answers_for_those_who_have_not(service: Service) -> None:
    clock = game_pb2.Clock(turn_seconds=1, auto_play_after=100)
    table = await begun(service, CAST, expansions=EXPANSIONS, clock=clock)
    game = await get(service, table, 0)
    assert len({each.deadline.ToMilliseconds() for each in game.decisions}) == 1
    [own] = [each for each in game.decisions if each.seat == 0]
    await submit(service, table, own, "board:false")
    while game.table.stagecoach.attacked_car == 4:
        game = await get(service, table, wait_for_version=game.version + 1)
    # Those who were late board the first car that they can; who has answered rides on, alone.
    spaces = {figure.name: figure.space for figure in game.table.figures}
    assert {spaces[name] for name in CAST[1:]} == {"4.inside"}


async def test_who_is_caught_in_an_escape_does_not_win(service: Service) -> None:
    table = await begun(service, CAST, expansions=EXPANSIONS, seed=seed_of_an_escape())
    await play(service, table)
    game = await get(service, table)
    assert game.table.round.card.name == ESCAPE
    safe = {"stagecoach.inside", "stagecoach.roof", "gone"}
    spaces = {figure.name: figure.space for figure in game.table.figures}
    for seat in game.result.seats:
        [name] = game.seats[seat.seat].figures
        assert list(seat.caught) == ([] if spaces[name] in safe else [name])
        assert not (seat.caught and seat.seat in game.result.winners)
    # All is open now: the sorts of flasks too.
    assert all(token.HasField("old_whiskey") for token in lying(game) if token.kind in FLASKS)


@pytest.mark.parametrize(
    ("variant", "bandits"),
    [
        (Variant.VARIANT_EXPERT, ("TUCO+CHEYENNE", "DJANGO+DOC")),
        (Variant.VARIANT_TEAMS, CAST),
    ],
)
async def test_the_horse_attack_is_answered_by_typed_actions_in_every_variant(
    service: Service, variant: Variant.ValueType, bandits: tuple[str, ...]
) -> None:
    table = await begun(service, bandits, variant=variant, expansions=EXPANSIONS)
    game = await get(service, table)
    assert {each.kind for each in game.decisions} == {DecisionKind.DECISION_KIND_BOARD}
    assert [each.seat for each in game.decisions] == list(range(len(bandits)))
    for seat in range(len(bandits)):
        own = next(
            each for each in (await get(service, table, seat)).decisions if each.seat == seat
        )
        kind = "board_bandits" if "+" in bandits[seat] else "board"
        assert {option.action.WhichOneof("action") for option in own.options} == {kind}
        assert all(option.label for option in own.options)
        request = pb.SubmitActionRequest(
            name=table.name,
            decision_id=own.id,
            action=own.options[0].action,
            request_id=new_id(),
        )
        await service.games.SubmitAction(request, metadata=table.as_seat(seat))
    # The first option is that all of them board.
    after = await get(service, table)
    spaces = {figure.space for figure in after.table.figures if figure.HasField("seat")}
    assert spaces == {"4.inside"}


async def answer_together(
    service: Service, table: Table, choose: Callable[[Decision], str]
) -> list[event_pb2.Commit]:
    """All open decisions, answered at the same time; the commits in the order of their versions."""
    open_ones = (await get(service, table)).decisions
    games = await asyncio.gather(*(get(service, table, each.seat) for each in open_ones))
    own = [
        next(each for each in game.decisions if each.seat == game.viewer and each.options)
        for game in games
    ]
    commits = await asyncio.gather(*(submit(service, table, each, choose(each)) for each in own))
    return sorted(commits, key=lambda commit: commit.version)


def kind_of(event: event_pb2.Event) -> str:
    return event.WhichOneof("event") or ""


def seat_of(event: event_pb2.Event) -> int | None:
    """The seat that an event is about, if it is about one."""
    body = getattr(event, kind_of(event))
    return body.seat if "seat" in body.DESCRIPTOR.fields_by_name else None


def lying(game: game_pb2.Game) -> Iterable[Loot]:
    """All loot on spaces."""
    return [token for space in game.table.spaces for token in space.loot]


def seed_of_an_escape() -> bytes:
    """A server's seed of a game whose last round is an ESCAPE."""
    options = Options("STANDARD", HORSES, "BIG_BOX", ())
    for number in range(256):
        seed = bytes([number]) * 32
        state = new_game(options, [[name] for name in CAST], mix(seed, [b""] * len(CAST)))
        if state.round.cards[-1].name == ESCAPE:
            return seed
    raise AssertionError("no such seed")
