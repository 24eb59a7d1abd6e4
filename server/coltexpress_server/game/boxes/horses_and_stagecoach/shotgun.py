"""The Shotgun: punched off the stagecoach, he clears the roofs (RULES.md 3.4)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.actions.action import no_such_space
from coltexpress_server.game.boxes.base.bullets import give_neutral_bullets
from coltexpress_server.game.boxes.base.looting import drop
from coltexpress_server.game.boxes.base.movement import move
from coltexpress_server.game.boxes.horses_and_stagecoach.choices import FleeTo
from coltexpress_server.game.boxes.horses_and_stagecoach.state import stagecoach
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import (
    FLEE,
    SHOTGUN,
    SHOTGUN_MET,
    SHOTGUN_PASSED,
    STAGECOACH_ROOF,
)
from coltexpress_server.game.choices import Choice, Pass, Punch
from coltexpress_server.game.decisions import NO_MEMBERS, Decision, IllegalChoice
from coltexpress_server.game.rules import PUNCH, Bystander, Op
from coltexpress_server.game.state import Figure, Frame, Movement, State


class Shotgun(Bystander):
    """On the stagecoach he is punched like a bandit, once; he is never shot."""

    name: ClassVar[str] = SHOTGUN

    def may_be_target(self, state: State, figure: Figure, action: str) -> bool:
        """3.4.1, 3.4.2."""
        return action == PUNCH and figure.space == STAGECOACH_ROOF

    def punches(self, state: State, actor: Figure, figure: Figure) -> list[Choice]:
        """There is nothing to choose."""
        return [Punch(figure.name, "", "", False)]

    def punched(self, state: State, actor: Figure, figure: Figure, choice: Choice) -> None:
        """The strongbox stays on that roof, he goes to the roof of the car beside it."""
        for token in list(figure.loot):
            drop(state, figure, token, PUNCH)
        move(state, figure, state.train.roof[stagecoach(state).car], PUNCH)


def meet(state: State, cause: str, movements: list[Movement]) -> None:
    """Bullets for those who pass over him, then for those who end up where he is (3.4.3)."""
    shotgun = state.figures[SHOTGUN]
    if shotgun.space not in state.train.roofs:
        return
    # Who has fled from where he went has met him in fleeing, if at all.
    moved = [
        movement
        for movement in movements
        if movement.figure in state.bandits and movement.figure.space == movement.target
    ]
    he_moved = any(movement.figure is shotgun for movement in movements)
    if not he_moved:
        passed = [each.figure for each in moved if shotgun.space in _between(state, each)]
        if passed:
            give_neutral_bullets(state, state.in_seat_order(passed), SHOTGUN_PASSED)
    arrived = state.bandits if he_moved else [each.figure for each in moved]
    met = state.in_seat_order([each for each in arrived if each.space == shotgun.space])
    if met:
        give_neutral_bullets(state, met, SHOTGUN_MET)
        state.push(FLEE).names = [figure.name for figure in met]


def _between(state: State, movement: Movement) -> tuple[str, ...]:
    """The roofs of the train that a figure has walked over from roof to roof."""
    roof, lines = state.train.roof, state.train.lines
    start, end = movement.source, movement.target
    over: tuple[str, ...] = ()
    beside = roof[stagecoach(state).car]
    if start == STAGECOACH_ROOF and end in state.train.roofs:
        start, over = beside, () if end == beside else (beside,)
    elif end == STAGECOACH_ROOF and start in state.train.roofs:
        end, over = beside, () if start == beside else (beside,)
    for line in lines.get(start, ()):
        if end in line:
            return (*over, *line[: line.index(end)]) if end in state.train.roofs else ()
    return over


class Flee(Op):
    """Those who met him go to an adjacent roof of the train, one after the other.

    The frame's names are those still on his roof, in seat order from the first player.
    """

    name: ClassVar[str] = FLEE

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Asks the next one."""
        if not frame.names:
            state.stack.pop()
            return []
        figure = state.figures[frame.names[0]]
        lines = state.train.lines[figure.space]
        options: list[Choice] = [FleeTo(line[0]) for line in lines if line]
        return [Decision(figure.seat, figure.name, FLEE, options, False, -1, NO_MEMBERS)]

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """Goes there."""
        figure = state.figures[frame.names[0]]
        frame.names = frame.names[1:]
        choice = choices[0]
        if isinstance(choice, FleeTo):
            move(state, figure, choice.space, SHOTGUN_MET)

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """Anything but an adjacent roof of the train."""
        if isinstance(choice, Pass):
            return IllegalChoice("COMPULSORY", "3.4.3", "nobody stays on the Shotgun's roof")
        if not isinstance(choice, FleeTo):
            return IllegalChoice("WRONG_CHOICE", "3.4.3", "this decision is where to flee")
        if choice.space not in state.train.level_of:
            return no_such_space(choice.space)
        return IllegalChoice(
            "OUT_OF_REACH", "3.4.3", "one flees from the Shotgun to an adjacent roof of the train"
        )
