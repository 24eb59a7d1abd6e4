"""What `given` can say about Horses & Stagecoach: one function a key."""

from __future__ import annotations

from coltexpress_server.game.boxes.horses_and_stagecoach import tables
from coltexpress_server.game.boxes.horses_and_stagecoach.setup import place_stagecoach
from coltexpress_server.game.boxes.horses_and_stagecoach.state import stagecoach
from coltexpress_server.game.train import ROOF
from coltexpress_server.scenarios import reading
from coltexpress_server.scenarios.document import InvalidScenario, Node
from coltexpress_server.scenarios.language import Position
from coltexpress_server.scenarios.words.base.given import MANY


def lay_out(position: Position) -> None:
    """Everything where set-up puts it, horses beside the cars that the bandits start in."""
    state = position.state
    place_stagecoach(state)
    car_of = state.train.car_of
    stagecoach(state).horses[:] = sorted(car_of[figure.space] for figure in state.bandits)


def stagecoach_beside(position: Position, node: Node) -> None:
    """The car that it is beside."""
    stagecoach(position.state).car = reading.car(position.scene, node)


def shotgun_on(position: Position, node: Node) -> None:
    """The roof that he stands on."""
    state = position.state
    space = reading.space(position.scene, node)
    if state.train.level_of[space] != ROOF:
        raise node.error(f"a roof is expected, not {space}")
    state.figures[tables.SHOTGUN].space = space


def horses(position: Position, node: Node) -> None:
    """The cars that they are beside."""
    cars = sorted(reading.car(position.scene, item) for item in node.items())
    stagecoach(position.state).horses[:] = cars


def hostages(position: Position, node: Node) -> None:
    """Whose hostage is who."""
    held = stagecoach(position.state).hostages
    for key, value in node.pairs():
        hostage = value.one_of(tables.RANSOMS, "hostage")
        if hostage in held.values():
            raise value.error(f"{hostage} is held by two bandits")
        held[reading.bandit(position.scene, key).name] = hostage


def displayed_hostages(position: Position, node: Node) -> None:
    """Those who lie face up."""
    named = [item.one_of(tables.RANSOMS, "hostage") for item in node.items()]
    if len(set(named)) < len(named):
        raise node.error("a hostage is named twice")
    stagecoach(position.state).displayed[:] = [one for one in tables.RANSOMS if one in named]


def display_hostages(position: Position) -> None:
    """The first that nobody holds, as many as set-up shows less those held (3.1.2)."""
    part = stagecoach(position.state)
    held = part.hostages.values()
    lines = position.lines
    if "displayed_hostages" not in lines:
        free = [hostage for hostage in tables.RANSOMS if hostage not in held]
        shown = len(position.state.bandits) - 1 - len(held)
        part.displayed[:] = free[: max(0, shown)]
    for hostage in part.displayed:
        if hostage in held:
            reason = f"given: {hostage} is held and displayed"
            raise InvalidScenario(lines["displayed_hostages"], reason)


def none_this_round(position: Position) -> None:
    """Bullets that the file names were received in earlier rounds."""
    part = stagecoach(position.state)
    for figure in position.state.bandits:
        part.received[figure.name] = len(figure.received)


def this_round(position: Position, node: Node) -> None:
    """How many of the bullets that bandits have received came in this round."""
    part = stagecoach(position.state)
    for key, value in node.pairs():
        figure = reading.bandit(position.scene, key)
        count = value.number(0, MANY)
        if count > len(figure.received):
            raise value.error(f"{figure.name} has received {len(figure.received)} bullets")
        part.received[figure.name] = len(figure.received) - count


def guard(position: Position) -> None:
    """The Shotgun stands on the strongbox as long as he is on the stagecoach (3.1.1)."""
    shotgun = position.state.figures[tables.SHOTGUN]
    if shotgun.space != tables.STAGECOACH_ROOF:
        shotgun.loot.clear()


def is_alone(position: Position) -> None:
    """Nobody stands on the Shotgun's roof on the train (3.4.3)."""
    state = position.state
    space = state.figures[tables.SHOTGUN].space
    if space == tables.STAGECOACH_ROOF:
        return
    for figure in state.bandits:
        if figure.space == space:
            lines = position.lines
            line = lines.get("bandits", lines.get("shotgun", lines["given"]))
            raise InvalidScenario(line, f"given: {figure.name} stands on the Shotgun's roof")
