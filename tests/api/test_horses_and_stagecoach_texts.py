"""Whatever happens in games with Horses & Stagecoach can be told, in every language."""

from __future__ import annotations

import random
from functools import cache

import pytest

from coltexpress_server.api.texts import WORDINGS, Language
from coltexpress_server.api.texts.horses_and_stagecoach import HORSES_AND_STAGECOACH
from coltexpress_server.api.texts.translations import read_translations
from coltexpress_server.game.boxes import boxes_on_the_shelf
from coltexpress_server.game.boxes.horses_and_stagecoach import tables
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.engine import apply, new_game
from coltexpress_server.game.events import Event
from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.game.options import Options
from tests.api.games import CAST, PAIRS
from tests.api.test_labels import LABEL, SENTENCE

BOX = HORSES_AND_STAGECOACH.box
LANGUAGES = {
    tag: Language(tag, found, [*WORDINGS, HORSES_AND_STAGECOACH])
    for tag, found in read_translations().items()
}

every_language = pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)


@cache
def played() -> tuple[list[Event], dict[Choice, None], set[tuple[str, str]]]:
    """Events, choices, and kinds of decisions with the figure asked, of some games."""
    events: list[Event] = []
    choices: dict[Choice, None] = {}
    asked = set()
    for number in range(12):
        chance = random.Random(number)
        cast, variant = (PAIRS, "EXPERT") if number % 4 == 0 else (CAST, "STANDARD")
        options = Options(variant, (BOX,), "BIG_BOX", ())
        state = new_game(options, cast, chance.randbytes(32), events)
        while state.pending:
            decision = state.pending[0]
            asked.add((decision.kind, decision.figure))
            choices |= dict.fromkeys(decision.options)
            apply(state, decision.seat, chance.choice(decision.options))
    return events, choices, asked


@every_language
def test_every_event_is_told_in_one_sentence(language: Language) -> None:
    events, _, _ = played()
    assert set(HORSES_AND_STAGECOACH.events) <= {type(event) for event in events}
    for event in events:
        for viewer in (0, SPECTATOR):
            story = language.story(event.seen_by(viewer), CAST)
            assert SENTENCE.fullmatch(story), story


@every_language
def test_every_option_has_a_label_and_every_decision_a_question(language: Language) -> None:
    _, choices, asked = played()
    assert set(HORSES_AND_STAGECOACH.choices) <= {type(choice) for choice in choices}
    assert set(HORSES_AND_STAGECOACH.decisions) <= {kind for kind, _ in asked}
    for choice in choices:
        assert LABEL.fullmatch(language.label(choice)), language.label(choice)
    for kind, figure in asked:
        assert language.prompt(kind, figure).endswith("?")


def test_there_are_words_for_all_that_the_box_brings() -> None:
    [box] = boxes_on_the_shelf()[BOX]
    cards = [*tables.round_cards(4), *tables.station_cards()]
    assert set(HORSES_AND_STAGECOACH.cards) == set(box.actions())
    assert set(HORSES_AND_STAGECOACH.loot) == set(box.loot())
    assert set(HORSES_AND_STAGECOACH.turns) == set(box.turns())
    assert set(HORSES_AND_STAGECOACH.hostages) == set(tables.RANSOMS)
    assert set(HORSES_AND_STAGECOACH.round_cards) == {card.name for card in cards}
    assert set(HORSES_AND_STAGECOACH.round_events) == {card.event for card in cards} - {"NONE"}
    assert set(HORSES_AND_STAGECOACH.rows) == {name for name, _ in box.score()}
