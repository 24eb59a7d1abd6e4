"""The whole of a game in play: everything that is on the table, in hands and pending.

Only data; the rules that change it are in `boxes`, the loop that runs them in `engine`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from coltexpress_server.game.cards import Card, PileCard, RoundCard
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.events import Event
from coltexpress_server.game.generator import Generator
from coltexpress_server.game.loot import Token
from coltexpress_server.game.options import Options
from coltexpress_server.game.rules import Rules
from coltexpress_server.game.train import Train

SCHEMIN: Final = "SCHEMIN"
STEALIN: Final = "STEALIN"
FINISHED: Final = "FINISHED"

_NO_NAMES: Final[list[str]] = []


@dataclass(slots=True, eq=False)
class Seat:
    """A player's place at the table; seats are numbered clockwise from 0.

    team: number of the team whose money counts as one.
    deck: number of the deck it draws from and holds in hand.
    figures: names of the figures it leads, in the order given at set-up.
    """

    team: int
    deck: int
    figures: list[str]


@dataclass(slots=True, eq=False)
class Figure:
    """A figure on the train.

    seat: the number of the seat that leads it, -1 if nobody does.
    deck: the number of the deck that bullets given to it go to, -1 if it takes none.
    space: where it stands.
    loot: what it owns.
    bullets_left: own bullets not yet given.
    received: who gave it each bullet of the game, in order, NEUTRAL included (1.9.2).
    """

    name: str
    seat: int
    deck: int
    space: str
    loot: list[Token]
    bullets_left: int
    received: list[str]


@dataclass(slots=True, eq=False)
class Movement:
    """A figure that has changed spaces.

    source: where it was before.
    target: where it went; it may have fled from there by now.
    """

    figure: Figure
    source: str
    target: str


@dataclass(slots=True, eq=False)
class Deck:
    """A deck, the hand drawn from it, and the discard pile where there is one.

    cards, discards: the top is the last.
    hand: in canonical order.
    """

    cards: list[Card]
    hand: list[Card]
    discards: list[Card]


@dataclass(slots=True, eq=False)
class Round:
    """Where the game is in its rounds.

    number: of the current round, from 1; 0 before the first.
    cards: the round deck, first round first; those of rounds to come are hidden from everybody.
    turn: index of the current turn of Schemin'.
    first_seat: this round's first player.
    phase: SCHEMIN, STEALIN or FINISHED.
    """

    number: int
    cards: list[RoundCard]
    turn: int
    first_seat: int
    phase: str

    @property
    def card(self) -> RoundCard:
        """The current round card."""
        return self.cards[self.number - 1]


@dataclass(slots=True, eq=False)
class Frame:
    """Something pending: one op at work (DESIGN.md, a stack of steps).

    op: the name of the op.
    actor: the figure that acts, or empty.
    index: how far the op has come, in its own counting.
    names: figures that the op still has to deal with; replaced by a changed list, never changed.
    card: the card the op is about.
    opened: number of choices the game had seen when this frame's decision was put, -1 before.
    answers: canonical texts of the choices that seats have made here, until all have come; None
        if there are none.
    """

    op: str
    actor: str
    index: int
    names: list[str]
    card: Card | None
    opened: int
    answers: dict[int, str] | None


class Extra:
    """What a box keeps of its own in the state."""

    __slots__ = ()

    def copy(self) -> Extra:
        """An independent copy."""
        raise NotImplementedError

    def pack(self) -> list[object]:
        """Its stored form, which the box's `unpack_extra` reads."""
        raise NotImplementedError

    def seen_by(self, seat: int) -> Extra:
        """As far as this seat, or SPECTATOR, may know it."""
        raise NotImplementedError


@dataclass(slots=True, eq=False)
class State:
    """A game.

    figures: all of them by name; bandits in seat order, then the others.
    bandits: the bandits among them, in seat order.
    spaces: loot lying on each space that has some.
    waiting: loot that is not on the train yet (strongbox 2), neither is it in the box.
    box: loot out of the game.
    pile: cards played and not resolved, the next to resolve first.
    choices: how many choices have been made so far.
    extras: what boxes keep of their own, by the box's name.
    pending: the open decisions; derived from the stack by the engine, never stored.
    log: where events go, or None to record nothing; not part of the game.
    generator: the source of chance, None in a view.
    """

    options: Options
    rules: Rules
    train: Train
    cars: list[str]
    seats: list[Seat]
    figures: dict[str, Figure]
    bandits: list[Figure]
    decks: list[Deck]
    spaces: dict[str, list[Token]]
    waiting: list[Token]
    box: list[Token]
    neutral_bullets: int
    pile: list[PileCard]
    round: Round
    stack: list[Frame]
    choices: int
    extras: dict[str, Extra]
    pending: list[Decision]
    log: list[Event] | None
    generator: Generator | None

    def copy(self) -> State:
        """An independent copy, without the log."""
        figures = {
            name: Figure(
                name,
                figure.seat,
                figure.deck,
                figure.space,
                figure.loot.copy(),
                figure.bullets_left,
                figure.received.copy(),
            )
            for name, figure in self.figures.items()
        }
        generator = self.generator
        current = self.round
        return State(
            self.options,
            self.rules,
            self.train,
            self.cars,
            self.seats,
            figures,
            [figures[figure.name] for figure in self.bandits],
            [
                Deck(deck.cards.copy(), deck.hand.copy(), deck.discards.copy())
                for deck in self.decks
            ],
            {space: tokens.copy() for space, tokens in self.spaces.items()},
            self.waiting.copy(),
            self.box.copy(),
            self.neutral_bullets,
            self.pile.copy(),
            Round(current.number, current.cards, current.turn, current.first_seat, current.phase),
            [
                Frame(
                    frame.op,
                    frame.actor,
                    frame.index,
                    frame.names,
                    frame.card,
                    frame.opened,
                    None if frame.answers is None else frame.answers.copy(),
                )
                for frame in self.stack
            ],
            self.choices,
            {name: extra.copy() for name, extra in self.extras.items()},
            self.pending.copy(),
            None,
            None if generator is None else Generator(generator.seed, generator.position),
        )

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.round.phase == FINISHED

    def push(self, op: str, actor: str = "", card: Card | None = None) -> Frame:
        """Puts a new frame on top of the stack and returns it."""
        frame = Frame(op, actor, 0, _NO_NAMES, card, -1, None)
        self.stack.append(frame)
        return frame

    def record(self, event: Event) -> None:
        """Adds an event to the log; hot paths ask `log` first, to spare making the event."""
        if self.log is not None:
            self.log.append(event)

    def in_seat_order(self, figures: list[Figure]) -> list[Figure]:
        """These figures in seat order from this round's first player (1.5.9)."""
        seats = len(self.seats)
        first = self.round.first_seat
        return sorted(figures, key=lambda figure: (figure.seat - first) % seats)

    def loot_at(self, space: str) -> list[Token]:
        """What lies on a space; changing the list changes the game."""
        tokens = self.spaces.get(space)
        if tokens is None:
            tokens = []
            self.spaces[space] = tokens
        return tokens
