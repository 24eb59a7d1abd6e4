"""Which games can be created, and how seats lead their bandits, over sockets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import grpc
import pytest
from google.protobuf.field_mask_pb2 import FieldMask

from coltexpress.v1 import game_pb2, server_service_pb2
from coltexpress.v1 import game_service_pb2 as pb
from coltexpress.v1.action_pb2 import Action, HandCard, KeepCards
from coltexpress.v1.vocabulary_pb2 import CardKind, Expansion, Variant
from tests.api.tables import Service, begun, get, lobby, new_id, refusal

HORSES = (Expansion.EXPANSION_HORSES_AND_STAGECOACH,)
MARSHAL = (Expansion.EXPANSION_MARSHAL_AND_PRISONERS,)


def creation(
    variant: Variant.ValueType,
    seats: int,
    figures: tuple[str, ...] = (),
    expansions: Sequence[Expansion.ValueType] = (),
) -> pb.CreateGameRequest:
    """A game of so many seats, the first of which is meant for these bandits."""
    wanted = [game_pb2.Seat(figures=figures if number == 0 else ()) for number in range(seats)]
    return pb.CreateGameRequest(
        game=game_pb2.Game(
            options=game_pb2.GameOptions(variant=variant, expansions=expansions), seats=wanted
        ),
        request_id=new_id(),
    )


async def test_whatever_the_server_says_can_be_played_can_be_created(service: Service) -> None:
    info = await service.server.GetServerInfo(server_service_pb2.GetServerInfoRequest())
    said = {(size.variant, size.seats, *size.expansions): size for size in info.table_sizes}
    assert len(said) == len(info.table_sizes)
    # A server lets nobody create any number of games.
    worth_trying = [
        *((variant, ()) for variant in Variant.values()),
        *product(Variant.values()[1:], (HORSES, MARSHAL)),
    ]
    for variant, expansions in worth_trying:
        for seats in range(10):
            request = creation(Variant.ValueType(variant), seats, expansions=expansions)
            size = said.get((variant or Variant.VARIANT_STANDARD, seats, *expansions))
            if size is None:
                found = await refusal(service.games.CreateGame(request))
                assert found.code == grpc.StatusCode.INVALID_ARGUMENT
                hunted = set(MARSHAL) <= set(expansions)
                impossible = hunted and variant == Variant.VARIANT_TEAMS
                field = "game.options.variant" if impossible else "game.seats"
                assert (found.reason, found.details["field"]) == ("INVALID_OPTIONS", field)
                continue
            request.game.options.cars.extend("ABCDEF"[: size.cars])
            created = (await service.games.CreateGame(request)).game
            assert len(created.seats) == seats
            assert list(created.options.expansions) == list(expansions)
            request = creation(Variant.ValueType(variant), seats, expansions=expansions)
            request.game.options.cars.extend("ABCDEF"[: size.cars - 1])
            found = await refusal(service.games.CreateGame(request))
            assert found.details["field"] == "game.options.cars"
    for variant, counts in (
        (Variant.VARIANT_STANDARD, {3, 4, 5, 6}),
        (Variant.VARIANT_EXPERT, {2, 3, 4, 5, 6}),
        (Variant.VARIANT_TEAMS, {4, 6}),
    ):
        alone = [size for size in info.table_sizes if not size.marshal]
        assert {size.seats for size in alone if size.variant == variant} == counts
    for size in info.table_sizes:
        assert size.marshal == (set(MARSHAL) <= set(size.expansions))
    hunts = [size for size in info.table_sizes if size.marshal]
    assert {size.seats for size in hunts} == {3, 4, 5, 6, 7, 8}
    assert {size.variant for size in hunts} == {Variant.VARIANT_STANDARD, Variant.VARIANT_EXPERT}


async def test_a_refusal_says_what_can_be_played_instead(service: Service) -> None:
    found = await refusal(service.games.CreateGame(creation(Variant.VARIANT_STANDARD, 2)))
    assert "2 seats can play EXPERT" in found.message
    found = await refusal(service.games.CreateGame(creation(Variant.VARIANT_TEAMS, 5)))
    assert "5 seats can play STANDARD or EXPERT" in found.message


@pytest.mark.parametrize(
    ("variant", "seats", "figures"),
    [
        (Variant.VARIANT_EXPERT, 2, ("DOC",)),
        (Variant.VARIANT_EXPERT, 2, ("DOC", "TUCO", "BELLE")),
        (Variant.VARIANT_EXPERT, 2, ("DOC", "DOC")),
        (Variant.VARIANT_EXPERT, 3, ("DOC", "TUCO")),
        (Variant.VARIANT_TEAMS, 4, ("DOC", "TUCO")),
        (Variant.VARIANT_STANDARD, 4, ("MARSHAL",)),
    ],
)
async def test_a_seat_that_leads_the_wrong_bandits_is_named(
    service: Service, variant: Variant.ValueType, seats: int, figures: tuple[str, ...]
) -> None:
    found = await refusal(service.games.CreateGame(creation(variant, seats, figures)))
    assert (found.code, found.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_OPTIONS")
    assert found.details["field"] == "game.seats[0].figures"


async def test_two_players_choose_two_bandits_each(service: Service) -> None:
    created = await service.games.CreateGame(creation(Variant.VARIANT_EXPERT, 2))
    name = created.game.name

    def joining(*figures: str) -> pb.JoinGameRequest:
        return pb.JoinGameRequest(name=name, figures=figures, request_id=new_id())

    for figures in (("DOC",), ("DOC", "DOC"), ("DOC", "NOBODY")):
        found = await refusal(service.games.JoinGame(joining(*figures)))
        assert (found.reason, found.details["field"][:7]) == ("INVALID_FIELD", "figures")
    joined = await service.games.JoinGame(joining("DOC", "TUCO"))
    assert list(joined.game.seats[0].figures) == ["DOC", "TUCO"]
    found = await refusal(service.games.JoinGame(joining("TUCO", "BELLE")))
    assert found.reason == "FIGURE_TAKEN"
    await service.games.JoinGame(joining())
    metadata = (("authorization", f"Bearer {created.host_token}"),)
    started = await service.games.StartGame(
        pb.StartGameRequest(name=name, request_id=new_id()), metadata=metadata
    )
    assert [len(seat.figures) for seat in started.seats] == [2, 2]
    assert len({figure for seat in started.seats for figure in seat.figures}) == 4
    assert len(started.table.cars) == 5


async def test_partners_are_one_team(service: Service) -> None:
    table = await begun(service, variant=Variant.VARIANT_TEAMS)
    assert [seat.team for seat in (await get(service, table)).seats] == [0, 0, 1, 1]


async def test_everybody_may_answer_at_the_same_time(service: Service) -> None:
    """Nobody is refused because another answered first, and nobody is told what was chosen."""
    table = await lobby(service, ("DOC", "GHOST", "BELLE"), variant=Variant.VARIANT_EXPERT)
    for _ in range(3):
        joined = await service.games.JoinGame(
            pb.JoinGameRequest(name=table.name, request_id=new_id())
        )
        table.tokens.append(joined.seat_token)
    await service.games.StartGame(
        pb.StartGameRequest(name=table.name, request_id=new_id()), metadata=table.as_host
    )
    while True:
        game = await get(service, table)
        if len(game.decisions) == 3:
            break
        seat = game.decisions[0].seat
        [decision] = (await get(service, table, seat)).decisions
        await service.games.SubmitAction(
            pb.SubmitActionRequest(
                name=table.name,
                decision_id=decision.id,
                option_id=decision.options[-1].option_id,
                request_id=new_id(),
            ),
            metadata=table.as_seat(seat),
        )
    ids = {decision.seat: decision.id for decision in game.decisions}
    for nonsense in ("keep:,", f"keep:{',' * 150}", "keep:...,..", "keep:NOBODY.MOVE"):
        request = pb.SubmitActionRequest(
            name=table.name, decision_id=ids[2], option_id=nonsense, request_id=new_id()
        )
        found = await refusal(service.games.SubmitAction(request, metadata=table.as_seat(2)))
        assert (found.reason, found.details["rule"]) == ("CARD_NOT_IN_HAND", "2.1.4")
    cards = [HandCard(card=CardKind.CARD_KIND_FIRE)] * 10_000
    request = pb.SubmitActionRequest(
        name=table.name,
        decision_id=ids[2],
        action=Action(keep_cards=KeepCards(cards=cards)),
        request_id=new_id(),
    )
    found = await refusal(service.games.SubmitAction(request, metadata=table.as_seat(2)))
    assert found.reason == "CARD_NOT_IN_HAND"
    for place, seat in enumerate((2, 0, 1)):
        answered = await service.games.SubmitAction(
            pb.SubmitActionRequest(
                name=table.name, decision_id=ids[seat], option_id="keep:", request_id=new_id()
            ),
            metadata=table.as_seat(seat),
        )
        discarded = [
            event.cards_discarded
            for event in answered.commit.events
            if event.HasField("cards_discarded")
        ]
        assert len(discarded) == (3 if place == 2 else 0)


async def test_one_seat_leads_the_marshal(service: Service) -> None:
    """Whoever wants him gets that seat, whoever wants a bandit another one."""
    created = await service.games.CreateGame(
        creation(Variant.VARIANT_STANDARD, 4, expansions=MARSHAL)
    )
    name = created.game.name
    assert [list(seat.figures) for seat in created.game.seats] == [["MARSHAL"], [], [], []]
    assert created.game.options.closing_actions
    listed = (await service.games.ListGames(pb.ListGamesRequest(expansions=MARSHAL))).games
    [found] = [game for game in listed if game.name == name]
    assert list(found.seats[0].figures) == ["MARSHAL"]
    assert all(set(MARSHAL) <= set(game.options.expansions) for game in listed)
    listed = (await service.games.ListGames(pb.ListGamesRequest(expansions=HORSES))).games
    assert name not in [game.name for game in listed]

    def joining(*figures: str, seat: int | None = None) -> pb.JoinGameRequest:
        return pb.JoinGameRequest(name=name, figures=figures, seat=seat, request_id=new_id())

    assert (await service.games.JoinGame(joining("MEI"))).seat == 1
    for wrong in (joining("DOC", seat=0), joining("MARSHAL", seat=2), joining("MEI")):
        found = await refusal(service.games.JoinGame(wrong))
        assert (found.reason, found.details["field"]) == ("FIGURE_TAKEN", "figures[0]")
    joined = await service.games.JoinGame(joining("MARSHAL"))
    assert (joined.seat, list(joined.game.seats[0].figures)) == (0, ["MARSHAL"])
    for _ in range(2):
        await service.games.JoinGame(joining())
    metadata = (("authorization", f"Bearer {created.host_token}"),)
    started = await service.games.StartGame(
        pb.StartGameRequest(name=name, request_id=new_id()), metadata=metadata
    )
    assert [seat.figures[0] for seat in started.seats][:2] == ["MARSHAL", "MEI"]
    assert [car.letter for car in started.table.cars][-1] == "PRISON"
    assert len(started.table.cars) == 6
    marshal = next(figure for figure in started.table.figures if figure.name == "MARSHAL")
    assert marshal.seat == 0
    sheet = started.table.prison_train
    assert [len(cylinder.bullets) for cylinder in sheet.cylinders] == [6, 6]
    assert [goal.name for goal in sheet.current_goals] == ["HIDDEN"]
    assert sheet.upcoming_goals == 4


async def test_closing_actions_are_an_option_of_the_marshal_alone(service: Service) -> None:
    request = creation(Variant.VARIANT_STANDARD, 4, expansions=MARSHAL)
    request.game.options.closing_actions = False
    created = await service.games.CreateGame(request)
    assert created.game.options.HasField("closing_actions")
    assert not created.game.options.closing_actions
    host = (("authorization", f"Bearer {created.host_token}"),)

    def changing(path: str, *expansions: Expansion.ValueType) -> pb.UpdateGameRequest:
        options = game_pb2.GameOptions(expansions=expansions)
        return pb.UpdateGameRequest(
            game=game_pb2.Game(name=created.game.name, options=options),
            update_mask=FieldMask(paths=[path]),
            request_id=new_id(),
        )

    refused = service.games.UpdateGame(changing("options.expansions"), metadata=host)
    assert (await refusal(refused)).details["field"] == "game.options.closing_actions"
    changed = await service.games.UpdateGame(
        changing("options.closing_actions", *MARSHAL), metadata=host
    )
    assert changed.options.closing_actions
    changed = await service.games.UpdateGame(changing("options"), metadata=host)
    assert not changed.options.HasField("closing_actions")
    assert not changed.seats[0].figures
    request = creation(Variant.VARIANT_STANDARD, 4)
    request.game.options.closing_actions = False
    found = await refusal(service.games.CreateGame(request))
    assert (found.reason, found.details["field"]) == (
        "INVALID_OPTIONS",
        "game.options.closing_actions",
    )
