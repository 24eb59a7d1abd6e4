"""Choices that a game offers seldom are written and read back as they were."""

import pytest

from coltexpress_server.game.boxes.horses_and_stagecoach.choices import (
    Board,
    BoardBandits,
    BoardCar,
    BoardCars,
    Drink,
    FleeTo,
    RideTo,
    TakeHostage,
)
from coltexpress_server.game.boxes.marshal_and_prisoners.choices import (
    SEARCH,
    Capture,
    FreeBandit,
    FreePrisoner,
    Give,
    LeaveCell,
    RobTwo,
    ShootOne,
    ShootTwo,
)
from coltexpress_server.game.choices import Choice, FireAt, Keep, Rob
from coltexpress_server.game.loot import UNKNOWN_VALUE
from coltexpress_server.game.vocabulary import parse


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        (RideTo("stagecoach.inside"), "ride:stagecoach.inside"),
        (RideTo("gone"), "ride:gone"),
        (Board(True), "board:true"),
        (Board(False), "board:false"),
        (BoardCar(3), "board:3"),
        (BoardBandits(()), "board:"),
        (BoardBandits(("TUCO", "CHEYENNE")), "board:TUCO,CHEYENNE"),
        (BoardCars(("TUCO",), (3,)), "board:TUCO=3"),
        (BoardCars(("TUCO", "CHEYENNE"), (3, 2)), "board:TUCO=3,CHEYENNE=2"),
        (TakeHostage("POODLE"), "hostage:POODLE"),
        (Drink("", "FLASK"), "whiskey:FLASK"),
        (Drink("TUCO", "HALF_OLD_FLASK"), "whiskey:TUCO.HALF_OLD_FLASK"),
        (FleeTo("3.roof"), "flee:3.roof"),
        (SEARCH, "search"),
        (Capture("DOC"), "capture:DOC"),
        (FireAt("DOC"), "fire:DOC"),
        (ShootOne("DOC", 2), "fire:DOC:2"),
        (ShootTwo("DOC", "TUCO"), "fire:DOC:TUCO"),
        (Rob("PURSE", 300), "rob:PURSE:300"),
        (RobTwo("JEWEL", UNKNOWN_VALUE, "PURSE", 300), "rob:JEWEL,PURSE:300"),
        (RobTwo("MAILBAG", 200, "PURSE", UNKNOWN_VALUE), "rob:MAILBAG:200,PURSE"),
        (FreePrisoner("BELLE"), "free:PRISONER:BELLE"),
        (FreeBandit("BELLE"), "free:BELLE"),
        (Give("PURSE", 250), "give:PURSE:250"),
        (Give("JEWEL", UNKNOWN_VALUE), "give:JEWEL"),
        (LeaveCell("5.roof"), "leave_cell:5.roof"),
        (Keep(("FIRE", "BULLET", "DOC.BULLET")), "keep:FIRE,BULLET,DOC.BULLET"),
    ],
)
def test_choices_of_the_boxes_are_what_their_texts_say(choice: Choice, text: str) -> None:
    assert choice.text == text
    assert parse(text) == choice


@pytest.mark.parametrize(
    "text",
    [
        *("search:now", "fire:DOC:02", "free:PRISONER:A:B"),
        *(
            "give",
            "capture:A:B",
            "board:03",
            "board:TUCO=x",
            "board:TUCO=3,CHEYENNE",
            "board",
            "ride:a:b",
            "dance:DOC",
        ),
    ],
)
def test_other_texts_are_no_choices(text: str) -> None:
    assert parse(text) is None
