"""The base box, without its Marshal (RULES.md section 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from coltexpress_server.game.boxes.base import hidden, scores, setup, tables
from coltexpress_server.game.boxes.base.actions.fire import Fire
from coltexpress_server.game.boxes.base.actions.floor_change import FloorChange
from coltexpress_server.game.boxes.base.actions.move import Move
from coltexpress_server.game.boxes.base.actions.punch import Punch
from coltexpress_server.game.boxes.base.actions.robbery import Robbery
from coltexpress_server.game.boxes.base.bandits import BANDITS
from coltexpress_server.game.boxes.base.bandits.belle import spare
from coltexpress_server.game.boxes.base.events.angry_marshal import AngryMarshal
from coltexpress_server.game.boxes.base.events.braking import Braking
from coltexpress_server.game.boxes.base.events.hostage_conductor import HostageConductor
from coltexpress_server.game.boxes.base.events.marshals_revenge import MarshalsRevenge
from coltexpress_server.game.boxes.base.events.passengers_rebellion import PassengersRebellion
from coltexpress_server.game.boxes.base.events.pickpocketing import Pickpocketing
from coltexpress_server.game.boxes.base.events.swivel_arm import SwivelArm
from coltexpress_server.game.boxes.base.events.take_it_all import TakeItAll
from coltexpress_server.game.boxes.base.round import OPS, STEPS
from coltexpress_server.game.boxes.base.scheme import Turn
from coltexpress_server.game.boxes.base.turns import TURNS
from coltexpress_server.game.cards import RoundCard
from coltexpress_server.game.contents import Contents
from coltexpress_server.game.loot import LootKind
from coltexpress_server.game.rules import (
    Box,
    Filter,
    Imagine,
    Lines,
    LinesQuestion,
    Op,
    Power,
    Score,
    Step,
)
from coltexpress_server.game.state import State
from coltexpress_server.game.turns import TurnKind


class Base(Box):
    """Everything in the base box but the Marshal whom nobody plays."""

    name: ClassVar[str] = "BASE"

    def actions(self) -> dict[str, int]:
        """The five cards that are the bandits' own."""
        return tables.ACTIONS

    def deck(self) -> list[str]:
        """1.3.1."""
        return list(tables.DECK)

    def powers(self) -> dict[str, Power]:
        """1.7."""
        return {power.name: power for power in BANDITS}

    def ops(self) -> Sequence[Op]:
        """The round, the actions, the events."""
        return (
            *OPS,
            Turn(),
            *(Move(), FloorChange(), Fire(), Robbery(), Punch()),
            *(AngryMarshal(), SwivelArm(), Braking(), TakeItAll(), PassengersRebellion()),
            *(Pickpocketing(), MarshalsRevenge(), HostageConductor()),
        )

    def round_cards(self, bandits: int) -> list[RoundCard]:
        """1.3.3."""
        return tables.round_cards(bandits)

    def station_cards(self, bandits: int) -> list[RoundCard]:
        """1.3.4."""
        return tables.station_cards()

    def set_up(self) -> list[tuple[int, Step]]:
        """1.4."""
        return [
            (10, setup.draw_cars),
            (20, setup.lay_out_loot),
            (21, setup.lay_out_strongboxes),
            (30, setup.choose_first_player),
            (40, setup.board),
            (50, setup.build_round_deck),
        ]

    def round_steps(self) -> list[tuple[int, Step]]:
        """1.5."""
        return STEPS

    def lines(self) -> list[LinesQuestion]:
        """1.1.2."""
        return [_along_the_train]

    def loot(self) -> dict[str, LootKind]:
        """1.2.1."""
        return tables.LOOT

    def turns(self) -> dict[str, TurnKind]:
        """1.5.3."""
        return TURNS

    def target_filters(self) -> list[tuple[int, Filter]]:
        """1.7.4: hers comes last."""
        return [(100, spare)]

    def score(self) -> list[tuple[str, Score]]:
        """1.9.1."""
        return scores.ROWS

    def imagine(self) -> list[tuple[int, Imagine]]:
        """Purses, cards, round cards."""
        return [
            (20, hidden.imagine_purses),
            (30, hidden.imagine_cards),
            (40, hidden.imagine_round_cards),
        ]

    def contents(self) -> Contents:
        """1.1.4, 1.2.1, 1.3.2."""
        return Contents(
            tokens={
                tables.STRONGBOX: {tables.STRONGBOX_VALUE: tables.STRONGBOXES},
                tables.JEWEL: {tables.JEWEL_VALUE: tables.JEWELS},
                tables.PURSE: tables.PURSES,
            },
            cars={"": {tables.STRONGBOX: 1}}
            | {
                letter: {tables.PURSE: purses, tables.JEWEL: jewels}
                for letter, (purses, jewels) in tables.CARS.items()
            },
            bullets=tables.BULLETS,
            neutral_bullets=tables.NEUTRAL_BULLETS,
        )


def _along_the_train(state: State, space: str, purpose: str) -> Lines:
    return state.train.lines[space]
