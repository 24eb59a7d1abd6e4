"""The three ways with decks, hands and discard piles (docs/RULES.md, 1.5, 3.7.2, section 2)."""

from __future__ import annotations

from collections.abc import Callable

from coltexpress_server.replay import document as doc
from coltexpress_server.replay.chance import Chance
from coltexpress_server.replay.record import Record
from coltexpress_server.replay.table import Seat, card_order

LAST_ROUND = 5


class Hands:
    """The STANDARD way: everything is shuffled at the start of each round."""

    def __init__(
        self,
        seats: list[Seat],
        actions: Callable[[str], dict[str, int]],
        hand_size: Callable[[Seat], int],
        chance: Chance,
        record: Record,
    ) -> None:
        """Gives every seat its action cards (1.3.1, 2.2.2).

        actions: how many of each a bandit has, by its name.
        hand_size: what a seat's hand is filled up to.
        """
        self._seats = seats
        self._hand_size = hand_size
        self._chance = chance
        self._record = record
        for seat in seats:
            seat.deck = [
                f"{name}.{action}"
                for name in seat.bandits
                for action, count in actions(name).items()
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

    def after_schemin(self, number: int, keep: int) -> None:
        """Cards left in hand go back to the deck (1.5.5), but those that are kept (3.7.2).

        number: the round's; keep: how many may be kept.
        """
        asking = keep > 0 and number < LAST_ROUND
        kept = self._all_keep(keep) if asking else {}
        for seat in self._seats:
            if seat.hand:
                staying = kept.get(seat.number, [])
                self._put_back(seat, staying)
                if asking:
                    self._record.happens(doc.CardsKept(seat.number, staying))

    def _put_back(self, seat: Seat, kept: list[str]) -> None:
        """All cards of a hand but those kept."""
        for card in kept:
            seat.hand.remove(card)
        if seat.hand:
            self._record.happens(doc.HandReturned(seat.number, len(seat.hand)))
            seat.deck += seat.hand
        seat.hand = list(kept)

    def _all_keep(self, most: int) -> dict[int, list[str]]:
        """What everybody with a card in hand keeps, in any order of answers."""
        kept: dict[int, list[str]] = {}
        waiting = [seat.number for seat in self._seats if seat.hand]
        while waiting:
            who, choice = self._record.answer(waiting)
            waiting.remove(who)
            kept[who] = self._kept(self._seats[who], choice, most)
        return kept

    def _may_be_kept(self, seat: Seat) -> list[str]:
        """Any card (3.7.2)."""
        return seat.hand

    def _kept(self, seat: Seat, choice: str, most: int) -> list[str]:
        """The cards that a choice keeps: some of those that may be kept, in their order."""
        cards = sorted(self._may_be_kept(seat), key=card_order)
        names = [name for name in choice.removeprefix("keep:").split(",") if name]
        candidates = iter(cards)
        kept = [
            next((card for card in candidates if seat.naming(card) == name), "") for name in names
        ]
        if choice != f"keep:{','.join(names)}" or "" in kept or len(kept) > most:
            raise self._record.wrong(
                f"seat {seat.number} can keep {most} of {', '.join(map(seat.naming, cards))}, "
                f"the file has {choice or 'no choice'}"
            )
        return kept

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

    def search(self, seat: Seat, action: str) -> None:
        """Takes a card out of the pile that played cards come to lie in, and shuffles it (4.12)."""
        pile = self._played(seat)
        found = [card for card in pile if card.endswith(f".{action}")]
        for card in found:
            pile.remove(card)
        pile[:] = self._chance.shuffled(sorted(pile, key=card_order))
        seat.hand += found
        self._record.happens(doc.CardsSearched(seat.number, found))

    def _played(self, seat: Seat) -> list[str]:
        """The deck."""
        return seat.deck

    def _fill(self) -> None:
        for seat in self._seats:
            self.draw(seat, self._hand_size(seat) - len(seat.hand))

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

    def after_schemin(self, number: int, keep: int) -> None:
        """Everybody with a card in hand keeps what he likes, in any order of answers (2.1.4)."""
        if number == LAST_ROUND:
            return
        kept = self._all_keep(max(len(seat.hand) for seat in self._seats))
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

    def _played(self, seat: Seat) -> list[str]:
        """The discard pile."""
        return seat.discards

    def _may_be_kept(self, seat: Seat) -> list[str]:
        """Action cards alone."""
        return [card for card in seat.hand if not card.endswith(".BULLET")]

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
