"""The runner of scenario files says what differs, and refuses what is no scenario."""

from pathlib import Path

import pytest

from coltexpress_server.game.boxes import rules_for
from coltexpress_server.game.options import STANDARD, Options
from coltexpress_server.scenarios.runner import run_files
from coltexpress_server.scenarios.words import language_for
from tests.scenarios.files import run

POSITION = """\
name: A shot
seats: [BELLE, DOC, TUCO]
given:
  bandits: {BELLE: 1.roof, DOC: 2.roof, TUCO: 3.roof}
  loot: {1.roof: [PURSE:300, JEWEL]}
  hands: {TUCO: [MOVE]}
pile: [BELLE: ROBBERY, DOC: {card: MOVE, face_down: true}]
"""


def test_a_scenario_that_holds_is_ok(tmp_path: Path) -> None:
    status, lines = run(tmp_path, POSITION + "expect: {deciding: [BELLE]}\n")
    assert (status, lines) == (0, ["ok A shot", "1 passed, 0 failed"])


def test_a_scenario_that_does_not_hold_is_failed_and_says_what_differs(tmp_path: Path) -> None:
    status, lines = run(tmp_path, POSITION + "expect: {neutral_bullets: 12, marshal: 0}\n")
    assert status == 1
    assert lines == [
        "FAILED A shot: neutral_bullets is 13, not 12",
        "0 passed, 1 failed",
    ]


def test_everything_that_differs_is_said(tmp_path: Path) -> None:
    _, lines = run(tmp_path, POSITION + "expect: {neutral_bullets: 12, bandits: {DOC: 1.roof}}\n")
    assert lines[0] == (
        "FAILED A shot: neutral_bullets is 13, not 12; bandits DOC is 2.roof, not 1.roof"
    )


WRONG = {
    "cars": "4",
    "marshal": "1",
    "bandits": "{DOC: 2.roof, BELLE: 1.inside}",
    "loot": "{1.roof: [PURSE:350, JEWEL]}",
    "owns": "{DOC: [PURSE:250, JEWEL]}",
    "known": "{DOC: [1.roof PURSE:300]}",
    "bullets_left": "{DOC: 5}",
    "bullets_received": "{DOC: [BELLE]}",
    "neutral_bullets": "12",
    "strongbox_waiting": "false",
    "hands": "{TUCO: [FIRE]}",
    "decks": "{TUCO: [FIRE]}",
    "hand_sizes": "{TUCO: 2}",
    "deck_sizes": "{DOC: 2}",
    "first_player": "DOC",
    "round": "2",
    "next_round": "{event: BRAKING}",
    "turn": "{index: 1}",
    "deciding": "[DOC]",
    "decision": "FIRE",
    "phase": "SCHEMIN",
    "scores": "{DOC: 250}",
    "winners": "[DOC]",
    "log": "[BULLET_GIVEN]",
}


@pytest.mark.parametrize("key", language_for(rules_for(STANDARD, 3)).expected)
def test_every_key_of_expect_can_fail(tmp_path: Path, key: str) -> None:
    status, lines = run(tmp_path, POSITION + f"expect: {{{key}: {WRONG[key]}}}\n")
    assert status == 1, lines
    assert lines[0].startswith("FAILED A shot: ")


KEEPING = """\
name: Which cards
options: {variant: EXPERT}
seats: [BELLE, DOC, TUCO]
given:
  hands: {BELLE: [FIRE, MOVE, MOVE], DOC: [BULLET], TUCO: []}
  decks: {TUCO: [MARSHAL, FIRE]}
  discards: {DOC: [FIRE, MOVE]}
  round: {turns: []}
  turn: {index: 0}
"""


