"""Games that differ in everything some viewers may not know and in nothing else (RULES.md 5)."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from coltexpress_server.game.boxes.base.hidden import everywhere
from coltexpress_server.game.boxes.base.tables import PURSE
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import FLASK
from coltexpress_server.game.boxes.horses_and_stagecoach.whiskey import WHISKEY
from coltexpress_server.game.boxes.marshal_and_prisoners import goals
from coltexpress_server.game.boxes.marshal_and_prisoners.state import NAME as MARSHAL_NAME
from coltexpress_server.game.boxes.marshal_and_prisoners.state import prison_train
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import (
    HIDDEN_GOAL,
    MAILBAG,
    MARSHALS_SEAT,
)
from coltexpress_server.game.boxes.teams.borrowing import Borrowed, partner_of
from coltexpress_server.game.cards import BULLET, Card, PileCard, rank_of
from coltexpress_server.game.engine import run
from coltexpress_server.game.generator import SEED_BYTES, Generator
from coltexpress_server.game.loot import PUBLIC, Token
from coltexpress_server.game.state import State


def twin(state: State, viewers: Collection[int], chance: Random) -> State:
    """The game with everything shuffled that none of the viewers may know, at the same decision."""
    other = state.copy()
    other.generator = Generator(chance.randbytes(SEED_BYTES), chance.randrange(1000))
    for team in sorted({seat.team for seat in other.seats}):
        seats = [number for number, seat in enumerate(other.seats) if seat.team == team]
        _shuffle_cards(other, seats, viewers, chance)
    _change_answers(other, viewers, chance)
    _shuffle_purses(other, viewers, chance)
    _shuffle_flasks(other, chance)
    _shuffle_mailbags(other, viewers, chance)
    _change_goals(other, viewers, chance)
    _shuffle_rounds_to_come(other, chance)
    run(other)
    return other


def _change_answers(state: State, viewers: Collection[int], chance: Random) -> None:
    """Who has answered secretly has answered something else."""
    for frame in state.stack:
        if frame.answers:
            for decision in state.rules.ops[frame.op].step(state, frame):
                if decision.seat in frame.answers and decision.seat not in viewers:
                    frame.answers[decision.seat] = chance.choice(decision.options).text


def _shuffle_cards(
    state: State, team: Collection[int], viewers: Collection[int], chance: Random
) -> None:
    """Hands, decks, discards below the top and face-down cards of a team's seats change places.

    Those of viewers stay where they are, but for the order of the deck and what was borrowed of it.
    """
    extra = state.extras.get(Borrowed.name)
    borrowed = extra.cards if isinstance(extra, Borrowed) else {}
    fixed = _cards_that_show(state, team, viewers)
    for seat in team:
        if seat in viewers:
            own = state.decks[state.seats[seat].deck].cards
            borrower = partner_of(seat)
            if borrower in borrowed and borrower not in viewers:
                fixed += _exchange_borrowed(state, own, borrower, borrowed, chance)
            chance.shuffle(own)
    hiding = [seat for seat in team if seat not in viewers]
    _shuffle_hidden(state, hiding, fixed, chance)
    if len(hiding) == len(team):
        for seat in [seat for seat in hiding if seat in borrowed]:
            # Whether a borrowed card is still a secret is the team's own.
            _, hand = _out_of_sight(state, seat)
            if hand and chance.randrange(2):
                borrowed[seat] = [chance.choice(hand)]
            else:
                del borrowed[seat]


def _cards_that_show(state: State, team: Collection[int], viewers: Collection[int]) -> list[Card]:
    """Cards that stay where they are, since everybody can see that there is one.

    Whoever is asked which card he plays, and may not draw, has one that can be played.
    """
    asked = [decision.seat for decision in state.pending if state.stack[-1].op == WHISKEY]
    return [
        next(card for card in state.decks[state.seats[seat].deck].hand if card.action != BULLET)
        for seat in asked
        if seat in team and seat not in viewers
    ]


def _exchange_borrowed(
    state: State, deck: list[Card], borrower: int, borrowed: dict[int, list[Card]], chance: Random
) -> list[Card]:
    """The cards borrowed of this deck become other ones of it."""
    hand = state.decks[state.seats[borrower].deck].hand
    places, _ = _out_of_sight(state, borrower)
    for number, old in enumerate(borrowed[borrower]):
        if old in hand:
            new = chance.choice([*deck, old])
            hand[hand.index(old)] = new
        else:
            new = chance.choice([card for card in [*deck, old] if card.action != BULLET])
            place = next(place for place in places if state.pile[place].card is old)
            state.pile[place] = PileCard(borrower, new, face_down=True)
        deck.append(old)
        deck.remove(new)
        borrowed[borrower][number] = new
    return borrowed[borrower]


def _shuffle_hidden(
    state: State, seats: Collection[int], fixed: Collection[Card], chance: Random
) -> None:
    """What lies out of sight at these seats changes places; of the fixed cards one each stays."""
    decks = [state.decks[state.seats[seat].deck] for seat in seats]
    hidden = [place for seat in seats for place in _out_of_sight(state, seat)[0]]
    left = list(fixed)
    for place in list(hidden):
        if state.pile[place].card in left:
            left.remove(state.pile[place].card)
            hidden.remove(place)
    staying: dict[int, list[Card]] = {}
    for number, deck in enumerate(decks):
        staying[number] = [card for card in left if card in deck.hand]
        for card in staying[number]:
            left.remove(card)
            deck.hand.remove(card)
    cards: list[Card] = []
    for deck in decks:
        cards += deck.hand + deck.cards + deck.discards[:-1]
    cards += [state.pile[place].card for place in hidden]
    chance.shuffle(cards)
    for place in hidden:
        card = next(card for card in cards if card.action != BULLET)
        cards.remove(card)
        state.pile[place] = PileCard(state.pile[place].seat, card, face_down=True)
    for number, deck in enumerate(decks):
        for heap, size in (
            (deck.hand, len(deck.hand)),
            (deck.cards, len(deck.cards)),
            (deck.discards, len(deck.discards) - 1),
        ):
            for place in range(size):
                heap[place] = cards.pop(0)
        deck.hand.extend(staying[number])
        deck.hand.sort(key=rank_of)


def _out_of_sight(state: State, seat: int) -> tuple[list[int], list[Card]]:
    """Where a seat's face-down cards lie on the pile; the cards there and in its hand."""
    places = [
        place for place, played in enumerate(state.pile) if played.face_down and played.seat == seat
    ]
    hand = state.decks[state.seats[seat].deck].hand
    return places, [*hand, *(state.pile[place].card for place in places)]


