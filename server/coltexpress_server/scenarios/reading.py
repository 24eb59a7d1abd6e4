"""The words that many keys share: seats, figures, spaces, cards, loot."""

from __future__ import annotations

import re
from typing import Final

from coltexpress_server.game.cards import BULLET, HIDDEN, HIDDEN_CARD, NEUTRAL, Card, PileCard
from coltexpress_server.game.loot import SPECTATOR, Token
from coltexpress_server.game.state import Figure, State
from coltexpress_server.scenarios.document import Node
from coltexpress_server.scenarios.language import Scene

_SPACE_OF_A_TRAIN: Final = re.compile(r"[0-9]{1,2}\.(inside|roof)")


def seat_names(state: State) -> list[str]:
    """How the seats are called, in order: by their bandits, or P1, P2 where they lead several."""
    return [
        seat.figures[0] if len(seat.figures) == 1 else f"P{number}"
        for number, seat in enumerate(state.seats, start=1)
    ]


def seat(scene: Scene, node: Node) -> int:
    """The number of a seat."""
    names = seat_names(scene.state)
    return names.index(node.one_of(names, "seat"))


def viewer(scene: Scene, node: Node) -> int:
    """The number of a seat, or SPECTATOR."""
    return SPECTATOR if node.text() == "SPECTATOR" else seat(scene, node)


def bandit(scene: Scene, node: Node) -> Figure:
    """A bandit of this game."""
    names = [figure.name for figure in scene.state.bandits]
    return scene.state.figures[node.one_of(names, "bandit")]


def figure_name(scene: Scene, node: Node) -> str:
    """The name of any figure of the box, in this game or not."""
    return node.one_of(list(scene.state.rules.powers | scene.state.figures), "figure")


def car(scene: Scene, node: Node) -> int:
    """A car of this train."""
    return node.number(0, scene.state.train.caboose)


def space(scene: Scene, node: Node) -> str:
    """A space of this train or beside it."""
    name = space_name(scene, node)
    if name not in scene.state.train.level_of:
        raise node.error(f"this train has no space {name}")
    return name


def whereabouts(scene: Scene, node: Node) -> str:
    """Where a bandit can be: on a space, or off the board."""
    return node.text() if node.text() in scene.state.rules.off_the_board else space(scene, node)


def space_name(scene: Scene, node: Node) -> str:
    """A space of some train, or beside it."""
    name, beside = node.text(), [space for space, _ in scene.state.rules.beside_the_train]
    if name not in beside and not _SPACE_OF_A_TRAIN.fullmatch(name):
        raise node.unknown("space", ["0.inside", "0.roof", "1.inside", "...", *beside])
    return name


def token(scene: Scene, node: Node) -> Token:
    """A loot token; a purse without a value has one that does not matter."""
    return scene.language.loot[token_word(scene, node)]()


def token_word(scene: Scene, node: Node) -> str:
    """The word for a loot token."""
    return node.one_of(scene.language.loot, "loot")


def card_name(scene: Scene, node: Node) -> str:
    """The name of any action card of the box, `FIRE` or `DOC.FIRE`, or BULLET."""
    if bullet_giver(scene, node):
        return BULLET
    rules = scene.state.rules
    owner, dot, action = node.text().rpartition(".")
    if action not in rules.actions or (dot and owner not in rules.powers):
        raise node.unknown("card", list(rules.actions))
    return node.text()


def action_card(scene: Scene, number: int, node: Node) -> Card:
    """An action card that a seat may hold, by the name that the seat calls it."""
    state = scene.state
    seats = [seat for seat in state.seats if seat.team == state.seats[number].team]
    held = {
        card_word(state, number, card): card
        for seat in seats
        for card in (
            state.rules.card(*words)
            for words in state.rules.seating.deck(seat.figures, state.rules.deck)
        )
    }
    return held[node.one_of(held, "card")]


def any_card(scene: Scene, number: int, node: Node) -> Card:
    """An action card or a bullet that a seat may hold."""
    giver = bullet_giver(scene, node)
    return scene.state.rules.card(giver, BULLET) if giver else action_card(scene, number, node)


def seen_card(scene: Scene, number: int, node: Node) -> Card:
    """As `any_card`, or HIDDEN."""
    return HIDDEN_CARD if node.text() == HIDDEN else any_card(scene, number, node)


def card_word(state: State, number: int, card: Card) -> str:
    """How a card is written that a seat holds or has played: whose it is only where that counts."""
    if card.action == BULLET:
        return card.text
    owner = state.rules.seating.owner(state.seats[number].figures, card)
    return f"{owner}.{card.action}" if owner else card.text


def bullet_giver(scene: Scene, node: Node) -> str:
    """Who gave the bullet that is named, or its sort, NEUTRAL if nobody; empty if it is none."""
    word, _, giver = node.text().partition(":")
    if word != BULLET:
        return ""
    if not giver:
        return NEUTRAL
    sorts = [*scene.state.rules.powers, *scene.state.rules.bullet_sorts]
    if giver not in sorts:
        raise node.unknown("card", [BULLET, *(f"{BULLET}:{sort}" for sort in sorts)])
    return giver


def pile(scene: Scene, node: Node) -> list[PileCard]:
    """Cards on the pile, the next to resolve first: `BELLE: FIRE`, or with `face_down`."""
    played: list[PileCard] = []
    for entry in node.items():
        key, value = entry.only_pair()
        number = seat(scene, key)
        if not value.is_mapping:
            card = action_card(scene, number, value)
            played.append(PileCard(number, card, face_down=False))
            continue
        parts = value.keys(("card", "face_down"), "key of a played card")
        if "card" not in parts:
            raise value.error("the card is missing")
        card = action_card(scene, number, parts["card"])
        face_down = parts["face_down"].flag() if "face_down" in parts else False
        played.append(PileCard(number, card, face_down))
    return played
