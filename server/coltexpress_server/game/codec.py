"""States and events to bytes and back: nested lists of plain values, packed as MessagePack.

The layout is the schema of stored games. SCHEMA goes up with every change of it, RULES_REVISION
with every change that makes the same choices lead elsewhere; a reader leaves newer ones alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from coltexpress_server.game import events as ev
from coltexpress_server.game.boxes import rules_for
from coltexpress_server.game.boxes.horses_and_stagecoach import events as horses_and_stagecoach
from coltexpress_server.game.boxes.marshal_and_prisoners import events as marshal_and_prisoners
from coltexpress_server.game.cards import Card, PileCard, RoundCard
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.engine import run
from coltexpress_server.game.generator import Generator
from coltexpress_server.game.loot import Token
from coltexpress_server.game.options import Options
from coltexpress_server.game.reader import Packed, Reader, Unreadable
from coltexpress_server.game.rules import Rules
from coltexpress_server.game.state import Deck, Figure, Frame, Round, Seat, State
from coltexpress_server.game.train import train_of
from coltexpress_server.game.vocabulary import parse

SCHEMA: Final = 1
RULES_REVISION: Final = 1


def encode_state(state: State) -> bytes:
    """The whole state, chance included; what `decode_state` gives back encodes the same."""
    generator = state.generator
    current = state.round
    packed: Packed = [
        SCHEMA,
        RULES_REVISION,
        pack_options(state.options),
        state.cars,
        [[seat.team, seat.deck, seat.figures] for seat in state.seats],
        len(state.bandits),
        [
            [
                figure.name,
                figure.seat,
                figure.deck,
                figure.space,
                _pack_tokens(figure.loot),
                figure.bullets_left,
                figure.received,
            ]
            for figure in state.figures.values()
        ],
        [
            [_pack_cards(deck.cards), _pack_cards(deck.hand), _pack_cards(deck.discards)]
            for deck in state.decks
        ],
        [[space, _pack_tokens(tokens)] for space, tokens in state.spaces.items() if tokens],
        _pack_tokens(state.waiting),
        _pack_tokens(state.box),
        state.neutral_bullets,
        [[played.seat, played.card.rank, played.face_down] for played in state.pile],
        [
            current.number,
            [[card.name, card.turns, card.event, card.keep] for card in current.cards],
            current.turn,
            current.first_seat,
            current.phase,
        ],
        [
            [
                frame.op,
                frame.actor,
                frame.index,
                frame.names,
                -1 if frame.card is None else frame.card.rank,
                frame.opened,
                [[seat, text] for seat, text in (frame.answers or {}).items()],
            ]
            for frame in state.stack
        ],
        state.choices,
        [[name, extra.pack()] for name, extra in state.extras.items()],
        [] if generator is None else [generator.seed, generator.position],
    ]
    return msgspec.msgpack.encode(packed)


def decode_state(data: bytes) -> State:
    """The state these bytes hold, with its decisions open. Raises Unreadable."""
    reader = read(data)
    check_revision(reader.number(), reader.number())
    options = unpack_options(reader.row())
    cars = reader.texts()
    seats = [Seat(row.number(), row.number(), row.texts()) for row in reader.rows()]
    rules = rules_for(options, len(seats))
    bandits = reader.number()
    figures = [
        Figure(
            row.text(),
            row.number(),
            row.number(),
            row.text(),
            _unpack_tokens(row),
            row.number(),
            row.texts(),
        )
        for row in reader.rows()
    ]
    state = State(
        options=options,
        rules=rules,
        train=train_of(len(cars), rules.beside_the_train),
        cars=cars,
        seats=seats,
        figures={figure.name: figure for figure in figures},
        bandits=figures[:bandits],
        decks=[
            Deck(_unpack_cards(rules, row), _unpack_cards(rules, row), _unpack_cards(rules, row))
            for row in reader.rows()
        ],
        spaces={row.text(): _unpack_tokens(row) for row in reader.rows()},
        waiting=_unpack_tokens(reader),
        box=_unpack_tokens(reader),
        neutral_bullets=reader.number(),
        pile=[
            PileCard(row.number(), rules.card_ranked(row.number()), row.flag())
            for row in reader.rows()
        ],
        round=_unpack_round(reader.row()),
        stack=[_unpack_frame(rules, row) for row in reader.rows()],
        choices=reader.number(),
        extras={name: rules.unpack_extra(name, row.rest()) for name, row in _named(reader.rows())},
        pending=[],
        log=None,
        generator=_unpack_generator(reader.row()),
    )
    if state.generator is not None:
        run(state)
    return state


def read(data: bytes) -> Reader:
    """The list in a MessagePack message. Raises Unreadable."""
    try:
        return Reader(msgspec.msgpack.decode(data))
    except msgspec.DecodeError as error:
        raise Unreadable("not MessagePack") from error


def check_revision(schema: int, revision: int) -> None:
    """Raises Unreadable for a schema or a rules revision that this code does not have."""
    if schema != SCHEMA:
        raise Unreadable(f"schema {schema}, this is {SCHEMA}", newer=schema > SCHEMA)
    if revision != RULES_REVISION:
        raise Unreadable(
            f"rules revision {revision}, this is {RULES_REVISION}", newer=revision > RULES_REVISION
        )


def pack_options(options: Options) -> Packed:
    """Options as a list."""
    return [
        options.variant,
        list(options.expansions),
        options.edition,
        list(options.cars),
        options.closing_actions,
    ]


def unpack_options(row: Reader) -> Options:
    """Options from a list."""
    return Options(row.text(), tuple(row.texts()), row.text(), tuple(row.texts()), row.flag())


def pack_decision(decision: Decision) -> Packed:
    """A decision with its options, as a list."""
    return [
        decision.seat,
        decision.figure,
        decision.kind,
        [option.text for option in decision.options],
        decision.asked_anyway,
        decision.opened,
        decision.members,
        decision.voluntary,
    ]


def unpack_decision(row: Reader) -> Decision:
    """A decision from a list."""
    return Decision(
        row.number(),
        row.text(),
        row.text(),
        [_choice(text) for text in row.texts()],
        row.flag(),
        row.number(),
        row.texts(),
        row.flag(),
    )


def pack_event(event: ev.Event) -> Packed:
    """An event as a list: its kind, then its fields in order."""
    return [event.kind, *event.fields()]


def unpack_event(row: Reader) -> ev.Event:
    """An event from a list. Raises Unreadable for a kind that this code does not know."""
    kind = row.text()
    unpack = _UNPACK.get(kind)
    if unpack is None:
        raise Unreadable(f"an event of unknown kind {kind}", newer=True)
    return unpack(row)


def _named(rows: list[Reader]) -> list[tuple[str, Reader]]:
    return [(row.text(), row.row()) for row in rows]


def _choice(text: str) -> Choice:
    choice = parse(text)
    if choice is None:
        raise Unreadable(f"no choice: {text}")
    return choice


def _pack_tokens(tokens: list[Token]) -> Packed:
    """All tokens in one list, three values each: there are many of them."""
    packed: Packed = []
    for token in tokens:
        packed += (token.kind, token.value, token.known)
    return packed


def _unpack_tokens(reader: Reader) -> list[Token]:
    values = reader.row().rest()
    tokens: list[Token] = []
    for place in range(0, len(values), 3):
        match values[place : place + 3]:
            case [str() as kind, int() as value, int() as known]:
                tokens.append(Token(kind, value, known))
            case _:
                raise Unreadable("a token is missing")
    return tokens


def _pack_cards(cards: list[Card]) -> list[int]:
    return [card.rank for card in cards]


def _unpack_cards(rules: Rules, reader: Reader) -> list[Card]:
    return [rules.card_ranked(rank) for rank in reader.numbers()]


def _unpack_round(row: Reader) -> Round:
    number = row.number()
    cards = [
        RoundCard(card.text(), card.texts(), card.text(), card.number()) for card in row.rows()
    ]
    return Round(number, cards, row.number(), row.number(), row.text())


def _unpack_frame(rules: Rules, row: Reader) -> Frame:
    op, actor, index, names, rank = (
        row.text(),
        row.text(),
        row.number(),
        row.texts(),
        row.number(),
    )
    card = None if rank < 0 else rules.card_ranked(rank)
    opened = row.number()
    answers = {answer.number(): answer.text() for answer in row.rows()}
    return Frame(op, actor, index, names, card, opened, answers or None)


def _unpack_generator(row: Reader) -> Generator | None:
    return Generator(row.data(), row.number()) if row.rest() else None


_UNPACK: Final[dict[str, Callable[[Reader], ev.Event]]] = {
    "GAME_STARTED": lambda row: ev.GameStarted(row.texts(), row.texts(), row.number()),
    "ROUND_STARTED": lambda row: ev.RoundStarted(
        row.number(), row.text(), row.texts(), row.text(), row.number(), row.number()
    ),
    "CARDS_DRAWN": lambda row: ev.CardsDrawn(row.number(), row.cards(), bool(row.rest())),
    "TURN_STARTED": lambda row: ev.TurnStarted(row.number(), row.text()),
    "CARD_PLAYED": lambda row: ev.CardPlayed(row.number(), row.card(), row.flag()),
    "HAND_RETURNED": lambda row: ev.HandReturned(row.number(), row.number()),
    "CARD_TURNED_UP": lambda row: ev.CardTurnedUp(row.number(), row.card()),
    "NO_EFFECT": lambda row: ev.NoEffect(row.text(), row.text(), row.text()),
    "FIGURE_MOVED": lambda row: ev.FigureMoved(row.text(), row.text(), row.text(), row.text()),
    "BULLET_GIVEN": lambda row: ev.BulletGiven(row.text(), row.text(), row.text()),
    "NEUTRAL_BULLETS_GONE": lambda row: ev.NeutralBulletsGone(row.number()),
    "PUNCHED": lambda row: ev.Punched(row.text(), row.text()),
    "LOOT_MOVED": lambda row: ev.LootMoved(
        Token(row.text(), row.number(), row.number()), row.text(), row.text(), row.text()
    ),
    "DECLINED": lambda row: ev.Declined(row.text(), row.text()),
    "ROUND_EVENT_STARTED": lambda row: ev.RoundEventStarted(row.text()),
    "ROUND_ENDED": lambda row: ev.RoundEnded(row.number(), row.number()),
    "DECK_REBUILT": lambda row: ev.DeckRebuilt(row.number(), row.number()),
    "CARDS_DISCARDED": lambda row: ev.CardsDiscarded(row.number(), row.cards(), row.number()),
    "CARD_BORROWED": lambda row: ev.CardBorrowed(row.number(), row.number(), row.card()),
    "GAME_ENDED": lambda row: ev.GameEnded(row.numbers(), row.numbers()),
    **horses_and_stagecoach.UNPACK,
    **marshal_and_prisoners.UNPACK,
}

EVENT_KINDS: Final = tuple(_UNPACK)
"""The names of all kinds of event."""