def test_every_key_of_expect_about_piles_can_fail(tmp_path: Path) -> None:
    expert = language_for(rules_for(Options("EXPERT", (), "BIG_BOX", ()), 3))
    assert set(expert.expected) - set(WRONG) == {"discards"}
    for wrong in (
        "discards: {DOC: [MOVE, FIRE]}",
        "discards: {DOC: [FIRE]}",
        "discards: {TUCO: [FIRE]}",
        "decks: {TUCO: [FIRE, MARSHAL]}",
    ):
        status, lines = run(tmp_path, KEEPING + f"expect: {{{wrong}}}\n")
        assert status == 1, lines


@pytest.mark.parametrize(
    ("step", "difference"),
    [
        ("options: {BELLE: {keep: [FIRE, MOVE, MOVE]}}", ""),
        ("options: {BELLE: {keep: [MOVE, FIRE, MOVE]}, DOC: {keep: []}}", ""),
        (
            """options: {BELLE: [{keep: [MOVE, MOVE, FIRE]}, {keep: [MOVE, MOVE]}, {keep: [MOVE]},
  {keep: [FIRE, MOVE]}, {keep: [FIRE]}, {keep: []}]}""",
            "",
        ),
        (
            "options: {BELLE: {keep: [FIRE, MOVE]}}",
            "options of BELLE: keep:MOVE,MOVE,FIRE and less, not {keep: MOVE,FIRE}",
        ),
        (
            "options: {BELLE: [{keep: [FIRE, MOVE, MOVE]}, {keep: []}]}",
            "options of BELLE: keep:MOVE,MOVE, keep:MOVE,FIRE, keep:MOVE, keep:FIRE are offered",
        ),
        ("options: {TUCO: {keep: []}}", "options of TUCO, but BELLE decides on DISCARD, DOC"),
        ("BELLE: {keep: [FIRE, MOVE]}", ""),
        ("rejected: {BELLE: {keep: [FIRE, MOVE]}}", "BELLE: {keep: MOVE,FIRE} is offered"),
        ("rejected: {BELLE: {keep: [FIRE, FIRE]}, reason: CARD_NOT_IN_HAND}", ""),
        ("BELLE: {keep: [PUNCH]}", "BELLE: {keep: PUNCH} fits no option: keep:"),
    ],
)
def test_a_set_is_named_by_its_members(tmp_path: Path, step: str, difference: str) -> None:
    status, lines = run(tmp_path, KEEPING + f"steps:\n- {step}\n")
    assert status == bool(difference), lines
    assert difference in lines[0]


def test_a_choice_of_one_is_no_set(tmp_path: Path) -> None:
    status, lines = run(tmp_path, POSITION + "steps:\n- options: {BELLE: {rob: JEWEL}}\n")
    assert status == 1
    assert "{rob: JEWEL} is no set, nor are rob:JEWEL, rob:PURSE" in lines[0]


@pytest.mark.parametrize(
    "expectation",
    [
        "cars: [C, B, A]",
        "loot: {1.roof: [JEWEL]}",
        "loot: {1.roof: [JEWEL, PURSE, PURSE]}",
        "loot: {1.roof: [PURSE, PURSE]}",
        "loot: {1.roof: [JEWEL, JEWEL]}",
        "loot: {2.roof: [JEWEL]}",
        "owns: {DOC: []}",
        "bullets_received: {DOC: 1}",
        "round: {number: 2}",
        "round: {event: BRAKING}",
        "round: {turns: [TUNNEL]}",
        "next_round: {number: 3}",
        "deciding: []",
        "deciding: [BELLE, DOC]",
        "log: [CARD_TURNED_UP, CARD_TURNED_UP]",
        "hands: {TUCO: [MOVE, FIRE]}",
    ],
)
def test_a_false_expectation_fails(tmp_path: Path, expectation: str) -> None:
    status, lines = run(tmp_path, POSITION + f"expect: {{{expectation}}}\n")
    assert status == 1, lines


