"""A finished game, played again by the book: from the seed and the choices to every event.

The rules of the base box and its variants (docs/RULES.md, sections 1 and 2) as one program that
runs from set-up to the score. Where chance decides it asks the seed, where a seat decides it reads
the choice off the record, and of everything else it says what must stand there.
"""

from __future__ import annotations

from coltexpress_server.replay import document as doc
from coltexpress_server.replay.chance import Chance
from coltexpress_server.replay.hands import ExpertHands, Hands, TeamHands
from coltexpress_server.replay.record import Record
from coltexpress_server.replay.table import (
    BANDITS,
    CARS,
    EVERYBODY,
    LOCOMOTIVE,
    LOOT,
    PURSES,
    ROUND_CARDS,
    STATION_TURNS,
    STATIONS,
    TURNS,
    WITHOUT_EVENT,
    Bandit,
    Seat,
    Space,
    Table,
    Token,
    drawing_order,
)

_HANDS = {"STANDARD": Hands, "EXPERT": ExpertHands, "TEAMS": TeamHands}


class Referee:
    """One game in progress; `play` takes it to its end.

    Everything raises Discrepancy where the record does not agree.
    """

    def __init__(
        self,
        variant: str,
        chosen: list[list[str]],
        cars: list[str],
        chance: Chance,
        record: Record,
    ) -> None:
        """Sets the game up (1.4, 2.2.1, 2.3.1).

        chosen: the bandits each seat chose, or none.
        cars: the letters of the cars, if the options name them.
        """
        self.chance = chance
        self.record = record
        seats = [Seat(number, names) for number, names in enumerate(self._dealt(chosen))]
        self.table = table = Table(
            seats,
            [Bandit(name, seat.number, LOCOMOTIVE) for seat in seats for name in seat.bandits],
            in_team=2 if variant == "TEAMS" else 1,
        )
        self.letters = cars or chance.shuffled(list(CARS))[: table.caboose]
        self._lay_out_loot()
        table.first = table.in_team * chance.below(len(seats) // table.in_team)
        for place, bandit in enumerate(table.from_first()):
            bandit.space = Space(table.caboose - place % 2, on_roof=False)
        ordinary = chance.shuffled(list(ROUND_CARDS))[:4]
        self.round_cards = [*ordinary, chance.shuffled(list(STATIONS))[0]]
        self.hands = _HANDS[variant](seats, chance, record)
        self.hands.set_up()

    def play(self) -> tuple[list[int], list[int]]:
        """All five rounds and the score; returns scores and winners by seat."""
        table = self.table
        names = [bandit.name for bandit in table.bandits]
        self.record.happens(doc.GameStarted(self.letters, names, table.first))
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

    def _dealt(self, chosen: list[list[str]]) -> list[list[str]]:
        """The bandits by seat, those not chosen dealt (1.4.1); two each for two players (2.2.1)."""
        taken = [name for names in chosen for name in names]
        left = [name for name in BANDITS if name not in taken]
        dealt = iter(left if all(chosen) else self.chance.shuffled(left))
        each = 2 if len(chosen) == 2 else 1
        return [names or [next(dealt) for _ in range(each)] for names in chosen]

    def _lay_out_loot(self) -> None:
        """A known $250 purse each, the other purses blind into the cars (1.2.2)."""
        for bandit in self.table.bandits:
            bandit.loot.append(Token("PURSE", 250, EVERYBODY))
        purses = self.chance.shuffled(list(PURSES[len(self.table.bandits) :]))
        for car, letter in enumerate(self.letters, start=1):
            purse_count, jewel_count = CARS[letter]
            tokens = [Token("PURSE", purses.pop(), 0) for _ in range(purse_count)]
            tokens += [Token("JEWEL", 500, EVERYBODY) for _ in range(jewel_count)]
            self.table.lying[Space(car, on_roof=False)] = tokens
        self.table.loot_at(self.table.marshal).append(Token("STRONGBOX", 1000, EVERYBODY))

    # --- a round ----------------------------------------------------------------------------------

    def _round(self, number: int, card: str) -> None:
        table = self.table
        self.hands.start_round()
        few, many = ROUND_CARDS.get(card, (STATION_TURNS, STATION_TURNS))
        turns = [TURNS[icon] for icon in (many if len(table.bandits) > 4 else few)]
        event = "NONE" if card in WITHOUT_EVENT else card
        self.record.happens(doc.RoundStarted(number, card, turns, event, table.first))
        self.hands.before_schemin()
        pile: list[tuple[Seat, str]] = []
        for index, turn in enumerate(turns):
            self.record.happens(doc.TurnStarted(index, turn))
            self._turn(index, turn, pile)
        self.hands.after_schemin(number)
        for seat, played in pile:
            self.record.happens(doc.CardTurnedUp(seat.number, played))
            owner, _, action = played.partition(".")
            actor = table.named(owner)
            self._resolve(actor, action)
            self.hands.take_home(table.seats[actor.seat], played)
        if event != "NONE":
            self.record.happens(doc.RoundEventStarted(event))
            self._event(event)

    def _turn(self, index: int, turn: str, pile: list[tuple[Seat, str]]) -> None:
        """Everybody plays a card or draws three, in the order of the turn (1.5.2, 1.5.3)."""
        tunnel = turn == "TUNNEL"
        order = self._order(turn)
        for place, seat in enumerate(order):
            first_play = index == 0 and seat not in order[:place]
            options: dict[str, str] = {"draw": ""}
            for card in seat.hand:
                if not card.endswith(".BULLET"):
                    options[f"play:{seat.naming(card)}"] = card
                    if first_play and not tunnel and seat.may_hide(card):
                        options[f"play:{seat.naming(card)}:face_down"] = card
            # Only seats without any card are not asked (1.5.8).
            choice = self.record.choice(seat.number, options) if seat.hand else "draw"
            card = options[choice]
            if card:
                seat.hand.remove(card)
                pile.append((seat, card))
                face_down = tunnel or choice.endswith(":face_down")
                self.record.happens(doc.CardPlayed(seat.number, card, face_down))
            else:
                self.hands.draw(seat, 3)

    def _order(self, turn: str) -> list[Seat]:
        """The seats in the order of a turn (1.5.3, 2.3.3)."""
        table = self.table
        seats = len(table.seats)
        if turn == "SWITCHING":
            last = table.first + table.in_team - 1
            return [table.seats[(last - place) % seats] for place in range(seats)]
        order = [table.seats[(table.first + place) % seats] for place in range(seats)]
        return [seat for seat in order for _ in range(2)] if turn == "SPEEDING_UP" else order

    # --- the action cards -------------------------------------------------------------------------

    def _resolve(self, actor: Bandit, action: str) -> None:
        if action == "MOVE":
            self._move(actor)
        elif action == "FLOOR_CHANGE":
            self._go(actor, Space(actor.space.car, not actor.space.on_roof), action)
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

    def _move(self, actor: Bandit) -> None:
        """One car inside, up to three on the roofs (1.6.1)."""
        reach = 3 if actor.space.on_roof else 1
        spaces = {
            f"move:{space.text}": space
            for step in (-1, 1)
            for space in self.table.ahead(actor.space, step)[:reach]
        }
        self._go(actor, spaces[self._chosen(actor, list(spaces))], "MOVE")

    def _fire(self, actor: Bandit) -> None:
        """One bullet for somebody in sight (1.6.4, 1.7.3 to 1.7.5)."""
        targets = self._spare_belle(self._in_sight(actor)) if actor.bullets_left else []
        if not targets:
            self.record.happens(doc.NoEffect(actor.name, "FIRE", "1.6.4"))
            return
        choice = self._chosen(actor, [f"fire:{target.name}" for target in targets])
        target = self.table.named(choice.removeprefix("fire:"))
        actor.bullets_left -= 1
        self._bullet(actor.name, target, "FIRE")
        if actor.name == "DJANGO" and target.space.car != actor.space.car:
            step = 1 if target.space.car > actor.space.car else -1
            further = self.table.ahead(target.space, step)
            if further:
                self._go(target, further[0], "FIRE")

    def _in_sight(self, actor: Bandit) -> list[Bandit]:
        table = self.table
        spaces: list[Space] = []
        for step in (-1, 1):
            line = table.ahead(actor.space, step)
            if actor.space.on_roof:
                spaces += [space for space in line if table.at(space)][:1]
            else:
                spaces += line[:1]
        if actor.name == "TUCO":
            spaces.append(Space(actor.space.car, not actor.space.on_roof))
        return [bandit for bandit in table.bandits if bandit.space in spaces]

    def _rob(self, actor: Bandit) -> None:
        """One token off one's own space (1.6.5)."""
        tokens = self.table.loot_at(actor.space)
        if not tokens:
            self.record.happens(doc.NoEffect(actor.name, "ROBBERY", "1.6.5"))
            return
        options: dict[str, list[Token]] = {}
        for token in tokens:
            known = token.value_for(actor.seat) if token.kind == "PURSE" else None
            name = f"rob:{token.kind}" if known is None else f"rob:{token.kind}:{known}"
            options.setdefault(name, []).append(token)
        purses = [token for token in tokens if token.kind == "PURSE"]
        betrays = len(purses) > 1 and any(token.known != EVERYBODY for token in purses)
        choice = self._chosen(actor, list(options), asked_anyway=betrays)
        self._pick_up(actor, self._drawn(options[choice]), "ROBBERY")

    def _punch(self, actor: Bandit) -> None:
        """Somebody here loses a token and is moved next door (1.6.6, 1.7.2)."""
        targets = self._spare_belle(
            [other for other in self.table.at(actor.space) if other is not actor]
        )
        if not targets:
            self.record.happens(doc.NoEffect(actor.name, "PUNCH", "1.6.6"))
            return
        options: dict[str, tuple[Bandit, str, Space, bool]] = {}
        for target in targets:
            owned = {token.kind for token in target.loot}
            for kind in [kind for kind in LOOT if kind in owned] or [""]:
                for space in self.table.beside(actor.space):
                    text = f"punch:{target.name}:{kind}:{space.text}"
                    options[text] = (target, kind, space, False)
                    if actor.name == "CHEYENNE" and kind == "PURSE":
                        options[f"{text}:keep"] = (target, kind, space, True)
        target, kind, space, keeps = options[self._chosen(actor, list(options))]
        self.record.happens(doc.Punched(actor.name, target.name))
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
        return [target for target in targets if target.name != "BELLE"] or targets

    # --- the events of the round cards ------------------------------------------------------------

    def _event(self, event: str) -> None:
        table = self.table
        everybody = table.from_first()
        marshals_roof = table.at(Space(table.marshal.car, on_roof=True))
        if event == "ANGRY_MARSHAL":
            self._neutral_bullets(marshals_roof, event)
            behind = table.ahead(table.marshal, 1)
            if behind:
                self._marshal_goes(behind[0], event)
        elif event == "SWIVEL_ARM":
            end = Space(table.caboose, on_roof=True)
            self._go_together([(one, end) for one in everybody if one.space.on_roof], event)
        elif event == "BRAKING":
            self._go_together(
                [
                    (one, Space(max(one.space.car - 1, 0), on_roof=True))
                    for one in everybody
                    if one.space.on_roof
                ],
                event,
            )
        elif event == "TAKE_IT_ALL":
            strongbox = Token("STRONGBOX", 1000, EVERYBODY)
            table.loot_at(table.marshal).append(strongbox)
            self._loot_moves(strongbox, "", table.marshal.text, event)
        elif event == "PASSENGERS_REBELLION":
            self._neutral_bullets([one for one in everybody if not one.space.on_roof], event)
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
        """Bandits change spaces in one moment; then whoever met the Marshal flees."""
        for bandit, space in moves:
            if bandit.space != space:
                self.record.happens(
                    doc.FigureMoved(bandit.name, bandit.space.text, space.text, cause)
                )
                bandit.space = space
        self._meet_marshal()

    def _marshal_goes(self, space: Space, cause: str) -> None:
        table = self.table
        self.record.happens(doc.FigureMoved("MARSHAL", table.marshal.text, space.text, cause))
        table.marshal = space
        self._meet_marshal()

    def _meet_marshal(self) -> None:
        """Everybody inside with him flees to the roof and gets a neutral bullet (1.6.7)."""
        met = self.table.at(self.table.marshal)
        roof = Space(self.table.marshal.car, on_roof=True)
        for bandit in met:
            self.record.happens(
                doc.FigureMoved(bandit.name, bandit.space.text, roof.text, "MARSHAL_MET")
            )
            bandit.space = roof
        self._neutral_bullets(met, "MARSHAL_MET")

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
        token.known |= 1 << bandit.seat
        bandit.loot.append(token)
        self._loot_moves(token, source, bandit.name, cause)

    def _loot_moves(self, token: Token, source: str, target: str, cause: str) -> None:
        self.record.happens(
            doc.LootMoved(doc.Token(token.kind, token.value), source, target, cause)
        )

    def _score(self) -> tuple[list[int], list[int]]:
        """Loot and the Gunslinger by team; the richest, of those the least shot at (1.9, 2.3.4)."""
        table = self.table
        teams = range(len(table.seats) // table.in_team)
        money, shots, received = [0 for _ in teams], [0 for _ in teams], [0 for _ in teams]
        for bandit in table.bandits:
            team = table.team(bandit.seat)
            money[team] += sum(token.value for token in bandit.loot)
            received[team] += len(bandit.received)
            for giver in bandit.received:
                if giver != "NEUTRAL" and table.team(table.named(giver).seat) != team:
                    shots[table.team(table.named(giver).seat)] += 1
        if len(teams) > 2 or table.in_team > 1:  # two players have no Gunslinger (2.2.4)
            for team in teams:
                money[team] += 1000 if shots[team] == max(shots) else 0
        ranks = [(money[team], -received[team]) for team in teams]
        of_seats = [table.team(seat.number) for seat in table.seats]
        return (
            [money[team] for team in of_seats],
            [seat for seat, team in enumerate(of_seats) if ranks[team] == max(ranks)],
        )
