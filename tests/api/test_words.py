"""Each word of the domain's vocabulary has a value of its enum, and the other way round."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import coltexpress_server
from coltexpress_server.api import words
from coltexpress_server.api.errors import CODES
from coltexpress_server.api.words import Words
from coltexpress_server.game import cards, state
from coltexpress_server.game.boxes import EDITIONS, VARIANTS, rules_for
from coltexpress_server.game.boxes.base.actions.action import Action
from coltexpress_server.game.boxes.base.events.round_event import RoundEvent
from coltexpress_server.game.boxes.base.scheme import SCHEME
from coltexpress_server.game.boxes.expert.discarding import Discard
from coltexpress_server.game.boxes.horses_and_stagecoach import tables as horses
from coltexpress_server.game.boxes.horses_and_stagecoach.whiskey import WHISKEY
from coltexpress_server.game.boxes.marshal.meeting import MEETING
from coltexpress_server.game.boxes.marshal_and_prisoners import tables as marshal
from coltexpress_server.game.boxes.marshal_and_prisoners.closing import FreeFire, FreeMove
from coltexpress_server.game.boxes.marshal_and_prisoners.plus import FURTHER_CARD
from coltexpress_server.game.options import Options
from coltexpress_server.game.train import INSIDE, ROOF
from coltexpress_server.service import events, records, seats, watch, webhooks
from coltexpress_server.service.catalog import OFFERED

HUNTED = rules_for(Options("STANDARD", OFFERED, "BIG_BOX", ()), 4)
RULES = rules_for(Options("STANDARD", OFFERED[:1], "BIG_BOX", ()), 4)
"""All boxes with a Marshal whom somebody plays, and all with one whom nobody does."""
SOURCES = Path(coltexpress_server.__file__).parent

ACTIONS = {
    op.called for rules in (RULES, HUNTED) for op in rules.ops.values() if isinstance(op, Action)
}
EVENTS = {card.event for cards in RULES.round_cards(4) for card in cards}
AT_THE_END = {horses.MORTAL_BULLET, horses.SHARING_THE_LOOT, horses.ESCAPE}
"""Events that move nothing, and are felt when money is counted."""
HAPPENINGS = {name for name, op in RULES.ops.items() if isinstance(op, RoundEvent)}

VOCABULARY = {
    "VARIANTS": set(VARIANTS),
    "EDITIONS": set(EDITIONS),
    "EXPANSIONS": set(OFFERED),
    "LEVELS": {INSIDE.upper(), ROOF.upper()},
    "CARD_KINDS": {*RULES.actions, *HUNTED.actions, cards.BULLET, cards.HIDDEN},
    "LOOT_KINDS": {*RULES.loot, *HUNTED.loot},
    "TURN_KINDS": set(RULES.turns),
    "ROUND_EVENTS": EVENTS,
    "PHASES": {horses.HORSE_ATTACK, state.SCHEMIN, state.STEALIN, state.FINISHED},
    "DECISION_KINDS": {
        *(SCHEME, *ACTIONS, "PICKPOCKETING", Discard.name),
        *(horses.BOARD, horses.HOSTAGE, horses.FLEE, horses.TURMOIL, horses.KEEP),
        *(FURTHER_CARD, marshal.LEAVE_CELL, marshal.FREE, marshal.GIVE, marshal.CLOSING),
    },
    "CAUSES": {
        *(*ACTIONS, *EVENTS - {"NONE"} - AT_THE_END, MEETING),
        *(horses.STAGECOACH, horses.SHOTGUN_MET, horses.SHOTGUN_PASSED, horses.POODLE, WHISKEY),
        *(marshal.BRILLIANT_IDEA, marshal.DROP_THAT_BAG, "END"),
        *(FURTHER_CARD, marshal.CLOSING, FreeFire.name, FreeMove.name),
    },
    "STATES": {records.LOBBY, records.RUNNING, records.FINISHED},
    "VISIBILITIES": {records.PUBLIC, records.UNLISTED, records.PRIVATE},
    "TRIGGERS": {
        records.BY_LOBBY,
        records.BY_PLAYER,
        "TIMEOUT",
        "BOT",
        "SEAT",
        records.BY_OPERATOR,
    },
    "AUTO_PLAY_REASONS": {events.REQUESTED, events.MISSED_DEADLINES, events.ABANDONED},
    "ENDS": {"GAME_OVER", "GAME_HIDDEN", "TOKEN_REVOKED", *watch._END.values()},
    "STANDINGS": {seats.WAITING, seats.IDLE, seats.OVER, seats.LEFT, seats.DELETED},
    "WEBHOOK_STANDINGS": {webhooks.NONE, webhooks.ACTIVE, webhooks.DISABLED},
    "REASONS": {*CODES, "TRANSPORT"},
}


def test_there_is_a_vocabulary_for_every_enum() -> None:
    tables_of_words = {name for name, found in vars(words).items() if isinstance(found, Words)}
    assert tables_of_words == set(VOCABULARY)


@pytest.mark.parametrize("name", VOCABULARY)
def test_words_and_values_belong_together(name: str) -> None:
    found: Words[int] = getattr(words, name)
    assert set(found.words.values()) == VOCABULARY[name]
    assert set(found.values) == VOCABULARY[name] | {""}
    assert found.values[""] == 0
    assert all(found.words[value] == word for word, value in found.values.items() if word)


def test_events_that_happen_are_those_of_the_cards() -> None:
    of_their_own = {"NONE", "PICKPOCKETING", horses.WHISKEY_FOR_THE_MARSHAL}
    assert HAPPENINGS | of_their_own == EVENTS


def test_every_reason_that_the_code_gives_is_one_of_the_api() -> None:
    given = set(_reasons())
    assert given <= set(CODES)
    # All that are promised are also given.
    assert set(CODES) <= given


def _reasons() -> Iterator[str]:
    """The first arguments of all errors made in the server's sources."""
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in {"Refused", "IllegalChoice", "Failure"}
                and node.args
                and isinstance(node.args[0], ast.Constant)
            ):
                yield str(node.args[0].value)
