"""Setting up the base box, read against docs/RULES.md (1.1.4, 1.2, 1.3, 1.4, 2.2.1-2, 2.3.1)."""

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from coltexpress_server.game.boxes import rules_for
from coltexpress_server.game.cards import RoundCard
from coltexpress_server.game.engine import new_game
from coltexpress_server.game.generator import SEED_BYTES
from coltexpress_server.game.loot import PUBLIC, Token
from coltexpress_server.game.options import STANDARD, InvalidOptions, Options
from coltexpress_server.game.state import State

RULES = (Path(__file__).resolve().parents[2] / "docs" / "RULES.md").read_text("utf-8")
ICONS = {"S": "STANDARD", "T": "TUNNEL", "X": "SPEEDING_UP", "W": "SWITCHING"}
BANDITS = ("GHOST", "CHEYENNE", "DJANGO", "BELLE", "TUCO", "DOC")
PLAYERS = (3, 4, 5, 6)
EXPERT = Options("EXPERT", (), "BIG_BOX", ())
TEAMS = Options("TEAMS", (), "BIG_BOX", ())
PURSES = Counter({250: 8, 300: 2, 350: 2, 400: 2, 450: 2, 500: 2})
DECK = Counter({"MOVE": 2, "FLOOR_CHANGE": 2, "FIRE": 2, "ROBBERY": 2, "PUNCH": 1, "MARSHAL": 1})


def games(players: int, options: Options = STANDARD) -> list[State]:
    return [
        new_game(options, [[]] * players, Random(seed).randbytes(SEED_BYTES)) for seed in range(60)
    ]


def rows(heading: str) -> list[list[str]]:
    """The rows of the table under this heading of RULES.md, as cells."""
    _, _, below = RULES.partition(heading)
    table = below.split("\n\n")[0 if below.startswith("\n|") else 1]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def cars_of_the_rules() -> dict[str, tuple[int, int]]:
    table = rows("(letters, in order behind the locomotive).")
    return {
        letter: (int(purses), int(jewels))
        for letter, purses, jewels in table[2:]
        if len(letter) == 1
    }


def round_cards_of_the_rules(players: int) -> list[tuple[list[str], str]]:
    column = 2 if players > 4 else 1
    return [
        ([ICONS[icon] for icon in row[column].split()], row[0].split()[0])
        for row in rows("W switching):")[2:]
    ]


def stations_of_the_rules() -> list[tuple[list[str], str]]:
    found = re.search(
        r"1\.3\.4 Station cards, any number of players, all ([STXW ]+): (.+)\.", RULES
    )
    assert found
    turns = [ICONS[icon] for icon in found[1].split()]
    return [(turns, event) for event in found[2].split(", ")]


def printed(cards: list[RoundCard]) -> list[tuple[list[str], str]]:
    return [(card.turns, card.event) for card in cards]


def values(tokens: list[Token], kind: str) -> Counter[int]:
    return Counter(token.value for token in tokens if token.kind == kind)


def test_the_tables_of_the_rules_are_read() -> None:
    assert cars_of_the_rules()["E"] == (4, 1)
    assert len(cars_of_the_rules()) == 6
    assert len(round_cards_of_the_rules(3)) == len(round_cards_of_the_rules(5)) == 7
    assert len(stations_of_the_rules()) == 3


@pytest.mark.parametrize("players", PLAYERS)
def test_the_cars_are_drawn_without_repetition_and_loaded_as_the_table_says(players: int) -> None:
    orders = set()
    for state in games(players):
        orders.add(tuple(state.cars))
        assert len(state.cars) == len(set(state.cars)) == state.train.caboose == players
        for car, letter in enumerate(state.cars, start=1):
            lying = Counter(token.kind for token in state.spaces[f"{car}.inside"])
            assert (lying["PURSE"], lying["JEWEL"]) == cars_of_the_rules()[letter]
            assert lying.total() == lying["PURSE"] + lying["JEWEL"]
    assert len(orders) > 30
    assert {letter for order in orders for letter in order} == set("ABCDEF")


def test_cars_that_the_options_name_come_in_their_order() -> None:
    state = games(4, Options("STANDARD", (), "BIG_BOX", ("F", "B", "A", "D")))[0]
    assert state.cars == ["F", "B", "A", "D"]
    assert len(state.spaces["1.inside"]) == 3


@pytest.mark.parametrize("players", PLAYERS)
def test_all_loot_of_the_box_is_somewhere(players: int) -> None:
    for state in games(players):
        tokens = [*state.box, *state.waiting]
        tokens += [token for lying in state.spaces.values() for token in lying]
        tokens += [token for figure in state.bandits for token in figure.loot]
        assert values(tokens, "PURSE") == PURSES
        assert values(tokens, "JEWEL") == {500: 6}
        assert values(tokens, "STRONGBOX") == {1000: 2}
        assert [token.text for token in state.waiting] == ["STRONGBOX"]
        assert [token.text for token in state.spaces["0.inside"]] == ["STRONGBOX"]


