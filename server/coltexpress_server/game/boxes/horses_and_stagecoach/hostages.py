"""Hostages: who takes them, what they do to him, what they are worth (RULES.md 3.3.3, 3.5)."""

from __future__ import annotations

from typing import ClassVar, Final

from coltexpress_server.game.boxes.base.bullets import give_neutral_bullets
from coltexpress_server.game.boxes.horses_and_stagecoach.choices import TakeHostage
from coltexpress_server.game.boxes.horses_and_stagecoach.events import HostageTaken
from coltexpress_server.game.boxes.horses_and_stagecoach.state import hostage_of, stagecoach
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import (
    HOSTAGE,
    MINISTER,
    OLD_LADY,
    PHOTOGRAPHER,
    POKER_PLAYER,
    POODLE,
    RANSOMS,
    RIDE,
    STAGECOACH_INSIDE,
    TEACHER,
    ZEALOT,
    ransom,
)
from coltexpress_server.game.cards import BULLET
from coltexpress_server.game.choices import Choice, Pass
from coltexpress_server.game.decisions import NO_MEMBERS, Decision, IllegalChoice
from coltexpress_server.game.rules import PUNCH, Op, Power
from coltexpress_server.game.state import Figure, Frame, Movement, State
from coltexpress_server.game.train import ROOF

_HINDERED: Final = {TEACHER: PUNCH, ZEALOT: RIDE}
"""The actions that do nothing for whoever has the hostage."""


def enter(state: State, cause: str, movements: list[Movement]) -> None:
    """Whoever comes into the stagecoach without a hostage takes one, if any is left (3.3.3)."""
    entering = [
        movement.figure
        for movement in movements
        if movement.figure.space == STAGECOACH_INSIDE
        and movement.figure in state.bandits
        and not hostage_of(state, movement.figure.name)
    ]
    if entering:
        state.push(HOSTAGE).names = [figure.name for figure in state.in_seat_order(entering)]


class Taking(Op):
    """Those who came in choose their hostages; the frame's names are those still to choose."""

    name: ClassVar[str] = HOSTAGE

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Asks the next one."""
        displayed = stagecoach(state).displayed
        if not frame.names or not displayed:
            state.stack.pop()
            return []
        figure = state.figures[frame.names[0]]
        options: list[Choice] = [TakeHostage(hostage) for hostage in displayed]
        return [Decision(figure.seat, figure.name, HOSTAGE, options, False, -1, NO_MEMBERS)]

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """Takes the hostage, for good."""
        name = frame.names[0]
        frame.names = frame.names[1:]
        choice = choices[0]
        if isinstance(choice, TakeHostage):
            extra = stagecoach(state)
            extra.displayed.remove(choice.hostage)
            extra.hostages[name] = choice.hostage
            state.record(HostageTaken(name, choice.hostage))

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """Anything but a hostage that is left."""
        if isinstance(choice, Pass):
            return IllegalChoice("COMPULSORY", "3.3.3", "whoever comes in takes a hostage")
        if not isinstance(choice, TakeHostage):
            return IllegalChoice("WRONG_CHOICE", "3.3.3", "this decision is which hostage to take")
        if choice.hostage not in RANSOMS:
            return IllegalChoice(
                "NO_SUCH_FIGURE", "3.5", f"there is no hostage called {choice.hostage}"
            )
        return IllegalChoice("NOT_OFFERED", "3.3.3", f"the {choice.hostage} is not to be had")


def feed_the_poodle(state: State) -> None:
    """Whoever has the POODLE gets a neutral bullet at the start of each round."""
    bitten = [figure for figure in state.bandits if hostage_of(state, figure.name) == POODLE]
    if bitten:
        give_neutral_bullets(state, bitten, POODLE)


def count_bullets(state: State) -> None:
    """From here on a bullet is received in this round (3.7.7)."""
    stagecoach(state).received = {figure.name: len(figure.received) for figure in state.bandits}


def hindrance(state: State, figure: Figure, action: str) -> str:
    """TEACHER and ZEALOT each keep one action from doing anything."""
    return "3.5" if _HINDERED.get(hostage_of(state, figure.name)) == action else ""


def reach(state: State, figure: Figure, cars: int) -> int:
    """With the OLD_LADY it is one car at a time on the roofs, as it is inside."""
    held_up = hostage_of(state, figure.name) == OLD_LADY
    return 1 if held_up and state.train.level_of[figure.space] == ROOF else cars


def powers(state: State, figure: Figure, own: tuple[Power, ...]) -> tuple[Power, ...]:
    """The POKER_PLAYER costs all of them."""
    return () if hostage_of(state, figure.name) == POKER_PLAYER else own


def hand_size(state: State, figure: Figure) -> int:
    """The MINISTER costs a card at the start of each round."""
    return -1 if hostage_of(state, figure.name) == MINISTER else 0


def open_cards(state: State) -> tuple[str, ...]:
    """The PHOTOGRAPHER wants to see what is played."""
    return tuple(
        [name for name, hostage in stagecoach(state).hostages.items() if hostage == PHOTOGRAPHER]
    )


def ransoms(state: State) -> dict[str, int]:
    """What each bandit gets for his hostage."""
    dollars: dict[str, int] = {}
    for name, hostage in stagecoach(state).hostages.items():
        figure = state.figures[name]
        paid = ransom(hostage, state.options.edition)
        if not paid.per:
            times = 1
        elif paid.per == BULLET:
            times = sum(giver in _others(state, figure) for giver in figure.received)
        else:
            times = sum(token.kind == paid.per for token in figure.loot)
        dollars[name] = paid.dollars * times
    return dollars


def _others(state: State, figure: Figure) -> list[str]:
    """The bandits who are not of a bandit's team."""
    team = state.seats[figure.seat].team
    return [other.name for other in state.bandits if state.seats[other.seat].team != team]
