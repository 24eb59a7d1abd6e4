from __future__ import annotations

import pytest

from coltexpress.v1 import action_pb2 as pb
from coltexpress.v1 import horses_and_stagecoach_pb2 as horses_pb
from coltexpress.v1 import marshal_and_prisoners_pb2 as marshal_pb
from coltexpress.v1.vocabulary_pb2 import (
    CARD_KIND_FIRE,
    LOOT_KIND_JEWEL,
    LOOT_KIND_PURSE,
    CardKind,
    LootKind,
)
from coltexpress_server.api.actions import action, choice
from coltexpress_server.game import choices as ch
from coltexpress_server.game.boxes.horses_and_stagecoach import choices as horses
from coltexpress_server.game.boxes.marshal_and_prisoners import choices as marshal
from coltexpress_server.game.loot import UNKNOWN_VALUE
from coltexpress_server.service.refusals import Refused
from tests.api.games import kinds_of, played

RARE = [
    ch.FloorTo("3.roof"),
    ch.Play("DOC", "FIRE", True),
    ch.Keep(("FIRE", "FIRE", "DOC.MOVE")),
    ch.Keep(()),
    ch.Rob("PURSE", 300),
    ch.TakePurse(300),
    ch.Punch("DOC", "", "3.inside", False),
    ch.Rob("FLASK", UNKNOWN_VALUE),
    horses.Drink("", "HALF_OLD_FLASK"),
    horses.Drink("DOC", "FLASK"),
    horses.RideTo("gone"),
    horses.BoardBandits(()),
    marshal.ShootTwo("DOC", "TUCO"),
    marshal.RobTwo("JEWEL", UNKNOWN_VALUE, "PURSE", 300),
    marshal.RobTwo("MAILBAG", 1200, "PURSE", UNKNOWN_VALUE),
    marshal.Give("PURSE", 250),
]


def test_every_choice_is_what_its_message_makes_of_it() -> None:
    found = [*played().choices, *RARE]
    assert {type(each).__name__ for each in found} == kinds_of(ch.Choice)
    for each in found:
        message = action(each)
        assert message.WhichOneof("action") is not None
        assert choice(pb.Action.FromString(message.SerializeToString())) == each


def test_every_kind_of_message_makes_a_choice() -> None:
    kinds = {field.name for field in pb.Action.DESCRIPTOR.oneofs_by_name["action"].fields}
    assert {action(each).WhichOneof("action") for each in [*played().choices, *RARE]} == kinds


def test_a_value_of_zero_is_not_an_unknown_one() -> None:
    assert choice(pb.Action(take_purse=pb.TakePurse(value=0))) == ch.TakePurse(0)
    assert choice(pb.Action(take_purse=pb.TakePurse())) == ch.TakePurse(UNKNOWN_VALUE)


