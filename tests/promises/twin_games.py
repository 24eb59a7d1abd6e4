"""Twin games in the store: alike but for what some viewers may not know, in state and history.

A game is copied byte for byte into another database of the same server, then everything hidden in
its record and in its history is changed. Names, tokens, versions, marks and times stay the same, so
that what two services answer can be compared byte for byte.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import redis

from coltexpress_server.game.boxes.base.scheme import is_open
from coltexpress_server.game.boxes.base.tables import TUNNEL
from coltexpress_server.game.boxes.horses_and_stagecoach.choices import Board, BoardBandits
from coltexpress_server.game.boxes.horses_and_stagecoach.events import CardsKept, DrawnInSecret
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import FLASK, TURMOIL
from coltexpress_server.game.boxes.marshal_and_prisoners.choices import Give, RobTwo
from coltexpress_server.game.boxes.marshal_and_prisoners.events import CardsSearched, GoalTurned
from coltexpress_server.game.boxes.marshal_and_prisoners.provisional import SPECIAL_TARGETS
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import (
    CLOSING,
    MAILBAG,
    MAILBAGS,
    MARSHALS_SEAT,
)
from coltexpress_server.game.cards import BULLET, Card
from coltexpress_server.game.choices import DRAW, Choice, Keep, Play, Punch, Rob, TakePurse
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.events import (
    CardBorrowed,
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    Event,
    LootMoved,
)
from coltexpress_server.game.generator import SEED_BYTES
from coltexpress_server.game.loot import PUBLIC, Token
from coltexpress_server.game.state import State
from coltexpress_server.service.events import GameCreated
from coltexpress_server.service.records import (
    GameRecord,
    Step,
    decode_record,
    decode_step,
    encode_record,
    encode_step,
)
from coltexpress_server.store import Entry
from coltexpress_server.store.keys import game_keys
from tests.game.twins import twin

VALUES = {"PURSE": (250, 300, 350, 400, 450, 500), MAILBAG: tuple(MAILBAGS)}
"""What a token may be worth, by its kind, where that may be a secret."""


def state_of(store: redis.Redis, game_id: str) -> State:
    """The whole state of a game that has begun."""
    state = record_of(store, game_id).state
    assert state is not None
    return state


def record_of(store: redis.Redis, game_id: str) -> GameRecord:
    found: Any = store.hget(game_keys(game_id).game, "state")
    return decode_record(found)


def put_record(store: redis.Redis, game_id: str, record: GameRecord) -> None:
    """Changes what is stored of a game behind the services' backs: only before they read it."""
    store.hset(game_keys(game_id).game, "state", encode_record(record))


def entries(store: redis.Redis, game_id: str) -> Iterator[tuple[str, dict[bytes, bytes]]]:
    """The history of a game as the store keeps it."""
    found: Any = store.xrange(game_keys(game_id).entries)
    for entry_id, fields in found:
        yield entry_id.decode(), fields


def copy_game(source: redis.Redis, target: redis.Redis, game_id: str) -> None:
    """Copies all that is stored of a game, and that lists show it."""
    keys = game_keys(game_id)
    for key in (keys.game, keys.requests, keys.entries, keys.filed, keys.words):
        dumped: Any = source.dump(key)
        if dumped is not None:
            target.restore(key, 0, dumped, replace=True)


def make_twin(
    source: redis.Redis,
    target: redis.Redis,
    game_id: str,
    viewers: Collection[int],
    chance: Random,
) -> None:
    """Puts the twin of a game that has begun into another database."""
    copy_game(source, target, game_id)
    record = record_of(source, game_id)
    assert record.state is not None
    twin_record = replace(
        record,
        state=twin(record.state, viewers, chance),
        seed=chance.randbytes(SEED_BYTES),
    )
    keys = game_keys(game_id)
    put_record(target, game_id, twin_record)
    target.delete(keys.entries)
    for entry_id, fields in entries(source, game_id):
        version = int(entry_id.partition("-")[0])
        past = decode_step(
            Entry(version, fields[b"mark"].decode(), "", int(fields[b"time"]), fields[b"payload"])
        )
        step = _twin_step(past.step, record.state, viewers, twin_record.seed_hash, chance)
        changed: Any = fields | {b"payload": encode_step(step)}
        target.xadd(keys.entries, changed, id=entry_id)


