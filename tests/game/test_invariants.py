"""The check of the invariants finds every fault, and nothing where there is none."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

import pytest

from coltexpress_server.game.boxes.horses_and_stagecoach.state import stagecoach
from coltexpress_server.game.boxes.marshal_and_prisoners.state import prison_train
from coltexpress_server.game.boxes.teams.borrowing import Borrowed
from coltexpress_server.game.cards import BULLET, NEUTRAL, Card, PileCard
from coltexpress_server.game.choices import Choice, Keep
from coltexpress_server.game.engine import apply
from coltexpress_server.game.invariants import (
    ANY_GAME,
    EXTRA_STEPS,
    INVARIANTS,
    STEPS,
    Checker,
    violations,
)
from coltexpress_server.game.loot import PUBLIC, UNKNOWN_VALUE, Token
from coltexpress_server.game.options import Options
from coltexpress_server.game.rules import Rules
from coltexpress_server.game.state import SCHEMIN, STEALIN, State
from tests.game.random_games import (
    EXPERT,
    GAMES,
    HORSES,
    MARSHAL,
    TEAMS,
    position,
    positions,
)

Fault = Callable[[State], object]


def offer(change: Callable[[list[Choice]], list[Choice]]) -> Fault:
    """The decision's options become these; the list itself may be shared by many decisions."""

    def fault(state: State) -> None:
        state.pending[0].options = change(state.pending[0].options)

    return fault


def assign(what: Callable[[State], object], attribute: str, value: object) -> Fault:
    return lambda state: setattr(what(state), attribute, value)


def ask_twice(state: State) -> None:
    state.pending.append(copy(state.pending[0]))


def ask_two_one_after_the_other(state: State) -> None:
    other = copy(state.pending[0])
    other.seat = (other.seat + 1) % len(state.seats)
    other.figure = state.seats[other.seat].figures[0]
    other.opened -= 1
    state.pending.append(other)


def leave_one_option(state: State) -> None:
    state.pending[0].options = state.pending[0].options[:1]
    state.pending[0].asked_anyway = False


def move_loot_off_the_train(state: State) -> None:
    state.spaces["9.inside"] = state.spaces.pop("1.inside")


def print_a_card_again(state: State) -> None:
    card = state.decks[0].cards[0]
    state.decks[0].cards[0] = Card(card.figure, card.action, card.rank)


def share_a_token(state: State) -> None:
    """The $250 purse of one bandit is the one of another, so that the totals stay right."""
    state.bandits[1].loot[0] = state.bandits[0].loot[0]


def swap_purses(state: State) -> None:
    """An unknown purse for an own one."""
    state.bandits[0].loot[0] = Token("PURSE", 250, 0)


def swap_cards(state: State) -> None:
    """Equal cards of two bandits change decks, so that the totals stay right."""
    mine, yours = state.decks[0].cards, state.decks[1].cards
    mine[0], yours[0] = yours[0], mine[0]


def play_for_another(state: State) -> None:
    played = state.pile[0]
    state.pile[0] = PileCard((played.seat + 1) % 4, played.card, played.face_down)


def receive_secretly(state: State) -> None:
    state.decks[0].cards.append(state.rules.card(NEUTRAL, BULLET))


def play_a_bullet(state: State) -> None:
    state.pile.append(PileCard(0, state.rules.card(NEUTRAL, BULLET), face_down=False))


def give_too_many(state: State) -> None:
    state.neutral_bullets = 0
    state.bandits[0].received.extend([NEUTRAL] * 14)


def keep_a_card(state: State) -> None:
    deck = state.decks[0]
    deck.hand.append(deck.cards.pop())


def climb_down_to_the_marshal(state: State) -> None:
    state.bandits[0].space = state.figures["MARSHAL"].space


def repeat_a_round_card(state: State) -> None:
    state.round.cards[1] = state.round.cards[0]


def end_at_no_station(state: State) -> None:
    state.round.cards.reverse()


def may_keep_less(state: State) -> None:
    state.pending[0].members = state.pending[0].members[1:]


def may_keep_something_else(state: State) -> None:
    state.pending[0].members = [*state.pending[0].members[1:], "WHISKEY"]
    state.pending[0].options = [Keep(tuple(state.pending[0].members)), Keep(())]


def ask_one_seat_less(state: State) -> None:
    state.pending.pop()


