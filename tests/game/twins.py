"""Games that differ in everything some viewers may not know and in nothing else (RULES.md 5)."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from coltexpress_server.game.cards import BULLET, Card, PileCard, rank_of
from coltexpress_server.game.engine import run
from coltexpress_server.game.generator import SEED_BYTES, Generator
from coltexpress_server.game.loot import PUBLIC, Token
from coltexpress_server.game.state import Deck, State


def twin(state: State, viewers: Collection[int], chance: Random) -> State:
    """The game with everything shuffled that none of the viewers may know, at the same decision."""
    other = state.copy()
    other.generator = Generator(chance.randbytes(SEED_BYTES), chance.randrange(1000))
    for number, deck in enumerate(other.decks):
        if any(seat.deck == number for place, seat in enumerate(other.seats) if place in viewers):
            chance.shuffle(deck.cards)
        else:
            _shuffle_cards(other, number, deck, chance)
    _shuffle_purses(other, viewers, chance)
    _shuffle_rounds_to_come(other, chance)
    run(other)
    return other


def _shuffle_cards(state: State, number: int, deck: Deck, chance: Random) -> None:
    """Hand, deck and the face-down cards on the pile change places."""
    hidden = [
        place
        for place, played in enumerate(state.pile)
        if played.face_down and state.seats[played.seat].deck == number
    ]
    cards: list[Card] = deck.hand + deck.cards + [state.pile[place].card for place in hidden]
    chance.shuffle(cards)
    for place in hidden:
        card = next(card for card in cards if card.action != BULLET)
        cards.remove(card)
        state.pile[place] = PileCard(state.pile[place].seat, card, face_down=True)
    size = len(deck.hand)
    deck.hand[:] = sorted(cards[:size], key=rank_of)
    deck.cards[:] = cards[size:]


def _shuffle_purses(state: State, viewers: Collection[int], chance: Random) -> None:
    """Values change places, heaps are turned over, and others know other purses than before."""
    known = sum(1 << viewer for viewer in viewers)
    others = ((1 << len(state.seats)) - 1) & ~known
    heaps = [figure.loot for figure in state.bandits] + [*state.spaces.values(), state.box]
    values = [token.value for heap in heaps for token in heap if not token.known & known]
    chance.shuffle(values)
    for heap in heaps:
        for place, token in enumerate(heap):
            if token.known != PUBLIC:
                value = token.value if token.known & known else values.pop()
                some = token.known & known | chance.randrange(others + 1) & others
                heap[place] = Token(token.kind, value, some)
        chance.shuffle(heap)
    for figure in state.bandits:
        figure.loot[:] = [token.shown_to(figure.seat) for token in figure.loot]
    spaces = list(state.spaces.items())
    chance.shuffle(spaces)
    state.spaces = dict(spaces)


def _shuffle_rounds_to_come(state: State, chance: Random) -> None:
    current = state.round
    ordinary, stations = state.rules.round_cards(len(state.bandits))
    seen = current.cards[: current.number]
    left = [card for card in ordinary if card not in seen]
    chance.shuffle(left)
    to_come = len(current.cards) - len(seen)
    if to_come:
        current.cards = [*seen, *left[: to_come - 1], chance.choice(stations)]
