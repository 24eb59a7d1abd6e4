"""What `given` can say about Marshal & Prisoners: one function a key."""

from __future__ import annotations

from typing import Final

from coltexpress_server.game.boxes.marshal_and_prisoners import setup, tables
from coltexpress_server.game.boxes.marshal_and_prisoners.goals import targets, warrants
from coltexpress_server.game.boxes.marshal_and_prisoners.provisional import BRAWLERS, CYLINDER
from coltexpress_server.game.boxes.marshal_and_prisoners.state import (
    NAME,
    prison_train,
)
from coltexpress_server.scenarios import reading
from coltexpress_server.scenarios.document import Node
from coltexpress_server.scenarios.language import Position, Scene

PRISONER: Final = "PRISONER:"


def couple_prison_car(position: Position) -> None:
    """Behind the ordinary cars, whichever they are."""
    setup.couple_prison_car(position.state)


def lay_out(position: Position) -> None:
    """The Marshal in the locomotive, his sheet as at the start, without prisoners and goals."""
    setup.place_marshal(position.state)
    position.state.extras[NAME] = setup.sheet([], [])


def first_player(position: Position, node: Node) -> None:
    """Who is first player of the round."""
    position.state.round.first_seat = reading.seat(position.scene, node)


def marshal_at(position: Position, node: Node) -> None:
    """The space that he stands on."""
    state = position.state
    state.figures[tables.MARSHAL].space = reading.space(position.scene, node)


def prisoner(scene: Scene, node: Node) -> str:
    """Whose companion a prisoner is."""
    return node.one_of(list(scene.state.rules.powers), "prisoner")


def prisoners(position: Position, node: Node) -> None:
    """Who has freed whom."""
    freed = prison_train(position.state).prisoners
    for key, value in node.pairs():
        name = prisoner(position.scene, value)
        if name in freed.values():
            raise value.error(f"{name} has been freed by two bandits")
        freed[reading.bandit(position.scene, key).name] = name


def displayed_prisoners(position: Position, node: Node) -> None:
    """Those who lie face up."""
    named = [prisoner(position.scene, item) for item in node.items()]
    prison_train(position.state).displayed[:] = [
        name for name in position.state.rules.powers if name in named
    ]


def posters(position: Position, node: Node) -> None:
    """The bandits who have been captured."""
    prison_train(position.state).posters[:] = [
        reading.bandit(position.scene, item).name for item in node.items()
    ]


def captured(position: Position) -> None:
    """Who is in the cell has been captured."""
    found = prison_train(position.state).posters
    for figure in position.state.bandits:
        if figure.space == tables.CELL and figure.name not in found:
            found.append(figure.name)


def achievements(position: Position, node: Node) -> None:
    """Prisoner cards and mailbags in the Achievement zone."""
    scene, state = position.scene, position.state
    for item in node.items():
        name = achievement(scene, item)
        if name.startswith(PRISONER):
            prison_train(state).retaken.append(name.removeprefix(PRISONER))
        else:
            state.figures[tables.MARSHAL].loot.append(reading.token(scene, item))


def achievement(scene: Scene, node: Node) -> str:
    """`PRISONER:BELLE` or a mailbag."""
    cards = [f"{PRISONER}{name}" for name in scene.state.rules.powers]
    bags = [word for word in scene.language.loot if word.startswith(tables.MAILBAG)]
    return node.one_of([*cards, *bags], "achievement")


def cylinders(position: Position, node: Node) -> None:
    """The bullets left in each, the top first."""
    prison_train(position.state).cylinders[:] = bullets_of_both(node)


def bullets_of_both(node: Node) -> list[list[str]]:
    """The sorts of bullets in two cylinders."""
    items = node.items()
    if len(items) != tables.CYLINDERS:
        raise node.error(f"{tables.CYLINDERS} cylinders are expected, not {len(items)}")
    return [[item.one_of(CYLINDER, "bullet") for item in each.items()] for each in items]


def goals(position: Position, node: Node) -> None:
    """Those that are Current, and those that will be, the next one first."""
    extra = prison_train(position.state)
    for key, value in node.keys(("current", "upcoming"), "key of goals").items():
        named = [goal(position.scene, item) for item in value.items()]
        if key == "current":
            extra.current[:] = named
        else:
            extra.upcoming[:] = named


def goal(scene: Scene, node: Node) -> str:
    """A warrant of a bandit in play, or a special target."""
    return node.one_of([*warrants(scene.state), *targets(scene.state)], "goal")


def brawlers(position: Position, node: Node) -> None:
    """Those on the Marshal's sheet, the top first."""
    prison_train(position.state).brawlers[:] = brawler_cards(node)


def brawlers_of(position: Position, node: Node) -> None:
    """Those that bandits have taken."""
    taken = prison_train(position.state).brawlers_of
    for key, value in node.pairs():
        taken[reading.bandit(position.scene, key).name] = brawler_cards(value)


def brawler_cards(node: Node) -> list[str]:
    """Brawler cards in order."""
    return [item.one_of(BRAWLERS, "Brawler") for item in node.items()]


def injuries(position: Position, node: Node) -> None:
    """The Marshal's bullets that lie in front of bandits."""
    lying = prison_train(position.state).injuries
    for key, value in node.pairs():
        lying[reading.bandit(position.scene, key).name] = injury_bullets(value)


def injury_bullets(node: Node) -> list[str]:
    """Bullets with a lasting effect, in order."""
    return [item.one_of(tables.INJURIES, "injury") for item in node.items()]


def shot(position: Position) -> None:
    """Of the bullets that the file says the Marshal gave the sort does not matter."""
    extra = prison_train(position.state)
    for figure in position.state.bandits:
        sorts = [tables.GOLDEN_BULLET] * figure.received.count(tables.MARSHAL)
        extra.shots[figure.name] = sorts + extra.injuries.get(figure.name, [])
