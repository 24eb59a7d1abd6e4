"""Games on the bare engine, random ones and those of bots, and what they are watched for."""

from __future__ import annotations

import json
from random import Random

import pytest

from coltexpress_server import simulation
from coltexpress_server.bots.levels import LEVELS, Level
from coltexpress_server.game.choices import Choice, Keep
from coltexpress_server.game.codec import decode_state
from coltexpress_server.game.decisions import Decision
from coltexpress_server.game.engine import apply
from coltexpress_server.game.options import STANDARD, InvalidOptions, Options
from coltexpress_server.game.state import State
from coltexpress_server.simulation import Watch, answer, moved_up, pick, simulate
from tests.game.random_games import EXPERT, GAMES, MARSHAL, TEAMS, WITH_EXPANSIONS, position, start


@pytest.mark.parametrize(("options", "players"), GAMES + WITH_EXPANSIONS)
def test_games_finish_without_violations(options: Options, players: int) -> None:
    games = 2 if options.expansions else 4
    report = simulate(players, games, seed=1, check=True, options=options)
    assert (report.variant, report.players) == (options.variant, players)
    assert (report.games, report.finished) == (games, games)
    assert report.violations == []


def test_sets_and_answers_at_the_same_time() -> None:
    """Cards are kept of which neither all nor none are, and not in seat order."""
    state = position(4, 1, lambda state: len(state.pending) > 1, options=EXPERT)
    chance = Random(1)
    answers = [answer(chance, pick(chance, state.pending)) for _ in range(50)]
    sizes = {len(choice.cards) for choice in answers if isinstance(choice, Keep)}
    assert len(sizes) > 2
    watch = Watch(state)
    while len(state.pending) > 1:
        decision = state.pending[-1]
        choice = answer(chance, decision)
        apply(state, decision.seat, choice)
        watch.step(state, decision, choice)
    assert watch.violations == []


def test_same_arguments_same_games() -> None:
    first, again = simulate(4, 10, seed=1), simulate(4, 10, seed=1, check=True)
    assert (first.decisions, first.mean_options) == (again.decisions, again.mean_options)
    other = simulate(4, 10, seed=2)
    assert (other.decisions, other.mean_options) != (first.decisions, first.mean_options)


def test_report_counts() -> None:
    report = simulate(3, 5, seed=1)
    assert 5 * 60 < report.decisions < 5 * 150
    assert 2 < report.mean_options < 8
    assert report.games_per_second > 0
    assert report.decisions_per_second > report.games_per_second


def test_report_as_json() -> None:
    report = simulate(3, 1, seed=1).to_json()
    assert json.loads(json.dumps(report)) == report
    assert set(report) == {
        *("variant", "expansions", "edition", "players"),
        *("games", "finished", "violations", "goals_won", "decisions"),
        *("games_per_second", "decisions_per_second", "mean_options", "standings"),
    }


def test_games_won_by_goals_are_counted() -> None:
    assert simulate(3, 1, seed=1).goals_won is None
    report = simulate(4, 12, seed=1, options=MARSHAL)
    assert report.goals_won is not None
    assert 0 < report.goals_won < report.games


def test_no_games() -> None:
    report = simulate(3, 0, seed=1)
    assert (report.games, report.finished, report.decisions, report.mean_options) == (0, 0, 0, 0)


def test_progress() -> None:
    done: list[None] = []
    simulate(3, 4, seed=1, after_game=lambda: done.append(None))
    assert len(done) == 4


@pytest.mark.parametrize(
    ("options", "players"),
    [
        *((STANDARD, 2), (STANDARD, 7), (EXPERT, 1), (TEAMS, 5)),
        (Options("BEGINNERS", (), "BIG_BOX", ()), 4),
    ],
)
def test_players_that_no_game_can_have(options: Options, players: int) -> None:
    with pytest.raises(InvalidOptions):
        simulate(players, 1, seed=1, options=options)


