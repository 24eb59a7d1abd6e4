"""What always holds of horses, stagecoach, hostages, whiskey and the Shotgun, and their order."""

from __future__ import annotations

from collections import Counter
from typing import Final

from coltexpress_server.game.boxes.base.tables import ROUNDS, STRONGBOX
from coltexpress_server.game.boxes.horses_and_stagecoach.choices import (
    Board,
    BoardBandits,
    BoardCar,
    BoardCars,
    Drink,
    FleeTo,
    RideTo,
    TakeHostage,
)
from coltexpress_server.game.boxes.horses_and_stagecoach.state import Stagecoach, stagecoach
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import (
    ESCAPE,
    FLASK,
    FLASK_KINDS,
    FLASKS,
    FLEE,
    GONE,
    HALF_OLD_FLASK,
    HORSE_ATTACK,
    HORSEBACK,
    HOSTAGE,
    OLD_WHISKEY,
    RANSOMS,
    SHOTGUN,
    STAGECOACH_INSIDE,
    STAGECOACH_ROOF,
)
from coltexpress_server.game.checking import (
    CHOOSE,
    FURTHER,
    NOWHERE,
    ExtraInvariant,
    Invariant,
    all_tokens,
    both,
    by_seat,
    miscounted,
    place_in,
)
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.loot import PUBLIC
from coltexpress_server.game.state import Extra, State


def _beside_the_train(state: State) -> list[str]:
    extra = stagecoach(state)
    cars = range(state.train.caboose + 1)
    found = []
    if extra.car not in cars:
        found.append(f"the stagecoach is beside car {extra.car}")
    if extra.horses != sorted(extra.horses) or any(car not in cars for car in extra.horses):
        found.append(f"horses are beside {extra.horses}")
    return found


def _horses_with_their_riders(state: State) -> list[str]:
    """A horse stays for each bandit who has boarded; later some leave (3.1.4)."""
    horses = len(stagecoach(state).horses)
    riding = [figure.name for figure in state.bandits if figure.space == HORSEBACK]
    if (state.round.phase == HORSE_ATTACK) != bool(riding):
        return [f"{riding} are riding in phase {state.round.phase}"]
    aboard = len(state.bandits) - len(riding)
    if horses > aboard or (riding and horses < aboard):
        return [f"{horses} horses are left by {aboard} bandits"]
    return []


def _gone_by_escape(state: State) -> list[str]:
    gone = [figure.name for figure in state.bandits if figure.space == GONE]
    escape = state.round.number == ROUNDS and state.round.card.event == ESCAPE
    return [f"{gone} are gone, it is no escape"] if gone and not escape else []


def _hostages_complete(state: State) -> list[str]:
    extra = stagecoach(state)
    everybody = [*extra.displayed, *extra.hostages.values()]
    found = []
    if len(everybody) != len(state.bandits) - 1 or len(set(everybody)) < len(everybody):
        found.append(f"the hostages are {everybody}")
    if any(hostage not in RANSOMS for hostage in everybody):
        found.append(f"there is a hostage unknown among {everybody}")
    if any(name not in state.figures for name in extra.hostages):
        found.append(f"hostages are held by {list(extra.hostages)}")
    return found


def _hostages_taken(state: State) -> list[str]:
    """Nobody is in the stagecoach without one, unless he is choosing, or none is left (3.3.3)."""
    extra = stagecoach(state)
    if not extra.displayed:
        return []
    choosing = [name for frame in state.stack if frame.op == HOSTAGE for name in frame.names]
    return [
        f"{figure.name} is in the stagecoach without a hostage"
        for figure in state.bandits
        if figure.space == STAGECOACH_INSIDE
        and figure.name not in extra.hostages
        and figure.name not in choosing
    ]


def _flasks_complete(state: State) -> list[str]:
    flasks = [token for token in all_tokens(state) if token.kind in FLASK_KINDS]
    counts = dict(Counter([token.value for token in flasks]))
    found = [
        f"{there} flasks of sort {sort} in the game, not {due}"
        for sort, there, due in miscounted(counts, dict(FLASKS))
    ]
    for token in flasks:
        if token.kind != FLASK and (token.kind == HALF_OLD_FLASK) != (token.value == OLD_WHISKEY):
            found.append(f"a {token.kind} is of sort {token.value}")
        if token.known != (0 if token.kind == FLASK else PUBLIC) and token not in state.box:
            found.append(f"the sort of a {token.kind} is known to {token.known}")
    return found