def make_a_set_of_it(state: State) -> None:
    state.pending[0].members = ["MOVE"]


def add_a_set(options: list[Choice]) -> list[Choice]:
    return [*options, Keep(("MOVE",))]


def discard(state: State) -> None:
    deck = state.decks[0]
    deck.discards.append(deck.cards.pop())


def swap_discards(state: State) -> None:
    """Cards of two bandits change discard piles, so that the totals stay right."""
    mine, yours = state.decks[0], state.decks[1]
    mine.discards.append(yours.cards.pop(0))
    yours.discards.append(mine.cards.pop(0))


def double_a_card(state: State) -> None:
    """One card of the mixed deck for another."""
    cards = [*state.decks[0].cards, *state.decks[0].hand]
    own = next(card for card in cards if card.action == "FIRE")
    other = next(card for card in cards if card.action == "MOVE")
    for place in (state.decks[0].cards, state.decks[0].hand):
        place[:] = [own if card is other else card for card in place]


def lose_what_was_borrowed(state: State) -> None:
    """It is in its own deck again, so that the totals stay right."""
    borrowed = state.extras[Borrowed.name]
    assert isinstance(borrowed, Borrowed)
    lost = borrowed.cards[0]
    state.decks[0].hand = [held for held in state.decks[0].hand if held not in lost]


def forget_what_was_borrowed(state: State) -> None:
    state.extras.clear()


def at_keeping(state: State) -> bool:
    return len(state.pending) > 1


def at_start(state: State) -> bool:
    return state.choices == 0


def at_scheming(state: State) -> bool:
    return state.round.phase == SCHEMIN


def put_first(space: str) -> Fault:
    return assign(lambda state: state.bandits[0], "space", space)


def put_shotgun(space: str) -> Fault:
    return assign(lambda state: state.figures["SHOTGUN"], "space", space)


def take_hostage(state: State, name: str) -> None:
    extra = stagecoach(state)
    extra.hostages[name] = extra.displayed.pop()


def unsort_horses(state: State) -> None:
    stagecoach(state).horses[:] = [4, 3, 4, 4]


def a_flask(state: State) -> tuple[list[Token], int]:
    return next(
        (heap, place)
        for heap in state.spaces.values()
        for place, token in enumerate(heap)
        if token.kind == "FLASK" and token.value == 0
    )


def turn_whiskey_old(state: State) -> None:
    heap, place = a_flask(state)
    heap[place] = Token("FLASK", 1, 0)


def look_at_a_flask(state: State) -> None:
    heap, place = a_flask(state)
    heap[place] = Token("FLASK", 0, 1)


def climb_up_to_the_shotgun(state: State) -> None:
    shotgun = state.figures["SHOTGUN"]
    state.loot_at("stagecoach.roof").append(shotgun.loot.pop())
    shotgun.space = state.bandits[0].space = "2.roof"


def put_marshal(space: str) -> Fault:
    return assign(lambda state: state.figures["MARSHAL"], "space", space)


def fire(state: State) -> list[str]:
    """A cylinder out of which a bullet may fall."""
    return prison_train(state).cylinders[0]


def injure(state: State) -> None:
    prison_train(state).injuries[state.bandits[0].name] = ["DISARMED"]


def hang_a_poster_twice(state: State) -> None:
    prison_train(state).posters.extend([state.bandits[0].name] * 2)


def turn_a_goal_too_early(state: State) -> None:
    extra = prison_train(state)
    extra.current.append(extra.upcoming.pop(0))


def at_stealin(state: State) -> bool:
    return state.round.phase == STEALIN and len(state.pile) > 1


def at_end(state: State) -> bool:
    return state.finished