@pytest.mark.parametrize(
    "expectation",
    [
        "cars: [A, B, C]",
        "loot: {1.roof: [JEWEL, PURSE]}",
        "loot: {1.roof: [JEWEL, PURSE:300], 2.roof: []}",
        "round: {number: 1, turns: [STANDARD], event: NONE}",
        "next_round: {number: 2, turns: [STANDARD], event: NONE}",
        "log: [CARD_TURNED_UP]",
        "hands: {TUCO: [MOVE]}",
        "scores: {DOC: 1250}",
        "bullets_received: {DOC: []}",
    ],
)
def test_a_true_expectation_passes(tmp_path: Path, expectation: str) -> None:
    assert run(tmp_path, POSITION + f"expect: {{{expectation}}}\n")[0] == 0


@pytest.mark.parametrize(
    ("step", "difference"),
    [
        (
            "BELLE: {rob: STRONGBOX}",
            "BELLE: {rob: STRONGBOX} fits no option: rob:JEWEL, rob:PURSE",
        ),
        ("DOC: {move: 1.roof}", "DOC: {move: 1.roof}, but BELLE decides on ROBBERY"),
        (
            "options: {BELLE: [{rob: JEWEL}]}",
            "options of BELLE: rob:PURSE are offered, too",
        ),
        (
            "options: {BELLE: [{rob: JEWEL}, {rob: PURSE}, {rob: PURSE}]}",
            "options of BELLE: {rob: PURSE} is named twice",
        ),
        (
            "options: {BELLE: [{rob: JEWEL}, {rob: PURSE:300}]}",
            "options of BELLE: {rob: PURSE:300} fits no option: rob:JEWEL, rob:PURSE",
        ),
        (
            "options: {DOC: [{move: 1.roof}]}",
            "options of DOC, but BELLE decides on ROBBERY",
        ),
        ("rejected: {BELLE: {rob: JEWEL}}", "BELLE: {rob: JEWEL} is offered"),
        (
            "rejected: {BELLE: {rob: STRONGBOX}, reason: WRONG_CHOICE}",
            "BELLE: {rob: STRONGBOX} is refused for LOOT_NOT_HERE, not WRONG_CHOICE",
        ),
        (
            "sees: {TUCO: {loot: {1.roof: [PURSE:300, JEWEL]}}}",
            "TUCO sees: loot 1.roof is [JEWEL, PURSE], not [JEWEL, PURSE:300]",
        ),
        (
            "sees: {BELLE: {pile: [DOC: MOVE]}}",
            "BELLE sees: pile is [DOC: HIDDEN], not [DOC: MOVE]",
        ),
        ("sees: {DOC: {scores: {DOC: 250}}}", "DOC sees: scores are not known to a viewer"),
        ("timeout: DOC", "timeout of DOC, but BELLE decides on ROBBERY"),
    ],
)
def test_a_step_that_does_not_hold_says_where_and_what(
    tmp_path: Path, step: str, difference: str
) -> None:
    status, lines = run(tmp_path, POSITION + f"steps:\n- {step}\n- BELLE: {{rob: JEWEL}}\n")
    assert status == 1
    assert lines[0].startswith(f"FAILED A shot: step 1 (line 9): {difference}")


def test_a_choice_that_fits_several_options_fails_with_their_list(tmp_path: Path) -> None:
    text = """\
name: Which way
seats: [BELLE, DOC, TUCO]
given: {bandits: {BELLE: 1.roof, DOC: 1.roof}}
pile: [BELLE: PUNCH]
steps:
- BELLE: {punch: DOC}
"""
    _, lines = run(tmp_path, text)
    assert lines[0] == (
        "FAILED Which way: step 1 (line 6): BELLE: {punch: DOC} fits several options: "
        "punch:DOC:PURSE:0.roof, punch:DOC:PURSE:2.roof"
    )


def test_a_choice_after_the_end_says_that_the_game_is_over(tmp_path: Path) -> None:
    text = """\
name: Too late
seats: [BELLE, DOC, TUCO]
given: {round: {number: 5}}
pile: []
steps:
- BELLE: {draw: true}
"""
    _, lines = run(tmp_path, text)
    assert lines[0].endswith("BELLE: {draw: true}, but the game is over")