def public(choice: Choice, decision: Decision, state: State) -> tuple[object, ...]:
    """What everybody sees of a choice at once (1.2.3, 1.5.4, 1.7.1, 3.1.4, 3.7.1)."""
    if decision.kind == TURMOIL:
        return ("turmoil",)
    match choice:
        case Play():
            hidden = _is_face_down(choice, decision, state)
            return ("play", "" if hidden else f"{choice.figure}.{choice.action}")
        case Keep():
            return ("keep",)
        case Board() | BoardBandits():
            return ("board",)
        case Rob():
            return ("rob", choice.loot)
        case RobTwo():
            return ("rob", choice.loot, choice.other_loot)
        case Give():
            return ("give", choice.loot)
        case TakePurse():
            return ("take",)
        case Punch():
            return ("punch", choice.figure, choice.drop, choice.space, choice.keep)
    return (choice.text,)


def _is_face_down(choice: Play, decision: Decision, state: State) -> bool:
    current = state.round
    if decision.kind == CLOSING:
        return False
    if not (choice.face_down or current.card.turns[current.turn] == TUNNEL):
        return False
    rules = state.rules
    card = rules.card(choice.figure or state.seats[decision.seat].figures[0], choice.action)
    return not is_open(rules.seating, card, rules.open_cards(state))


def _twin_step(
    step: Step, state: State, viewers: Collection[int], seed_hash: bytes, chance: Random
) -> Step:
    """A step of which the viewers have seen the same."""
    return replace(
        step,
        choice=step.choice if step.seat in viewers or not step.choice else DRAW.text,
        events=[_twin_event(event, state, viewers, seed_hash, chance) for event in step.events],
        decisions=[_twin_decision(each, viewers, chance) for each in step.decisions],
    )


def _twin_event(
    event: Event, state: State, viewers: Collection[int], seed_hash: bytes, chance: Random
) -> Event:
    match event:
        case GameCreated():
            return GameCreated(seed_hash)
        case CardsDrawn() if event.seat not in viewers:
            cards = _cards_of(state, event.seat)
            return CardsDrawn(event.seat, [chance.choice(cards) for _ in event.cards])
        case CardsDiscarded() if event.seat not in viewers:
            cards = _cards_of(state, event.seat)
            hidden = [chance.choice(cards) for _ in event.cards[1:]]
            return CardsDiscarded(event.seat, hidden + event.cards[-1:], event.kept)
        case CardBorrowed() if event.seat not in viewers:
            card = chance.choice(_cards_of(state, event.partner))
            return CardBorrowed(event.seat, event.partner, card)
        case CardPlayed(face_down=True) if event.seat not in viewers:
            cards = [card for card in _cards_of(state, event.seat) if card.action != BULLET]
            return CardPlayed(event.seat, chance.choice(cards), face_down=True)
        case DrawnInSecret() if event.seat not in viewers:
            cards = _cards_of(state, event.seat)
            return DrawnInSecret(event.seat, [chance.choice(cards) for _ in event.cards])
        case CardsKept() if event.seat not in viewers:
            cards = _cards_of(state, event.seat)
            return CardsKept(event.seat, [chance.choice(cards) for _ in event.cards])
        case GoalTurned() if MARSHALS_SEAT not in viewers:
            return GoalTurned(chance.choice([*SPECIAL_TARGETS]))
        case CardsSearched() if event.seat not in viewers:
            cards = _cards_of(state, event.seat)
            found = [chance.choice(cards) for _ in event.cards]
            return CardsSearched(event.seat, found, event.told)
        case LootMoved() if event.token.kind == FLASK and event.token.known != PUBLIC:
            flask = Token(FLASK, chance.randrange(2), 0)
            return LootMoved(flask, event.source, event.target, event.cause)
        case LootMoved() if event.token.known != PUBLIC:
            token = event.token
            seen = any(token.known_to(viewer) for viewer in viewers)
            value = token.value if seen else chance.choice(VALUES[token.kind])
            known = sum(1 << viewer for viewer in viewers)
            everybody = (1 << len(state.seats)) - 1
            some = token.known & known | chance.randrange(everybody + 1) & ~known
            return LootMoved(
                Token(token.kind, value, some), event.source, event.target, event.cause
            )
    return event


def _twin_decision(decision: Decision, viewers: Collection[int], chance: Random) -> Decision:
    if decision.seat in viewers:
        return decision
    options = [DRAW, *decision.options][: chance.randint(1, 1 + len(decision.options))]
    return replace(decision, options=options)


def _cards_of(state: State, seat: int) -> list[Card]:
    """All that a seat may have drawn or played."""
    deck = state.decks[state.seats[seat].deck]
    played = [each.card for each in state.pile if each.seat == seat]
    return deck.cards + deck.hand + deck.discards + played
