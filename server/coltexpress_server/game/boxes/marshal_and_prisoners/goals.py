"""The Marshal's goals: drawn, turned one a round, and whether they hold (RULES.md 4.4, 4.5)."""

from __future__ import annotations

from random import Random

from coltexpress_server.game.boxes.base.setup import chance
from coltexpress_server.game.boxes.marshal_and_prisoners import provisional
from coltexpress_server.game.boxes.marshal_and_prisoners.events import GoalTurned
from coltexpress_server.game.boxes.marshal_and_prisoners.provisional import (
    CYLINDER,
    EVERY_BANDIT,
    SPECIAL_TARGETS,
    Target,
)
from coltexpress_server.game.boxes.marshal_and_prisoners.state import PrisonTrain, prison_train
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import (
    CELL,
    FEW_BANDITS,
    GOALS_NEEDED,
    HIDDEN_GOAL,
    MAILBAG,
    MAILBAGS,
    MARSHAL,
    MARSHALS_SEAT,
    NOT_WITH_FEW,
    TARGETS,
    WARRANTS,
    warrant,
)
from coltexpress_server.game.rules import Goals
from coltexpress_server.game.state import State


def warrants(state: State) -> list[str]:
    """The warrants that there may be: of the bandits in play, by seat."""
    return [warrant(figure.name) for figure in state.bandits]


def targets(state: State) -> list[str]:
    """The special targets that there may be with so many bandits."""
    few = len(state.bandits) <= FEW_BANDITS
    return [name for name in SPECIAL_TARGETS if not (few and name in NOT_WITH_FEW)]


def draw(state: State) -> list[str]:
    """Two warrants and three special targets, shuffled."""
    drawn = chance(state).sample(warrants(state), WARRANTS)
    drawn += chance(state).sample(targets(state), TARGETS)
    chance(state).shuffle(drawn)
    return drawn


def begin_round(state: State) -> None:
    """The next goal becomes Current; nothing has been turned up yet to be copied (4.5, 4.13)."""
    extra = prison_train(state)
    extra.turned_up = ""
    if extra.upcoming:
        goal = extra.upcoming.pop(0)
        extra.current.append(goal)
        state.record(GoalTurned(goal))


def held(state: State) -> list[str]:
    """Those of the goals that hold if the game ends now (4.18)."""
    extra = prison_train(state)
    return [goal for goal in extra.current + extra.upcoming if _holds(state, extra, goal)]


def standings(state: State) -> dict[int, Goals]:
    """How many of his goals the Marshal holds; four win him the game (4.4)."""
    extra = prison_train(state)
    goals = extra.current + extra.upcoming
    near = sum([_done(state, extra, goal) for goal in goals])
    return {MARSHALS_SEAT: Goals(len(held(state)), GOALS_NEEDED, len(goals), near)}


def imagine(state: State, random: Random) -> None:
    """Hidden goals become any that are not known."""
    extra = prison_train(state)
    known = extra.current + extra.upcoming
    left = [goal for goal in warrants(state) if goal not in known]
    random.shuffle(left)
    del left[WARRANTS - sum(goal in warrants(state) for goal in known) :]
    others = [goal for goal in targets(state) if goal not in known]
    random.shuffle(others)
    left += others[: TARGETS - sum(goal in SPECIAL_TARGETS for goal in known)]
    random.shuffle(left)
    extra.current = [left.pop() if goal == HIDDEN_GOAL else goal for goal in extra.current]
    extra.upcoming = [left.pop() if goal == HIDDEN_GOAL else goal for goal in extra.upcoming]


def _holds(state: State, extra: PrisonTrain, goal: str) -> bool:
    target = SPECIAL_TARGETS.get(goal)
    if target is None:
        return goal in [warrant(name) for name in extra.posters]
    return _count(state, extra, target.counted) >= _least(state, target)


def _done(state: State, extra: PrisonTrain, goal: str) -> float:
    """How much of a goal is done, 0 to 1."""
    target = SPECIAL_TARGETS.get(goal)
    if target is None or _holds(state, extra, goal):
        return float(_holds(state, extra, goal))
    if target.counted == provisional.EMPTY_CYLINDERS:
        return 1 - min(len(cylinder) for cylinder in extra.cylinders) / len(CYLINDER)
    return _count(state, extra, target.counted) / _least(state, target)


def _least(state: State, target: Target) -> int:
    return len(state.bandits) if target.least == EVERY_BANDIT else target.least


def _count(state: State, extra: PrisonTrain, counted: str) -> int:
    """How much there is, or will be at the end, of what a special target counts."""
    if counted == provisional.BANDITS_SHOT:
        return sum(MARSHAL in figure.received for figure in state.bandits)
    if counted == provisional.POSTERS:
        return len(extra.posters)
    if counted == provisional.EMPTY_CYLINDERS:
        return sum(not cylinder for cylinder in extra.cylinders)
    if counted == provisional.MAILBAGS:
        owned = [token for figure in state.bandits for token in figure.loot]
        return sum(MAILBAGS.values()) - sum(token.kind == MAILBAG for token in owned)
    if counted == provisional.PRISONERS:
        return len(extra.retaken) + len(extra.displayed)
    if counted == provisional.BRAWLERS_LEFT:
        return len(extra.brawlers)
    if counted == provisional.CAPTIVES:
        return sum(figure.space == CELL for figure in state.bandits)
    raise KeyError(counted)
