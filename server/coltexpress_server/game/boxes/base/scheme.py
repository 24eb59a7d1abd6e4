"""One turn of Schemin': each seat in order plays a card or draws (RULES.md 1.5.2, 1.5.3)."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from coltexpress_server.game.boxes.base.round import draw_cards
from coltexpress_server.game.boxes.base.tables import DRAW as CARDS_TO_DRAW
from coltexpress_server.game.boxes.base.turns import TURN
from coltexpress_server.game.cards import BULLET, Card, PileCard
from coltexpress_server.game.choices import DRAW, Choice, Draw, Pass, Play
from coltexpress_server.game.decisions import NO_MEMBERS, Decision, IllegalChoice
from coltexpress_server.game.events import CardPlayed
from coltexpress_server.game.rules import Op
from coltexpress_server.game.seating import Seating
from coltexpress_server.game.state import Frame, Seat, State
from coltexpress_server.game.turns import TurnKind, turn_order

SCHEME = "SCHEME"


class Turn(Op):
    """The seats of one turn; the frame's index counts how many have played or drawn."""

    name: ClassVar[str] = TURN

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Asks the next seat."""
        kind = turn_kind(state)
        order = turn_order(kind, state.rules.seating, len(state.seats), state.round.first_seat)
        if frame.index == len(order):
            state.stack.pop()
            return []
        number = order[frame.index]
        return [turn_decision(state, number, kind, SCHEME, number not in order[: frame.index])]

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """Lays the card on the pile, draws three, or does what else can be done in a turn."""
        kind = turn_kind(state)
        order = turn_order(kind, state.rules.seating, len(state.seats), state.round.first_seat)
        number = order[frame.index]
        frame.index += 1
        take_turn(state, number, kind, choices[0])

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """What cannot be done in a turn."""
        return refused_turn(state, decision, choice)


def turn_kind(state: State) -> TurnKind:
    """How the current turn goes."""
    current = state.round
    return state.rules.turns[current.cards[current.number - 1].turns[current.turn]]


def turn_decision(
    state: State, number: int, kind: TurnKind, asked: str, first_play: bool
) -> Decision:
    """What seat `number` may do in the current turn, which is of this kind.

    asked: the kind of the decision. first_play: the seat has not yet played or drawn in this turn.
    With cards in hand it is asked even if all are bullets, so that nobody learns that they are
    (1.5.8).
    """
    seat = state.seats[number]
    hand = state.decks[seat.deck].hand
    options = _plays(state, seat, kind, first_play) if hand else _ONLY_DRAW
    if state.rules.turn_options:
        turn = state.round.card.turns[state.round.turn]
        further: list[Choice] = []
        for option in state.rules.turn_options:
            further += option.options(state, number, turn)
        if further:
            options = [*options[:-1], *further, DRAW]
    return Decision(number, seat.figures[0], asked, options, bool(hand), -1, NO_MEMBERS)


def play_decision(state: State, number: int, first_play: bool) -> Decision | None:
    """The decision which card seat `number` plays where it may do nothing else, if it has any."""
    seat = state.seats[number]
    options = _plays(state, seat, turn_kind(state), first_play)[:-1]
    if not options:
        return None
    return Decision(number, seat.figures[0], SCHEME, options, True, -1, NO_MEMBERS)


def take_turn(
    state: State, number: int, kind: TurnKind, choice: Choice, told: bool = False
) -> None:
    """Carries out what seat `number` does in its turn, which is of this kind (1.5.2).

    told: whether it has been told already what that leads to.
    """
    if isinstance(choice, Play):
        play_card(state, number, kind, choice)
    elif isinstance(choice, Draw):
        draw_cards(state, number, state.decks[state.seats[number].deck], CARDS_TO_DRAW)
    else:
        for option in state.rules.turn_options:
            if option.take(state, number, choice, told):
                break


def play_card(state: State, number: int, kind: TurnKind, choice: Play) -> None:
    """Lays a card of seat `number` on the pile, in a turn of this kind."""
    seat = state.seats[number]
    card = state.rules.card(choice.figure or seat.figures[0], choice.action)
    state.decks[seat.deck].hand.remove(card)
    face_down = choice.face_down or kind.face_down
    if face_down and is_open(state.rules.seating, card, state.rules.open_cards(state)):
        face_down = False
    state.pile.append(PileCard(number, card, face_down))
    if not face_down and state.rules.card_seen:
        state.rules.seen_by_all(state, number, card)
    if state.log is not None:
        state.log.append(CardPlayed(number, card, face_down))
    for laid in state.rules.card_laid:
        laid(state, number, card, state.round.card.turns[state.round.turn])


def is_open(seating: Seating, card: Card, bandits: tuple[str, ...]) -> bool:
    """Whether a card belongs to one of the bandits whose cards are always played face up."""
    return card.figure in bandits and not seating.shared(card.action)


def refused_turn(state: State, decision: Decision, choice: Choice) -> IllegalChoice:
    """Bullets, cards not in hand, hiding a card without the power to, what is not offered."""
    seat = state.seats[decision.seat]
    if isinstance(choice, Play):
        return _refused_play(state, seat, choice)
    if isinstance(choice, Pass):
        return IllegalChoice("COMPULSORY", "1.5.2", "a turn is to play a card or to draw")
    if isinstance(choice, Draw):
        return IllegalChoice("NOT_OFFERED", "1.5.2", "there is no drawing in this turn")
    for option in state.rules.turn_options:
        refused = option.why_not(state, decision.seat, choice)
        if refused is not None:
            return refused
    return IllegalChoice(
        "WRONG_CHOICE", "1.5.2", "in Schemin' a card is played or cards are drawn, nothing else"
    )


def _refused_play(state: State, seat: Seat, choice: Play) -> IllegalChoice:
    if choice.action == BULLET:
        return IllegalChoice("BULLET_NOT_PLAYABLE", "1.3.2", "a bullet can never be played")
    if choice.action not in state.rules.actions:
        return IllegalChoice("NO_SUCH_CARD", "1.3.1", f"no deck holds a {choice.action} card")
    owner = choice.figure or seat.figures[0]
    named = owner
    if owner in state.figures:
        card = state.rules.card(owner, choice.action)
        named = state.rules.seating.owner(seat.figures, card)
    if named and not choice.figure:
        return IllegalChoice("NOT_OFFERED", "2.2.2", f"it is not said whose {choice.action}")
    held = any(
        card.figure == owner and card.action == choice.action
        for card in state.decks[seat.deck].hand
    )
    if not held:
        return IllegalChoice("CARD_NOT_IN_HAND", "1.5.2", f"no {choice.card} card in hand")
    if choice.figure and not named:
        rule = "1.4.1" if len(seat.figures) == 1 else "2.2.2"
        return IllegalChoice("NOT_OFFERED", rule, f"the name for this is {choice.action} alone")
    if turn_kind(state).face_down:
        return IllegalChoice(
            "FACE_DOWN_NOT_A_CHOICE", "1.5.3", "in a TUNNEL every card is face down anyway"
        )
    return IllegalChoice(
        "FACE_DOWN_NOT_ALLOWED",
        "1.7.1",
        "only GHOST may hide a card, in his first turn of a round, unless he drew in it",
    )


def open_plays(state: State, number: int) -> list[Choice]:
    """The cards that seat `number` can lay down openly, where no power to hide them counts."""
    seat = state.seats[number]
    hand = tuple(state.decks[seat.deck].hand)
    return _options(state.rules.seating, hand, tuple(seat.figures), (), ())[:-1]


def _plays(state: State, seat: Seat, kind: TurnKind, first_play: bool) -> list[Choice]:
    """The cards that a seat can play now, openly or face down, and drawing as the last option."""
    hiding: tuple[str, ...] = ()
    bared: tuple[str, ...] = ()
    if not kind.face_down:
        hiding = _hiding(state, seat, first_play)
        if hiding:
            bared = state.rules.open_cards(state)
    hand = tuple(state.decks[seat.deck].hand)
    return _options(state.rules.seating, hand, tuple(seat.figures), hiding, bared)


def _hiding(state: State, seat: Seat, first_play: bool) -> tuple[str, ...]:
    """Those of a seat's figures whose power lets it lay a card face down in an open turn."""
    hiding: tuple[str, ...] = ()
    for name in seat.figures:
        for power in state.rules.powers_of(state, state.figures[name]):
            if power.may_hide(state, first_play):
                hiding += (name,)
    return hiding


_ONLY_DRAW: list[Choice] = [DRAW]


@lru_cache(maxsize=10_000)
def _options(
    seating: Seating,
    hand: tuple[Card, ...],
    figures: tuple[str, ...],
    hiding: tuple[str, ...],
    bared: tuple[str, ...],
) -> list[Choice]:
    """What a seat that leads these figures can do with a hand.

    hiding: those of its figures whose power to hide a card counts now.
    bared: the bandits whose cards are always played face up.
    The same few hands come up again and again, and nobody changes a list of options.
    """
    names = list(figures)
    options: list[Choice] = []
    last = None
    for card in hand:
        if card is not last and card.action != BULLET:
            last = card
            owner = seating.owner(names, card)
            options.append(Play(owner, card.action, False))
            if not hiding or is_open(seating, card, bared):
                continue
            if any(name in hiding for name in seating.covers(names, card)):
                options.append(Play(owner, card.action, True))
    options.append(DRAW)
    return options
