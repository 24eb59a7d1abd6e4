"""Setting up the base box (RULES.md 1.4)."""

from __future__ import annotations

from coltexpress_server.game.boxes.base.tables import (
    CARS,
    JEWEL,
    JEWEL_VALUE,
    JEWELS,
    PURSE,
    ROUNDS,
    STARTING_PURSE,
    STRONGBOX,
    STRONGBOX_VALUE,
)
from coltexpress_server.game.generator import Generator
from coltexpress_server.game.loot import PUBLIC, Token
from coltexpress_server.game.state import State


def draw_cars(state: State) -> None:
    """The cars behind the locomotive, as the options name them or drawn at random (1.1.4)."""
    letters = state.options.cars
    count = state.rules.seating.ordinary_cars(len(state.seats))
    chosen = list(letters) if letters else chance(state).sample(list(CARS), count)
    state.cars.extend(chosen)


def lay_out_loot(state: State) -> None:
    """Deals the loot out (1.2.2).

    A purse for everybody, purses drawn blind and jewels into the cars, the rest to the box.
    """
    purses = [
        Token(PURSE, value, 0)
        for value, count in state.rules.tokens[PURSE].items()
        for _ in range(count - (len(state.bandits) if value == STARTING_PURSE else 0))
    ]
    for figure in state.bandits:
        figure.loot.append(starting_purse())
    chance(state).shuffle(purses)
    jewels = [jewel() for _ in range(JEWELS)]
    for car, letter in enumerate(state.cars, start=1):
        purse_count, jewel_count = CARS[letter]
        tokens = [purses.pop() for _ in range(purse_count)]
        tokens += [jewels.pop() for _ in range(jewel_count)]
        state.spaces[state.train.inside[car]] = tokens
    state.box.extend(purses + jewels)


def lay_out_strongboxes(state: State) -> None:
    """One INSIDE the locomotive; the other waits for its event (1.2.2)."""
    state.loot_at(state.train.inside[0]).append(strongbox())
    state.waiting.append(strongbox())


def choose_first_player(state: State) -> None:
    """One of those who may be, at random (1.4.1)."""
    seats = state.rules.seating.first_seats(len(state.seats))
    state.round.first_seat = seats[chance(state).below(len(seats))]


def board(state: State) -> None:
    """Places the bandits in the last two cars (1.4.2)."""
    seating, train = state.rules.seating, state.train
    for figure in state.bandits:
        ahead = seating.cars_from_the_caboose(state, figure)
        figure.space = train.inside[train.caboose - ahead]


def build_round_deck(state: State) -> None:
    """Four ordinary cards at random, then one station card (1.4.3)."""
    ordinary, stations = state.rules.round_cards(len(state.bandits))
    state.round.cards.extend(chance(state).sample(ordinary, ROUNDS - 1))
    state.round.cards.extend(chance(state).sample(stations, 1))


def starting_purse() -> Token:
    """A $250 purse whose value everybody knows (1.2.3)."""
    return Token(PURSE, STARTING_PURSE, PUBLIC)


def jewel() -> Token:
    """A jewel; its value is public."""
    return Token(JEWEL, JEWEL_VALUE, PUBLIC)


def strongbox() -> Token:
    """A strongbox; its value is public."""
    return Token(STRONGBOX, STRONGBOX_VALUE, PUBLIC)


def chance(state: State) -> Generator:
    """The game's generator. Raises ValueError for a view, which has none."""
    if state.generator is None:
        raise ValueError("a view has no generator; determinize it first")
    return state.generator
