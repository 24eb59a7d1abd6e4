"""What can be played here, and what it is played with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Final

from coltexpress_server.game.boxes import BASE, VARIANTS, boxes_on_the_shelf, rules_for, seat_counts
from coltexpress_server.game.cards import RoundCard
from coltexpress_server.game.options import Options
from coltexpress_server.game.rules import Box

OFFERED: Final = ("HORSES_AND_STAGECOACH", "MARSHAL_AND_PRISONERS")
"""Expansions that can be played over the network, since the API has words for them."""


@dataclass(frozen=True, slots=True)
class TableSize:
    """A variant, expansions and a number of seats that go together.

    bandits: how many a seat leads, but for one that leads somebody else.
    cars: how many the options can name.
    led: how many seats lead somebody else.
    """

    variant: str
    expansions: tuple[str, ...]
    seats: int
    bandits: int
    cars: int
    led: int

    @property
    def all_bandits(self) -> int:
        """How many bandits there are in such a game."""
        return (self.seats - self.led) * self.bandits


@dataclass(frozen=True, slots=True)
class Band:
    """What is on a round card for some numbers of bandits: from the fewest to the most."""

    fewest: int
    most: int
    card: RoundCard


@dataclass(frozen=True, slots=True)
class RoundCardBands:
    """A round card for all numbers of bandits, fewest first."""

    name: str
    event: str
    station: bool
    bands: list[Band]


@dataclass(frozen=True, slots=True)
class BoxContents:
    """What one box brings, by the names that the domain has for it.

    bandits: in their order.
    actions: action cards, with how many each bandit's deck gets.
    tokens: loot by kind: how many tokens of each value in dollars.
    cars: loot by the car's letter, empty for the locomotive: how many tokens of each kind lie there
        at the start.
    bullets, neutral_bullets: how many each bandit, and nobody, can give.
    provisional: what was not seen in print.
    """

    box: str
    bandits: list[str]
    actions: dict[str, int]
    tokens: dict[str, dict[int, int]]
    cars: dict[str, dict[str, int]]
    round_cards: list[RoundCardBands]
    bullets: int
    neutral_bullets: int
    provisional: frozenset[str]


def table_sizes() -> list[TableSize]:
    """All there are, by expansions, then by variant, then by seats."""
    found = []
    for expansions in _choices_of(OFFERED):
        for variant in VARIANTS:
            for seats in seat_counts(variant, expansions):
                seating = rules_for(Options(variant, expansions, "BIG_BOX", ()), seats).seating
                led = sum(bool(seating.leads(number)) for number in range(seats))
                cars = seating.ordinary_cars(seats)
                found.append(TableSize(variant, expansions, seats, seating.bandits(), cars, led))
    return found


def contents() -> list[BoxContents]:
    """Everything in the boxes, the base box first."""
    return [
        _contents(name, parts)
        for name, parts in boxes_on_the_shelf().items()
        if name in (BASE, *OFFERED)
    ]


def _choices_of(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """None of these, each alone, each two, and so on."""
    for count in range(len(names) + 1):
        yield from combinations(names, count)


def _contents(name: str, parts: tuple[Box, ...]) -> BoxContents:
    """parts: what rules are composed of, of one box."""
    deck = Counter(card for part in parts for card in part.deck())
    inside = [part.contents() for part in parts]
    return BoxContents(
        box=name,
        bandits=[bandit for part in parts for bandit in part.powers()],
        actions={action: deck[action] for part in parts for action in part.actions()},
        tokens={kind: values for each in inside for kind, values in each.tokens.items()},
        cars={letter: loot for each in inside for letter, loot in each.cars.items()},
        round_cards=list(_round_cards(parts)),
        bullets=sum(each.bullets for each in inside),
        neutral_bullets=sum(each.neutral_bullets for each in inside),
        provisional=frozenset(word for each in inside for word in each.provisional),
    )


def _round_cards(parts: tuple[Box, ...]) -> Iterator[RoundCardBands]:
    numbers = sorted({size.all_bandits for size in table_sizes()})
    for station in (False, True):
        by_name: dict[str, list[tuple[int, RoundCard]]] = {}
        for number in numbers:
            for part in parts:
                cards = part.station_cards(number) if station else part.round_cards(number)
                for card in cards:
                    by_name.setdefault(card.name, []).append((number, card))
        for name, printed in by_name.items():
            yield RoundCardBands(name, printed[0][1].event, station, list(_bands(printed)))


def _bands(printed: list[tuple[int, RoundCard]]) -> Iterator[Band]:
    """Numbers of bandits for which the same is printed, together."""
    for _, group in groupby(printed, key=lambda each: (each[1].turns, each[1].keep)):
        alike = list(group)
        yield Band(alike[0][0], alike[-1][0], alike[0][1])