@pytest.mark.parametrize(("options", "players"), [(STANDARD, 4), (EXPERT, 2)])
def test_greedy_beats_random(options: Options, players: int) -> None:
    """It wins more than nine games in ten; alike, they would win a quarter, or half."""
    bots = ["GREEDY"] + ["RANDOM"] * (players - 1)
    report = simulate(players, 6, seed=1, options=options, bots=bots, check=True)
    assert (report.finished, report.violations) == (6, [])
    greedy, random = report.standings
    assert (greedy.level, greedy.seats, random.level) == ("GREEDY", 1, "RANDOM")
    assert greedy.win_rate >= 0.75
    assert greedy.low > greedy.equal == 1 / players
    assert greedy.win_rate + (players - 1) * random.win_rate == pytest.approx(1, abs=1e-3)
    assert greedy.mean_score > 2 * random.mean_score
    assert greedy.decisions + random.decisions == report.decisions


def test_levels_move_up_a_seat_after_each_game(monkeypatch: pytest.MonkeyPatch) -> None:
    class First:
        """Takes the first option, and notes where it sits."""

        def __init__(self, chance: Random) -> None:
            self.chance = chance

        def choose(self, decision: Decision, seen: State) -> Choice:
            assert seen.generator is None
            sat[-1].add(decision.seat)
            return decision.options[0]

    sat: list[set[int]] = [set()]
    monkeypatch.setattr(simulation, "LEVELS", {**LEVELS, "FIRST": Level("FIRST", First, False)})
    simulate(
        *(4, 5),
        seed=1,
        bots=["RANDOM", "FIRST", "RANDOM", "FIRST"],
        after_game=lambda: sat.append(set()),
    )
    assert sat == [{1, 3}, {2, 0}, {3, 1}, {0, 2}, {1, 3}, set()]


def test_partners_move_together_and_sit_everywhere() -> None:
    lineup = ["A1", "A2", "B1", "B2", "C1", "C2"]
    games = [moved_up(lineup, number, 2) for number in range(7)]
    assert games[:4] == [
        lineup,
        ["C1", "C2", "A1", "A2", "B1", "B2"],
        ["B1", "B2", "C1", "C2", "A1", "A2"],
        ["A2", "A1", "B2", "B1", "C2", "C1"],
    ]
    assert games[6] == lineup
    for seat in range(6):
        assert {levels[seat] for levels in games[:6]} == set(lineup)


def test_same_arguments_same_games_of_bots() -> None:
    """Whoever plays, the deal is the same."""
    bots = ["RANDOM", "RANDOM", "RANDOM"]
    first, again = (simulate(3, 5, seed=1, bots=bots) for _ in range(2))
    assert first.decisions == again.decisions
    assert first.standings[0].mean_score == again.standings[0].mean_score
    (all_of_them,) = first.standings
    assert all_of_them.win_rate == pytest.approx(1 / 3, abs=1e-3)


def test_bots_that_no_game_can_have() -> None:
    with pytest.raises(ValueError, match="4 players are not 3 bots"):
        simulate(4, 1, seed=1, bots=["RANDOM"] * 3)
    with pytest.raises(KeyError, match="GENIUS"):
        simulate(3, 1, seed=1, bots=["RANDOM", "GENIUS", "RANDOM"])


def test_watch_reports_a_broken_invariant() -> None:
    state = start(4, 1)
    state.box.pop()
    watch = Watch(state)
    assert len(watch.violations) == 1
    assert watch.violations[0].startswith("after 0 choices: LOOT_COMPLETE")


def test_watch_reports_a_game_that_goes_on_otherwise_once_loaded() -> None:
    state = start(4, 1)
    watch = Watch(state)
    decision = state.pending[0]
    apply(state, decision.seat, decision.options[0])
    watch.step(state, decision, decision.options[-1])
    assert "SAVING (6)" in watch.violations[-1]


def test_violations_are_reported_with_their_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(data: bytes) -> State:
        state = decode_state(data)
        if state.choices == 10:
            state.neutral_bullets = 12
        return state

    monkeypatch.setattr(simulation, "decode_state", forgetful)
    report = simulate(3, 2, seed=1, check=True)
    assert [violation.split(":")[0] for violation in report.violations] == [
        "game 0, after 11 choices",
        "game 1, after 11 choices",
    ]


def test_game_without_end_is_not_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "MOST_CHOICES", 10)
    report = simulate(3, 2, seed=1)
    assert (report.finished, report.decisions) == (0, 20)
