"""The catalogue has everything that the API and the rules have, once, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from google.protobuf.descriptor import EnumDescriptor

from coltexpress.v1 import catalog_service_pb2 as pb
from coltexpress.v1 import vocabulary_pb2 as vocabulary
from coltexpress.v1.action_pb2 import Action
from coltexpress.v1.catalog_pb2 import Catalog
from coltexpress.v1.error_pb2 import ErrorReason
from coltexpress.v1.server_service_pb2 import GetServerInfoRequest
from coltexpress_server.api.catalog import catalog
from coltexpress_server.api.texts import DEFAULT, LANGUAGES
from coltexpress_server.game.boxes import BASE, rules_for
from coltexpress_server.game.boxes.base import tables
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import FLASK, RANSOMS
from coltexpress_server.game.boxes.marshal_and_prisoners import provisional
from coltexpress_server.game.boxes.marshal_and_prisoners import tables as marshal
from coltexpress_server.game.engine import new_game
from coltexpress_server.game.options import Options
from coltexpress_server.service.catalog import OFFERED
from tests.api.games import HUNTED, played
from tests.api.tables import Service

EVERYTHING = Options("STANDARD", OFFERED, "BIG_BOX", ())
UNHUNTED = Options("STANDARD", OFFERED[:1], "BIG_BOX", ())
"""All boxes, and all in which nobody plays the Marshal."""

IN_A_BOX = {
    "Variant": lambda each: [item.variant for item in each.variants],
    "Expansion": lambda each: [item.expansion for item in each.boxes if item.expansion],
    "Edition": lambda each: [item.edition for item in each.editions],
    "Level": lambda each: [item.level for item in each.levels],
    "CardKind": lambda each: [*(item.kind for item in each.action_cards), each.bullets.kind],
    "LootKind": lambda each: [item.kind for item in each.loot],
    "TurnKind": lambda each: [item.kind for item in each.turns],
    "RoundEvent": lambda each: [item.event for item in each.round_events],
    "Phase": lambda each: [item.phase for item in each.phases],
    "DecisionKind": lambda each: [item.kind for item in each.decisions],
    "ErrorReason": lambda each: [item.reason for item in each.error_reasons],
}
"""By enum: what the catalogue has of it."""

IN_NO_BOX = {"Cause"}
"""Cards, events and meetings as causes."""

NOTHING = {vocabulary.CARD_KIND_HIDDEN}
"""What stands for something that is in a box, but is nothing of its own."""


def enums() -> dict[str, EnumDescriptor]:
    found = dict(vocabulary.DESCRIPTOR.enum_types_by_name)
    return found | {"ErrorReason": ErrorReason.DESCRIPTOR}


def entries(message: Catalog) -> Iterable[tuple[str, Catalog.Entry]]:
    """Every entry, with the list that it is in."""
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for item in value if field.is_repeated else [value]:
                if "entry" in item.DESCRIPTOR.fields_by_name:
                    yield field.name, item.entry


def test_every_enum_of_the_vocabulary_is_in_a_box_or_in_none() -> None:
    assert set(enums()) == set(IN_A_BOX) | IN_NO_BOX


@pytest.mark.parametrize("name", IN_A_BOX)
def test_every_value_has_one_entry_of_its_name(name: str) -> None:
    found = IN_A_BOX[name](catalog(DEFAULT))
    values = {value.number for value in enums()[name].values if value.number}
    if name == "CardKind":
        values -= NOTHING
    assert Counter(found) == Counter(values)


def test_an_entry_is_called_as_its_value_is() -> None:
    for field, value in catalog(DEFAULT).ListFields():
        if field.type != field.TYPE_MESSAGE:
            continue
        for item in value if field.is_repeated else [value]:
            for each in item.DESCRIPTOR.fields if hasattr(item, "entry") else ():
                named = each.enum_type and each.enum_type.name in IN_A_BOX
                if named and item.DESCRIPTOR.name not in {"RoundCardItem", "MarshalBulletItem"}:
                    number = getattr(item, each.name)
                    if number:
                        assert each.enum_type.values_by_number[number].name.endswith(
                            f"_{item.entry.name}"
                        )


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_every_entry_is_named_and_told_in_one_sentence(language: Any) -> None:
    message = catalog(language)
    assert message.language_code == language.tag
    assert list(message.language_codes) == list(LANGUAGES)
    names = Counter((where, entry.name) for where, entry in entries(message))
    assert set(names.values()) == {1}
    for where, entry in entries(message):
        assert entry.name == (entry.name.lower() if where == "actions" else entry.name.upper())
        assert entry.display_name
        assert "{" not in entry.display_name + entry.text
        assert entry.text.count(". ") == 0
        assert entry.text.endswith(".")
        assert entry.box in ({""} if where == "error_reasons" else {BASE, *OFFERED})


def test_names_that_are_strings_are_those_of_the_rules() -> None:
    message = catalog(DEFAULT)

    def names(items: Iterable[Any]) -> set[str]:
        return {item.entry.name for item in items}

    rules = rules_for(EVERYTHING, 4)
    assert names(item for item in message.figures if item.bandit) == set(rules.powers)
    state = new_game(EVERYTHING, HUNTED, bytes(32))
    assert set(state.figures) <= names(message.figures)
    assert {item.letter for item in message.cars} == {"", *tables.CARS, marshal.PRISON_CAR}
    assert names(message.decks) == set(rules.card_owners)
    assert names(message.marshal_bullets) == set(rules.bullet_sorts)
    assert names(message.goals) == {marshal.WARRANT, *provisional.SPECIAL_TARGETS}
    assert names(message.score_rows) >= {name for name, _ in rules.score_rows}
    assert names(message.boxes) == {BASE, *OFFERED}
    assert names(message.hostages) == set(RANSOMS)
    assert names(message.actions) == {field.name for field in Action.DESCRIPTOR.fields}
    seen = {each.round.card.name for each in played().states if each.round.cards}
    assert seen <= names(message.round_cards)


def test_the_numbers_are_those_of_a_game() -> None:
    message = catalog(DEFAULT)
    counts = {item.entry.name: item.count for item in message.action_cards if item.count}
    assert counts == Counter(rules_for(UNHUNTED, 4).deck) + Counter(["BRILLIANT_IDEA"])
    assert set(rules_for(EVERYTHING, 4).deck) <= set(counts)
    state = new_game(EVERYTHING, HUNTED, bytes(32))
    tokens = [
        *(token for lying in state.spaces.values() for token in lying),
        *(token for figure in state.figures.values() for token in figure.loot),
        *state.box,
        *state.waiting,
    ]
    # Flasks are worth nothing, and have their sort instead.
    in_game = Counter((each.kind, 0 if each.kind == FLASK else each.value) for each in tokens)
    in_boxes: Counter[tuple[str, int]] = Counter()
    for item in message.loot:
        for each in item.tokens:
            in_boxes[item.entry.name, each.value] += each.count
    assert in_game == in_boxes
    assert state.neutral_bullets == sum(each.count for each in message.bullets.neutral)
    assert {figure.bullets_left for figure in state.bandits} == {message.bullets.per_bandit}
    by_letter = {item.letter: item for item in message.cars}
    for number, letter in enumerate(["", *state.cars]):
        if letter in {"", marshal.PRISON_CAR}:
            continue  # mailbags lie in the one where a strongbox would, nothing in the other
        lying = Counter(token.kind for token in state.spaces[state.train.inside[number]])
        # Which car a flask lies in does not depend on the car.
        assert lying.pop(FLASK, 0) == (number > 0)
        assert lying == {
            vocabulary.LootKind.Name(each.kind).removeprefix("LOOT_KIND_"): each.count
            for each in by_letter[letter].loot
        }


def test_round_cards_by_the_number_of_bandits() -> None:
    [braking] = [card for card in catalog(DEFAULT).round_cards if card.entry.name == "BRAKING"]
    standard, tunnel = vocabulary.TURN_KIND_STANDARD, vocabulary.TURN_KIND_TUNNEL
    assert [(band.min_bandits, band.max_bandits, list(band.turns)) for band in braking.bands] == [
        (2, 4, [standard] * 4),
        (5, 7, [standard, tunnel, standard, standard]),
    ]
    stations = [card.entry.name for card in catalog(DEFAULT).round_cards if card.station]
    _, of_the_rules = rules_for(UNHUNTED, 4).round_cards(4)
    assert set(stations) == {card.name for card in of_the_rules}
    # They are the last.
    assert stations == [card.entry.name for card in catalog(DEFAULT).round_cards][-len(stations) :]


def test_what_is_paid_for_hostages() -> None:
    found = {
        (item.entry.name, ransom.edition): (ransom.dollars, ransom.loot, ransom.card)
        for item in catalog(DEFAULT).hostages
        for ransom in item.ransoms
    }
    assert len(found) == 2 * len(RANSOMS)
    big_box, first = vocabulary.EDITION_BIG_BOX, vocabulary.EDITION_FIRST
    assert found["POODLE", big_box] == found["POODLE", first] == (1000, 0, 0)
    assert found["BANKER", big_box] == (1000, 0, 0)
    assert found["BANKER", first] == (1000, vocabulary.LOOT_KIND_STRONGBOX, 0)
    assert found["OLD_LADY", big_box] == (500, vocabulary.LOOT_KIND_JEWEL, 0)
    assert found["PHOTOGRAPHER", big_box] == (200, 0, vocabulary.CARD_KIND_BULLET)


def test_what_was_not_seen_in_print_is_marked() -> None:
    message = catalog(DEFAULT)
    marked = {(where, entry.name) for where, entry in entries(message) if entry.provisional}
    assert marked == {
        ("decks", "MARSHAL"),
        ("figures", "MEI"),
        *(("action_cards", name) for name in ("MOVE_PLUS", "FLOOR_CHANGE_PLUS", "CAPTURE")),
        *(("marshal_bullets", name) for name in provisional.CYLINDER),
        *(("goals", name) for name in provisional.SPECIAL_TARGETS),
        *(("brawlers", name) for name in provisional.BRAWLERS),
    }
    [deck] = message.decks
    assert {
        vocabulary.CardKind.Name(each.kind).removeprefix("CARD_KIND_"): each.count
        for each in deck.cards
    } == provisional.MARSHALS_DECK
    assert {item.entry.name: item.dollars for item in message.brawlers} == provisional.BRAWLERS
    hinders = {item.entry.name: item.hinders for item in message.marshal_bullets}
    assert hinders["DISARMED"] == vocabulary.CARD_KIND_FIRE
    assert hinders["GOLDEN_BULLET"] == vocabulary.CARD_KIND_UNSPECIFIED
    assert {item.entry.name for item in message.goals if item.min_bandits} == set(
        marshal.NOT_WITH_FEW
    )


async def test_the_catalogue_in_the_callers_language(service: Service) -> None:
    english = await service.catalog.GetCatalog(pb.GetCatalogRequest())
    call = service.catalog.GetCatalog(pb.GetCatalogRequest(), metadata=(("accept-language", "es"),))
    spanish = await call
    assert dict(await call.initial_metadata())["content-language"] == "es"
    assert (english.language_code, spanish.language_code) == ("en", "es")
    assert spanish.loot[0].entry.display_name == "Bolsa"
    info = await service.server.GetServerInfo(GetServerInfoRequest())
    assert english.table_sizes == info.table_sizes == spanish.table_sizes