def _shotgun_guards(state: State) -> list[str]:
    """On the stagecoach he stands on a strongbox, on the train he has nothing (3.4.1)."""
    shotgun = state.figures[SHOTGUN]
    kinds = [token.kind for token in shotgun.loot]
    if shotgun.space == STAGECOACH_ROOF:
        return [] if kinds == [STRONGBOX] else [f"the Shotgun guards {kinds}"]
    if shotgun.space not in state.train.roofs:
        return [f"the Shotgun stands on {shotgun.space}"]
    return [f"the Shotgun carries {kinds}"] if kinds else []


def _nobody_with_the_shotgun(state: State) -> list[str]:
    """Nobody stays on his roof on the train but those who are about to flee (3.4.3)."""
    space = state.figures[SHOTGUN].space
    fleeing = [name for frame in state.stack if frame.op == FLEE for name in frame.names]
    return [
        f"{figure.name} is on the roof with the Shotgun"
        for figure in state.bandits
        if figure.space == space and space != STAGECOACH_ROOF and figure.name not in fleeing
    ]


def _bullets_counted(state: State) -> list[str]:
    return [
        f"{name} had received {count} bullets before this round"
        for name, count in stagecoach(state).received.items()
        if count > len(state.figures[name].received)
    ]


def _horses_do_not_come_back(before: Extra, after: Extra) -> list[str]:
    """Once the rounds have begun; before that bandits leave theirs beside the train."""
    was, now = both(Stagecoach, before, after)
    if was.received and len(now.horses) > len(was.horses):
        return [f"{len(was.horses)} horses became {len(now.horses)}"]
    return []


def _stagecoach_drops_back(before: Extra, after: Extra) -> list[str]:
    """Never forward; two cars at most between two choices, by HIGH_SPEED (3.7.5)."""
    was, now = both(Stagecoach, before, after)
    if was.car <= now.car <= was.car + 2:
        return []
    return [f"the stagecoach went from car {was.car} to car {now.car}"]


def _hostages_stay(before: Extra, after: Extra) -> list[str]:
    was, now = both(Stagecoach, before, after)
    return [
        f"{name} has lost the {hostage}"
        for name, hostage in was.hostages.items()
        if now.hostages.get(name) != hostage
    ]


INVARIANTS: Final = (
    Invariant("BESIDE_THE_TRAIN", "3.1.1", _beside_the_train),
    Invariant("HORSES_WITH_THEIR_RIDERS", "3.1.4", _horses_with_their_riders),
    Invariant("GONE_BY_ESCAPE", "3.7.8", _gone_by_escape),
    Invariant("HOSTAGES_COMPLETE", "3.1.2", _hostages_complete),
    Invariant("HOSTAGES_TAKEN", "3.3.3", _hostages_taken),
    Invariant("FLASKS_COMPLETE", "3.6.1", _flasks_complete),
    Invariant("SHOTGUN_GUARDS", "3.4.1", _shotgun_guards),
    Invariant("NOBODY_WITH_THE_SHOTGUN", "3.4.3", _nobody_with_the_shotgun),
    Invariant("BULLETS_COUNTED", "3.7.7", _bullets_counted),
)
"""Hold in every position of a game with this box."""

STEPS: Final = (
    ExtraInvariant("HORSES_DO_NOT_COME_BACK", "3.7.4", _horses_do_not_come_back),
    ExtraInvariant("STAGECOACH_DROPS_BACK", "3.3.4", _stagecoach_drops_back),
    ExtraInvariant("HOSTAGES_STAY", "3.3.3", _hostages_stay),
)
"""Hold between what `Stagecoach` says before and after a choice."""


def place(state: State, decision: Decision, choice: Choice) -> tuple[int, ...]:
    """Where a choice of this box stands among those of its decision; empty for another's."""
    if isinstance(choice, Drink):
        flask = place_in(FLASK_KINDS, choice.flask)
        return (FURTHER, by_seat(state, choice.figure or decision.figure), flask)
    if isinstance(choice, RideTo):
        return (CHOOSE, state.train.order.get(choice.space, NOWHERE))
    if isinstance(choice, FleeTo):
        return (CHOOSE, state.train.order.get(choice.space, NOWHERE))
    if isinstance(choice, TakeHostage):
        return (CHOOSE, place_in(tuple(RANSOMS), choice.hostage))
    if isinstance(choice, Board):
        return (CHOOSE, int(not choice.boards))
    if isinstance(choice, BoardCar):
        return (CHOOSE, choice.car)
    if isinstance(choice, BoardBandits):
        led = state.seats[decision.seat].figures
        return (CHOOSE, *[int(name not in choice.bandits) for name in led])
    if isinstance(choice, BoardCars):
        return (CHOOSE, *choice.cars)
    return ()
