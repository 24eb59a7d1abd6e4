"""The engine's events in the words of the file format."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from coltexpress_server.game.events import Event, GameEnded, LootMoved, TurnStarted
from coltexpress_server.game.loot import PUBLIC, Token
from coltexpress_server.game.options import STANDARD
from coltexpress_server.replay.document import FORMAT, AnyEvent, InvalidReplay, read, write
from coltexpress_server.replay.export import CommitRecord, event_to_json, export_game
from tests.replay.finished_games import finished_game, games_with_every_kind_of_event


def test_format_has_every_kind_of_event() -> None:
    written = {kind.__name__ for kind in get_args(AnyEvent)}
    # The lobby's events, which are others' to tell, are left out of the file, and what a seat is
    # told early and all others later.
    rules = Event.__module__.removesuffix("events")
    of_the_rules = [kind for kind in Event.__subclasses__() if kind.__module__.startswith(rules)]
    assert written | {"DrawnInSecret"} == {kind.__name__ for kind in of_the_rules}


def test_events_of_games_are_of_every_kind() -> None:
    """So that the verified games show that each kind is exported as the format has it."""
    kinds = {
        type(event)
        for replay in games_with_every_kind_of_event()
        for commit in replay.commits
        for event in commit.events
    }
    assert kinds == set(get_args(AnyEvent))


def test_event_to_json() -> None:
    event = LootMoved(Token("PURSE", 300, PUBLIC), "3.inside", "DOC", "ROBBERY")
    assert event_to_json(event) == {
        "kind": "LOOT_MOVED",
        "token": {"kind": "PURSE", "value": 300},
        "source": "3.inside",
        "target": "DOC",
        "cause": "ROBBERY",
    }


def test_event_that_the_format_does_not_have() -> None:
    with pytest.raises(TypeError, match="no event"):
        event_to_json(Event())


@pytest.mark.parametrize("events", [[], [TurnStarted(0, "STANDARD")]])
def test_game_that_has_not_ended(events: list[Event]) -> None:
    with pytest.raises(ValueError, match="when it has ended"):
        export_game(
            "game",
            STANDARD,
            [[]] * 3,
            seed=bytes(32),
            entropies=[b""] * 3,
            commits=[CommitRecord(1, "START", None, "", events)],
        )


def test_entropies_for_other_seats() -> None:
    with pytest.raises(ValueError, match="shorter"):
        export_game(
            "game",
            STANDARD,
            [[]] * 3,
            seed=bytes(32),
            entropies=[b""] * 2,
            commits=[CommitRecord(1, "START", None, "", [GameEnded([0, 0, 0], [0])])],
        )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no exported game"),
        (b"[]", "no exported game: Expected `object`, got `array`"),
        (b"{}", "missing required field `format`"),
        (b'{"format": "coltexpress/replay/2"}', f"this release reads {FORMAT}"),
        (f'{{"format": "{FORMAT}"}}'.encode(), "missing required field `game`"),
    ],
)
def test_files_that_are_no_exported_game(data: bytes, message: str) -> None:
    with pytest.raises(InvalidReplay, match=message):
        read(data)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seed", "00"),
        ("seed_hash", "X" * 64),
        ("rules_revision", -1),
        ("winners", ["DOC"]),
        ("comment", "nothing else may be in the file"),
        ("commits", [{"version": 1}]),
    ],
)
def test_fields_that_do_not_fit(field: str, value: object) -> None:
    tree = msgspec.json.decode(write(finished_game(3, 0))) | {field: value}
    with pytest.raises(InvalidReplay, match=field):
        read(msgspec.json.encode(tree))
