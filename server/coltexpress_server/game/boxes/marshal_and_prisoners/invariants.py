"""What always holds of the played Marshal, prisoners, posters, mailbags, Brawlers; their order."""

from __future__ import annotations

from collections import Counter
from typing import Final

from coltexpress_server.game.boxes.marshal_and_prisoners.choices import (
    Capture,
    FreeBandit,
    FreePrisoner,
    Give,
    LeaveCell,
    RobTwo,
    Search,
    ShootOne,
    ShootTwo,
)
from coltexpress_server.game.boxes.marshal_and_prisoners.goals import targets
from coltexpress_server.game.boxes.marshal_and_prisoners.provisional import (
    BRAWLERS,
    CYLINDER,
    SPECIAL_TARGETS,
)
from coltexpress_server.game.boxes.marshal_and_prisoners.state import PrisonTrain, prison_train
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import (
    CELL,
    CYLINDERS,
    HIDDEN_GOAL,
    INJURIES,
    MAILBAG,
    MAILBAGS,
    MARSHAL,
    MARSHALS_SEAT,
    PRISON_CAR,
    PRISONERS_SHOWN,
    TARGETS,
    WARRANTS,
    warrant,
)
from coltexpress_server.game.cards import NEUTRAL
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
from coltexpress_server.game.loot import UNKNOWN_VALUE
from coltexpress_server.game.state import Extra, State


def _marshal_on_the_board(state: State) -> list[str]:
    """He is led by his seat, has nothing but mailbags and is never captured or gone (4.2, 4.17)."""
    marshal = state.figures[MARSHAL]
    found = []
    if marshal.space not in state.train.order:
        found.append(f"the Marshal is at {marshal.space}")
    if marshal.seat != MARSHALS_SEAT or state.seats[MARSHALS_SEAT].figures != [MARSHAL]:
        found.append(f"the Marshal is led by seat {marshal.seat}")
    if any(token.kind != MAILBAG for token in marshal.loot):
        found.append("the Marshal has other loot than mailbags")
    if NEUTRAL in marshal.received or MARSHAL in marshal.received:
        found.append(f"the Marshal received bullets of {marshal.received}")
    return found


def _prison_car_last(state: State) -> list[str]:
    places = [place for place, car in enumerate(state.cars, start=1) if car == PRISON_CAR]
    return [] if places == [state.train.caboose] else [f"prison cars are at {places}"]


def _cylinders_complete(state: State) -> list[str]:
    """What was fired is missing from the top of a cylinder, and was received by bandits (4.9)."""
    extra = prison_train(state)
    found = []
    if len(extra.cylinders) != CYLINDERS:
        found.append(f"there are {len(extra.cylinders)} cylinders")
    fired: list[str] = []
    for number, cylinder in enumerate(extra.cylinders, start=1):
        gone = len(CYLINDER) - len(cylinder)
        if cylinder != list(CYLINDER[gone:]):
            found.append(f"cylinder {number} holds {cylinder}")
        fired += CYLINDER[:gone]
    shots = [bullet for bullets in extra.shots.values() for bullet in bullets]
    if sorted(shots) != sorted(fired):
        found.append(f"fired were {sorted(fired)}, received {sorted(shots)}")
    for figure in state.bandits:
        count = len(extra.shots.get(figure.name, ()))
        if figure.received.count(MARSHAL) != count:
            found.append(f"{figure.name} received {count} Marshal bullets, not as counted")
    return found


def _injuries_received(state: State) -> list[str]:
    extra = prison_train(state)
    found = []
    for name, injuries in extra.injuries.items():
        shots = Counter(extra.shots.get(name, ()))
        if Counter(injuries) - shots or any(injury not in INJURIES for injury in injuries):
            found.append(f"in front of {name} lie {injuries}, he received {dict(shots)}")
        if state.finished:
            found.append(f"{name} still has injuries")
    return found


def _prisoners_complete(state: State) -> list[str]:
    extra = prison_train(state)
    everybody = [*extra.displayed, *extra.prisoners.values(), *extra.retaken]
    found = []
    if len(everybody) != PRISONERS_SHOWN or len(set(everybody)) < len(everybody):
        found.append(f"the prisoners are {everybody}")
    if any(prisoner not in state.rules.powers for prisoner in everybody):
        found.append(f"there is a prisoner unknown among {everybody}")
    bandits = [figure.name for figure in state.bandits]
    if any(name not in bandits for name in extra.prisoners):
        found.append(f"prisoners were freed by {list(extra.prisoners)}")
    if state.finished and extra.displayed:
        found.append(f"{extra.displayed} are not in the Achievement zone")
    return found


def _posters_of_the_captured(state: State) -> list[str]:
    """Each once; whoever is in the cell has been captured (4.7)."""
    posters = prison_train(state).posters
    found = []
    if len(set(posters)) < len(posters):
        found.append(f"the posters are {posters}")
    found += [
        f"{figure.name} is in the cell and was not captured"
        for figure in state.bandits
        if figure.space == CELL and figure.name not in posters
    ]
    return found


def _mailbags_complete(state: State) -> list[str]:
    bags = [token for token in all_tokens(state) if token.kind == MAILBAG]
    counts = dict(Counter([token.value for token in bags]))
    found = [
        f"{there} mailbags of ${value} in the game, not {due}"
        for value, there, due in miscounted(counts, dict(MAILBAGS))
    ]
    if any(token in state.box or token in state.waiting for token in bags):
        found.append("a mailbag has left the game")
    lying = [token for heap in state.spaces.values() for token in heap if token.kind == MAILBAG]
    if state.finished and lying:
        found.append("a mailbag is not in the Achievement zone")
    return found