FAULTS: list[tuple[str, Callable[[State], bool], Fault]] = [
    ("SOMEBODY_IS_ASKED", at_start, lambda state: state.pending.clear()),
    ("SOMEBODY_IS_ASKED", at_end, lambda state: state.push("ROUND")),
    ("ASKABLE", at_start, assign(lambda state: state.pending[0], "seat", 4)),
    ("ASKABLE", at_start, assign(lambda state: state.pending[0], "figure", "MARSHAL")),
    ("ASKABLE", at_start, assign(lambda state: state.pending[0], "opened", 1)),
    ("ASKABLE", at_start, ask_twice),
    ("ASKABLE", at_stealin, ask_two_one_after_the_other),
    ("SOMETHING_TO_CHOOSE", at_start, offer(lambda options: [])),
    ("SOMETHING_TO_CHOOSE", at_start, leave_one_option),
    (
        "SOMETHING_TO_CHOOSE",
        at_start,
        offer(lambda options: [*options, options[-1]]),
    ),
    ("CANONICAL_ORDER", at_start, offer(lambda options: options[::-1])),
    ("CANONICAL_ORDER", at_stealin, offer(lambda options: options[::-1])),
    ("IN_ROUND", at_start, assign(lambda state: state.round, "phase", "PAUSE")),
    ("IN_ROUND", at_start, assign(lambda state: state.round, "number", 6)),
    ("IN_ROUND", at_start, assign(lambda state: state.round, "turn", 6)),
    ("IN_ROUND", at_start, assign(lambda state: state.round, "first_seat", 4)),
    ("STACK_RUNS", at_start, assign(lambda state: state.stack[-1], "op", "PAUSE")),
    ("STACK_RUNS", at_stealin, assign(lambda state: state.stack[-1], "actor", "NOBODY")),
    ("ON_THE_TRAIN", at_start, assign(lambda state: state.bandits[0], "space", "5.inside")),
    ("ON_THE_TRAIN", at_start, move_loot_off_the_train),
    ("ONE_CARD_ONE_OBJECT", at_start, print_a_card_again),
    ("HANDS_SORTED", at_start, lambda state: state.decks[0].hand.reverse()),
    ("TOKENS_ONCE", at_start, share_a_token),
    ("NO_EMPTY_HEAPS", at_start, lambda state: state.loot_at("1.roof")),
    ("OWNERS_KNOW", at_start, swap_purses),
    ("KNOWERS_EXIST", at_start, assign(lambda state: state.box[0], "known", 1 << 4)),
    ("KNOWERS_EXIST", at_start, assign(lambda state: state.waiting[0], "known", 0)),
    ("KNOWERS_EXIST", at_start, assign(lambda state: state.box[0], "value", UNKNOWN_VALUE)),
    ("LOOT_COMPLETE", at_start, lambda state: state.box.pop()),
    ("LOOT_COMPLETE", at_start, lambda state: state.box.append(Token("PURSE", 250, PUBLIC))),
    ("LOOT_COMPLETE", at_start, assign(lambda state: state.waiting[0], "value", 900)),
    ("ACTION_CARDS_COMPLETE", at_start, lambda state: state.decks[0].cards.pop()),
    ("ACTION_CARDS_COMPLETE", at_stealin, lambda state: state.pile.pop()),
    ("ACTION_CARDS_COMPLETE", at_stealin, lambda state: state.stack.pop(-2)),
    ("CARDS_WITH_THEIR_OWNERS", at_start, swap_cards),
    ("CARDS_WITH_THEIR_OWNERS", at_stealin, play_for_another),
    ("BULLETS_RECEIVED_ARE_HELD", at_start, receive_secretly),
    ("BULLETS_RECEIVED_ARE_HELD", at_stealin, play_a_bullet),
    ("OWN_BULLETS_COMPLETE", at_start, assign(lambda state: state.bandits[0], "bullets_left", 5)),
    ("NEUTRAL_BULLETS_COMPLETE", at_start, assign(lambda state: state, "neutral_bullets", 12)),
    ("NEUTRAL_BULLETS_COMPLETE", at_start, give_too_many),
    ("HANDS_EMPTY_AT_STEALIN", at_stealin, keep_a_card),
    ("ROUND_DECK_BUILT", at_start, lambda state: state.round.cards.pop(1)),
    ("ROUND_DECK_BUILT", at_start, repeat_a_round_card),
    ("ROUND_DECK_BUILT", at_start, end_at_no_station),
    ("NO_DISCARDS", at_start, discard),
    ("SETS_ARE_OF_MEMBERS", at_start, make_a_set_of_it),
    ("MARSHAL_INSIDE", at_start, assign(lambda state: state.figures["MARSHAL"], "space", "0.roof")),
    ("NOBODY_WITH_THE_MARSHAL", at_start, climb_down_to_the_marshal),
]


