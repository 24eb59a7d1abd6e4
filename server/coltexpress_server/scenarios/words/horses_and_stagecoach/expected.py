"""What `expect` and `sees` can say about Horses & Stagecoach: one function a key."""

from __future__ import annotations

from typing import Final

from coltexpress_server.game.boxes.horses_and_stagecoach import tables
from coltexpress_server.game.boxes.horses_and_stagecoach.state import hostage_of, stagecoach
from coltexpress_server.game.state import Figure, State
from coltexpress_server.scenarios import reading
from coltexpress_server.scenarios.document import Node
from coltexpress_server.scenarios.language import Check, Expected, Scene, Sight
from coltexpress_server.scenarios.words.base.expected import (
    differs,
    each,
    number_of,
    token_words,
    tokens_differ,
)


def _stagecoach(scene: Scene, node: Node) -> Check:
    car = reading.car(scene, node)
    return lambda sight: differs("stagecoach", stagecoach(sight.state).car, car)


def _shotgun(scene: Scene, node: Node) -> Check:
    space = reading.space(scene, node)
    return lambda sight: differs("shotgun", sight.state.figures[tables.SHOTGUN].space, space)


def _horses(scene: Scene, node: Node) -> Check:
    cars = sorted(reading.car(scene, item) for item in node.items())
    return lambda sight: differs("horses", sorted(stagecoach(sight.state).horses), cars)


def _hostage(scene: Scene, key: Node, value: Node) -> Check:
    name = reading.bandit(scene, key).name
    hostage = value.one_of(tables.RANSOMS, "hostage")
    return lambda sight: differs(
        f"hostages {name}", hostage_of(sight.state, name) or "none", hostage
    )


def _displayed_hostages(scene: Scene, node: Node) -> Check:
    wanted = sorted(item.one_of(tables.RANSOMS, "hostage") for item in node.items())
    return lambda sight: differs(
        "displayed_hostages", sorted(stagecoach(sight.state).displayed), wanted
    )


def _lies(scene: Scene, key: Node, value: Node) -> Check:
    """The strongbox under the Shotgun may be named among what lies on that roof, or left out."""
    space = reading.space(scene, key)
    wanted = token_words(scene, value)

    def check(sight: Sight) -> str:
        lying = sight.state.spaces.get(space, [])
        shotgun = sight.state.figures[tables.SHOTGUN]
        guarded = shotgun.loot if shotgun.space == space == tables.STAGECOACH_ROOF else []
        differences = [
            tokens_differ(f"loot {space}", scene.language, sight, tokens, wanted)
            for tokens in (lying, [*lying, *guarded])
        ]
        return "" if "" in differences else differences[0]

    return check


def _received_this_round(state: State, figure: Figure) -> int:
    return len(figure.received) - stagecoach(state).received.get(figure.name, 0)


EXPECTED: Final[dict[str, Expected]] = {
    "loot": each(_lies),
    "stagecoach": _stagecoach,
    "shotgun": _shotgun,
    "horses": _horses,
    "hostages": each(_hostage),
    "displayed_hostages": _displayed_hostages,
    "this_round": number_of("this_round", _received_this_round),
}
