"""What `expect` and `sees` can say about Marshal & Prisoners: one function a key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from coltexpress_server.game.boxes.marshal_and_prisoners import tables
from coltexpress_server.game.boxes.marshal_and_prisoners.goals import held
from coltexpress_server.game.boxes.marshal_and_prisoners.state import PrisonTrain, prison_train
from coltexpress_server.scenarios import reading
from coltexpress_server.scenarios.document import Node
from coltexpress_server.scenarios.language import (
    EVERYTHING,
    Check,
    Expected,
    Scene,
    Sight,
    joined,
)
from coltexpress_server.scenarios.words.base.expected import differs, each
from coltexpress_server.scenarios.words.base.given import MANY
from coltexpress_server.scenarios.words.marshal_and_prisoners import given


def _marshal(scene: Scene, node: Node) -> Check:
    space = reading.space(scene, node)
    return lambda sight: differs("marshal", sight.state.figures[tables.MARSHAL].space, space)


def _prisoner(scene: Scene, key: Node, value: Node) -> Check:
    name = reading.bandit(scene, key).name
    wanted = given.prisoner(scene, value)
    return lambda sight: differs(
        f"prisoners {name}", prison_train(sight.state).prisoners.get(name, "none"), wanted
    )


def _displayed_prisoners(scene: Scene, node: Node) -> Check:
    wanted = sorted(given.prisoner(scene, item) for item in node.items())
    return lambda sight: differs(
        "displayed_prisoners", sorted(prison_train(sight.state).displayed), wanted
    )


def _posters(scene: Scene, node: Node) -> Check:
    wanted = sorted(reading.bandit(scene, item).name for item in node.items())
    return lambda sight: differs("posters", sorted(prison_train(sight.state).posters), wanted)


def _achievements(scene: Scene, node: Node) -> Check:
    wanted = sorted(given.achievement(scene, item) for item in node.items())

    def check(sight: Sight) -> str:
        found = [f"{given.PRISONER}{name}" for name in prison_train(sight.state).retaken]
        bags = sight.state.figures[tables.MARSHAL].loot
        found += [scene.language.token_word(bag) for bag in bags]
        return differs("achievements", sorted(found), wanted)

    return check


def _cylinders(scene: Scene, node: Node) -> Check:
    wanted = given.bullets_of_both(node)
    return lambda sight: differs("cylinders", prison_train(sight.state).cylinders, wanted)


def _goals(scene: Scene, node: Node) -> Check:
    """A viewer's view has HIDDEN for what he does not know."""
    checks: list[Check] = []
    for key, value in node.keys(("current", "upcoming"), "key of goals").items():
        wanted = [
            item.text() if item.text() == tables.HIDDEN_GOAL else given.goal(scene, item)
            for item in value.items()
        ]
        checks.append(_goals_are(key, wanted))
    return lambda sight: joined(check(sight) for check in checks)


def _goals_are(key: str, wanted: list[str]) -> Check:
    def check(sight: Sight) -> str:
        extra = prison_train(sight.state)
        found = extra.current if key == "current" else extra.upcoming
        return differs(f"goals {key}", found, wanted)

    return check


def _goals_met(scene: Scene, node: Node) -> Check:
    wanted = node.number(0, MANY)

    def check(sight: Sight) -> str:
        if sight.viewer != EVERYTHING and not sight.state.finished:
            return "which goals hold is not known to a viewer before the end"
        return differs("goals_met", len(held(sight.state)), wanted)

    return check


def _brawlers(scene: Scene, node: Node) -> Check:
    wanted = given.brawler_cards(node)
    return lambda sight: differs("brawlers", prison_train(sight.state).brawlers, wanted)


def _in_front_of(
    what: str,
    read: Callable[[Node], list[str]],
    lists: Callable[[PrisonTrain], dict[str, list[str]]],
) -> Expected:
    """A mapping of bandits to cards in order."""

    def part(scene: Scene, key: Node, value: Node) -> Check:
        name, wanted = reading.bandit(scene, key).name, read(value)
        return lambda sight: differs(
            f"{what} {name}", lists(prison_train(sight.state)).get(name, []), wanted
        )

    return each(part)


EXPECTED: Final[dict[str, Expected]] = {
    "marshal": _marshal,
    "prisoners": each(_prisoner),
    "displayed_prisoners": _displayed_prisoners,
    "posters": _posters,
    "achievements": _achievements,
    "cylinders": _cylinders,
    "goals": _goals,
    "goals_met": _goals_met,
    "brawlers": _brawlers,
    "brawlers_of": _in_front_of(
        "brawlers_of", given.brawler_cards, lambda extra: extra.brawlers_of
    ),
    "injuries": _in_front_of("injuries", given.injury_bullets, lambda extra: extra.injuries),
}
