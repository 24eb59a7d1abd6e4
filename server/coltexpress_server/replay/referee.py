"""A finished game, played again by the book: from the seed and the choices to every event.

The rules of the base box and its variants (docs/RULES.md, sections 1 and 2) as one program that
runs from set-up to the score. Where chance decides it asks the seed, where a seat decides it reads
the choice off the record, and of everything else it says what must stand there. What an expansion
changes it says in a class of its own, by other answers to the questions asked here.
"""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.replay import document as doc
from coltexpress_server.replay.chance import Chance
from coltexpress_server.replay.hands import ExpertHands, Hands, TeamHands
from coltexpress_server.replay.record import Record
from coltexpress_server.replay.table import (
    ACTIONS,
    BANDITS,
    CARS,
    EVERYBODY,
    LOCOMOTIVE,
    MONEY,
    PURSES,
    ROUND_CARDS,
    STATIONS,
    TOLD_APART,
    TURNS,
    Bandit,
    RoundCard,
    Seat,
    Space,
    Table,
    Token,
    drawing_order,
)

HAND = 6
_HANDS = {"STANDARD": Hands, "EXPERT": ExpertHands, "TEAMS": TeamHands}

Pile = list[tuple[Seat, str]]
"""The cards played, each with the seat that played it."""
Way = tuple[Bandit, Space, Space]
"""Who has gone from where to where; he may have fled from there by now."""
Blow = tuple[Bandit, str, Space, bool]
"""A way to punch: whom, the kind of loot he loses, where he goes, whether the puncher keeps it."""