OF_VARIANTS: list[tuple[Options, int, str, Callable[[State], bool], Fault]] = [
    (EXPERT, 4, "SETS_ARE_OF_MEMBERS", at_keeping, offer(lambda options: options[:1])),
    (
        EXPERT,
        4,
        "SETS_ARE_OF_MEMBERS",
        at_keeping,
        offer(add_a_set),
    ),
    (EXPERT, 4, "SETS_ARE_OF_MEMBERS", at_keeping, may_keep_less),
    (EXPERT, 4, "CANONICAL_ORDER", at_keeping, offer(lambda options: options[::-1])),
    (EXPERT, 4, "CARDS_TO_KEEP", at_keeping, may_keep_something_else),
    (EXPERT, 4, "CARDS_TO_KEEP", at_keeping, ask_one_seat_less),
    (EXPERT, 4, "CARDS_WITH_THEIR_OWNERS", at_start, swap_discards),
    (EXPERT, 4, "BULLETS_RECEIVED_ARE_HELD", at_keeping, receive_secretly),
    (EXPERT, 2, "MIXED_DECKS", at_start, double_a_card),
    (EXPERT, 2, "MIXED_DECKS", at_start, lambda state: state.decks[0].cards.pop()),
    (EXPERT, 2, "CARDS_WITH_THEIR_OWNERS", at_start, swap_cards),
    (TEAMS, 4, "BORROWED_ARE_HELD", at_start, lose_what_was_borrowed),
    (TEAMS, 4, "BORROWED_ARE_HELD", at_start, forget_what_was_borrowed),
    (
        TEAMS,
        4,
        "CARDS_WITH_THEIR_OWNERS",
        at_start,
        lambda state: state.decks[0].cards.__setitem__(0, state.decks[2].cards[0]),
    ),
    (HORSES, 4, "IN_ROUND", at_start, lambda state: state.stack.pop()),
    (HORSES, 4, "BESIDE_THE_TRAIN", at_scheming, unsort_horses),
    (HORSES, 4, "BESIDE_THE_TRAIN", at_start, assign(stagecoach, "car", 5)),
    (
        *(HORSES, 4, "HORSES_WITH_THEIR_RIDERS", at_start),
        lambda state: stagecoach(state).horses.append(4),
    ),
    (HORSES, 4, "HORSES_WITH_THEIR_RIDERS", at_scheming, put_first("horseback")),
    (HORSES, 4, "GONE_BY_ESCAPE", at_scheming, put_first("gone")),
    (HORSES, 4, "HOSTAGES_COMPLETE", at_start, lambda state: stagecoach(state).displayed.pop()),
    (HORSES, 4, "HOSTAGES_COMPLETE", at_scheming, lambda state: take_hostage(state, "NOBODY")),
    (HORSES, 4, "HOSTAGES_TAKEN", at_scheming, put_first("stagecoach.inside")),
    (HORSES, 4, "FLASKS_COMPLETE", at_start, turn_whiskey_old),
    (HORSES, 4, "FLASKS_COMPLETE", at_start, look_at_a_flask),
    (
        *(HORSES, 4, "SHOTGUN_GUARDS", at_start),
        lambda state: state.box.append(state.figures["SHOTGUN"].loot.pop()),
    ),
    (HORSES, 4, "SHOTGUN_GUARDS", at_start, put_shotgun("2.roof")),
    (HORSES, 4, "SHOTGUN_GUARDS", at_start, put_shotgun("2.inside")),
    (HORSES, 4, "NOBODY_WITH_THE_SHOTGUN", at_scheming, climb_up_to_the_shotgun),
    (
        *(HORSES, 4, "BULLETS_COUNTED", at_scheming),
        lambda state: stagecoach(state).received.update({state.bandits[0].name: 1}),
    ),
    (MARSHAL, 4, "MARSHAL_ON_THE_BOARD", at_start, put_marshal("cell")),
    (
        *(MARSHAL, 4, "MARSHAL_ON_THE_BOARD", at_start),
        lambda state: state.figures["MARSHAL"].loot.append(state.box.pop()),
    ),
    (MARSHAL, 4, "PRISON_CAR_LAST", at_start, lambda state: state.cars.reverse()),
    (MARSHAL, 4, "CYLINDERS_COMPLETE", at_start, lambda state: fire(state).pop(1)),
    (MARSHAL, 4, "CYLINDERS_COMPLETE", at_start, lambda state: fire(state).pop(0)),
    (MARSHAL, 4, "INJURIES_RECEIVED", at_start, injure),
    (MARSHAL, 4, "PRISONERS_COMPLETE", at_start, lambda state: prison_train(state).displayed.pop()),
    (
        *(MARSHAL, 4, "PRISONERS_COMPLETE", at_start),
        lambda state: prison_train(state).prisoners.update(
            {"NOBODY": prison_train(state).displayed.pop()}
        ),
    ),
    (MARSHAL, 4, "POSTERS_OF_THE_CAPTURED", at_start, put_first("cell")),
    (MARSHAL, 4, "POSTERS_OF_THE_CAPTURED", at_start, hang_a_poster_twice),
    (MARSHAL, 4, "MAILBAGS_COMPLETE", at_start, lambda state: state.spaces["0.inside"].pop()),
    (
        *(MARSHAL, 4, "MAILBAGS_COMPLETE", at_start),
        lambda state: state.box.append(state.spaces["0.inside"].pop()),
    ),
    (MARSHAL, 4, "BRAWLERS_COMPLETE", at_start, lambda state: prison_train(state).brawlers.pop()),
    (MARSHAL, 4, "GOALS_COMPLETE", at_start, lambda state: prison_train(state).upcoming.pop()),
    (MARSHAL, 4, "GOALS_COMPLETE", at_start, turn_a_goal_too_early),
    (MARSHAL, 4, "COPIED_CARD_THERE", at_start, assign(prison_train, "turned_up", "CAPTURE")),
]


