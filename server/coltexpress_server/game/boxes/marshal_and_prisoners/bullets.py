"""The Marshal's bullets and what they do to whoever gets them (RULES.md 4.9)."""

from __future__ import annotations

from coltexpress_server.game.boxes.base.looting import draw_token, named_kind, pass_on
from coltexpress_server.game.boxes.marshal_and_prisoners.events import (
    InjuriesHealed,
    MarshalBulletGiven,
)
from coltexpress_server.game.boxes.marshal_and_prisoners.prisoners import retake
from coltexpress_server.game.boxes.marshal_and_prisoners.state import prison_train
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import (
    DROP_THAT_BAG,
    GOT_EM,
    INJURIES,
    MAILBAG,
    MARSHAL,
)
from coltexpress_server.game.cards import BULLET
from coltexpress_server.game.state import Figure, State


def shoot(state: State, target: Figure, cylinder: int) -> None:
    """The target gets the top bullet of a cylinder, 1 or 2, which must have one."""
    extra = prison_train(state)
    bullet = extra.cylinders[cylinder - 1].pop(0)
    target.received.append(MARSHAL)
    extra.shots.setdefault(target.name, []).append(bullet)
    state.record(MarshalBulletGiven(target.name, bullet, cylinder))
    if bullet in INJURIES:
        extra.injuries.setdefault(target.name, []).append(bullet)
        return
    _into_the_deck(state, target, bullet)
    if bullet == GOT_EM:
        retake(state, target)
    elif bullet == DROP_THAT_BAG:
        bags = named_kind(target.loot, MAILBAG)
        if bags:
            bag = draw_token(state, bags)
            pass_on(state, bag, target.name, state.figures[MARSHAL], DROP_THAT_BAG)


def heal(state: State) -> None:
    """At the end of a round what lies in front of the bandits goes into their decks."""
    extra = prison_train(state)
    for figure in state.bandits:
        bullets = extra.injuries.pop(figure.name, [])
        if bullets:
            state.record(InjuriesHealed(figure.name, bullets))
        for bullet in bullets:
            _into_the_deck(state, figure, bullet)


def hindrance(state: State, figure: Figure, action: str) -> str:
    """An injury keeps one action from doing anything."""
    injuries = prison_train(state).injuries.get(figure.name, [])
    return "4.9" if any(INJURIES[injury] == action for injury in injuries) else ""


def held(state: State, figure: Figure, bullets: list[str]) -> list[str]:
    """Marshal bullets are told apart, and those in front of the bandit are not in his deck."""
    extra = prison_train(state)
    sorts = list(extra.shots.get(figure.name, ()))
    if not sorts:
        return bullets
    for injury in extra.injuries.get(figure.name, ()):
        sorts.remove(injury)
    return [bullet for bullet in bullets if bullet != MARSHAL] + sorts


def _into_the_deck(state: State, figure: Figure, bullet: str) -> None:
    state.decks[figure.deck].cards.append(state.rules.card(bullet, BULLET))