def _shuffle_purses(state: State, viewers: Collection[int], chance: Random) -> None:
    """Values change places, heaps are turned over, and others know other purses than before."""
    known = sum(1 << viewer for viewer in viewers)
    others = ((1 << len(state.seats)) - 1) & ~known
    heaps = [figure.loot for figure in state.bandits] + [*state.spaces.values(), state.box]
    values = [
        token.value
        for heap in heaps
        for token in heap
        if token.kind == PURSE and not token.known & known
    ]
    chance.shuffle(values)
    for heap in heaps:
        for place, token in enumerate(heap):
            if token.kind == PURSE and token.known != PUBLIC:
                value = token.value if token.known & known else values.pop()
                some = token.known & known | chance.randrange(others + 1) & others
                heap[place] = Token(token.kind, value, some)
        chance.shuffle(heap)
    for figure in state.bandits:
        figure.loot[:] = [
            token.shown_to(figure.seat) if token.kind == PURSE else token for token in figure.loot
        ]
    spaces = list(state.spaces.items())
    chance.shuffle(spaces)
    state.spaces = dict(spaces)


def _shuffle_flasks(state: State, chance: Random) -> None:
    """The sorts of unused flasks change places; nobody knows them."""
    heaps = everywhere(state)
    unknown = [
        (heap, place)
        for heap in heaps
        for place, token in enumerate(heap)
        if token.kind == FLASK and token.known != PUBLIC
    ]
    sorts = [heap[place].value for heap, place in unknown]
    chance.shuffle(sorts)
    for (heap, place), sort in zip(unknown, sorts, strict=True):
        heap[place] = Token(FLASK, sort, 0)


def _shuffle_mailbags(state: State, viewers: Collection[int], chance: Random) -> None:
    """The two are worth the other's money, where no viewer knows either; others know otherwise."""
    known = sum(1 << viewer for viewer in viewers)
    others = ((1 << len(state.seats)) - 1) & ~known
    bags = [
        (heap, place)
        for heap in everywhere(state)
        for place, token in enumerate(heap)
        if token.kind == MAILBAG
    ]
    values = [heap[place].value for heap, place in bags]
    if not any(heap[place].known & known for heap, place in bags):
        chance.shuffle(values)
    for (heap, place), value in zip(bags, values, strict=True):
        some = heap[place].known & known | chance.randrange(others + 1) & others
        heap[place] = Token(MAILBAG, value, some)
    for figure in state.bandits:
        figure.loot[:] = [
            token.shown_to(figure.seat) if token.kind == MAILBAG else token for token in figure.loot
        ]


def _change_goals(state: State, viewers: Collection[int], chance: Random) -> None:
    """Other ones are to come; and were Current, where the Marshal does not look."""
    if MARSHAL_NAME not in state.extras:
        return
    extra = prison_train(state)
    extra.upcoming = [HIDDEN_GOAL] * len(extra.upcoming)
    if MARSHALS_SEAT not in viewers:
        extra.current = [HIDDEN_GOAL] * len(extra.current)
    goals.imagine(state, chance)


def _shuffle_rounds_to_come(state: State, chance: Random) -> None:
    current = state.round
    ordinary, stations = state.rules.round_cards(len(state.bandits))
    seen = current.cards[: current.number]
    left = [card for card in ordinary if card not in seen]
    chance.shuffle(left)
    to_come = len(current.cards) - len(seen)
    if to_come:
        current.cards = [*seen, *left[: to_come - 1], chance.choice(stations)]
