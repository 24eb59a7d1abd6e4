"""A finished game with Marshal & Prisoners, played again by the book (docs/RULES.md, section 4)."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations
from typing import ClassVar, Final

from coltexpress_server.replay import document as doc
from coltexpress_server.replay.chance import Chance
from coltexpress_server.replay.horses_and_stagecoach import HorsesAndStagecoachReferee
from coltexpress_server.replay.record import Record
from coltexpress_server.replay.referee import Blow, Pile, Referee
from coltexpress_server.replay.table import (
    ACTIONS,
    BANDITS,
    CELL,
    MARSHAL_BULLETS,
    MONEY,
    PURSES,
    Bandit,
    RoundCard,
    Seat,
    Space,
    Token,
)

MARSHALS_DECK: Final = {"MOVE_PLUS": 3, "FLOOR_CHANGE_PLUS": 2, "FIRE": 3, "CAPTURE": 3}
"""4.6."""
BRAWLERS: Final = {"GOLD": 800, "SILVER": 500, "BRONZE": 300}
"""4.2, from the top."""
TARGETS: Final = (
    *("FULL_OF_LEAD", "ARCH_ENEMY", "EMPTY_CYLINDER", "MAIL_GUARD"),
    *("PRISON_GUARD", "UNBEATEN", "FULL_CELL"),
)
"""The special targets (4.5); the first two are left out with two or three bandits."""
LASTING: Final = {"DISARMED": "FIRE", "WOUNDED_KNEE": "FLOOR_CHANGE", "SHOULDER_INJURY": "PUNCH"}
"""The bullets that stop an action until the end of the round (4.9)."""
LOOT: Final = (*MONEY, "FLASK", "HALF_FLASK", "HALF_OLD_FLASK")
"""The kinds of loot in canonical order (section 7)."""
IDEA: Final = "BRILLIANT_IDEA"
_BEYOND: Final = 10**6


class MarshalAndPrisonersReferee(Referee):
    """The game in which seat 0 is the Marshal's.

    cylinders: bullets left, the top first. displayed: prisoners behind the prison car.
    prisoners: by the bandit who freed each. retaken, posters: what is in the Achievement zone,
        mailbags there being the Marshal's loot.
    injuries: what lies in front of bandits. brawlers_of: the cards that bandits have taken.
    turned_up: the last action of a bandit's card in this round that may be copied.
    """

    actions: ClassVar[dict[str, int]] = {
        action: count for action, count in ACTIONS.items() if action != "MARSHAL"
    } | {IDEA: 1}
    bandits: ClassVar[tuple[str, ...]] = (*BANDITS, "MEI")
    purses: ClassVar[tuple[int, ...]] = (250, *PURSES)

    def __init__(
        self, options: doc.Options, chosen: list[list[str]], chance: Chance, record: Record
    ) -> None:
        """As any game; closing actions are an option (4.16)."""
        self.closing_actions = options.closing_actions
        self.cylinders = [list(MARSHAL_BULLETS), list(MARSHAL_BULLETS)]
        self.brawlers = list(BRAWLERS)
        self.brawlers_of: dict[str, list[str]] = {}
        self.shown_prisoners: list[str] = []
        self.prisoners: dict[str, str] = {}
        self.retaken: list[str] = []
        self.posters: list[str] = []
        self.injuries: dict[str, list[str]] = {}
        self.goals: list[str] = []
        self.current = 0
        self.turned_up = ""
        self.turn = ""
        super().__init__(options, chosen, chance, record)

    # --- set-up -----------------------------------------------------------------------------------

    def _ordinary_cars(self, bandits: int) -> int:
        """4.1."""
        return 4 if bandits < 5 else 5

    def _further_cars(self) -> list[str]:
        """The prison car (4.1)."""
        return ["PRISON"]

    def _deck(self, name: str) -> dict[str, int]:
        return MARSHALS_DECK if name == "MARSHAL" else super()._deck(name)

    def _dealt(self, chosen: list[list[str]], each: int) -> list[list[str]]:
        """The Marshal is nobody's choice (4.2)."""
        return [["MARSHAL"], *super()._dealt(chosen[1:], 1)]

    def _load_locomotive(self, lying: list[Token]) -> None:
        """Two mailbags (4.3)."""
        lying += [Token("MAILBAG", 200, 0), Token("MAILBAG", 1200, 0)]

    def _lay_out_loot(self) -> None:
        """After it prisoners (4.1) and goals (4.5)."""
        super()._lay_out_loot()
        shown = self.chance.shuffled(list(self.bandits))[:3]
        self.shown_prisoners = [name for name in self.bandits if name in shown]
        warrants = [f"WARRANT:{bandit.name}" for bandit in self.table.bandits]
        targets = list(TARGETS if len(warrants) > 3 else TARGETS[2:])
        drawn = [*self.chance.shuffled(warrants)[:2], *self.chance.shuffled(targets)[:3]]
        self.goals = self.chance.shuffled(drawn)

    def _take_places(self) -> None:
        """By turns in the two cars in front of the prison car (4.2)."""
        self.table.first = 0
        for bandit in self.table.bandits:
            ahead = 1 if bandit.seat % 2 else 2
            bandit.space = Space(self.table.caboose - ahead, on_roof=False)

    def _before_the_rounds(self) -> None:
        self.record.happens(doc.PrisonersDisplayed(self.shown_prisoners))
        super()._before_the_rounds()

    # --- a round ----------------------------------------------------------------------------------

    def _before_the_deal(self, card: RoundCard) -> None:
        """A goal becomes Current before anything else (4.5)."""
        self.turned_up = ""
        self.record.happens(doc.GoalTurned(self.goals[self.current]))
        self.current += 1
        super()._before_the_deal(card)

    def _turn(self, index: int, turn: str, pile: Pile) -> None:
        self.turn = turn
        super()._turn(index, turn, pile)

    def _lay(self, seat: Seat, card: str, pile: Pile, *, face_down: bool) -> None:
        """After a card with a plus sign another may follow in a STANDARD turn (4.6)."""
        super()._lay(seat, card, pile, face_down=face_down)
        if card.endswith("_PLUS") and self.turn == "STANDARD" and seat.hand:
            plays = self._plays(seat, self.turn, first_play=False)
            choice = self.record.choice(seat.number, [*plays, "pass"])
            if choice in plays:
                self._lay(seat, plays[choice], pile, face_down=False)
            else:
                self.record.happens(doc.Declined("MARSHAL", "FURTHER_CARD"))

    def _instead_of_playing(self, seat: Seat) -> list[str]:
        """Bandits may search for a BRILLIANT_IDEA (4.12)."""
        others = super()._instead_of_playing(seat)
        return [*others, "search"] if seat.number else others

    def _do_instead(self, seat: Seat, choice: str) -> None:
        if choice == "search":
            self.hands.search(seat, IDEA)
        else:
            super()._do_instead(seat, choice)

    def _after_schemin(self, number: int, card: RoundCard) -> None:
        """With closing actions hands stay as they are (4.16)."""
        if not self.closing_actions:
            super()._after_schemin(number, card)

    def _after_stealin(self, number: int, card: RoundCard) -> None:
        """Closing cards, hands put away, what the Marshal does without cards (4.16)."""
        if not self.closing_actions:
            return
        for seat in self._order("STANDARD"):
            if seat.hand:
                self._close(seat)
        self.hands.after_schemin(number, card.keep)
        marshal = self.table.the_marshal
        shots = self._shots_of_marshal()
        if shots:
            choice = self.record.choice(0, [*shots, "pass"])
            if choice == "pass":
                self.record.happens(doc.Declined("MARSHAL", "FREE_FIRE"))
            else:
                self._shoot(shots[choice])
        spaces = {f"move:{space.text}": space for space in self._within_reach(marshal)}
        if spaces:
            choice = self.record.choice(0, [*spaces, "pass"])
            if choice == "pass":
                self.record.happens(doc.Declined("MARSHAL", "FREE_MOVE"))
            else:
                self._go(marshal, spaces[choice], "MOVE")

    def _close(self, seat: Seat) -> None:
        """A card of the hand, face up and at once, or none."""
        plays = self._plays(seat, "STANDARD", first_play=False)
        choice = self.record.choice(seat.number, [*plays, "pass"])
        if choice in plays:
            seat.hand.remove(plays[choice])
            self.record.happens(doc.CardPlayed(seat.number, plays[choice], face_down=False))
            self._turn_up(seat, plays[choice])
        else:
            self.record.happens(doc.Declined(seat.bandits[0], "CLOSING"))

    def _turn_up(self, seat: Seat, played: str) -> None:
        """The last card of a bandit's may be copied (4.13)."""
        action = played.partition(".")[2]
        if seat.number and action != IDEA:
            self.turned_up = action
        super()._turn_up(seat, played)

    def _after_the_event(self) -> None:
        """At last lasting bullets go into the decks (4.9)."""
        super()._after_the_event()
        for bandit in self.table.bandits:
            bullets = self.injuries.pop(bandit.name, [])
            if bullets:
                self.record.happens(doc.InjuriesHealed(bandit.name, bullets))
                deck = self.table.seats[bandit.seat].deck
                deck += [f"{bullet}.BULLET" for bullet in bullets]

    # --- the action cards -------------------------------------------------------------------------

    def _hindrance(self, actor: Bandit, action: str) -> str:
        """The cell (4.11), a lasting bullet (4.9)."""
        if actor.space == CELL and action != IDEA:
            return "4.11"
        if action in [LASTING[bullet] for bullet in self.injuries.get(actor.name, ())]:
            return "4.9"
        return super()._hindrance(actor, action)

    def _powers(self, name: str) -> set[str]:
        """The own one, and that of another's companion (4.14)."""
        return super()._powers(name) | {self.prisoners.get(name, name)}

    def _resolve(self, actor: Bandit, action: str) -> None:
        if action == IDEA:
            self._have_idea(actor)
        elif action == "CAPTURE":
            self._capture(actor)
        elif action == "FIRE" and actor is self.table.the_marshal:
            self._fire_as_marshal(actor)
        else:
            super()._resolve(actor, action.removesuffix("_PLUS"))

    def _fire_as_marshal(self, actor: Bandit) -> None:
        shots = self._shots_of_marshal()
        if shots:
            self._shoot(shots[self._chosen(actor, list(shots))])
        else:
            self._no_effect(actor, "FIRE", "4.8")

    def _shots_of_marshal(self) -> dict[str, list[tuple[Bandit, int]]]:
        """Whom the Marshal may shoot with which cylinders, by the choice that does (4.8)."""
        targets = [one for one in self._in_sight(self.table.the_marshal) if one.seat]
        bearers = [one for one in targets if self._has_power(one.name, "BELLE")]
        others = [one for one in targets if one not in bearers]
        loaded = [number for number, bullets in enumerate(self.cylinders) if bullets]
        shots: dict[str, list[tuple[Bandit, int]]] = {}
        for one in others or bearers:
            for number in loaded:
                shots[f"fire:{one.name}:{number + 1}"] = [(one, number)]
        if len(loaded) > 1:
            for first, second in permutations(targets, 2):
                spared = sum(one in bearers for one in (first, second))
                if spared == max(0, 2 - len(others)):
                    shots[f"fire:{first.name}:{second.name}"] = [(first, 0), (second, 1)]
        return shots

    def _shoot(self, shots: list[tuple[Bandit, int]]) -> None:
        """Each target gets the top bullet of a cylinder (4.9)."""
        for target, number in shots:
            bullet = self.cylinders[number].pop(0)
            target.received.append("MARSHAL")
            self.record.happens(doc.MarshalBulletGiven(target.name, bullet, number + 1))
            if bullet in LASTING:
                self.injuries.setdefault(target.name, []).append(bullet)
                continue
            self.table.seats[target.seat].deck.append(f"{bullet}.BULLET")
            if bullet == "GOT_EM" and target.name in self.prisoners:
                prisoner = self.prisoners.pop(target.name)
                self.retaken.append(prisoner)
                self.record.happens(doc.PrisonerRetaken(target.name, prisoner))
            bags = [token for token in target.loot if token.kind == "MAILBAG"]
            if bullet == "DROP_THAT_BAG" and bags:
                bag = self._drawn(bags)
                target.loot.remove(bag)
                self._achieve(bag, target.name, bullet)

    def _achieve(self, bag: Token, source: str, cause: str) -> None:
        """A mailbag goes to the Achievement zone, its value as known as it was."""
        self.table.the_marshal.loot.append(bag)
        self._loot_moves(bag, source, "MARSHAL", cause)

    def _capture(self, actor: Bandit) -> None:
        """A bandit on the Marshal's space goes to the cell (4.7)."""
        here = {f"capture:{one.name}": one for one in self.table.at(actor.space)}
        if not here:
            self._no_effect(actor, "CAPTURE", "4.7")
            return
        captive = here[self._chosen(actor, list(here))]
        first = captive.name not in self.posters
        if first:
            self.posters.append(captive.name)
        self.record.happens(doc.Captured(captive.name, first))
        self._go(captive, CELL, "CAPTURE")

    def _have_idea(self, actor: Bandit) -> None:
        """Out of the cell; on the prison car free somebody; elsewhere copy (4.13)."""
        prison = [Space(self.table.caboose, on_roof=roof) for roof in (False, True)]
        if actor.space == CELL:
            ways = {f"leave_cell:{space.text}": space for space in prison}
            self._go(actor, ways[self._chosen(actor, list(ways))], IDEA)
        elif actor.space in prison:
            self._free(actor)
        elif self.turned_up:
            self.record.happens(doc.ActionCopied(actor.name, self.turned_up))
            self._act(actor, self.turned_up)
        else:
            self._no_effect(actor, IDEA, "4.13")

    def _free(self, actor: Bandit) -> None:
        captives = {f"free:{one.name}": one for one in self.table.at(CELL)}
        prisoners: dict[str, str] = {}
        if actor.name not in self.prisoners:
            prisoners = {f"free:PRISONER:{name}": name for name in self.shown_prisoners}
        if not captives and not prisoners:
            self._no_effect(actor, IDEA, "4.13")
            return
        choice = self._chosen(actor, [*prisoners, *captives])
        if choice in prisoners:
            self.shown_prisoners.remove(prisoners[choice])
            self.prisoners[actor.name] = prisoners[choice]
            self.record.happens(doc.PrisonerFreed(actor.name, prisoners[choice]))
            return
        freed = captives[choice]
        self.record.happens(doc.BanditFreed(actor.name, freed.name))
        self._go(freed, actor.space, IDEA)
        if freed.loot:
            named = self._named(freed.loot, freed.seat)
            options = {f"give:{name}": fitting for name, fitting in named.items()}
            betrays = self._betrays(freed.loot)
            token = self._drawn(options[self._chosen(freed, list(options), asked_anyway=betrays)])
            freed.loot.remove(token)
            self._own(actor, token, freed.name, IDEA)

    def _other_floors(self, actor: Bandit) -> list[Space]:
        """MEI climbs to the cars next to hers, too (4.15)."""
        floors = super()._other_floors(actor)
        if self._has_power(actor.name, "MEI"):
            floors += [Space(car, not on_roof) for car, on_roof in self.table.beside(actor.space)]
        return floors

    def _robberies(
        self, actor: Bandit, named: dict[str, list[Token]]
    ) -> dict[str, list[list[Token]]]:
        """With the own companion two tokens, too (4.14)."""
        options = super()._robberies(actor, named)
        if self.prisoners.get(actor.name) == actor.name:
            for one, other in combinations_with_replacement(sorted(named, key=_place), 2):
                if one != other or len(named[one]) > 1:
                    options[f"rob:{one},{other}"] = [named[one], named[other]]
        return options

    def _targets(self) -> list[Bandit]:
        """The Marshal is shot at like a bandit (4.10)."""
        return [*super()._targets(), self.table.the_marshal]

    def _is_occupied(self, roof: Space) -> bool:
        return super()._is_occupied(roof) or self.table.marshal == roof

    def _punchable(self, space: Space) -> list[Bandit]:
        here = super()._punchable(space)
        return [*here, self.table.the_marshal] if self.table.marshal == space else here

    def _blows(self, actor: Bandit, target: Bandit) -> dict[str, Blow]:
        """The Marshal loses a Brawler card and nothing else (4.10)."""
        if target is not self.table.the_marshal:
            return super()._blows(actor, target)
        return {
            f"punch:MARSHAL::{space.text}": (target, "", space, False)
            for space in self._next_to(actor.space)
        }

    def _take_blow(
        self, actor: Bandit, target: Bandit, kind: str, space: Space, *, keeps: bool
    ) -> None:
        if target is self.table.the_marshal and self.brawlers:
            brawler = self.brawlers.pop(0)
            self.brawlers_of.setdefault(actor.name, []).append(brawler)
            self.record.happens(doc.BrawlerTaken(actor.name, brawler))
        super()._take_blow(actor, target, kind, space, keeps=keeps)

    # --- the Marshal ------------------------------------------------------------------------------

    def _meet_marshal(self) -> None:
        """It costs nothing (4.10)."""

    def _on_marshals_roof(self) -> list[Bandit]:
        """Nobody where he is beside the train (4.17)."""
        on_train = self.table.marshal.car <= self.table.caboose
        return super()._on_marshals_roof() if on_train else []

    # --- the score --------------------------------------------------------------------------------

    def _score(self) -> tuple[list[int], list[int]]:
        """The Achievement zone is filled; four goals win, else the richest bandit (4.18)."""
        for prisoner in self.shown_prisoners:
            self.retaken.append(prisoner)
            self.record.happens(doc.PrisonerRetaken("", prisoner))
        for space in sorted(self.table.lying, key=lambda space: space.text):
            lying = self.table.loot_at(space)
            for bag in [token for token in lying if token.kind == "MAILBAG"]:
                lying.remove(bag)
                self._achieve(bag, space.text, "END")
        met = [goal for goal in self.goals if self._is_met(goal)]
        self.record.happens(doc.GoalsRevealed(self.goals, met))
        scores, winners = super()._score()
        return [0, *scores[1:]], [0] if len(met) >= 4 else winners

    def _is_met(self, goal: str) -> bool:
        """4.5."""
        bandits = self.table.bandits
        bags = [token for token in self.table.the_marshal.loot if token.kind == "MAILBAG"]
        return {
            "FULL_OF_LEAD": all("MARSHAL" in bandit.received for bandit in bandits),
            "ARCH_ENEMY": len(self.posters) >= 3,
            "EMPTY_CYLINDER": not all(self.cylinders),
            "MAIL_GUARD": len(bags) == 2,
            "PRISON_GUARD": len(self.retaken) >= 2,
            "UNBEATEN": bool(self.brawlers),
            "FULL_CELL": any(bandit.space == CELL for bandit in bandits),
        }.get(goal, goal.removeprefix("WARRANT:") in self.posters)

    def _money(self, bandit: Bandit) -> int:
        """Brawlers, the own poster, a prisoner (4.18)."""
        money = super()._money(bandit)
        money += sum(BRAWLERS[brawler] for brawler in self.brawlers_of.get(bandit.name, ()))
        money += 500 * (bandit.name not in self.posters)
        return money + 200 * (bandit.name in self.prisoners)

    def _can_win(self, team: int) -> bool:
        """A bandit who is not in the cell (4.18)."""
        free = any(one.seat == team and one.space != CELL for one in self.table.bandits)
        return free and super()._can_win(team)


class BothReferee(MarshalAndPrisonersReferee, HorsesAndStagecoachReferee):
    """Both expansions together."""

    actions: ClassVar[dict[str, int]] = MarshalAndPrisonersReferee.actions | {"RIDE": 1}

    def _take_places(self) -> None:
        """By the horse attack (4.2)."""
        HorsesAndStagecoachReferee._take_places(self)

    def _may_be_first(self) -> list[int]:
        """The Marshal (4.2)."""
        return [0]

    def _take_hostage(self, bandit: Bandit) -> None:
        """The Marshal takes none (4.17)."""
        if bandit is not self.table.the_marshal:
            super()._take_hostage(bandit)

    def _is_touched(self, bandit: Bandit) -> bool:
        """Not in the cell (4.11)."""
        return bandit.space != CELL


def _place(name: str) -> tuple[int, int]:
    """Where loot of this name stands in the canonical order: by value, unknown last (section 7)."""
    kind, _, value = name.partition(":")
    return LOOT.index(kind), int(value or _BEYOND)
