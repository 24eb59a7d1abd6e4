"""Whatever is changed in an exported game is found, but for what tells nothing."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from hashlib import sha256
from typing import Any, get_args

import msgspec
import pytest

from coltexpress_server.game.options import Options
from coltexpress_server.replay.document import AnyEvent, Replay
from coltexpress_server.replay.verifier import verify
from tests.game.random_games import BOTH, EXPERT, HORSES, MARSHAL, TEAMS
from tests.replay.finished_games import (
    finished_game,
    games_with_every_kind_of_event,
)

# A file as plain values, to be changed at will.
Tree = Any
Path = tuple[str | int, ...]

VARIANTS = [(EXPERT, 2), (EXPERT, 4), (TEAMS, 4)]
OF_VARIANTS = {"DECK_REBUILT", "CARDS_DISCARDED", "CARD_BORROWED"}

TELLS_NOTHING = {"game", "commits.cause"}
"""Fields that follow from nothing else: docs/FAIRNESS.md says so."""


def test_every_value_of_a_game() -> None:
    undetected = set()
    tree = as_tree(finished_game(3, 1))
    values = values_by_field(tree)
    for path in leaves(tree):
        if passes(tree, path, other_value(tree, path, values)):
            undetected.add(field(tree, path))
    assert undetected == TELLS_NOTHING


def test_every_field_of_every_kind_of_event() -> None:
    """Three times each."""
    changed: dict[str, int] = {}
    undetected = set()
    for replay in games_with_every_kind_of_event():
        tree = as_tree(replay)
        values = values_by_field(tree)
        for path in leaves(tree):
            name = field(tree, path)
            if name.startswith("commits.events.") and changed.get(name, 0) < 3:
                changed[name] = changed.get(name, 0) + 1
                if passes(tree, path, other_value(tree, path, values)):
                    undetected.add(name)
    assert undetected == set()
    assert set(changed) == event_fields()


def test_every_event_left_out_repeated_or_late() -> None:
    tree = as_tree(finished_game(3, 2))
    for commit in tree["commits"]:
        events = commit["events"]
        for place in range(len(events)):
            commit["events"] = events[:place] + events[place + 1 :]
            assert not verified(tree)
            commit["events"] = [*events[: place + 1], *events[place:]]
            assert not verified(tree)
            if place and events[place] != events[place - 1]:
                commit["events"] = [
                    *events[: place - 1],
                    events[place],
                    events[place - 1],
                    *events[place + 1 :],
                ]
                assert not verified(tree)
        commit["events"] = events
    assert verified(tree)


@pytest.mark.parametrize(("options", "players"), VARIANTS)
def test_every_event_of_a_variant_left_out_repeated_or_changed(
    options: Options, players: int
) -> None:
    tree = as_tree(finished_game(players, 13, options=options))
    seen = set()
    for commit in tree["commits"]:
        events = commit["events"]
        for place, event in enumerate(events):
            if event["kind"] in OF_VARIANTS:
                seen.add(event["kind"])
                commit["events"] = events[:place] + events[place + 1 :]
                assert not verified(tree)
                commit["events"] = [*events[: place + 1], *events[place:]]
                assert not verified(tree)
                for cards in [items for items in lists(event) if len(set(items)) > 1]:
                    cards[:] = cards[1:] + cards[:1]
                    commit["events"] = events
                    assert not verified(tree)
                    cards[:] = cards[-1:] + cards[:-1]
        commit["events"] = events
    assert verified(tree)
    assert seen == ({"CARD_BORROWED"} if options == TEAMS else OF_VARIANTS - {"CARD_BORROWED"})


@pytest.mark.parametrize(("options", "players"), VARIANTS)
def test_every_choice_of_a_variant_changed(options: Options, players: int) -> None:
    """Other cards kept, nothing kept, cards kept that are not in hand, another order of cards."""
    tree = as_tree(finished_game(players, 14, options=options))
    choices = sorted({commit["choice"] for commit in tree["commits"][1:]})
    for place, commit in enumerate(tree["commits"][1:]):
        made = commit["choice"]
        others = [choices[place % len(choices)], "", "keep", "keep:", "keep:BULLET", f"{made},FIRE"]
        if made.startswith("keep:"):
            cards = made.removeprefix("keep:").split(",")
            others += [f"keep:{','.join(cards[::-1])}", f"{made},", f"{made},{cards[-1]}"]
        for other in others:
            if other != made:
                commit["choice"] = other
                assert not verified(tree)
        commit["choice"] = made
    assert verified(tree)


@pytest.mark.parametrize(("options", "players"), VARIANTS)
def test_every_seat_of_a_choice_changed(options: Options, players: int) -> None:
    tree = as_tree(finished_game(players, 15, options=options))
    for commit in tree["commits"][1:]:
        made = commit["seat"]
        commit["seat"] = (made + 1) % players
        assert not verified(tree)
        commit["seat"] = made
    assert verified(tree)


def test_order_of_answers_given_at_the_same_time_tells_nothing() -> None:
    tree = as_tree(finished_game(4, 16, options=EXPERT))
    keeping = [commit for commit in tree["commits"] if commit["choice"].startswith("keep:")]
    first, second = keeping[:2]
    for name in ("seat", "choice", "cause"):
        first[name], second[name] = second[name], first[name]
    assert verified(tree)


def test_another_partner() -> None:
    """Seats of a team exchanged with their bandits: other decks, other shuffles."""
    tree = as_tree(finished_game(4, 17, options=TEAMS))
    seats = tree["seats"]
    tree["seats"] = [seats[1], seats[0], *seats[2:]]
    assert not verified(tree)


@pytest.mark.parametrize("options", [EXPERT, TEAMS])
def test_another_variant(options: Options) -> None:
    tree = as_tree(finished_game(4, 18, options=options))
    for other in {"STANDARD", "EXPERT", "TEAMS"} - {options.variant}:
        tree["options"]["variant"] = other
        assert not verified(tree)


def test_every_event_moved_to_the_next_commit() -> None:
    tree = as_tree(finished_game(4, 3))
    for commit, following in zip(tree["commits"], tree["commits"][1:], strict=False):
        if commit["events"]:
            following["events"].insert(0, commit["events"].pop())
            assert not verified(tree)
            commit["events"].append(following["events"].pop(0))
    assert verified(tree)


@pytest.mark.parametrize("renumbered", [False, True])
def test_every_commit_left_out(renumbered: bool) -> None:
    tree = as_tree(finished_game(4, 4))
    commits = tree["commits"]
    for place in range(len(commits)):
        tree["commits"] = deepcopy(commits[:place] + commits[place + 1 :])
        if renumbered:
            for commit in tree["commits"][place:]:
                commit["version"] -= 1
        assert not verified(tree)


def test_every_list_shortened_or_reordered() -> None:
    tree = as_tree(finished_game(5, 5))
    for items in lists(tree):
        kept = list(items)
        items[:] = kept[:-1]
        assert not verified(tree)
        if kept[0] != kept[-1]:
            items[:] = kept[::-1]
            assert not verified(tree)
        items[:] = kept
    assert verified(tree)


def test_another_seed_with_its_own_hash() -> None:
    tree = as_tree(finished_game(4, 6))
    for bit in range(256):
        changed = int(tree["seed"], 16) ^ 1 << bit
        seed = changed.to_bytes(32, "big")
        other = tree | {"seed": seed.hex(), "seed_hash": sha256(seed).hexdigest()}
        assert not verified(other)


def test_another_hash() -> None:
    tree = as_tree(finished_game(4, 6))
    assert not verified(tree | {"seed_hash": sha256(b"another seed").hexdigest()})


def test_entropies_of_two_seats_exchanged() -> None:
    tree = as_tree(finished_game(4, 7))
    first, second = tree["seats"][:2]
    assert first["entropy"] != second["entropy"]
    first["entropy"], second["entropy"] = second["entropy"], first["entropy"]
    assert not verified(tree)


def test_another_score_everywhere() -> None:
    tree = as_tree(finished_game(4, 8))
    end = tree["commits"][-1]["events"][-1]
    for seat in range(4):
        scores = [*tree["scores"]]
        scores[seat] += 250
        end["scores"], other = scores, tree | {"scores": scores}
        assert not verified(other)


def test_another_winner_everywhere() -> None:
    tree = as_tree(finished_game(4, 9))
    end = tree["commits"][-1]["events"][-1]
    winners = [(tree["winners"][0] + 1) % 4]
    end["winners"] = winners
    assert not verified(tree | {"winners": winners})


def test_every_other_choice_that_was_legal() -> None:
    """Choices that some seat made elsewhere in the game, put in the place of each choice."""
    tree = as_tree(finished_game(3, 10))
    choices = {commit["choice"] for commit in tree["commits"][1:]}
    for commit in tree["commits"][1:]:
        made = commit["choice"]
        for choice in choices - {made}:
            commit["choice"] = choice
            assert not verified(tree)
        commit["choice"] = made
    assert verified(tree)


def test_edition_changes_nothing_in_the_base_box() -> None:
    tree = as_tree(finished_game(4, 11))
    tree["options"]["edition"] = "FIRST"
    assert verified(tree)


def test_another_expansion_or_none() -> None:
    for options, other in (
        (HORSES, []),
        (EXPERT, [*HORSES.expansions]),
        (MARSHAL, []),
        (MARSHAL, [*BOTH.expansions]),
        (BOTH, [*HORSES.expansions]),
    ):
        tree = as_tree(finished_game(4, 19, options=options))
        tree["options"]["expansions"] = other
        assert not verified(tree)


def test_closing_actions_played_or_not() -> None:
    tree = as_tree(finished_game(4, 21, options=MARSHAL))
    tree["options"]["closing_actions"] = False
    assert not verified(tree)


def test_every_choice_of_a_horse_attack_changed() -> None:
    """Also into cars that have been passed, or by nobody."""
    tree = as_tree(finished_game(4, 21, options=HORSES))
    boarding = [commit for commit in tree["commits"] if commit["choice"].startswith("board:")]
    assert len(boarding) > 4
    for commit in boarding:
        made = commit["choice"]
        for other in {"board:true", "board:false", "board:", "board:0", "board:1", "board:4"} - {
            made
        }:
            commit["choice"] = other
            assert not verified(tree)
        commit["choice"] = made
    assert verified(tree)


def test_bandit_chosen_where_only_one_was_left_tells_nothing() -> None:
    tree = as_tree(finished_game(6, 12))
    names = tree["commits"][0]["events"][0]["figures"]
    seats = [{"bandits": [name], "entropy": ""} for name in names]
    first = verify(as_replay(tree | {"seats": seats}))
    seats[5] = {"bandits": [], "entropy": ""}
    assert verify(as_replay(tree | {"seats": seats})).problems == first.problems


def verified(tree: Tree) -> bool:
    """Whether the file is read and nothing is found wrong with it."""
    try:
        replay = as_replay(tree)
    except msgspec.ValidationError:
        return False
    return verify(replay).verified


def passes(tree: Tree, path: Path, value: object) -> bool:
    """Whether the file passes with another value in this place; puts the old one back."""
    *way, last = path
    place = tree
    for step in way:
        place = place[step]
    old = place[last]
    assert value != old
    place[last] = value
    try:
        return verified(tree)
    finally:
        place[last] = old


def as_tree(replay: Replay) -> Tree:
    return msgspec.to_builtins(replay)


def as_replay(tree: Tree) -> Replay:
    return msgspec.convert(tree, Replay)


def leaves(tree: Tree, path: Path = ()) -> Iterator[Path]:
    """The paths of all values that are no lists and objects."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from leaves(value, (*path, key))
    elif isinstance(tree, list):
        for place, value in enumerate(tree):
            yield from leaves(value, (*path, place))
    else:
        yield path