@pytest.mark.parametrize("players", PLAYERS)
def test_starting_purses_are_known_to_all_and_those_in_cars_to_nobody(players: int) -> None:
    lying = Counter[int]()
    for state in games(players):
        for figure in state.bandits:
            assert [(token.text, token.known) for token in figure.loot] == [("PURSE:250", PUBLIC)]
        for token in [token for lying in state.spaces.values() for token in lying]:
            assert token.known == (0 if token.kind == "PURSE" else PUBLIC)
            lying[token.value if token.kind == "PURSE" else 0] += 1
    # Drawn blind: every value turns up.
    assert set(lying) >= set(PURSES)


@pytest.mark.parametrize("players", PLAYERS)
def test_bandits_stand_by_their_number_from_the_first_player(players: int) -> None:
    first_seats = set()
    for state in games(players):
        first = state.round.first_seat
        first_seats.add(first)
        assert state.pending[0].seat == first
        for number in range(players):
            figure = state.bandits[(first + number) % players]
            car = state.train.caboose - (1 if number % 2 else 0)
            assert figure.space == f"{car}.inside"
        assert state.figures["MARSHAL"].space == "0.inside"
    assert first_seats == set(range(players))


@pytest.mark.parametrize("players", PLAYERS)
def test_bandits_not_chosen_are_dealt(players: int) -> None:
    dealt = set()
    for seed in range(60):
        seats = [["TUCO"], *[[]] * (players - 2), ["GHOST"]]
        state = new_game(STANDARD, seats, Random(seed).randbytes(SEED_BYTES))
        names = [figure.name for figure in state.bandits]
        assert (names[0], names[-1]) == ("TUCO", "GHOST")
        assert len(set(names)) == players
        dealt |= set(names[1:-1])
    assert dealt == set(BANDITS) - {"TUCO", "GHOST"}


@pytest.mark.parametrize("players", PLAYERS)
def test_everybody_has_ten_action_cards_six_bullets_and_a_hand(players: int) -> None:
    for state in games(players):
        assert state.neutral_bullets == 13
        for figure, deck in zip(state.bandits, state.decks, strict=True):
            assert Counter(card.action for card in deck.cards + deck.hand) == DECK
            assert {card.figure for card in deck.cards + deck.hand} == {figure.name}
            assert len(deck.hand) == (7 if figure.name == "DOC" else 6)
            assert (figure.bullets_left, figure.received) == (6, [])


@pytest.mark.parametrize("players", PLAYERS)
def test_the_round_cards_are_those_of_the_rules(players: int) -> None:
    ordinary, stations = rules_for(STANDARD, players).round_cards(players)
    assert printed(ordinary) == round_cards_of_the_rules(players)
    assert printed(stations) == stations_of_the_rules()


@pytest.mark.parametrize("players", PLAYERS)
def test_the_round_deck_is_four_cards_at_random_then_a_station(players: int) -> None:
    first, last = Counter[str](), Counter[str]()
    for state in games(players):
        cards = state.round.cards
        assert len({card.name for card in cards}) == len(cards) == 5
        assert all(row in round_cards_of_the_rules(players) for row in printed(cards[:4]))
        assert printed(cards)[4] in stations_of_the_rules()
        first[cards[0].name] += 1
        last[cards[4].name] += 1
    assert len(first) == 7
    assert len(last) == 3


def test_two_players_lead_two_bandits_each_on_a_train_of_four_cars() -> None:
    dealt, first_seats = set(), set()
    for state in games(2, EXPERT):
        first_seats.add(state.round.first_seat)
        assert len(state.cars) == state.train.caboose == 4
        assert [len(seat.figures) for seat in state.seats] == [2, 2]
        dealt.add(tuple(name for seat in state.seats for name in seat.figures))
        for number, seat in enumerate(state.seats):
            assert [state.figures[name].space for name in seat.figures] == ["4.inside", "3.inside"]
            assert {state.figures[name].seat for name in seat.figures} == {number}
        for figure in state.bandits:
            assert [(token.text, token.known) for token in figure.loot] == [("PURSE:250", PUBLIC)]
            assert (figure.bullets_left, figure.received) == (6, [])
        assert all(row in round_cards_of_the_rules(4) for row in printed(state.round.cards[:4]))
    assert first_seats == {0, 1}
    assert {name for names in dealt for name in names} == set(BANDITS)
    assert len(dealt) > 30


