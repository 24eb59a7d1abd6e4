"""The three ways with decks, hands and discard piles (docs/RULES.md, 1.5 and section 2)."""

from __future__ import annotations

from coltexpress_server.replay import document as doc
from coltexpress_server.replay.chance import Chance
from coltexpress_server.replay.record import Record
from coltexpress_server.replay.table import ACTIONS, Seat, card_order

HAND = 6
LAST_ROUND = 5


class Hands:
    """The STANDARD way: everything is shuffled at the start of each round."""

    def __init__(self, seats: list[Seat], chance: Chance, record: Record) -> None:
        """Gives every seat its action cards (1.3.1, 2.2.2)."""
        self._seats = seats
        self._chance = chance
        self._record = record
        for seat in seats:
            seat.deck = [
                f"{name}.{action}"
                for name in seat.bandits
                for action, count in ACTIONS.items()
                for _ in range(count)
            ]
            if len(seat.bandits) > 1:  # one of each kind, and one MARSHAL for both
                second = f"{seat.bandits[1]}.MARSHAL"
                seat.deck = [card for card in dict.fromkeys(seat.deck) if card != second]

    def set_up(self) -> None:
        """What happens to the decks before the first round."""

    def start_round(self) -> None:
        """Everybody shuffles and draws (1.5.1)."""
        for seat in self._seats:
            self._shuffle(seat)
        self._fill()

    def before_schemin(self) -> None:
        """What happens between the turning up of the round card and the first turn."""

    def after_schemin(self, number: int) -> None:
        """Cards left in hand go back to the deck (1.5.5); number: the round's."""
        for seat in self._seats:
            if seat.hand:
                self._record.happens(doc.HandReturned(seat.number, len(seat.hand)))
                seat.deck += seat.hand
                seat.hand = []

    def take_home(self, seat: Seat, card: str) -> None:
        """A resolved card goes back to its owner, who is this seat (1.5.6)."""
        seat.deck.append(card)

    def draw(self, seat: Seat, count: int) -> None:
        """From the top, which is the end of the deck, as many as there are (1.5.2)."""
        drawn: list[str] = []
        while len(drawn) < count and (seat.deck or self._renewed(seat)):
            drawn.append(seat.deck.pop())
        seat.hand += drawn
        self._record.happens(doc.CardsDrawn(seat.number, drawn))

    def _fill(self) -> None:
        for seat in self._seats:
            self.draw(seat, HAND + ("DOC" in seat.bandits) - len(seat.hand))

    def _shuffle(self, seat: Seat) -> None:
        seat.deck = self._chance.shuffled(sorted(seat.deck, key=card_order))

    def _renewed(self, seat: Seat) -> bool:
        """Whether an empty deck has become one of some cards."""
        return False


class TeamHands(Hands):
    """TEAMS: as in STANDARD, but the first card is the partner's (2.3.2)."""

    def start_round(self) -> None:
        """Everybody shuffles, borrows, draws."""
        for seat in self._seats:
            self._shuffle(seat)
        for seat in self._seats:
            partner = self._seats[seat.number ^ 1]
            if partner.deck:
                card = partner.deck.pop()
                seat.hand.append(card)
                self._record.happens(doc.CardBorrowed(seat.number, partner.number, card))
        self._fill()


class ExpertHands(Hands):
    """EXPERT: discard piles, and cards kept from round to round (2.1)."""

    def set_up(self) -> None:
        """The only shuffle that is not of a discard pile."""
        for seat in self._seats:
            self._shuffle(seat)

    def start_round(self) -> None:
        """Everybody draws (2.1.2)."""
        self._fill()

    def before_schemin(self) -> None:
        """Bullets are discarded (2.1.3)."""
        for seat in self._seats:
            bullets = [card for card in seat.hand if card.endswith(".BULLET")]
            self._discard(seat, sorted(bullets, key=card_order))

    def after_schemin(self, number: int) -> None:
        """Everybody with a card in hand keeps what he likes, in any order of answers (2.1.4)."""
        if number == LAST_ROUND:
            return
        kept: dict[int, list[str]] = {}
        waiting = [seat.number for seat in self._seats if seat.hand]
        while waiting:
            who, choice = self._record.answer(waiting)
            waiting.remove(who)
            kept[who] = self._kept(self._seats[who], choice)
        for seat in self._seats:
            left = list(kept.get(seat.number, ()))
            bullets: list[str] = []
            actions: list[str] = []
            for card in sorted(seat.hand, key=card_order):
                if card in left:
                    left.remove(card)
                elif card.endswith(".BULLET"):
                    bullets.append(card)
                else:
                    actions.append(card)
            self._discard(seat, bullets + actions)

    def take_home(self, seat: Seat, card: str) -> None:
        """Onto the discard pile (2.1.5)."""
        seat.discards.append(card)

    def _kept(self, seat: Seat, choice: str) -> list[str]:
        """The cards that a choice keeps: some of the actions in hand, in their order."""
        actions = sorted(
            (card for card in seat.hand if not card.endswith(".BULLET")), key=card_order
        )
        names = [name for name in choice.removeprefix("keep:").split(",") if name]
        candidates = iter(actions)
        kept = [
            next((card for card in candidates if seat.naming(card) == name), "") for name in names
        ]
        if choice != f"keep:{','.join(names)}" or "" in kept:
            raise self._record.wrong(
                f"seat {seat.number} can keep some of {', '.join(map(seat.naming, actions))}, "
                f"the file has {choice or 'no choice'}"
            )
        return kept

    def _discard(self, seat: Seat, cards: list[str]) -> None:
        if cards:
            for card in cards:
                seat.hand.remove(card)
            seat.discards += cards
            self._record.happens(doc.CardsDiscarded(seat.number, cards, len(seat.hand)))

    def _renewed(self, seat: Seat) -> bool:
        """The discards become the deck (2.1.2)."""
        if not seat.discards:
            return False
        seat.deck, seat.discards = seat.discards, []
        self._shuffle(seat)
        self._record.happens(doc.DeckRebuilt(seat.number, len(seat.deck)))
        return True