def test_a_draw_that_cannot_come_out_fails(tmp_path: Path) -> None:
    text = """\
name: A miracle
seats: [BELLE, DOC, TUCO]
given: {bandits: {BELLE: 1.roof}, loot: {1.roof: [PURSE:300, PURSE:350]}, draws: [PURSE:500]}
pile: [BELLE: ROBBERY]
steps:
- BELLE: {rob: PURSE}
"""
    status, lines = run(tmp_path, text)
    assert status == 1
    assert lines[0].endswith("the game cannot draw PURSE:500 from PURSE:300, PURSE:350")


@pytest.mark.parametrize(
    ("draws", "first", "second"),
    [
        ("[PURSE:350, PURSE:500]", "PURSE:350", "PURSE:500"),
        ("[PURSE:500, PURSE:300]", "PURSE:500", "PURSE:300"),
    ],
)
def test_draws_come_out_in_order(tmp_path: Path, draws: str, first: str, second: str) -> None:
    text = f"""\
name: Two draws
seats: [BELLE, DOC, TUCO]
given:
  bandits: {{BELLE: 1.roof, DOC: 1.roof}}
  loot: {{1.roof: [PURSE:300, PURSE:350, PURSE:500]}}
  draws: {draws}
pile: [BELLE: ROBBERY, DOC: ROBBERY, BELLE: MOVE]
steps:
- BELLE: {{rob: PURSE}}
- DOC: {{rob: PURSE}}
expect: {{owns: {{BELLE: [PURSE:250, {first}], DOC: [PURSE:250, {second}]}}}}
"""
    assert run(tmp_path, text) == (0, ["ok Two draws", "1 passed, 0 failed"])