def forget(state: State) -> None:
    """A purse that its owner knew is known to nobody, and it is not the owner's any more."""
    token = state.bandits[0].loot.pop(0)
    state.box.append(Token(token.kind, token.value, 0))


def ask_again(state: State) -> None:
    """The first decision of the game is open once more."""
    state.pending[0].seat = state.round.first_seat
    state.pending[0].opened = 0


def overdraw(state: State) -> None:
    state.bandits[0].received.extend([NEUTRAL] * 14)


def keep_a_bullet(state: State) -> None:
    """Schemin' is over, and a bullet is in hand."""
    state.decks[0].hand.append(state.rules.card(NEUTRAL, BULLET))
    state.round.phase = STEALIN


STEP_FAULTS: list[tuple[str, Fault]] = [
    ("CHOICES_COUNTED", assign(lambda state: state, "choices", 7)),
    ("DECISIONS_STAY_CLOSED", ask_again),
    ("DECISIONS_OPEN_NOW", assign(lambda state: state.pending[0], "opened", 1)),
    ("ROUNDS_FOLLOW", assign(lambda state: state.round, "number", 3)),
    ("ROUNDS_FOLLOW", lambda state: setattr(state.round, "first_seat", 3 - state.round.first_seat)),
    ("BULLETS_STAY_GIVEN", lambda state: state.bandits[0].received.clear()),
    ("BULLETS_STAY_GIVEN", assign(lambda state: state.bandits[0], "bullets_left", 7)),
    ("NEUTRAL_PILE_SHRINKS", assign(lambda state: state, "neutral_bullets", 14)),
    ("NEUTRAL_PILE_SHRINKS", overdraw),
    ("TOKENS_STAY", lambda state: state.box.pop()),
    ("KNOWLEDGE_STAYS", forget),
    ("BULLETS_LEAVE_HANDS", keep_a_bullet),
]


HORSES_STEP_FAULTS: list[tuple[str, Fault]] = [
    ("HORSES_DO_NOT_COME_BACK", lambda state: stagecoach(state).horses.append(4)),
    ("STAGECOACH_DROPS_BACK", assign(stagecoach, "car", 3)),
    ("HOSTAGES_STAY", lambda state: stagecoach(state).hostages.clear()),
]


MARSHAL_STEP_FAULTS: list[Fault] = [
    lambda state: prison_train(state).cylinders[1].append("GOLDEN_BULLET"),
    lambda state: prison_train(state).posters.clear(),
    lambda state: prison_train(state).retaken.clear(),
    lambda state: prison_train(state).brawlers.append("GOLD"),
    lambda state: prison_train(state).upcoming.reverse(),
    lambda state: prison_train(state).upcoming.insert(0, prison_train(state).current.pop()),
    lambda state: prison_train(state).shots.clear(),
]


@pytest.mark.parametrize(("name", "where", "fault"), FAULTS)
def test_fault_is_reported(name: str, where: Callable[[State], bool], fault: Fault) -> None:
    state = position(4, 1, where)
    assert violations(state) == []
    fault(state)
    assert name in reported(violations(state))


