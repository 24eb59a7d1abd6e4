"""A finished game with Horses & Stagecoach, played again by the book (docs/RULES.md, section 3)."""

from __future__ import annotations

from itertools import product
from typing import ClassVar, Final, TypeVar

from coltexpress_server.replay import document as doc
from coltexpress_server.replay.chance import Chance
from coltexpress_server.replay.record import Record
from coltexpress_server.replay.referee import Blow, Pile, Referee, Way
from coltexpress_server.replay.table import (
    ACTIONS,
    EVERYBODY,
    GONE,
    HORSEBACK,
    ROUND_CARDS,
    STAGECOACH,
    STATIONS,
    Bandit,
    RoundCard,
    Seat,
    Space,
    Token,
    station,
)

T = TypeVar("T")

HOSTAGES: Final = {
    "POODLE": 1000,
    "BANKER": 1000,
    "MINISTER": 900,
    "TEACHER": 800,
    "ZEALOT": 800,
    "OLD_LADY": 500,
    "POKER_PLAYER": 250,
    "PHOTOGRAPHER": 200,
}
"""What hostages are worth, the last three for each of what counts (3.5)."""
FIRST_EDITION: Final = HOSTAGES | {"ZEALOT": 700}
"""Likewise; the BANKER's is for each strongbox (section 8)."""

FLASK: Final = "FLASK"
HALF: Final = ("HALF_FLASK", "HALF_OLD_FLASK")
"""Normal and old whiskey, half-empty; an unused flask's token has 0 or 1 as its value."""
FLASKS: Final = (0, 0, 0, 0, 0, 1)

INSIDE: Final = Space(STAGECOACH, on_roof=False)
ROOF: Final = Space(STAGECOACH, on_roof=True)
SAFE: Final = (INSIDE, ROOF, GONE)