TWO = "seats: {P1: [TUCO, DOC], P2: [BELLE, GHOST]}"
PAIRS = "seats: [BELLE, DOC, TUCO, GHOST]\noptions: {variant: TEAMS}"
INVALID = [
    # text after the name, line, reason
    ("seats: [BELLE, DOC, TUCO]\nsteeps: []", 3, "unknown key steeps"),
    ("seats: [BELLE, DOC, TUCO]\nseats: [BELLE, DOC, TUCO]", 3, "seats stands twice"),
    ("given: {}", 1, "the key seats is missing"),
    ("seats: BELLE", 2, "seats: a list is expected, not BELLE"),
    ("seats: [BELLE, DOC, TUKO]", 2, "seats[2]: unknown bandit TUKO; there are GHOST"),
    ("seats: [BELLE, DOC, DOC]", 2, "seats: a bandit has two seats"),
    ("seats: [BELLE, DOC]", 2, "seats: a mapping is expected, not a list"),
    ("seats: [BELLE]", 2, "seats: STANDARD is for 3 or 4 or 5 or 6 seats, not 1"),
    (
        "seats: [BELLE, DOC, TUCO]\noptions: {variant: TEAMS}",
        2,
        "seats: TEAMS is for 4 or 6 seats, not 3; 3 seats can play STANDARD or EXPERT",
    ),
    ("seats: {P1: [TUCO], P2: [BELLE, GHOST]}", 2, "seats.P1: a seat leads 2 bandits, not 1"),
    ("seats: {P1: [TUCO, DOC], P3: [BELLE, GHOST]}", 2, "seats: unknown seat P3; there are P2"),
    ("seats: {P1: [TUCO, DOC], P2: [BELLE, TUCO]}", 2, "seats: a bandit has two seats"),
    ("seats: {P1: [TUCO, DOC], P2: [BELLE, JIM]}", 2, "seats.P2[1]: unknown bandit JIM"),
    ("seats: {P1: [A], P2: [B], P3: [C]}", 2, "seats: a list is expected, not a mapping"),
    (
        "seats: {P1: [TUCO, DOC], P2: [BELLE, GHOST]}\noptions: {variant: STANDARD}",
        2,
        "seats: STANDARD is for 3 or 4 or 5 or 6 seats, not 2",
    ),
    (f"{TWO}\ngiven: {{hands: {{P1: [FIRE]}}}}", 3, "unknown card FIRE; there are TUCO.MOVE"),
    (f"{TWO}\ngiven: {{hands: {{P1: [TUCO.MARSHAL]}}}}", 3, "unknown card TUCO.MARSHAL"),
    (f"{TWO}\ngiven: {{hands: {{P1: [BELLE.FIRE]}}}}", 3, "unknown card BELLE.FIRE"),
    (f"{TWO}\ngiven: {{hands: {{TUCO: [TUCO.FIRE]}}}}", 3, "unknown seat TUCO"),
    (f"{TWO}\ngiven: {{bandits: {{P1: 1.roof}}}}", 3, "unknown bandit P1"),
    (f"{TWO}\npile: [P1: FIRE]", 3, "unknown card FIRE"),
    (f"{TWO}\nsteps: [P1: {{play: JIM.FIRE}}]", 3, "unknown card JIM.FIRE"),
    (f"{TWO}\nsteps: [P1: {{keep: FIRE}}]", 3, "steps[0].P1.keep: a list is expected, not FIRE"),
    (f"{TWO}\nsteps: [P1: {{keep: [FLY]}}]", 3, "steps[0].P1.keep[0]: unknown card FLY"),
    (f"{PAIRS}\ngiven: {{first_player: DOC}}", 4, "given.first_player: DOC is never first player"),
    (f"{PAIRS}\ngiven: {{hands: {{DOC: [GHOST.FIRE]}}}}", 4, "unknown card GHOST.FIRE"),
    (f"{PAIRS}\ngiven: {{hands: {{DOC: [DOC.FIRE]}}}}", 4, "unknown card DOC.FIRE"),
    (f"{PAIRS}\ngiven: {{discards: {{DOC: []}}}}", 4, "unknown key of given discards"),
    ("seats: [BELLE, DOC, MEI]", 2, "seats[2]: not part of this game: MEI"),
    ("seats: [MARSHAL, DOC, BELLE]", 2, "seats[0]: not part of this game: MARSHAL"),
    ("seats: [BELLE, DOC, TUCO]\nrule: one", 3, "rule: a paragraph such as 1.6.7 is expected"),
    ("seats: [BELLE, DOC, TUCO]\noptions: {variant: SOLO}", 3, "options.variant: unknown variant"),
    (
        "seats: [BELLE, DOC, TUCO]\noptions: {expansions: [GOLD_RUSH]}",
        3,
        "options.expansions[0]: unknown expansion GOLD_RUSH",
    ),
    ("seats: [BELLE, DOC, TUCO]\noptions: {edition: OLD}", 3, "options.edition: unknown edition"),
    (
        "seats: [BELLE, DOC, TUCO]\noptions: {closing_actions: false}",
        3,
        "options: only MARSHAL_AND_PRISONERS has them, to play without",
    ),
    ("seats: [BELLE, DOC, TUCO]\ngiven:\n  stagecoach: 2", 4, "not part of this game: stagecoach"),
    ("seats: [BELLE, DOC, TUCO]\ngiven:\n  marshall: 2", 4, "unknown key of given marshall"),
    ("seats: [BELLE, DOC, TUCO]\ngiven:\n  marshal: 4", 4, "given.marshal: 4 is not from 0 to 3"),
    ("seats: [BELLE, DOC, TUCO]\ngiven:\n  marshal: back", 4, "a number is expected, not back"),
    ("seats: [BELLE, DOC, TUCO]\ngiven:\n  marshal: [1]", 4, "a number is expected, not a list"),
    ("seats: [BELLE, DOC, TUCO]\ngiven:\n  marshal: '1'", 4, "given.marshal: a number is expected"),
    ("seats: [BELLE, DOC, TUCO]\ngiven:", 3, "given: a mapping is expected, not nothing"),
    (
        "seats: [BELLE, DOC, TUCO]\ngiven: {marshal: 1, bandits: {BELLE: 1.inside}}",
        3,
        "BELLE stands INSIDE the Marshal's car",
    ),
    (
        "seats: [BELLE, DOC, TUCO]\ngiven:\n  marshal: 2",
        4,
        "DOC stands INSIDE the Marshal's car",
    ),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {cars: 1}", 3, "DOC stands INSIDE the Marshal's car"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {cars: 7}", 3, "given.cars: 7 is not from 1 to 6"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {cars: [A, G]}", 3, "given.cars[1]: unknown car G"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {cars: [A, A]}", 3, "each letter once"),
    (
        "seats: [BELLE, DOC, TUCO]\ngiven:\n  bandits:\n    BELLE: 4.roof",
        5,
        "given.bandits.BELLE: this train has no space 4.roof",
    ),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {bandits: {BELLE: roof}}", 3, "unknown space roof"),
    (
        "seats: [BELLE, DOC, TUCO]\ngiven: {bandits: {BELLE: stagecoach.roof}}",
        3,
        "not part of this game: stagecoach.roof",
    ),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {bandits: {GHOST: 1.roof}}", 3, "unknown bandit GHOST"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {loot: {1.roof: [PURSE:275]}}", 3, "unknown loot"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {loot: {1.roof: [FLASK]}}", 3, "not part of this game"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {owns: {DOC: PURSE}}", 3, "a list is expected, not PURSE"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {known: {DOC: [1.roof PURSE:300]}}", 3, "no further"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {known: {DOC: [9.roof PURSE:300]}}", 3, "no space"),
    (
        "seats: [BELLE, DOC, TUCO]\ngiven: {known: {DOC: [1.roof JEWEL]}}",
        3,
        "a place and loot with",
    ),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {bullets_left: {DOC: -1}}", 3, "-1 is not from 0 to 999"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {bullets_left: {DOC: 1000}}", 3, "is not from 0 to 999"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {bullets_received: {DOC: [MEI]}}", 3, "not part of this"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {bullets_received: {DOC: 2}}", 3, "a list is expected"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {strongbox_waiting: 1}", 3, "true or false is expected"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {hands: {DOC: [RIDE]}}", 3, "not part of this game: RIDE"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {hands: {DOC: [TUCO.FIRE]}}", 3, "unknown card TUCO.FIRE"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {hands: {DOC: [BULLET:JIM]}}", 3, "unknown card"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {decks: {DOC: [FIRE, HIDDEN]}}", 3, "unknown card HIDDEN"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {draws: [RUBY]}", 3, "given.draws[0]: unknown loot RUBY"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {first_player: GHOST}", 3, "unknown seat GHOST"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {round: {number: 6}}", 3, "6 is not from 1 to 5"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {round: {turns: [TURMOIL]}}", 3, "not part of this game"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {round: {event: RAIN}}", 3, "unknown event RAIN"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {round: {event: ESCAPE}}", 3, "not part of this game"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {round: {keep: 1}}", 3, "not part of this game: keep"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {next_round: {number: 1}}", 3, "is followed by round 2"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {turn: {index: 1}}", 3, "1 is not from 0 to 0"),
    ("seats: [GHOST, DOC, TUCO]\ngiven: {turn: {ghost_power: lost}}", 3, "no power is lost"),
    ("seats: [BELLE, DOC, TUCO]\ngiven: {turn: {index: 0}}\npile: []", 3, "only a game that goes"),
    ("seats: [BELLE, DOC, TUCO]\npile: [DOC]", 3, "pile[0]: a mapping is expected, not DOC"),
    ("seats: [BELLE, DOC, TUCO]\npile: [GHOST: FIRE]", 3, "unknown seat GHOST"),
    ("seats: [BELLE, DOC, TUCO]\npile: [DOC: BULLET]", 3, "unknown card BULLET"),
    ("seats: [BELLE, DOC, TUCO]\npile: [DOC: {face_down: true}]", 3, "the card is missing"),
    ("seats: [BELLE, DOC, TUCO]\npile: []\nplan: []", 4, "begins at Stealin'"),
    ("seats: [BELLE, DOC, TUCO]\npile: []\nstart: ROUND", 4, "begins at Stealin'"),
    ("seats: [BELLE, DOC, TUCO]\nplan: []\nstart: ROUND", 3, "begins in Schemin'"),
    ("seats: [BELLE, DOC, TUCO]\nstart: STEALIN", 3, "unknown start STEALIN"),
    ("seats: [BELLE, DOC, TUCO]\nsteps: [GHOST: {draw: true}]", 3, "unknown seat GHOST"),
    ("seats: [BELLE, DOC, TUCO]\nsteps:\n- MARSHAL: {draw: true}", 4, "not part of this game"),
    ("seats: [BELLE, DOC, TUCO]\nsteps:\n- DOC: {draw: false}", 4, "true is all that can be"),
    ("seats: [BELLE, DOC, TUCO]\nsteps:\n- DOC: {drawn: true}", 4, "unknown key of a choice drawn"),
    (
        "seats: [BELLE, DOC, TUCO]\nsteps:\n- DOC: {ride: 2.inside}",
        4,
        "not part of this game: ride",
    ),
    ("seats: [BELLE, DOC, TUCO]\nsteps:\n- DOC: {keep: [FIRE]}", 4, "unknown key of a choice keep"),
    ("seats: [BELLE, DOC, TUCO]\nsteps:\n- DOC: {draw: true, move: 1.roof}", 4, "unknown key"),
    ("seats: [BELLE, DOC, TUCO]\nsteps:\n- DOC: {drop: JEWEL}", 4, "unknown key of a choice drop"),
    ("seats: [BELLE, DOC, TUCO]\nsteps:\n- DOC: {}", 4, "a choice is expected"),
    ("seats: [BELLE, DOC, TUCO]\nsteps:\n- DOC: {fire: SHOTGUN}", 4, "not part of this game"),
    ("seats: [BELLE, DOC, TUCO]\nsteps:\n- DOC: {move: nowhere}", 4, "unknown space nowhere"),
    (
        "seats: [BELLE, DOC, TUCO]\nsteps:\n- DOC: {take: JEWEL}",
        4,
        "a purse is expected, not JEWEL",
    ),
    (
        "seats: [BELLE, DOC, TUCO]\nsteps:\n- DOC: {punch: TUCO, drop: PURSE:300}",
        4,
        "steps[0].DOC.drop: which one falls is drawn by the game",
    ),
    ("seats: [BELLE, DOC, TUCO]\nsteps:\n- {DOC: {draw: true}, TUCO: {draw: true}}", 4, "one key"),
    ("seats: [BELLE, DOC, TUCO]\nsteps:\n- rejected: {reason: X}", 4, "a seat and its choice"),
    ("seats: [BELLE, DOC, TUCO]\nsteps:\n- timeout: GHOST", 4, "unknown seat GHOST"),
    ("seats: [BELLE, DOC, TUCO]\nsteps:\n- sees: {GHOST: {marshal: 1}}", 4, "unknown seat GHOST"),
    ("seats: [BELLE, DOC, TUCO]\nsteps:\n- sees: {DOC: {goals: {}}}", 4, "not part of this game"),
    ("seats: [BELLE, DOC, TUCO]\nexpect: {neutral_bulets: 2}", 3, "unknown key of expect"),
    ("seats: [BELLE, DOC, TUCO]\nexpect: {goals_met: 3}", 3, "not part of this game: goals_met"),
    ("seats: [BELLE, DOC, TUCO]\nexpect: {decision: RIDE}", 3, "not part of this game: RIDE"),
    ("seats: [BELLE, DOC, TUCO]\nexpect: {phase: HORSE_ATTACK}", 3, "not part of this game"),
    ("seats: [BELLE, DOC, TUCO]\nexpect: {log: [RAINED]}", 3, "unknown event kind RAINED"),
    ("seats: [BELLE, DOC, TUCO]\nexpect: {pile: []}", 3, "unknown key of expect pile"),
    ("seats: [BELLE, DOC, TUCO]\nexpect: {deciding: DOC}", 3, "a list is expected, not DOC"),
    ("seats: [BELLE, DOC, TUCO]\nexpect: &x {round: 1}\nsteps: *x", 4, "aliases have no place"),
    ("seats: [BELLE, DOC, TUCO\nexpect: {}", 3, "no YAML"),
    ("seats: [BELLE, DOC, TUCO]\n\tsteps: []", 3, "no YAML"),
    (f"seats: [BELLE, DOC, TUCO]\ngiven: {{draws: [{'JEWEL, ' * 61}]}}", 3, "at most 60"),
    (f"seats: {'[' * 5000}{']' * 5000}", 1, "nested so deeply"),
]