UNKNOWN_CARD: CardKind.ValueType = 99  # type: ignore[assignment] # what a later client may send
UNKNOWN_LOOT: LootKind.ValueType = 99  # type: ignore[assignment] # likewise
LONG = "x" * 33
JEWEL = LOOT_KIND_JEWEL


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (pb.Action(), "action"),
        (
            pb.Action(keep_cards=pb.KeepCards(cards=[pb.HandCard()])),
            "action.keep_cards.cards[0].card",
        ),
        (pb.Action(play_card=pb.PlayCard()), "action.play_card.card"),
        (pb.Action(play_card=pb.PlayCard(card=UNKNOWN_CARD)), "action.play_card.card"),
        (
            pb.Action(play_card=pb.PlayCard(card=CARD_KIND_FIRE, figure="Ä")),
            "action.play_card.figure",
        ),
        (pb.Action(move=pb.Move()), "action.move.space"),
        (pb.Action(move=pb.Move(space=LONG)), "action.move.space"),
        (pb.Action(change_floor=pb.ChangeFloor()), "action.change_floor.space"),
        (pb.Action(change_floor=pb.ChangeFloor(space="3 roof")), "action.change_floor.space"),
        (pb.Action(fire=pb.Fire()), "action.fire.figure"),
        (pb.Action(fire=pb.Fire(figure="D:C")), "action.fire.figure"),
        (pb.Action(rob=pb.Rob()), "action.rob.loot"),
        (pb.Action(rob=pb.Rob(loot=UNKNOWN_LOOT)), "action.rob.loot"),
        (pb.Action(rob=pb.Rob(loot=LOOT_KIND_PURSE, value=-1)), "action.rob.value"),
        (pb.Action(take_purse=pb.TakePurse(value=-300)), "action.take_purse.value"),
        (pb.Action(punch=pb.Punch(space="3.roof")), "action.punch.figure"),
        (pb.Action(punch=pb.Punch(figure="DOC")), "action.punch.space"),
        (
            pb.Action(punch=pb.Punch(figure="DOC", drop=UNKNOWN_LOOT, space="3.roof")),
            "action.punch.drop",
        ),
        (
            pb.Action(punch=pb.Punch(figure="DOC", drop=LOOT_KIND_JEWEL, space="\n")),
            "action.punch.space",
        ),
        (
            pb.Action(board_bandits=horses_pb.BoardBandits(figures=["DOC", "D C"])),
            "action.board_bandits.figures[1]",
        ),
        (
            pb.Action(
                board_cars=horses_pb.BoardCars(boardings=[horses_pb.BoardCars.Boarding(car=1)])
            ),
            "action.board_cars.boardings[0].figure",
        ),
        (pb.Action(ride=horses_pb.Ride()), "action.ride.space"),
        (pb.Action(take_hostage=horses_pb.TakeHostage()), "action.take_hostage.hostage"),
        (
            pb.Action(take_hostage=horses_pb.TakeHostage(hostage=LONG)),
            "action.take_hostage.hostage",
        ),
        (pb.Action(drink_whiskey=horses_pb.DrinkWhiskey()), "action.drink_whiskey.flask"),
        (
            pb.Action(
                drink_whiskey=horses_pb.DrinkWhiskey(flask=LootKind.LOOT_KIND_FLASK, figure=":")
            ),
            "action.drink_whiskey.figure",
        ),
        (pb.Action(flee=horses_pb.Flee(space="")), "action.flee.space"),
        (pb.Action(capture=marshal_pb.Capture()), "action.capture.figure"),
        (pb.Action(shoot_one=marshal_pb.ShootOne(cylinder=1)), "action.shoot_one.figure"),
        (pb.Action(shoot_one=marshal_pb.ShootOne(figure="DOC")), "action.shoot_one.cylinder"),
        (
            pb.Action(shoot_one=marshal_pb.ShootOne(figure="DOC", cylinder=3)),
            "action.shoot_one.cylinder",
        ),
        (pb.Action(shoot_two=marshal_pb.ShootTwo(first="DOC")), "action.shoot_two.second"),
        (
            pb.Action(rob_two=marshal_pb.RobTwo(second=marshal_pb.LootName(loot=JEWEL))),
            "action.rob_two.first",
        ),
        (
            pb.Action(
                rob_two=marshal_pb.RobTwo(
                    first=marshal_pb.LootName(loot=JEWEL), second=marshal_pb.LootName()
                )
            ),
            "action.rob_two.second.loot",
        ),
        (pb.Action(free_prisoner=marshal_pb.FreePrisoner()), "action.free_prisoner.prisoner"),
        (pb.Action(free_bandit=marshal_pb.FreeBandit(figure=LONG)), "action.free_bandit.figure"),
        (pb.Action(give=marshal_pb.Give(loot=JEWEL, value=-1)), "action.give.value"),
        (pb.Action(leave_cell=marshal_pb.LeaveCell(space=":")), "action.leave_cell.space"),
    ],
)
def test_a_message_with_a_field_that_is_missing_or_wrong_names_it(
    message: pb.Action, field: str
) -> None:
    with pytest.raises(Refused) as refused:
        choice(message)
    assert refused.value.reason == "INVALID_FIELD"
    assert refused.value.details == {"field": field}