def lists(tree: Tree) -> Iterator[list[object]]:
    """All lists that are not empty, from the inside out."""
    children = tree.values() if isinstance(tree, dict) else tree
    if isinstance(tree, dict | list):
        for child in children:
            yield from lists(child)
    if isinstance(tree, list) and tree:
        yield tree


def field(tree: Tree, path: Path) -> str:
    """A path without places in lists; events have their kind in it."""
    names = []
    place = tree
    for step in path:
        place = place[step]
        if isinstance(step, str):
            names.append(step)
        if isinstance(place, dict) and "kind" in place and "value" not in place:
            names.append(place["kind"])
    return ".".join(names)


def values_by_field(tree: Tree) -> dict[str, list[object]]:
    values: dict[str, list[object]] = {}
    for path in leaves(tree):
        value = tree
        for step in path:
            value = value[step]
        known = values.setdefault(field(tree, path), [])
        if value not in known:
            known.append(value)
    return values


def other_value(tree: Tree, path: Path, values: dict[str, list[object]]) -> object:
    """A value that stands elsewhere in the same field, or else one like it."""
    old = tree
    for step in path:
        old = old[step]
    known = values[field(tree, path)]
    other = known[(known.index(old) + 1) % len(known)]
    if other != old or isinstance(other, bool) != isinstance(old, bool):
        return other
    if isinstance(old, bool):
        return not old
    if isinstance(old, int):
        return old + 1
    if isinstance(old, str):
        return f"{old}0"
    return 0


def event_fields() -> set[str]:
    """The names of all fields of all kinds of event, as `field` has them."""
    found = set()
    for kind in get_args(AnyEvent):
        names = ["kind", *(known.name for known in msgspec.structs.fields(kind))]
        if "token" in names:
            names.remove("token")
            names += ["token.kind", "token.value"]
        found |= {f"commits.events.{kind.__struct_config__.tag}.{name}" for name in names}
    return found