@pytest.mark.parametrize(("text", "line", "reason"), INVALID)
def test_what_is_no_scenario_is_refused_with_file_line_and_reason(
    tmp_path: Path, text: str, line: int, reason: str
) -> None:
    status, lines = run(tmp_path, f"name: Not like this\n{text}\n")
    assert status == 2
    assert len(lines) == 2, lines
    assert lines[0].startswith(f"{tmp_path / '0.yaml'}:{line}: ")
    assert reason in lines[0]
    assert lines[1] == "0 passed, 0 failed"


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "---\n---\n", "- a\n- b\n", "name: x\n", "\x00", "42\n"]
)
def test_a_file_without_a_scenario_is_refused(tmp_path: Path, text: str) -> None:
    status, lines = run(tmp_path, text)
    assert status == 2
    assert lines[0].startswith(f"{tmp_path / '0.yaml'}:1: ")


def test_what_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "noise.yaml"
    path.write_bytes(bytes(range(256)))
    lines: list[str] = []
    assert run_files([path], lines.append) == 2
    assert "no YAML" in lines[0]


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    lines: list[str] = []
    assert run_files([tmp_path / "nowhere.yaml"], lines.append) == 2
    assert lines[0] == f"{tmp_path / 'nowhere.yaml'}: No such file or directory"