@pytest.mark.parametrize(("options", "players", "name", "where", "fault"), OF_VARIANTS)
def test_fault_in_a_variant_is_reported(
    options: Options, players: int, name: str, where: Callable[[State], bool], fault: Fault
) -> None:
    state = position(players, 1, where, options=options)
    assert violations(state) == []
    fault(state)
    assert name in reported(violations(state))


@pytest.mark.parametrize(("name", "fault"), STEP_FAULTS)
def test_fault_between_positions_is_reported(name: str, fault: Fault) -> None:
    state = position(4, 1, at_start)
    state.bandits[0].received.append(NEUTRAL)
    state.decks[0].cards.append(state.rules.card(NEUTRAL, BULLET))
    state.neutral_bullets -= 1
    checker = Checker()
    assert checker.check(state) == []
    take_first_option(state)
    assert checker.check(state) == []
    take_first_option(state)
    fault(state)
    assert name in reported(checker.check(state))


@pytest.mark.parametrize(("name", "fault"), HORSES_STEP_FAULTS)
def test_fault_beside_the_train_between_positions_is_reported(name: str, fault: Fault) -> None:
    state = position(4, 1, at_scheming, options=HORSES)
    take_hostage(state, state.bandits[0].name)
    checker = Checker()
    assert checker.check(state) == []
    take_first_option(state)
    fault(state)
    assert name in reported(checker.check(state))


@pytest.mark.parametrize("fault", MARSHAL_STEP_FAULTS)
def test_fault_on_the_marshals_sheet_between_positions_is_reported(fault: Fault) -> None:
    state = position(4, 1, at_start, options=MARSHAL)
    extra = prison_train(state)
    extra.posters.append(state.bandits[0].name)
    extra.retaken.append(extra.displayed.pop())
    extra.shots[state.bandits[0].name] = [extra.cylinders[0].pop(0)]
    state.bandits[0].received.append("MARSHAL")
    state.decks[1].cards.append(state.rules.card("DISARMED", BULLET))
    checker = Checker()
    assert checker.check(state) == []
    take_first_option(state)
    fault(state)
    assert "SHEET_ONLY_CHANGES_SO" in reported(checker.check(state))


def test_every_invariant_has_a_fault() -> None:
    invariants = [*ANY_GAME, *(one for box in INVARIANTS.values() for one in box)]
    faults = {name for name, _, _ in FAULTS} | {name for _, _, name, _, _ in OF_VARIANTS}
    assert faults == {invariant.name for invariant in invariants}
    step_faults = {name for name, _ in STEP_FAULTS + HORSES_STEP_FAULTS}
    step_faults.add("SHEET_ONLY_CHANGES_SO")
    of_boxes = {one.name for box in EXTRA_STEPS.values() for one in box}
    assert step_faults == {invariant.name for invariant in STEPS} | of_boxes


@pytest.mark.parametrize(("options", "players"), GAMES)
def test_no_fault_no_report(options: Options, players: int) -> None:
    for seed in range(5):
        checker = Checker()
        for state in positions(players, seed, options=options):
            assert checker.check(state) == []


def test_first_player_of_teams_is_followed_by_the_next_team() -> None:
    state = position(4, 1, at_start, options=TEAMS)
    checker = Checker()
    assert checker.check(state) == []
    take_first_option(state)
    state.round.number = 2
    state.round.first_seat = (state.round.first_seat + 1) % 4
    assert "ROUNDS_FOLLOW" in reported(checker.check(state))


def test_ransoms_beyond_the_box_are_no_fault() -> None:
    def paid(state: State) -> bool:
        tokens = [token for figure in state.bandits for token in figure.loot]
        return state.finished and sum(token.value == 250 for token in tokens) > 8

    state = next(state for seed in range(300) for state in positions(6, seed) if paid(state))
    assert violations(state) == []


def test_box_brings_its_invariants() -> None:
    state = position(4, 1, at_start)
    climb_down_to_the_marshal(state)
    state.rules = Rules([box for box in state.rules.boxes if box.name != "MARSHAL"])
    assert "NOBODY_WITH_THE_MARSHAL" not in reported(violations(state))


def take_first_option(state: State) -> None:
    apply(state, state.pending[0].seat, state.pending[0].options[0])


def reported(found: list[str]) -> set[str]:
    return {violation.split(" ", 1)[0] for violation in found}