class Referee:
    """One game in progress; `play` takes it to its end.

    Everything raises Discrepancy where the record does not agree.

    actions: how many of each action card a bandit has.
    bandits: whom seats may lead. purses: what they are worth, starting purses among them.
    ordinary_cards, stations: what the round cards are drawn from.
    """

    actions: ClassVar[dict[str, int]] = ACTIONS
    bandits: ClassVar[tuple[str, ...]] = BANDITS
    purses: ClassVar[tuple[int, ...]] = PURSES
    ordinary_cards: ClassVar[tuple[RoundCard, ...]] = ROUND_CARDS
    stations: ClassVar[tuple[RoundCard, ...]] = STATIONS

    def __init__(
        self, options: doc.Options, chosen: list[list[str]], chance: Chance, record: Record
    ) -> None:
        """Sets the game up (1.4, 2.2.1, 2.3.1).

        chosen: the bandits each seat chose, or none.
        """
        self.chance = chance
        self.record = record
        each = 2 if len(chosen) == 2 else 1
        seats = [Seat(number, names) for number, names in enumerate(self._dealt(chosen, each))]
        bandits = [
            Bandit(name, seat.number, LOCOMOTIVE)
            for seat in seats
            for name in seat.bandits
            if name in self.bandits
        ]
        count = self._ordinary_cars(len(bandits))
        self.letters = options.cars or chance.shuffled(list(CARS))[:count]
        further = self._further_cars()
        self.table = Table(
            seats,
            bandits,
            caboose=count + len(further),
            in_team=2 if options.variant == "TEAMS" else 1,
        )
        self._lay_out_loot()
        self.letters = [*self.letters, *further]
        self._take_places()
        ordinary = chance.shuffled(list(self.ordinary_cards))[:4]
        self.round_cards = [*ordinary, chance.shuffled(list(self.stations))[0]]
        self.hands = _HANDS[options.variant](seats, self._deck, self._hand_size, chance, record)
        self.hands.set_up()

    def play(self) -> tuple[list[int], list[int]]:
        """All five rounds and the score; returns scores and winners by seat."""
        table = self.table
        names = [bandit.name for bandit in table.bandits]
        self.record.happens(doc.GameStarted(self.letters, names, table.first))
        self._before_the_rounds()
        for number, card in enumerate(self.round_cards, start=1):
            self._round(number, card)
            if number < len(self.round_cards):
                table.first = (table.first + table.in_team) % len(table.seats)
                self.record.happens(doc.RoundEnded(number, table.first))
        scores, winners = self._score()
        self.record.happens(doc.GameEnded(scores, winners))
        self.record.ends()
        return scores, winners

    # --- set-up -----------------------------------------------------------------------------------

    def _ordinary_cars(self, bandits: int) -> int:
        """How many cars follow the locomotive: one for each bandit (1.1.1, 2.2.1)."""
        return bandits

    def _further_cars(self) -> list[str]:
        """Cars behind those."""
        return []

    def _deck(self, name: str) -> dict[str, int]:
        """How many of each action card a bandit has."""
        return self.actions

    def _dealt(self, chosen: list[list[str]], each: int) -> list[list[str]]:
        """The bandits by seat, those not chosen dealt (1.4.1); two each for two players (2.2.1)."""
        taken = [name for names in chosen for name in names]
        left = [name for name in self.bandits if name not in taken]
        dealt = iter(left if all(chosen) else self.chance.shuffled(left))
        return [names or [next(dealt) for _ in range(each)] for names in chosen]

    def _lay_out_loot(self) -> None:
        """A known $250 purse each, the other purses blind into the cars (1.2.2)."""
        for bandit in self.table.bandits:
            bandit.loot.append(Token("PURSE", 250, EVERYBODY))
        purses = self.chance.shuffled(list(self.purses[len(self.table.bandits) :]))
        for car, letter in enumerate(self.letters, start=1):
            purse_count, jewel_count = CARS[letter]
            tokens = [Token("PURSE", purses.pop(), 0) for _ in range(purse_count)]
            tokens += [Token("JEWEL", 500, EVERYBODY) for _ in range(jewel_count)]
            self.table.lying[Space(car, on_roof=False)] = tokens
        self._load_locomotive(self.table.loot_at(LOCOMOTIVE))

    def _load_locomotive(self, lying: list[Token]) -> None:
        """A strongbox (1.2.2)."""
        lying.append(Token("STRONGBOX", 1000, EVERYBODY))

    def _take_places(self) -> None:
        """The first player, and the last two cars (1.4)."""
        table = self.table
        table.first = table.in_team * self.chance.below(len(table.seats) // table.in_team)
        for place, bandit in enumerate(table.from_first()):
            bandit.space = Space(table.caboose - place % 2, on_roof=False)

    def _before_the_rounds(self) -> None:
        """What happens at the table before the first round."""

    # --- a round ----------------------------------------------------------------------------------

    def _round(self, number: int, card: RoundCard) -> None:
        table = self.table
        self._before_the_deal(card)
        self.hands.start_round()
        turns = [TURNS[icon] for icon in (card.many if len(table.bandits) > 4 else card.few)]
        self.record.happens(
            doc.RoundStarted(number, card.name, turns, card.event, table.first, card.keep)
        )
        self.hands.before_schemin()
        pile: Pile = []
        for index, turn in enumerate(turns):
            self.record.happens(doc.TurnStarted(index, turn))
            self._turn(index, turn, pile)
        self._after_schemin(number, card)
        for seat, played in pile:
            self._turn_up(seat, played)
        self._after_stealin(number, card)
        if card.event != "NONE":
            self.record.happens(doc.RoundEventStarted(card.event))
            self._event(card.event)
        self._after_the_event()

    def _after_schemin(self, number: int, card: RoundCard) -> None:
        """Hands are put away (1.5.5)."""
        self.hands.after_schemin(number, card.keep)

    def _after_stealin(self, number: int, card: RoundCard) -> None:
        """What happens between the last card of the pile and the event."""

    def _turn_up(self, seat: Seat, played: str) -> None:
        """A card that a seat has played resolves and goes home (1.5.6)."""
        self.record.happens(doc.CardTurnedUp(seat.number, played))
        owner, _, action = played.partition(".")
        actor = self.table.named(owner)
        self._act(actor, action)
        self.hands.take_home(self.table.seats[actor.seat], played)

    def _act(self, actor: Bandit, action: str) -> None:
        """What a card of this name does for a bandit now."""
        hindrance = self._hindrance(actor, action)
        if hindrance:
            self._no_effect(actor, action, hindrance)
        else:
            self._resolve(actor, action)

    def _before_the_deal(self, card: RoundCard) -> None:
        """What happens at the start of a round, before anybody shuffles."""

    def _after_the_event(self) -> None:
        """What happens at the end of a round, before the next player is first."""

    def _turn(self, index: int, turn: str, pile: Pile) -> None:
        """Everybody plays a card or draws three, in the order of the turn (1.5.2, 1.5.3)."""
        order = self._order(turn)
        for place, seat in enumerate(order):
            first_play = index == 0 and seat not in order[:place]
            self._take_turn(seat, turn, pile, first_play=first_play)

    def _take_turn(self, seat: Seat, turn: str, pile: Pile, *, first_play: bool) -> None:
        plays = self._plays(seat, turn, first_play=first_play)
        others = self._instead_of_playing(seat)
        # Only seats without any card, and with nothing else to do, are not asked (1.5.8).
        asked = seat.hand or len(others) > 1
        choice = self.record.choice(seat.number, [*plays, *others]) if asked else "draw"
        if choice in plays:
            self._lay(seat, plays[choice], pile, face_down=self._lies_hidden(choice, turn, plays))
        else:
            self._do_instead(seat, choice)

    def _instead_of_playing(self, seat: Seat) -> list[str]:
        """What a seat may do in a turn without playing a card."""
        return ["draw"]

    def _do_instead(self, seat: Seat, choice: str) -> None:
        """Three cards from the deck (1.5.2)."""
        self.hands.draw(seat, 3)

    def _plays(self, seat: Seat, turn: str, *, first_play: bool) -> dict[str, str]:
        """The cards that a seat may play, by the choice that plays each."""
        plays: dict[str, str] = {}
        for card in seat.hand:
            if not card.endswith(".BULLET"):
                plays[f"play:{seat.naming(card)}"] = card
                hides = self._has_power(seat.hidden_by(card), "GHOST")
                if first_play and turn != "TUNNEL" and hides and not self._is_open(card):
                    plays[f"play:{seat.naming(card)}:face_down"] = card
        return plays

    def _lies_hidden(self, choice: str, turn: str, plays: dict[str, str]) -> bool:
        """Whether the card that a choice plays lies face down (1.5.3, 1.7.1)."""
        hidden = turn == "TUNNEL" or choice.endswith(":face_down")
        return hidden and not self._is_open(plays[choice])

    def _is_open(self, card: str) -> bool:
        """Whether a card is always played face up."""
        return False

    def _lay(self, seat: Seat, card: str, pile: Pile, *, face_down: bool) -> None:
        seat.hand.remove(card)
        pile.append((seat, card))
        self.record.happens(doc.CardPlayed(seat.number, card, face_down))

    def _order(self, turn: str) -> list[Seat]:
        """The seats in the order of a turn (1.5.3, 2.3.3)."""
        table = self.table
        seats = len(table.seats)
        if turn == "SWITCHING":
            last = table.first + table.in_team - 1
            return [table.seats[(last - place) % seats] for place in range(seats)]
        order = [table.seats[(table.first + place) % seats] for place in range(seats)]
        return [seat for seat in order for _ in range(2)] if turn == "SPEEDING_UP" else order

    def _hand_size(self, seat: Seat) -> int:
        """How many cards a seat has at the start of a round (1.5.1, 1.7.6)."""
        return HAND + any(self._has_power(name, "DOC") for name in seat.bandits)

    # --- the action cards -------------------------------------------------------------------------

    def _resolve(self, actor: Bandit, action: str) -> None:
        if action == "MOVE":
            self._move(actor)
        elif action == "FLOOR_CHANGE":
            self._change_floors(actor)
        elif action == "FIRE":
            self._fire(actor)
        elif action == "ROBBERY":
            self._rob(actor)
        elif action == "PUNCH":
            self._punch(actor)
        elif action == "MARSHAL":
            spaces = {
                f"marshal:{space.car}": space for space in self.table.beside(self.table.marshal)
            }
            self._marshal_goes(spaces[self._chosen(actor, list(spaces))], action)

    def _hindrance(self, actor: Bandit, action: str) -> str:
        """The paragraph by which a card does nothing before its own rules are looked at."""
        return ""

    def _no_effect(self, actor: Bandit, action: str, rule: str) -> None:
        self.record.happens(doc.NoEffect(actor.name, action, rule))

    def _has_power(self, name: str, power: str) -> bool:
        """Whether the bandit of this name has what is special about that one (1.7)."""
        return power in self._powers(name)

    def _powers(self, name: str) -> set[str]:
        """Whose powers a bandit has."""
        return {name}

    def _change_floors(self, actor: Bandit) -> None:
        """To the other level of the same car (1.6.2), or where else one may."""
        spaces = {f"floor:{space.text}": space for space in self._other_floors(actor)}
        self._go(actor, spaces[self._chosen(actor, list(spaces))], "FLOOR_CHANGE")

    def _other_floors(self, actor: Bandit) -> list[Space]:
        return [Space(actor.space.car, not actor.space.on_roof)]

    def _move(self, actor: Bandit) -> None:
        """One car inside, up to three on the roofs (1.6.1)."""
        spaces = {f"move:{space.text}": space for space in self._within_reach(actor)}
        if not spaces:
            self._no_effect(actor, "MOVE", "1.6.1")
            return
        self._go(actor, spaces[self._chosen(actor, list(spaces))], "MOVE")

    def _within_reach(self, actor: Bandit) -> list[Space]:
        """Where a MOVE may end."""
        reach = 3 if actor.space.on_roof else 1
        return [space for step in (-1, 1) for space in self.table.ahead(actor.space, step)[:reach]]

    def _next_to(self, space: Space) -> list[Space]:
        """The spaces adjacent for a PUNCH."""
        return self.table.beside(space)

    def _fire(self, actor: Bandit) -> None:
        """One bullet for somebody in sight (1.6.4, 1.7.3 to 1.7.5)."""
        targets = self._spare_belle(self._in_sight(actor)) if actor.bullets_left else []
        if not targets:
            self._no_effect(actor, "FIRE", "1.6.4")
            return
        choice = self._chosen(actor, [f"fire:{target.name}" for target in targets])
        target = self.table.named(choice.removeprefix("fire:"))
        actor.bullets_left -= 1
        self._bullet(actor.name, target, "FIRE")
        if self._has_power(actor.name, "DJANGO"):
            for step in (-1, 1):
                if target.space in self.table.ahead(actor.space, step):
                    self._go_together([(target, self.table.further(target.space, step))], "FIRE")
                    break

    def _in_sight(self, actor: Bandit) -> list[Bandit]:
        spaces = self._aimed_at(actor.space)
        if self._has_power(actor.name, "TUCO"):
            spaces.append(Space(actor.space.car, not actor.space.on_roof))
        return [figure for figure in self._targets() if figure.space in spaces]

    def _targets(self) -> list[Bandit]:
        """Whoever can be shot at all."""
        return self.table.bandits

    def _aimed_at(self, start: Space) -> list[Space]:
        """Spaces on which everybody can be shot from a space, whatever the shooter's powers."""
        spaces: list[Space] = []
        for step in (-1, 1):
            line = self.table.ahead(start, step)
            if start.on_roof:
                spaces += [space for space in line if self._is_occupied(space)][:1]
            else:
                spaces += line[:1]
        return spaces

    def _is_occupied(self, roof: Space) -> bool:
        """Whether somebody on a roof stops a shot."""
        return bool(self.table.at(roof))

    def _rob(self, actor: Bandit) -> None:
        """One token off one's own space (1.6.5)."""
        tokens = self.table.loot_at(actor.space)
        if not tokens:
            self._no_effect(actor, "ROBBERY", "1.6.5")
            return
        options = self._robberies(actor, self._named(tokens, actor.seat))
        choice = self._chosen(actor, list(options), asked_anyway=self._betrays(tokens))
        drawn: list[Token] = []
        for fitting in options[choice]:
            drawn.append(self._drawn([token for token in fitting if token not in drawn]))
        for token in drawn:
            self._pick_up(actor, token, "ROBBERY")

    def _robberies(
        self, actor: Bandit, named: dict[str, list[Token]]
    ) -> dict[str, list[list[Token]]]:
        """What may be taken: one token, or several; for each those among which it is drawn."""
        return {f"rob:{name}": [fitting] for name, fitting in named.items()}

    def _named(self, tokens: list[Token], seat: int) -> dict[str, list[Token]]:
        """Tokens by what a seat calls them (1.2.4)."""
        named: dict[str, list[Token]] = {}
        for token in tokens:
            known = token.value_for(seat) if token.kind in TOLD_APART else None
            name = token.kind if known is None else f"{token.kind}:{known}"
            named.setdefault(name, []).append(token)
        return named

    def _betrays(self, tokens: list[Token]) -> bool:
        """Whether the number of names for these tokens depends on something hidden (1.5.8)."""
        for kind in TOLD_APART:
            alike = [token for token in tokens if token.kind == kind]
            if len(alike) > 1 and any(token.known != EVERYBODY for token in alike):
                return True
        return False

    def _punch(self, actor: Bandit) -> None:
        """Somebody here loses a token and is moved next door (1.6.6, 1.7.2)."""
        targets = self._spare_belle(
            [other for other in self._punchable(actor.space) if other is not actor]
        )
        if not targets:
            self._no_effect(actor, "PUNCH", "1.6.6")
            return
        options: dict[str, Blow] = {}
        for target in targets:
            options |= self._blows(actor, target)
        target, kind, space, keeps = options[self._chosen(actor, list(options))]
        self.record.happens(doc.Punched(actor.name, target.name))
        self._take_blow(actor, target, kind, space, keeps=keeps)

    def _punchable(self, space: Space) -> list[Bandit]:
        """Whoever can be punched on a space."""
        return self.table.at(space)

    def _blows(self, actor: Bandit, target: Bandit) -> dict[str, Blow]:
        """The ways to punch somebody."""
        blows: dict[str, Blow] = {}
        for kind in {token.kind for token in target.loot} or {""}:
            for space in self._next_to(actor.space):
                text = f"punch:{target.name}:{kind}:{space.text}"
                blows[text] = (target, kind, space, False)
                if self._has_power(actor.name, "CHEYENNE") and kind == "PURSE":
                    blows[f"{text}:keep"] = (target, kind, space, True)
        return blows

    def _take_blow(
        self, actor: Bandit, target: Bandit, kind: str, space: Space, *, keeps: bool
    ) -> None:
        if kind:
            token = self._drawn([token for token in target.loot if token.kind == kind])
            target.loot.remove(token)
            if keeps:
                self._own(actor, token, target.name, "PUNCH")
            else:
                self.table.loot_at(target.space).append(token)
                self._loot_moves(token, target.name, target.space.text, "PUNCH")
        self._go(target, space, "PUNCH")

    def _chosen(self, actor: Bandit, options: list[str], *, asked_anyway: bool = False) -> str:
        """The choice of the actor's seat; made by the game if there is only one (1.5.8)."""
        if len(options) == 1 and not asked_anyway:
            return options[0]
        return self.record.choice(actor.seat, options)

    def _spare_belle(self, targets: list[Bandit]) -> list[Bandit]:
        """Without BELLE, unless she is the only one (1.7.4)."""
        return [one for one in targets if not self._has_power(one.name, "BELLE")] or targets

    # --- the events of the round cards ------------------------------------------------------------

    def _event(self, event: str) -> None:
        table = self.table
        everybody = table.from_first()
        marshals_roof = self._on_marshals_roof()
        if event == "ANGRY_MARSHAL":
            self._neutral_bullets(marshals_roof, event)
            behind = table.ahead(table.marshal, 1)
            if behind:
                self._marshal_goes(behind[0], event)
        elif event == "SWIVEL_ARM":
            end = Space(table.caboose, on_roof=True)
            self._go_together([(one, end) for one in table.on_train(on_roof=True)], event)
        elif event == "BRAKING":
            self._go_together(
                [(one, table.further(one.space, -1)) for one in table.on_train(on_roof=True)],
                event,
            )
        elif event == "TAKE_IT_ALL":
            strongbox = Token("STRONGBOX", 1000, EVERYBODY)
            table.loot_at(table.marshal).append(strongbox)
            self._loot_moves(strongbox, "", table.marshal.text, event)
        elif event == "PASSENGERS_REBELLION":
            self._neutral_bullets(table.on_train(on_roof=False), event)
        elif event == "PICKPOCKETING":
            for one in [one for one in everybody if len(table.at(one.space)) == 1]:
                self._pick_pockets(one)
        elif event == "MARSHALS_REVENGE":
            for one in marshals_roof:
                self._lose_least_purse(one)
        elif event == "HOSTAGE_CONDUCTOR":
            for one in everybody:
                if one.space.car == 0:
                    self._own(one, Token("PURSE", 250, EVERYBODY), "", event)

    def _on_marshals_roof(self) -> list[Bandit]:
        return self.table.at(Space(self.table.marshal.car, on_roof=True))

    def _pick_pockets(self, bandit: Bandit) -> None:
        """A purse for whoever is alone with it, or a refusal (1.8.5)."""
        options: dict[str, list[Token]] = {}
        for token in self.table.loot_at(bandit.space):
            if token.kind == "PURSE":
                known = token.value_for(bandit.seat)
                name = "take:PURSE" if known is None else f"take:PURSE:{known}"
                options.setdefault(name, []).append(token)
        if not options:
            return
        choice = self.record.choice(bandit.seat, [*options, "pass"])
        if choice == "pass":
            self.record.happens(doc.Declined(bandit.name, "PICKPOCKETING"))
        else:
            self._pick_up(bandit, self._drawn(options[choice]), "PICKPOCKETING")

    def _lose_least_purse(self, bandit: Bandit) -> None:
        """The least valuable purse goes back to the box (1.8.6)."""
        purses = [token for token in bandit.loot if token.kind == "PURSE"]
        if purses:
            least = min(token.value for token in purses)
            token = self._drawn([token for token in purses if token.value == least])
            bandit.loot.remove(token)
            self._loot_moves(token, bandit.name, "", "MARSHALS_REVENGE")

    # --- what happens in all of them --------------------------------------------------------------

    def _go(self, bandit: Bandit, space: Space, cause: str) -> None:
        self._go_together([(bandit, space)], cause)

    def _go_together(self, moves: list[tuple[Bandit, Space]], cause: str) -> None:
        """Bandits change spaces in one moment; then come the meetings."""
        moved: list[Way] = []
        for bandit, space in moves:
            if bandit.space != space:
                self.record.happens(
                    doc.FigureMoved(bandit.name, bandit.space.text, space.text, cause)
                )
                moved.append((bandit, bandit.space, space))
                bandit.space = space
        self._meet_marshal()
        self._have_moved(moved)

    def _have_moved(self, moved: list[Way]) -> None:
        """What else follows when bandits have gone these ways in one moment."""

    def _marshal_goes(self, space: Space, cause: str) -> None:
        table = self.table
        self.record.happens(doc.FigureMoved("MARSHAL", table.marshal.text, space.text, cause))
        table.the_marshal.space = space
        self._meet_marshal()

    def _meet_marshal(self) -> None:
        """Everybody inside with him flees to the roof and gets a neutral bullet (1.6.7)."""
        inside = self.table.marshal
        met = self.table.at(inside)
        roof = Space(inside.car, on_roof=True)
        for bandit in met:
            self.record.happens(doc.FigureMoved(bandit.name, inside.text, roof.text, "MARSHAL_MET"))
            bandit.space = roof
        self._neutral_bullets(met, "MARSHAL_MET")
        self._have_moved([(bandit, inside, roof) for bandit in met])

    def _neutral_bullets(self, targets: list[Bandit], cause: str) -> None:
        """One each, or none for anybody and the rest of the pile is gone (1.6.8)."""
        table = self.table
        if len(targets) <= table.neutral_bullets:
            table.neutral_bullets -= len(targets)
            for target in targets:
                self._bullet("NEUTRAL", target, cause)
        elif table.neutral_bullets:
            self.record.happens(doc.NeutralBulletsGone(table.neutral_bullets))
            table.neutral_bullets = 0

    def _bullet(self, giver: str, target: Bandit, cause: str) -> None:
        target.received.append(giver)
        self.table.seats[target.seat].deck.append(f"{giver}.BULLET")
        self.record.happens(doc.BulletGiven(giver, target.name, cause))

    def _drawn(self, tokens: list[Token]) -> Token:
        """One of these tokens, blind (1.2.4)."""
        return self.chance.drawn(sorted(tokens, key=drawing_order))

    def _pick_up(self, bandit: Bandit, token: Token, cause: str) -> None:
        self.table.loot_at(bandit.space).remove(token)
        self._own(bandit, token, bandit.space.text, cause)

    def _own(self, bandit: Bandit, token: Token, source: str, cause: str) -> None:
        """Whoever owns a token knows what it is worth from now on (1.2.3)."""
        if token.kind in MONEY:
            token.known |= 1 << bandit.seat
        bandit.loot.append(token)
        self._loot_moves(token, source, bandit.name, cause)

    def _loot_moves(self, token: Token, source: str, target: str, cause: str) -> None:
        self.record.happens(
            doc.LootMoved(doc.Token(token.kind, token.value), source, target, cause)
        )

    def _score(self) -> tuple[list[int], list[int]]:
        """Money by team; the richest, of those the least shot at (1.9, 2.3.4)."""
        table = self.table
        teams = range(len(table.seats) // table.in_team)
        received = [0 for _ in teams]
        for bandit in table.bandits:
            received[table.team(bandit.seat)] += len(bandit.received)
        money = self._money_of_bandits(teams)
        if len(teams) > 2 or table.in_team > 1:  # two players have no Gunslinger (2.2.4)
            shots = self._shots(teams)
            for team in teams:
                money[team] += 1000 if shots[team] == max(shots) else 0
        able = [team for team in teams if self._can_win(team)]
        best = max([(money[team], -received[team]) for team in able], default=None)
        of_seats = [table.team(seat.number) for seat in table.seats]
        return (
            [money[team] for team in of_seats],
            [
                seat
                for seat, team in enumerate(of_seats)
                if team in able and (money[team], -received[team]) == best
            ],
        )

    def _money_of_bandits(self, teams: range) -> list[int]:
        """What bandits bring to their teams."""
        money = [0 for _ in teams]
        for bandit in self.table.bandits:
            money[self.table.team(bandit.seat)] += self._money(bandit)
        return money

    def _money(self, bandit: Bandit) -> int:
        """What a bandit has."""
        return sum(token.value for token in bandit.loot if token.kind in MONEY)

    def _shots(self, teams: range) -> list[int]:
        """How many bullets each team gave to others."""
        table = self.table
        shots = [0 for _ in teams]
        for figure in self._targets():
            for giver in figure.received:
                if table.is_bandit(giver):
                    team = table.team(table.named(giver).seat)
                    shots[team] += team != table.team(figure.seat)
        return shots

    def _can_win(self, team: int) -> bool:
        """Whether a team may win at all."""
        return True
