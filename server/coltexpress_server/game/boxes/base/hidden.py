"""Filling in at random what a view of the base box hides, for players who look ahead."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from coltexpress_server.game.boxes.base.tables import PURSE, STARTING_PURSE
from coltexpress_server.game.cards import BULLET, HIDDEN_CARD, HIDDEN_ROUND, Card, PileCard, rank_of
from coltexpress_server.game.loot import UNKNOWN_VALUE, Token
from coltexpress_server.game.state import State


def imagine_purses(state: State, chance: Random) -> None:
    """Every purse of unknown value gets one that is nowhere else; owners know theirs (1.2.3)."""
    values = [value for value, count in state.rules.tokens[PURSE].items() for _ in range(count)]
    purses = sum(token.kind == PURSE for place in everywhere(state) for token in place)
    # Only the bank's gifts of 1.8.7 raise the number of purses.
    values += [STARTING_PURSE] * (purses - len(values))
    imagine_tokens(state, chance, {PURSE}, values)
    show_to_owners(state, PURSE)


def imagine_tokens(state: State, chance: Random, kinds: Collection[str], values: list[int]) -> None:
    """Every token of these kinds and of unknown value gets one that is nowhere else.

    values: what all of them together are worth, each as often as it is in the box.
    """
    places = everywhere(state)
    left = list(values)
    for place in places:
        for token in place:
            if token.kind in kinds and token.value != UNKNOWN_VALUE:
                left.remove(token.value)
    chance.shuffle(left)
    for place in places:
        for index, token in enumerate(place):
            if token.kind in kinds and token.value == UNKNOWN_VALUE:
                place[index] = Token(token.kind, left.pop(), token.known)


def show_to_owners(state: State, kind: str) -> None:
    """Lets bandits know what the tokens of a kind are worth that they own."""
    for figure in state.bandits:
        figure.loot[:] = [
            token.shown_to(figure.seat) if token.kind == kind else token for token in figure.loot
        ]


def everywhere(state: State) -> list[list[Token]]:
    """All places where loot can be whose value is hidden; changing a list changes the game."""
    return [*[figure.loot for figure in state.figures.values()], *state.spaces.values(), state.box]


def imagine_cards(state: State, chance: Random) -> None:
    """Hidden cards become those that are nowhere else; partners may hold each other's cards."""
    for team in {seat.team for seat in state.seats}:
        seats = [number for number, seat in enumerate(state.seats) if seat.team == team]
        decks = [state.decks[state.seats[number].deck] for number in seats]
        left = _unseen(state, seats)
        chance.shuffle(left)
        for index, played in enumerate(state.pile):
            if played.card is HIDDEN_CARD and played.seat in seats:
                card = next(card for card in left if card.action != BULLET)
                left.remove(card)
                state.pile[index] = PileCard(played.seat, card, played.face_down)
        for deck in decks:
            for cards in (deck.hand, deck.cards, deck.discards):
                for index, card in enumerate(cards):
                    if card is HIDDEN_CARD:
                        cards[index] = left.pop()
            deck.hand.sort(key=rank_of)
            chance.shuffle(deck.cards)


def imagine_round_cards(state: State, chance: Random) -> None:
    """Rounds to come get cards that have not been seen, the last one a station."""
    cards = state.round.cards = list(state.round.cards)
    ordinary, stations = state.rules.round_cards(len(state.bandits))
    seen = {card.name for card in cards}
    left = [card for card in ordinary if card.name not in seen]
    chance.shuffle(left)
    for index, card in enumerate(cards):
        if card == HIDDEN_ROUND:  # equal, not the same: a view may have been stored
            last = index == len(cards) - 1
            cards[index] = chance.choice(stations) if last else left.pop()


def _unseen(state: State, seats: list[int]) -> list[Card]:
    """The cards of these seats, a whole team, that can be seen nowhere."""
    rules = state.rules
    left: list[Card] = []
    for number in seats:
        figures = state.seats[number].figures
        left += [rules.card(*words) for words in rules.seating.deck(figures, rules.deck)]
        for name in figures:
            left += rules.bullets_held(state, state.figures[name])
    seen = [played.card for played in state.pile]
    seen += [frame.card for frame in state.stack if frame.card is not None]
    for number in seats:
        deck = state.decks[state.seats[number].deck]
        seen += [*deck.hand, *deck.cards, *deck.discards]
    for card in seen:
        if card in left:
            left.remove(card)
    return left