def test_two_players_draw_from_eleven_cards_each() -> None:
    for state in games(2, EXPERT):
        for seat, deck in zip(state.seats, state.decks, strict=True):
            cards = Counter((card.figure, card.action) for card in deck.cards + deck.hand)
            own = [(name, action) for name in seat.figures for action in set(DECK) - {"MARSHAL"}]
            assert cards == Counter([*own, (seat.figures[0], "MARSHAL")])
            assert cards.total() == 11
            assert len(deck.hand) == (7 if "DOC" in seat.figures else 6)


def test_bandits_of_two_players_that_are_chosen_are_theirs() -> None:
    dealt = set()
    for seed in range(30):
        state = new_game(EXPERT, [[], ["TUCO", "GHOST"]], Random(seed).randbytes(SEED_BYTES))
        assert state.seats[1].figures == ["TUCO", "GHOST"]
        dealt |= set(state.seats[0].figures)
    assert dealt == set(BANDITS) - {"TUCO", "GHOST"}


@pytest.mark.parametrize("players", [3, 6])
def test_every_deck_is_shuffled_once_in_an_expert_game(players: int) -> None:
    orders = set()
    for state in games(players, EXPERT):
        for figure, deck in zip(state.bandits, state.decks, strict=True):
            assert Counter(card.action for card in deck.cards + deck.hand) == DECK
            assert deck.discards == []
            assert len(deck.hand) == (7 if figure.name == "DOC" else 6)
            orders.add(tuple(card.action for card in deck.cards))
    assert len(orders) > 60


@pytest.mark.parametrize("players", [4, 6])
def test_partners_sit_together_and_an_a_player_is_first(players: int) -> None:
    first_seats, borrowed = set(), set()
    for state in games(players, TEAMS):
        first_seats.add(state.round.first_seat)
        assert state.pending[0].seat == state.round.first_seat
        assert [seat.team for seat in state.seats] == [number // 2 for number in range(players)]
        for figure in state.bandits:
            ahead = figure.seat % 2
            assert figure.space == f"{state.train.caboose - ahead}.inside"
        for figure, deck in zip(state.bandits, state.decks, strict=True):
            partner = state.bandits[figure.seat ^ 1]
            assert len(deck.hand) == (7 if figure.name == "DOC" else 6)
            assert Counter(card.figure for card in deck.hand)[partner.name] == 1
            assert {card.figure for card in deck.cards} == {figure.name}
            borrowed |= {card.action for card in deck.hand if card.figure == partner.name}
    assert first_seats == set(range(0, players, 2))
    assert borrowed == set(DECK)


@pytest.mark.parametrize(
    ("options", "seats", "field"),
    [
        (STANDARD, [[]] * 2, "seats"),
        (STANDARD, [["DOC", "TUCO"], ["GHOST", "BELLE"]], "seats"),
        (EXPERT, [[]], "seats"),
        (EXPERT, [["DOC"], []], "seats[0]"),
        (EXPERT, [[], ["DOC", "TUCO", "GHOST"]], "seats[1]"),
        (EXPERT, [["DOC", "TUCO"], ["GHOST", "TUCO"]], "seats[1]"),
        (EXPERT, [["DOC", "DOC"], []], "seats[0]"),
        (EXPERT, [["DOC", "TUCO"], [], []], "seats[0]"),
        (TEAMS, [[]] * 3, "seats"),
        (TEAMS, [[]] * 5, "seats"),
        (Options("EXPERT", (), "BIG_BOX", ("A", "B")), [[]] * 2, "cars"),
        (STANDARD, [[]] * 7, "seats"),
        (STANDARD, [["DOC"], ["DOC"], []], "seats[1]"),
        (STANDARD, [["DOC"], [], ["JIM"]], "seats[2]"),
        (STANDARD, [["DOC", "TUCO"], [], []], "seats[0]"),
        (Options("SOLO", (), "BIG_BOX", ()), [[]] * 3, "variant"),
        (Options("STANDARD", ("TRAIN",), "BIG_BOX", ()), [[]] * 3, "expansions[0]"),
        (Options("STANDARD", (), "THIRD", ()), [[]] * 3, "edition"),
        (Options("STANDARD", (), "BIG_BOX", ("A", "B")), [[]] * 3, "cars"),
        (Options("STANDARD", (), "BIG_BOX", ("A", "B", "C", "D")), [[]] * 3, "cars"),
        (Options("STANDARD", (), "BIG_BOX", ("A", "B", "G")), [[]] * 3, "cars[2]"),
        (Options("STANDARD", (), "BIG_BOX", ("A", "B", "A")), [[]] * 3, "cars[2]"),
    ],
)
def test_a_game_that_cannot_be_is_refused_by_the_name_of_the_option(
    options: Options, seats: list[list[str]], field: str
) -> None:
    with pytest.raises(InvalidOptions) as caught:
        new_game(options, seats, bytes(SEED_BYTES))
    assert caught.value.field == field
