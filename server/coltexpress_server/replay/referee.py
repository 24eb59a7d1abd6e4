"""A finished game, played again by the book: from the seed and the choices to every event.

The rules of the base box (docs/RULES.md, section 1) as one program that runs from set-up to the
score. Where chance decides it asks the seed, where a seat decides it reads the choice off the
record, and of everything else it says what must stand there.
"""

from __future__ import annotations

from coltexpress_server.replay import document as doc
from coltexpress_server.replay.chance import Chance
from coltexpress_server.replay.record import Record
from coltexpress_server.replay.table import (
    ACTIONS,
    BANDITS,
    CARS,
    EVERYBODY,
    LOOT,
    PURSES,
    ROUND_CARDS,
    STATION_TURNS,
    STATIONS,
    TURNS,
    WITHOUT_EVENT,
    Bandit,
    Space,
    Table,
    Token,
    deck_order,
    drawing_order,
)


class Referee:
    """One game in progress; `play` takes it to its end.

    Everything raises Discrepancy where the record does not agree.
    """

    def __init__(
        self, seats: list[list[str]], cars: list[str], chance: Chance, record: Record
    ) -> None:
        """Sets the game up (1.4).

        seats: the bandit each seat chose, or nothing.
        cars: the letters of the cars, if the options name them.
        """
        self.chance = chance
        self.record = record
        names = self._dealt(seats)
        caboose = len(seats)
        self.letters = cars or chance.shuffled(list(CARS))[:caboose]
        inside_caboose = Space(caboose, on_roof=False)
        self.table = Table(
            caboose, [Bandit(name, seat, inside_caboose) for seat, name in enumerate(names)]
        )
        self._lay_out_loot()
        self.table.first = chance.below(len(seats))
        for place, bandit in enumerate(self.table.from_first()):
            bandit.space = Space(caboose - place % 2, on_roof=False)
            bandit.deck = [
                f"{bandit.name}.{action}" for action, count in ACTIONS.items() for _ in range(count)
            ]
        ordinary = chance.shuffled(list(ROUND_CARDS))[:4]
        self.round_cards = [*ordinary, chance.shuffled(list(STATIONS))[0]]

    def play(self) -> tuple[list[int], list[int]]:
        """All five rounds and the score; returns scores and winners by seat."""
        table = self.table
        names = [bandit.name for bandit in table.bandits]
        self.record.happens(doc.GameStarted(self.letters, names, table.first))
        for number, card in enumerate(self.round_cards, start=1):
            self._round(number, card)
            if number < len(self.round_cards):
                table.first = (table.first + 1) % len(table.bandits)
                self.record.happens(doc.RoundEnded(number, table.first))
        scores, winners = self._score()
        self.record.happens(doc.GameEnded(scores, winners))
        self.record.ends()
        return scores, winners

    # --- set-up -----------------------------------------------------------------------------------

    def _dealt(self, seats: list[list[str]]) -> list[str]:
        """The bandits by seat, those not chosen dealt (1.4.1)."""
        chosen = [name for names in seats for name in names]
        left = [name for name in BANDITS if name not in chosen]
        missing = sum(1 for names in seats if not names)
        dealt = iter(self.chance.shuffled(left) if missing else [])
        return [names[0] if names else next(dealt) for names in seats]

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
        for bandit in table.bandits:
            bandit.deck.sort(key=deck_order)
            bandit.deck = self.chance.shuffled(bandit.deck)
            self._draw(bandit, 7 if bandit.name == "DOC" else 6)
        few, many = ROUND_CARDS.get(card, (STATION_TURNS, STATION_TURNS))
        turns = [TURNS[icon] for icon in (many if len(table.bandits) > 4 else few)]
        event = "NONE" if card in WITHOUT_EVENT else card
        self.record.happens(doc.RoundStarted(number, card, turns, event, table.first))
        pile: list[tuple[Bandit, str]] = []
        for index, turn in enumerate(turns):
            self.record.happens(doc.TurnStarted(index, turn))
            self._turn(index, turn, pile)
        for bandit in table.bandits:
            if bandit.hand:
                self.record.happens(doc.HandReturned(bandit.seat, len(bandit.hand)))
                bandit.deck += bandit.hand
                bandit.hand = []
        for bandit, action in pile:
            self.record.happens(doc.CardTurnedUp(bandit.seat, f"{bandit.name}.{action}"))
            self._resolve(bandit, action)
            bandit.deck.append(f"{bandit.name}.{action}")
        if event != "NONE":
            self.record.happens(doc.RoundEventStarted(event))
            self._event(event)

    def _draw(self, bandit: Bandit, count: int) -> None:
        """From the top, which is the end of the deck, as many as there are (1.5.2)."""
        drawn = [bandit.deck.pop() for _ in range(min(count, len(bandit.deck)))]
        bandit.hand += drawn
        self.record.happens(doc.CardsDrawn(bandit.seat, drawn))

    def _turn(self, index: int, turn: str, pile: list[tuple[Bandit, str]]) -> None:
        """Everybody plays a card or draws three, in the order of the turn (1.5.2, 1.5.3)."""
        order = self.table.from_first()
        if turn == "SPEEDING_UP":
            order = [bandit for bandit in order for _ in range(2)]
        elif turn == "SWITCHING":
            order = [order[0], *reversed(order[1:])]
        tunnel = turn == "TUNNEL"
        for place, bandit in enumerate(order):
            actions = {card.partition(".")[2] for card in bandit.hand} - {"BULLET"}
            first_play = index == 0 and bandit not in order[:place]
            may_hide = bandit.name == "GHOST" and first_play and not tunnel
            options = {f"play:{action}" for action in actions}
            if may_hide:
                options |= {f"play:{action}:face_down" for action in actions}
            options.add("draw")
            if not bandit.hand:  # the only seats not asked (1.5.8)
                self._draw(bandit, 3)
                continue
            choice = self.record.choice(bandit.seat, options)
            if choice == "draw":
                self._draw(bandit, 3)
                continue
            _, action, *hidden = choice.split(":")
            card = f"{bandit.name}.{action}"
            bandit.hand.remove(card)
            pile.append((bandit, action))
            self.record.happens(doc.CardPlayed(bandit.seat, card, tunnel or bool(hidden)))

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
        target.received += 1
        target.deck.append(f"{giver}.BULLET")
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
        """Loot and the Gunslinger; the richest win, of those the least shot at (1.9)."""
        bandits = self.table.bandits
        fewest_left = min(bandit.bullets_left for bandit in bandits)
        scores = [
            sum(token.value for token in bandit.loot)
            + (1000 if bandit.bullets_left == fewest_left else 0)
            for bandit in bandits
        ]
        ranks = [(money, -bandit.received) for money, bandit in zip(scores, bandits, strict=True)]
        return scores, [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]