class HorsesAndStagecoachReferee(Referee):
    """The base game with horses, the stagecoach, its Shotgun, hostages and whiskey.

    stagecoach: the car beside which it is. horses: the cars beside which they are.
    hostages: by the bandit who holds each. received: bullets by bandit, before this round.
    """

    actions: ClassVar[dict[str, int]] = ACTIONS | {"RIDE": 1}
    ordinary_cards: ClassVar[tuple[RoundCard, ...]] = (
        *ROUND_CARDS,
        RoundCard("TURMOIL", "LTSS", "LTS", "NONE", 2),
        RoundCard("WHISKEY_FOR_THE_MARSHAL", "SSTTS", "STTS", "WHISKEY_FOR_THE_MARSHAL", 1),
        RoundCard("TIRED_HORSES", "LSXS", "LSX", "TIRED_HORSES"),
        RoundCard("HIGH_SPEED", "STS", "SSTS", "HIGH_SPEED", 1),
        RoundCard("SHOTGUNS_RAGE", "STLS", "STLS", "SHOTGUNS_RAGE", 1),
    )
    stations: ClassVar[tuple[RoundCard, ...]] = (
        *STATIONS,
        station("MORTAL_BULLET", "SSTS"),
        station("SHARING_THE_LOOT", "SSTS"),
        station("ESCAPE", "SSTSS"),
    )

    def __init__(
        self, options: doc.Options, chosen: list[list[str]], chance: Chance, record: Record
    ) -> None:
        """As any game; the edition says what is printed on some cards (section 8)."""
        self.first_edition = options.edition == "FIRST"
        self.stagecoach = 0
        self.horses: list[int] = []
        self.hostages: dict[str, str] = {}
        self.displayed: list[str] = []
        self.received: dict[str, int] = {}
        self.shotgun = Bandit("SHOTGUN", -1, ROOF, [Token("STRONGBOX", 1000, EVERYBODY)])
        self.event = "NONE"
        super().__init__(options, chosen, chance, record)
        self.table.neutral_bullets += 3

    # --- set-up -----------------------------------------------------------------------------------

    def _lay_out_loot(self) -> None:
        """A flask into each car, too; then the hostages (3.1.2)."""
        super()._lay_out_loot()
        flasks = self.chance.shuffled(list(FLASKS))
        for car in range(1, len(self.letters) + 1):
            self.table.loot_at(Space(car, on_roof=False)).append(Token(FLASK, flasks.pop(), 0))
        shown = self.chance.shuffled(list(HOSTAGES))[: len(self.table.bandits) - 1]
        self.displayed = [hostage for hostage in HOSTAGES if hostage in shown]

    def _take_places(self) -> None:
        """Nowhere yet, and nobody is first."""
        self.table.first = -1
        for bandit in self.table.bandits:
            bandit.space = HORSEBACK

    def _before_the_rounds(self) -> None:
        """The horse attack (3.1.4), then the first player (3.1.5)."""
        self.record.happens(doc.HostagesDisplayed(self.displayed))
        for car in range(self.table.caboose, 0, -1):
            riding = [seat for seat in self.table.seats if self._riding(seat)]
            if riding:
                self._attack(car, riding)
        first = self._may_be_first()
        self.table.first = first[self.chance.below(len(first))]
        self.record.happens(doc.FirstPlayerChosen(self.table.first))

    def _may_be_first(self) -> list[int]:
        """The seats with a bandit furthest back (3.1.5)."""
        furthest = {
            seat.number: max(self.table.named(name).space.car for name in seat.bandits)
            for seat in self.table.seats[:: self.table.in_team]
        }
        return [seat for seat, car in furthest.items() if car == max(furthest.values())]

    def _riding(self, seat: Seat) -> list[str]:
        return [name for name in seat.bandits if self.table.named(name).space == HORSEBACK]

    def _attack(self, car: int, riding: list[Seat]) -> None:
        """A car is boarded by those who want to; by the last rider any; car 1 by all the rest."""
        if car == 1:
            self._board(car, [name for seat in riding for name in self._riding(seat)])
        elif len(riding) == 1:
            seat = riding[0]
            places = self._places(seat, car)
            chosen = places[self.record.choice(seat.number, places)]
            for place in sorted(set(chosen.values()), reverse=True):
                self._board(place, [name for name, its in chosen.items() if its == place])
        else:
            boarding = self._all_choose({seat.number: self._now_or_later(seat) for seat in riding})
            self._board(car, [name for seat in riding for name in boarding[seat.number]])

    def _now_or_later(self, seat: Seat) -> dict[str, list[str]]:
        """Who of a seat's bandits boards, by the choice that says so."""
        names = self._riding(seat)
        if len(seat.bandits) == 1:
            return {"board:true": names, "board:false": []}
        parts = [
            [name for name, boards in zip(names, who, strict=True) if boards]
            for who in product((True, False), repeat=len(names))
        ]
        return {f"board:{','.join(part)}": part for part in parts}

    def _places(self, seat: Seat, car: int) -> dict[str, dict[str, int]]:
        """The cars that the last rider's bandits can board, by the choice of all of them."""
        names, ahead = self._riding(seat), range(1, car + 1)
        if len(seat.bandits) == 1:
            return {f"board:{place}": {names[0]: place} for place in ahead}
        found = [dict(zip(names, cars, strict=True)) for cars in product(ahead, repeat=len(names))]
        return {
            f"board:{','.join(f'{name}={place}' for name, place in row.items())}": row
            for row in found
        }

    def _board(self, car: int, names: list[str]) -> None:
        for name in names:
            self.table.named(name).space = Space(car, on_roof=False)
            self.horses.append(car)
        self.record.happens(doc.CarBoarded(car, names))

    def _all_choose(self, options: dict[int, dict[str, T]]) -> dict[int, T]:
        """What all these seats choose at the same time, in whatever order they answer."""
        chosen: dict[int, T] = {}
        while len(chosen) < len(options):
            seat, choice = self.record.answer([seat for seat in options if seat not in chosen])
            if choice not in options[seat]:
                raise self.record.wrong(f"seat {seat} cannot choose {choice or 'nothing'}")
            chosen[seat] = options[seat][choice]
        return chosen

    # --- a round ----------------------------------------------------------------------------------

    def _before_the_deal(self, card: RoundCard) -> None:
        """The POODLE bites, which counts in this round (3.5)."""
        self.event = card.event
        for bandit in self.table.bandits:
            self.received[bandit.name] = len(bandit.received)
        self._neutral_bullets(
            [bandit for bandit in self.table.bandits if self._holds(bandit, "POODLE")], "POODLE"
        )

    def _after_the_event(self) -> None:
        """The stagecoach drops back, and the Shotgun with it (3.3.4)."""
        if self.stagecoach < self.table.caboose:
            self._stagecoach_drops_back("STAGECOACH")
            if self.shotgun.space != ROOF:
                behind = self.table.further(self.shotgun.space, 1)
                self._go_together([(self.shotgun, behind)], "STAGECOACH")

    def _stagecoach_drops_back(self, cause: str) -> None:
        self.stagecoach += 1
        self.record.happens(doc.StagecoachMoved(self.stagecoach - 1, self.stagecoach, cause))

    def _turn(self, index: int, turn: str, pile: Pile) -> None:
        """In TURMOIL all choose at the same time (3.7.1)."""
        if turn != "TURMOIL":
            super()._turn(index, turn, pile)
            return
        order = self._order(turn)
        plays = {seat.number: self._plays(seat, turn, first_play=index == 0) for seat in order}
        options = {
            seat.number: {choice: choice for choice in [*plays[seat.number], *others]}
            for seat in order
            for others in [self._instead_of_playing(seat)]
            if seat.hand or len(others) > 1
        }
        chosen = self._all_choose(options)
        for seat in order:
            choice, cards = chosen.get(seat.number, "draw"), plays[seat.number]
            if choice in cards:
                hidden = self._lies_hidden(choice, turn, cards)
                self._lay(seat, cards[choice], pile, face_down=hidden)
            else:
                self._do_instead(seat, choice)

    def _take_turn(self, seat: Seat, turn: str, pile: Pile, *, first_play: bool) -> None:
        """In a STANDARD turn a flask may be drunk instead (3.6.2)."""
        flasks = self._flasks(seat) if turn == "STANDARD" else {}
        if not flasks:
            super()._take_turn(seat, turn, pile, first_play=first_play)
            return
        plays = self._plays(seat, turn, first_play=first_play)
        others = self._instead_of_playing(seat)
        choice = self.record.choice(seat.number, [*plays, *flasks, *others])
        if choice in plays:
            self._lay(seat, plays[choice], pile, face_down=self._lies_hidden(choice, turn, plays))
        elif choice in flasks:
            self._drink(seat, *flasks[choice], pile, first_play=first_play)
        else:
            self._do_instead(seat, choice)

    def _flasks(self, seat: Seat) -> dict[str, tuple[Bandit, str]]:
        """Whose flasks of which kind a seat may drink from, by the choice that does."""
        found: dict[str, tuple[Bandit, str]] = {}
        for name in seat.bandits:
            bandit = self.table.named(name)
            whose = f"{name}." if len(seat.bandits) > 1 else ""
            for token in bandit.loot:
                if token.kind in (FLASK, *HALF):
                    found[f"whiskey:{whose}{token.kind}"] = bandit, token.kind
        return found

    def _drink(
        self, seat: Seat, bandit: Bandit, kind: str, pile: Pile, *, first_play: bool
    ) -> None:
        """Normal whiskey: three cards and a play; old whiskey: two plays (3.6.2)."""
        token = self._drawn([token for token in bandit.loot if token.kind == kind])
        old = bool(token.value)
        self.record.happens(doc.WhiskeyDrunk(seat.number, bandit.name, kind, old))
        if kind == FLASK:
            token.kind, token.known = HALF[old], EVERYBODY
        else:
            bandit.loot.remove(token)
            self._loot_moves(token, bandit.name, "", "WHISKEY")
        if not old:
            self.hands.draw(seat, 3)
        for hides in (first_play, False) if old else (False,):
            plays = self._plays(seat, "STANDARD", first_play=hides)
            if plays:
                choice = self.record.choice(seat.number, plays)
                hidden = self._lies_hidden(choice, "STANDARD", plays)
                self._lay(seat, plays[choice], pile, face_down=hidden)

    def _is_open(self, card: str) -> bool:
        """The PHOTOGRAPHER's bandit plays face up; the MARSHAL of two bandits is no one's (3.5)."""
        owner, _, action = card.partition(".")
        bandit = self.table.named(owner)
        shared = action == "MARSHAL" and len(self.table.seats[bandit.seat].bandits) > 1
        return self._holds(bandit, "PHOTOGRAPHER") and not shared

    def _hand_size(self, seat: Seat) -> int:
        """The MINISTER costs a card (3.5)."""
        held = [self.hostages.get(name) for name in seat.bandits]
        return super()._hand_size(seat) - held.count("MINISTER")

    # --- the action cards -------------------------------------------------------------------------

    def _hindrance(self, actor: Bandit, action: str) -> str:
        """Gone for good (3.7.8), or hindered by a hostage (3.5)."""
        team = self.table.seats[actor.seat].bandits
        acting = team if action == "MARSHAL" else [actor.name]
        if all(self.table.named(name).space == GONE for name in acting):
            return "3.7.8"
        hindered = {"PUNCH": "TEACHER", "RIDE": "ZEALOT"}.get(action, "")
        return "3.5" if hindered and self._holds(actor, hindered) else ""

    def _holds(self, bandit: Bandit, hostage: str) -> bool:
        return self.hostages.get(bandit.name) == hostage

    def _has_power(self, name: str, power: str) -> bool:
        """Not with the POKER_PLAYER (3.5)."""
        return self.hostages.get(name) != "POKER_PLAYER" and super()._has_power(name, power)

    def _resolve(self, actor: Bandit, action: str) -> None:
        if action == "RIDE":
            self._ride(actor)
        else:
            super()._resolve(actor, action)

    def _ride(self, actor: Bandit) -> None:
        """Up to three cars with a horse (3.2.1), or away for good (3.7.8)."""
        start = self._car(actor.space)
        if start not in self.horses:
            self._no_effect(actor, "RIDE", "3.2.1")
            return
        cars = range(max(0, start - 3), min(self.table.caboose, start + 3) + 1)
        spaces = [Space(car, on_roof=False) for car in cars]
        spaces += [INSIDE] * (self.stagecoach in cars) + [GONE] * (self.event == "ESCAPE")
        options = {f"ride:{space.text}": space for space in spaces}
        space = options[self._chosen(actor, list(options))]
        end = self._car(space)
        if space == GONE:
            self.horses.remove(start)
            self.record.happens(doc.HorseLeft(start, "RIDE"))
        elif end != start:
            self.horses.remove(start)
            self.horses.append(end)
            self.record.happens(doc.HorseMoved(start, end, "RIDE"))
        self._go(actor, space, "RIDE")

    def _car(self, space: Space) -> int:
        """The car of a space; for the stagecoach the one that it is beside."""
        return self.stagecoach if space.car == STAGECOACH else space.car

    def _beside(self, *, on_roof: bool) -> Space:
        """The space that the stagecoach's inside or roof is adjacent to."""
        return Space(self.stagecoach, on_roof=on_roof)

    def _within_reach(self, actor: Bandit) -> list[Space]:
        """Over the stagecoach's roof, too (3.3.1); with the OLD_LADY one step (3.5)."""
        start, beside = actor.space, self._beside(on_roof=True)
        if not start.on_roof:
            return super()._within_reach(actor)
        steps = 1 if self._holds(actor, "OLD_LADY") else 3
        if start == ROOF:
            return [
                space for space in self._roofs() if abs(space.car - self.stagecoach) + 1 <= steps
            ]
        reached = [space for space in self._roofs() if 0 < abs(space.car - start.car) <= steps]
        return reached + [ROOF] * (abs(beside.car - start.car) + 1 <= steps)

    def _roofs(self) -> list[Space]:
        return [Space(car, on_roof=True) for car in range(self.table.caboose + 1)]

    def _next_to(self, space: Space) -> list[Space]:
        """Stagecoach and the car beside it are adjacent for PUNCH (3.3.1)."""
        if space.car == STAGECOACH:
            return [self._beside(on_roof=space.on_roof)]
        beside = [Space(STAGECOACH, space.on_roof)] * (space.car == self.stagecoach)
        return super()._next_to(space) + beside

    def _aimed_at(self, start: Space) -> list[Space]:
        """Between the roof of the stagecoach and all roofs of the train nothing blocks (3.3.2)."""
        if start == ROOF:
            return self._roofs()
        if start == INSIDE:
            return [self._beside(on_roof=False)]
        aimed = super()._aimed_at(start)
        if start.on_roof:
            return [*aimed, ROOF]
        return aimed + [INSIDE] * (start.car == self.stagecoach)

    def _is_occupied(self, roof: Space) -> bool:
        """The Shotgun blocks, too (3.4.2)."""
        return super()._is_occupied(roof) or self.shotgun.space == roof

    def _punchable(self, space: Space) -> list[Bandit]:
        """The Shotgun on the stagecoach, too (3.4.1)."""
        here = super()._punchable(space)
        return [*here, self.shotgun] if space == ROOF == self.shotgun.space else here

    def _blows(self, actor: Bandit, target: Bandit) -> dict[str, Blow]:
        if target is self.shotgun:
            return {"punch:SHOTGUN::": (target, "STRONGBOX", self._beside(on_roof=True), False)}
        return super()._blows(actor, target)

    # --- meetings ---------------------------------------------------------------------------------

    def _have_moved(self, moved: list[Way]) -> None:
        """Those who met the Shotgun get bullets (3.4.3); hostages are taken (3.3.3); all flee."""
        roof = self.shotgun.space
        fleeing: list[Bandit] = []
        if roof != ROOF:
            landing = any(figure is self.shotgun for figure, _, _ in moved)
            figures = [figure for figure, _, target in moved if figure.space == target]
            if not landing:
                passing = [figure for figure, *way in moved if self._passed(*way)]
                self._neutral_bullets(self._in_order(passing), "SHOTGUN_PASSED")
            fleeing = [one for one in self.table.at(roof) if landing or one in figures]
            self._neutral_bullets(fleeing, "SHOTGUN_MET")
        for figure, _, _ in moved:
            if figure.space == INSIDE and figure.name not in self.hostages:
                self._take_hostage(figure)
        for one in fleeing:
            options = {f"flee:{space.text}": space for space in self.table.beside(roof)}
            self._go(one, options[self._chosen(one, list(options))], "SHOTGUN_MET")

    def _in_order(self, bandits: list[Bandit]) -> list[Bandit]:
        return [bandit for bandit in self.table.from_first() if bandit in bandits]

    def _passed(self, source: Space, target: Space) -> bool:
        """Whether a way from roof to roof leads over the Shotgun's without ending there."""
        roof = self.shotgun.space
        if not (source.on_roof and target.on_roof) or roof in (source, target):
            return False
        ends = sorted((self._car(source), self._car(target)))
        return ends[0] <= roof.car <= ends[1]

    def _take_hostage(self, bandit: Bandit) -> None:
        options = {f"hostage:{hostage}": hostage for hostage in self.displayed}
        if options:
            hostage = options[self._chosen(bandit, list(options))]
            self.displayed.remove(hostage)
            self.hostages[bandit.name] = hostage
            self.record.happens(doc.HostageTaken(bandit.name, hostage))

    # --- the events of the round cards ------------------------------------------------------------

    def _event(self, event: str) -> None:
        table = self.table
        if event == "WHISKEY_FOR_THE_MARSHAL":
            self._marshal_drinks(event)
        elif event == "TIRED_HORSES":
            tired = (3 if len(table.bandits) > 4 else 2) - self.first_edition
            for car in sorted(self.horses, reverse=True)[:tired]:
                self.horses.remove(car)
                self.record.happens(doc.HorseLeft(car, event))
        elif event == "HIGH_SPEED":
            self._high_speed(event)
        elif event == "SHOTGUNS_RAGE":
            hit = [one for one in table.from_first() if self._car(one.space) == self.stagecoach]
            self._neutral_bullets(hit, event)
        else:
            super()._event(event)

    def _marshal_drinks(self, event: str) -> None:
        """One car back, or with old whiskey to the caboose (3.7.3)."""
        table = self.table
        lying = table.loot_at(table.marshal)
        flasks = [token for token in lying if token.kind in (FLASK, *HALF)]
        if flasks:
            flask = self._drawn(flasks)
            lying.remove(flask)
            self._loot_moves(flask, table.marshal.text, "", event)
            way = table.ahead(table.marshal, 1)
            for space in way if flask.value else way[:1]:
                self._marshal_goes(space, event)

    def _high_speed(self, event: str) -> None:
        """Everything one car back together, unless at the end (3.7.5)."""
        table = self.table
        for car in sorted(self.horses):
            if car < table.caboose:
                self.record.happens(doc.HorseMoved(car, car + 1, event))
        self.horses = [min(car + 1, table.caboose) for car in self.horses]
        if self.stagecoach < table.caboose:
            self._stagecoach_drops_back(event)
        falling = table.on_train(on_roof=True) + [self.shotgun] * (self.shotgun.space != ROOF)
        self._go_together([(one, table.further(one.space, 1)) for one in falling], event)

    # --- the score --------------------------------------------------------------------------------

    def _money(self, bandit: Bandit) -> int:
        """Ransoms (3.5), and what the last station says (3.7.7)."""
        money = super()._money(bandit) + self._ransom(bandit)
        if not self._is_touched(bandit):
            return money
        if self.event == "MORTAL_BULLET":
            money -= 150 * (len(bandit.received) - self.received[bandit.name])
        if self.event == "SHARING_THE_LOOT":
            for owner in self.table.at(bandit.space):
                boxes = sum(token.kind == "STRONGBOX" for token in owner.loot)
                money += boxes * (1000 // len(self.table.at(bandit.space)))
                money -= boxes * 1000 * (owner is bandit)
        return money

    def _is_touched(self, bandit: Bandit) -> bool:
        """Whether the last station's event reaches a bandit."""
        return True

    def _ransom(self, bandit: Bandit) -> int:
        hostage = self.hostages.get(bandit.name)
        if hostage is None:
            return 0
        team = self.table.team(bandit.seat)
        counted = {"OLD_LADY": "JEWEL", "POKER_PLAYER": "PURSE"}
        if self.first_edition:
            counted["BANKER"] = "STRONGBOX"
        if hostage in counted:
            times = sum(token.kind == counted[hostage] for token in bandit.loot)
        elif hostage == "PHOTOGRAPHER":
            times = sum(
                self.table.is_bandit(giver)
                and self.table.team(self.table.named(giver).seat) != team
                for giver in bandit.received
            )
        else:
            times = 1
        return times * (FIRST_EDITION if self.first_edition else HOSTAGES)[hostage]

    def _money_of_bandits(self, teams: range) -> list[int]:
        """Under ESCAPE a team of several has what its safe bandits have (3.7.8)."""
        if self.event != "ESCAPE" or len(teams) >= len(self.table.bandits):
            return super()._money_of_bandits(teams)
        money = [0 for _ in teams]
        for bandit in self.table.bandits:
            if bandit.space in SAFE:
                money[self.table.team(bandit.seat)] += self._money(bandit)
        return money

    def _can_win(self, team: int) -> bool:
        """Under ESCAPE only with a safe bandit (3.7.8)."""
        return self.event != "ESCAPE" or any(
            bandit.space in SAFE
            for bandit in self.table.bandits
            if self.table.team(bandit.seat) == team
        )
