"""The box Horses & Stagecoach (RULES.md section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from coltexpress_server.game.boxes.base import setup as base_setup
from coltexpress_server.game.boxes.base.tables import STRONGBOX, STRONGBOX_VALUE
from coltexpress_server.game.boxes.horses_and_stagecoach import (
    coach,
    hostages,
    setup,
    shotgun,
    tables,
)
from coltexpress_server.game.boxes.horses_and_stagecoach.attack import HorseAttack
from coltexpress_server.game.boxes.horses_and_stagecoach.keeping import Keep, keep_or_return
from coltexpress_server.game.boxes.horses_and_stagecoach.ride import Ride
from coltexpress_server.game.boxes.horses_and_stagecoach.round_events import (
    escape,
    mortal_bullet,
    sharing_the_loot,
)
from coltexpress_server.game.boxes.horses_and_stagecoach.round_events.high_speed import HighSpeed
from coltexpress_server.game.boxes.horses_and_stagecoach.round_events.shotguns_rage import (
    ShotgunsRage,
)
from coltexpress_server.game.boxes.horses_and_stagecoach.round_events.tired_horses import (
    TiredHorses,
)
from coltexpress_server.game.boxes.horses_and_stagecoach.round_events.whiskey_for_the_marshal import (  # noqa: E501
    WhiskeyForTheMarshal,
)
from coltexpress_server.game.boxes.horses_and_stagecoach.state import NAME, unpack
from coltexpress_server.game.boxes.horses_and_stagecoach.turmoil import Turmoil, foresee_draw
from coltexpress_server.game.boxes.horses_and_stagecoach.whiskey import (
    Drinking,
    Whiskey,
    imagine_flasks,
)
from coltexpress_server.game.boxes.reshuffling import return_hands
from coltexpress_server.game.cards import RoundCard
from coltexpress_server.game.contents import Contents
from coltexpress_server.game.loot import LootKind
from coltexpress_server.game.rules import (
    Audit,
    Box,
    Bystander,
    Foresight,
    HandSize,
    Hindrance,
    Imagine,
    LinesQuestion,
    Losers,
    Moved,
    Op,
    Open,
    Powers,
    Reach,
    Rules,
    Score,
    Step,
    TurnOption,
)
from coltexpress_server.game.state import Extra
from coltexpress_server.game.train import INSIDE, ROOF
from coltexpress_server.game.turns import TurnKind


class HorsesAndStagecoach(Box):
    """All of it, for every way to play the base box."""

    name: ClassVar[str] = NAME

    def actions(self) -> dict[str, int]:
        """3.2."""
        return {tables.RIDE: tables.RIDE_RANK}

    def deck(self) -> list[str]:
        """3.1.1."""
        return [tables.RIDE]

    def ops(self) -> Sequence[Op]:
        """The attack, the card, what follows from entering and meeting, turns, events."""
        return (
            *(HorseAttack(), Ride(), hostages.Taking(), shotgun.Flee()),
            *(Drinking(), Turmoil(), Keep()),
            *(WhiskeyForTheMarshal(), TiredHorses(), HighSpeed(), ShotgunsRage()),
            *(mortal_bullet.MortalBullet(), sharing_the_loot.SharingTheLoot(), escape.Escape()),
        )

    def loot(self) -> dict[str, LootKind]:
        """3.6.1: nobody learns the sort of a flask by having it."""
        return {
            kind: LootKind(50 + place, told_apart=False, owner_learns=False)
            for place, kind in enumerate(tables.FLASK_KINDS)
        }

    def turns(self) -> dict[str, TurnKind]:
        """3.7.1."""
        return {
            tables.TURMOIL: TurnKind(tables.TURMOIL, twice=False, reversed=False, face_down=False)
        }

    def turn_options(self) -> list[tuple[int, TurnOption]]:
        """3.6.2."""
        return [(10, Whiskey())]

    def bystanders(self) -> Sequence[Bystander]:
        """3.4."""
        return (shotgun.Shotgun(),)

    def beside_the_train(self) -> list[tuple[str, str]]:
        """3.1.1."""
        return [(tables.STAGECOACH_INSIDE, INSIDE), (tables.STAGECOACH_ROOF, ROOF)]

    def off_the_board(self) -> list[str]:
        """3.1.4, 3.7.8."""
        return [tables.HORSEBACK, tables.GONE]

    def round_cards(self, bandits: int) -> list[RoundCard]:
        """3.7."""
        return tables.round_cards(bandits)

    def station_cards(self, bandits: int) -> list[RoundCard]:
        """3.7."""
        return tables.station_cards()

    def set_up(self) -> list[tuple[int, Step]]:
        """3.1."""
        return [
            (26, setup.place_stagecoach),
            (27, setup.lay_out_whiskey),
            (28, setup.display_hostages),
        ]

    def openings(self) -> list[tuple[int, str]]:
        """3.1.4."""
        return [(10, tables.HORSE_ATTACK)]

    def instead(self) -> list[tuple[Step, Step | None]]:
        """The horse attack for the places of 1.4.2, kept cards for the return of all hands."""
        return [
            (base_setup.choose_first_player, None),
            (base_setup.board, setup.mount),
            (return_hands, keep_or_return),
        ]

    def round_steps(self) -> list[tuple[int, Step]]:
        """3.7.7, 3.5, 3.3.4."""
        return [
            (3, hostages.count_bullets),
            (5, hostages.feed_the_poodle),
            (70, coach.drop_back),
        ]

    def lines(self) -> list[LinesQuestion]:
        """3.3.1, 3.3.2."""
        return [coach.beside_the_train]

    def after_movement(self) -> list[tuple[int, Moved]]:
        """3.4.3, 3.3.3."""
        return [(20, shotgun.meet), (30, hostages.enter)]

    def reach(self) -> list[Reach]:
        """3.5."""
        return [hostages.reach]

    def hindrances(self) -> list[Hindrance]:
        """3.7.8, 3.5."""
        return [escape.hindrance, hostages.hindrance]

    def power_filters(self) -> list[tuple[int, Powers]]:
        """3.5: the last, since it takes what others lend."""
        return [(20, hostages.powers)]

    def hand_sizes(self) -> list[HandSize]:
        """3.5."""
        return [hostages.hand_size]

    def open_cards(self) -> list[Open]:
        """3.5."""
        return [hostages.open_cards]

    def score(self) -> list[tuple[str, Score]]:
        """3.5, 3.7.7."""
        return [
            ("HOSTAGES", hostages.ransoms),
            (tables.MORTAL_BULLET, mortal_bullet.row),
            (tables.SHARING_THE_LOOT, sharing_the_loot.row),
        ]

    def audits(self) -> list[Audit]:
        """3.7.8."""
        return [escape.without_the_caught]

    def losers(self) -> list[Losers]:
        """3.7.8."""
        return [escape.caught]

    def foresight(self) -> list[Foresight]:
        """3.7.1."""
        return [foresee_draw]

    def unpack_extra(self, packed: list[object], rules: Rules) -> Extra:
        """Horses, stagecoach, hostages."""
        return unpack(packed)

    def contents(self) -> Contents:
        """3.1.1, 3.1.2."""
        return Contents(
            tokens={
                STRONGBOX: {STRONGBOX_VALUE: 1},
                tables.FLASK: {0: sum(tables.FLASKS.values())},
            },
            neutral_bullets=tables.NEUTRAL_BULLETS,
        )

    def imagine(self) -> list[tuple[int, Imagine]]:
        """The sorts of flasks."""
        return [(25, imagine_flasks)]
