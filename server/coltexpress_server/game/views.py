"""What a viewer may know of a game (RULES.md section 5), and games as they might be behind it."""

from __future__ import annotations

from random import Random
from typing import Final

from coltexpress_server.game.cards import HIDDEN_CARD, HIDDEN_ROUND, Card, PileCard, rank_of
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.engine import run
from coltexpress_server.game.generator import SEED_BYTES, Generator
from coltexpress_server.game.loot import PUBLIC, UNKNOWN_VALUE, Token, by_value
from coltexpress_server.game.state import Deck, State

HIDDEN_ANSWER: Final = ""
"""In a view: who has answered is public, how is not (2.1.4)."""


def view(state: State, seat: int) -> State:
    """The state as a seat, or SPECTATOR, may know it; after the end everything is open.

    Hidden cards, round cards and values are HIDDEN_CARD, HIDDEN_ROUND and UNKNOWN_VALUE; decks and
    loot are in canonical order; there is no generator and no log; other seats' decisions have no
    options, their answers still secret are HIDDEN_ANSWER. Nothing else differs between two views of
    games that differ only in what the seat may not know.
    """
    seen = state.copy()
    for foresee in state.rules.foresight:
        foresee(seen, seat)
    everything = state.finished
    for figure in seen.figures.values():
        figure.loot = _tokens(figure.loot, seat, everything)
    seen.spaces = {
        space: _tokens(seen.spaces[space], seat, everything)
        for space in sorted(seen.spaces)
        if seen.spaces[space]
    }
    seen.box = _tokens(seen.box, seat, everything)
    seen.waiting = _tokens(seen.waiting, seat, everything)
    own = state.seats[seat].deck if seat < len(state.seats) else -1
    seen.decks = [
        Deck(_as_set(state, seat, deck, everything), deck.hand, deck.discards)
        if everything or number == own
        else Deck(
            [HIDDEN_CARD] * len(deck.cards),
            [HIDDEN_CARD] * len(deck.hand),
            [HIDDEN_CARD] * (len(deck.discards) - 1) + deck.discards[-1:],
        )
        for number, deck in enumerate(seen.decks)
    ]
    seen.pile = [
        PileCard(played.seat, HIDDEN_CARD, face_down=True)
        if played.face_down and played.seat != seat
        else played
        for played in seen.pile
    ]
    seen.round.cards = [
        card if everything or index < seen.round.number else HIDDEN_ROUND
        for index, card in enumerate(seen.round.cards)
    ]
    if not everything:
        seen.extras = {name: extra.seen_by(seat) for name, extra in seen.extras.items()}
    for frame in seen.stack:
        if frame.answers is not None:
            frame.answers = {
                who: text if who == seat else HIDDEN_ANSWER for who, text in frame.answers.items()
            }
    seen.pending = [
        decision
        if decision.seat == seat
        else Decision(decision.seat, decision.figure, decision.kind, [], False, decision.opened, [])
        for decision in seen.pending
    ]
    seen.generator = None
    return seen


def determinize(seen: State, chance: Random) -> State:
    """A whole state that looks like this view to its viewer, from which the game can go on.

    What is hidden is filled in at random, out of all that the cards and tokens allow, without
    regard to how likely the play so far makes it.
    """
    state = seen.copy()
    for imagine in state.rules.imagine:
        imagine(state, chance)
    _imagine_answers(state, chance)
    state.generator = Generator(chance.randbytes(SEED_BYTES), 0)
    run(state)
    return state


def _imagine_answers(state: State, chance: Random) -> None:
    """Seats that have answered, nobody else knows how, get one of the options as their answer."""
    for frame in state.stack:
        answers = frame.answers
        if answers is not None:
            for decision in state.rules.ops[frame.op].step(state, frame):
                if answers.get(decision.seat) == HIDDEN_ANSWER:
                    answers[decision.seat] = chance.choice(decision.options).text


def _as_set(state: State, seat: int, deck: Deck, everything: bool) -> list[Card]:
    """A deck's cards in an order that tells nothing, with those shown as if they were in it."""
    shown = list(deck.cards)
    if not everything:
        for hook in state.rules.shown_in_deck:
            shown += hook(state, seat)
    shown.sort(key=rank_of)
    return shown


def _tokens(tokens: list[Token], seat: int, everything: bool) -> list[Token]:
    """The tokens as the seat knows them, without who else does, in an order that tells nothing."""
    seen = [_token(token, seat, everything) for token in tokens]
    seen.sort(key=by_value)
    return seen


def _token(token: Token, seat: int, everything: bool) -> Token:
    if everything or token.known == PUBLIC:
        return Token(token.kind, token.value, PUBLIC)
    if token.known_to(seat):
        return Token(token.kind, token.value, 1 << seat)
    return Token(token.kind, UNKNOWN_VALUE, 0)