def test_no_valid_scenario_takes_precedence_but_the_others_are_played(tmp_path: Path) -> None:
    fails = POSITION + "expect: {marshal: 1}\n"
    invalid = "name: No seats\n"
    status, lines = run(tmp_path, f"{invalid}---\n{POSITION}", fails)
    assert status == 2
    assert lines == [
        f"{tmp_path / '0.yaml'}:1: the key seats is missing",
        "ok A shot",
        "FAILED A shot: marshal is 0, not 1",
        "1 passed, 1 failed",
    ]


def test_scenarios_before_a_mistake_in_the_yaml_are_played(tmp_path: Path) -> None:
    status, lines = run(tmp_path, f"{POSITION}---\nname: [\n")
    assert status == 2
    assert lines[0] == "ok A shot"
    assert lines[1].startswith(f"{tmp_path / '0.yaml'}:10: no YAML: ")
    assert lines[2] == "1 passed, 0 failed"


def test_a_folder_stands_for_the_scenario_files_in_it(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b.yaml").write_text(POSITION.replace("A shot", "B"), "utf-8")
    (tmp_path / "a.yml").write_text(POSITION.replace("A shot", "A"), "utf-8")
    (tmp_path / "notes.txt").write_text("no scenario", "utf-8")
    lines: list[str] = []
    assert run_files([tmp_path], lines.append) == 0
    assert lines == ["ok A", "ok B", "2 passed, 0 failed"]


def test_a_folder_without_a_scenario_file_is_refused(tmp_path: Path) -> None:
    lines: list[str] = []
    assert run_files([tmp_path], lines.append) == 2
    assert lines[0] == f"{tmp_path}: there is no scenario file in this folder"