def _brawlers_complete(state: State) -> list[str]:
    extra = prison_train(state)
    taken = [brawler for brawlers in extra.brawlers_of.values() for brawler in brawlers]
    gone = len(BRAWLERS) - len(extra.brawlers)
    order = list(BRAWLERS)
    if extra.brawlers != order[gone:] or sorted(taken) != sorted(order[:gone]):
        return [f"Brawlers left are {extra.brawlers}, taken {taken}"]
    return []


def _goals_complete(state: State) -> list[str]:
    """Two warrants and three special targets, of which one a round is turned (4.5)."""
    extra = prison_train(state)
    goals = extra.current + extra.upcoming
    found = []
    if len(set(goals)) < len(goals) or HIDDEN_GOAL in goals:
        found.append(f"the goals are {goals}")
    sought = [warrant(figure.name) for figure in state.bandits]
    if sum(goal in sought for goal in goals) != WARRANTS:
        found.append(f"the warrants are not {WARRANTS} of {goals}")
    if sum(goal in targets(state) for goal in goals) != TARGETS:
        found.append(f"the special targets are not {TARGETS} of {goals}")
    if len(extra.current) != state.round.number:
        found.append(f"in round {state.round.number} {len(extra.current)} goals are Current")
    if any(goal not in SPECIAL_TARGETS and goal not in sought for goal in goals):
        found.append(f"there is a goal unknown among {goals}")
    return found


def _copied_card_there(state: State) -> list[str]:
    action = prison_train(state).turned_up
    return [] if not action or action in state.rules.deck else [f"a {action} is to be copied"]


def _sheet_only_changes_so(before: Extra, after: Extra) -> list[str]:
    """Cylinders and Brawlers get fewer; what is in the Achievement zone stays there; goals too."""
    was, now = both(PrisonTrain, before, after)
    found = []
    for number, (had, has) in enumerate(zip(was.cylinders, now.cylinders, strict=True), start=1):
        if len(has) > len(had):
            found.append(f"cylinder {number} was loaded")
    if now.posters[: len(was.posters)] != was.posters:
        found.append(f"posters {was.posters} became {now.posters}")
    if now.retaken[: len(was.retaken)] != was.retaken:
        found.append(f"prisoners in the zone {was.retaken} became {now.retaken}")
    if len(now.brawlers) > len(was.brawlers):
        found.append("a Brawler came back")
    if now.current + now.upcoming != was.current + was.upcoming:
        found.append("the goals changed")
    if len(now.current) < len(was.current):
        found.append("a Current goal was turned back")
    for name, shots in was.shots.items():
        if now.shots.get(name, [])[: len(shots)] != shots:
            found.append(f"{name} lost a Marshal bullet")
    return found


INVARIANTS: Final = (
    Invariant("MARSHAL_ON_THE_BOARD", "4.2", _marshal_on_the_board),
    Invariant("PRISON_CAR_LAST", "4.1", _prison_car_last),
    Invariant("CYLINDERS_COMPLETE", "4.9", _cylinders_complete),
    Invariant("INJURIES_RECEIVED", "4.9", _injuries_received),
    Invariant("PRISONERS_COMPLETE", "4.14", _prisoners_complete),
    Invariant("POSTERS_OF_THE_CAPTURED", "4.7", _posters_of_the_captured),
    Invariant("MAILBAGS_COMPLETE", "4.3", _mailbags_complete),
    Invariant("BRAWLERS_COMPLETE", "4.10", _brawlers_complete),
    Invariant("GOALS_COMPLETE", "4.5", _goals_complete),
    Invariant("COPIED_CARD_THERE", "4.13", _copied_card_there),
)
"""Hold in every position of a game with this box."""

STEPS: Final = (ExtraInvariant("SHEET_ONLY_CHANGES_SO", "4.5", _sheet_only_changes_so),)
"""Hold between what `PrisonTrain` says before and after a choice."""

_SINGLE: Final = 0
_PAIR: Final = 1


def place(state: State, decision: Decision, choice: Choice) -> tuple[int, ...]:
    """Where a choice of this box stands among those of its decision; empty for another's."""
    if isinstance(choice, Search):
        return (FURTHER, NOWHERE)
    if isinstance(choice, Capture):
        return (CHOOSE, by_seat(state, choice.figure))
    if isinstance(choice, ShootOne):
        return (CHOOSE, _SINGLE, by_seat(state, choice.figure), choice.cylinder)
    if isinstance(choice, ShootTwo):
        return (CHOOSE, _PAIR, by_seat(state, choice.first), by_seat(state, choice.second))
    if isinstance(choice, RobTwo):
        # After all single tokens, whose places begin with their kind's.
        return (
            *(CHOOSE, NOWHERE),
            *_loot_place(state, choice.loot, choice.value),
            *_loot_place(state, choice.other_loot, choice.other_value),
        )
    if isinstance(choice, FreePrisoner):
        return (CHOOSE, 0, place_in(tuple(state.rules.powers), choice.prisoner))
    if isinstance(choice, FreeBandit):
        return (CHOOSE, 1, by_seat(state, choice.figure))
    if isinstance(choice, Give):
        return (CHOOSE, *_loot_place(state, choice.loot, choice.value))
    if isinstance(choice, LeaveCell):
        return (CHOOSE, state.train.order.get(choice.space, NOWHERE))
    return ()


def _loot_place(state: State, kind: str, value: int) -> tuple[int, int]:
    return (state.rules.loot[kind].rank, NOWHERE if value == UNKNOWN_VALUE else value)
