"""The words of Horses & Stagecoach: each can fail, and what is no position is refused."""

from pathlib import Path

import pytest

from coltexpress_server.game.boxes import rules_for
from coltexpress_server.game.options import STANDARD, Options
from coltexpress_server.scenarios.words import language_for
from tests.scenarios.files import run

OPTIONS = Options("STANDARD", ("HORSES_AND_STAGECOACH",), "BIG_BOX", ())

POSITION = """\
name: A ride
options: {expansions: [HORSES_AND_STAGECOACH]}
seats: [BELLE, DOC, TUCO]
given:
  stagecoach: 1
  shotgun: 1.roof
  bandits: {BELLE: 2.roof, DOC: stagecoach.inside}
  horses: [2, 3]
  hostages: {DOC: BANKER}
  loot: {1.inside: [FLASK, OLD_FLASK], 2.inside: [HALF_FLASK]}
  bullets_received: {DOC: [BELLE, NEUTRAL]}
  this_round: {DOC: 1}
  round: {turns: [TURMOIL], keep: 2}
pile: [BELLE: RIDE]
"""

WRONG = {
    "stagecoach": "2",
    "shotgun": "2.roof",
    "horses": "[2, 2]",
    "hostages": "{DOC: POODLE}",
    "displayed_hostages": "[BANKER]",
    "this_round": "{DOC: 2}",
}


@pytest.mark.parametrize("key", sorted(WRONG))
def test_every_key_of_expect_can_fail(tmp_path: Path, key: str) -> None:
    status, lines = run(tmp_path, POSITION + f"expect: {{{key}: {WRONG[key]}}}\n")
    assert status == 1, lines
    assert lines[0].startswith(f"FAILED A ride: {key}")


def test_every_key_of_the_box_is_among_those_that_can_fail() -> None:
    base = language_for(rules_for(STANDARD, 3)).expected
    assert language_for(rules_for(OPTIONS, 3)).expected.keys() - base.keys() == WRONG.keys()


@pytest.mark.parametrize(
    ("expectation", "status"),
    [
        ("horses: [3, 2]", 0),
        ("horses: [2]", 1),
        ("hostages: {DOC: BANKER}", 0),
        ("hostages: {BELLE: BANKER}", 1),
        ("displayed_hostages: [POODLE]", 0),
        ("displayed_hostages: []", 1),
        ("this_round: {DOC: 1, BELLE: 0}", 0),
        ("loot: {1.inside: [OLD_FLASK, FLASK], 2.inside: [HALF_FLASK]}", 0),
        ("loot: {1.inside: [FLASK, FLASK]}", 1),
        ("loot: {2.inside: [FLASK]}", 1),
        ("loot: {2.inside: [HALF_OLD_FLASK]}", 1),
        ("bandits: {DOC: stagecoach.inside}", 0),
        ("bandits: {DOC: stagecoach.roof}", 1),
        ("bandits: {DOC: gone}", 1),
        ("round: {turns: [TURMOIL], keep: 2}", 0),
        ("round: {keep: 1}", 1),
        ("next_round: {keep: 0}", 0),
        ("decision: RIDE", 0),
        ("decision: TURMOIL", 1),
        ("phase: HORSE_ATTACK", 1),
        ("scores: {DOC: -150}", 1),
    ],
)
def test_an_expectation_holds_or_not(tmp_path: Path, expectation: str, status: int) -> None:
    found, lines = run(tmp_path, POSITION + f"expect: {{{expectation}}}\n")
    assert found == status, lines


@pytest.mark.parametrize(
    ("step", "difference"),
    [
        ("BELLE: {ride: 3.inside}", ""),
        ("BELLE: {ride: gone}", "BELLE: {ride: gone} fits no option: ride:0.inside"),
        ("BELLE: {ride: 2.roof}", "BELLE: {ride: 2.roof} fits no option"),
        ("rejected: {BELLE: {ride: 2.inside}}", "BELLE: {ride: 2.inside} is offered"),
        ("sees: {DOC: {loot: {1.inside: [FLASK, FLASK]}}}", ""),
        (
            "sees: {DOC: {loot: {1.inside: [FLASK, OLD_FLASK]}}}",
            "DOC sees: loot 1.inside is [FLASK, FLASK], not [FLASK, OLD_FLASK]",
        ),
        ("DOC: {hostage: POODLE}", "DOC: {hostage: POODLE}, but BELLE decides on RIDE"),
    ],
)
def test_a_step_holds_or_says_what_differs(tmp_path: Path, step: str, difference: str) -> None:
    status, lines = run(tmp_path, POSITION + f"steps:\n- {step}\n")
    assert status == bool(difference), lines
    assert difference in lines[0]


GUARDED = """\
name: A strongbox under the Shotgun
options: {expansions: [HORSES_AND_STAGECOACH]}
seats: [BELLE, DOC, TUCO]
given: {loot: {stagecoach.roof: [JEWEL]}}
"""


@pytest.mark.parametrize(
    ("loot", "status"),
    [
        ("[JEWEL]", 0),
        ("[STRONGBOX, JEWEL]", 0),
        ("[]", 1),
        ("[STRONGBOX]", 1),
        ("[STRONGBOX, STRONGBOX, JEWEL]", 1),
    ],
)
def test_the_guarded_strongbox_may_be_named(tmp_path: Path, loot: str, status: int) -> None:
    text = f"{GUARDED}expect: {{loot: {{stagecoach.roof: {loot}}}}}\n"
    found, lines = run(tmp_path, text)
    assert found == status, lines


KEEPING = """\
name: Which card
options: {expansions: [HORSES_AND_STAGECOACH]}
seats: [BELLE, DOC, TUCO]
given: {hands: {BELLE: [FIRE, MOVE], DOC: [], TUCO: []}, round: {turns: [], keep: 1}}
"""


@pytest.mark.parametrize(
    ("step", "difference"),
    [
        ("options: {BELLE: [{keep: [FIRE]}, {keep: [MOVE]}, {keep: []}]}", ""),
        ("options: {BELLE: {keep: [FIRE, MOVE]}}", "1 of keep:MOVE,FIRE, not all of"),
        ("options: {BELLE: {keep: [MOVE]}}", "1 of keep:MOVE,FIRE, not all of {keep: MOVE}"),
        ("BELLE: {keep: [FIRE, MOVE]}", "BELLE: {keep: MOVE,FIRE} fits no option"),
        ("rejected: {BELLE: {keep: [FIRE, MOVE]}}", ""),
    ],
)
def test_a_set_has_a_greatest_number(tmp_path: Path, step: str, difference: str) -> None:
    status, lines = run(tmp_path, KEEPING + f"steps:\n- {step}\n")
    assert status == bool(difference), lines
    assert difference in lines[0]


BOARDING = """\
name: Who boards
options: {variant: EXPERT, expansions: [HORSES_AND_STAGECOACH]}
seats: {P1: [TUCO, CHEYENNE], P2: [DJANGO, DOC]}
start: SETUP
steps:
"""


@pytest.mark.parametrize(
    ("step", "difference"),
    [
        ("P1: {board: [CHEYENNE, TUCO]}", ""),
        ("P1: {board: []}", ""),
        ("P1: {board: true}", "P1: {board: true} fits no option: board:TUCO,CHEYENNE"),
        ("P1: {board: 3}", "P1: {board: 3} fits no option"),
        ("P1: {board: [DOC]}", "P1: {board: DOC} fits no option"),
        ("rejected: {P1: {board: {TUCO: 4, CHEYENNE: 3}}}", ""),
    ],
)
def test_boarding_is_written_in_any_order(tmp_path: Path, step: str, difference: str) -> None:
    status, lines = run(tmp_path, BOARDING + f"- {step}\n")
    assert status == bool(difference), lines
    assert difference in lines[0]


SEATS = "options: {expansions: [HORSES_AND_STAGECOACH]}\nseats: [BELLE, DOC, TUCO]"
INVALID = [
    # text after the name, line, reason
    (f"{SEATS}\ngiven:\n  stagecoach: 4", 5, "given.stagecoach: 4 is not from 0 to 3"),
    (f"{SEATS}\ngiven:\n  stagecoach: 1.roof", 5, "a number is expected, not 1.roof"),
    (f"{SEATS}\ngiven: {{shotgun: 1.inside}}", 4, "given.shotgun: a roof is expected"),
    (f"{SEATS}\ngiven: {{shotgun: 4.roof}}", 4, "this train has no space 4.roof"),
    (f"{SEATS}\ngiven: {{shotgun: gone}}", 4, "given.shotgun: not part of this game: gone"),
    (
        f"{SEATS}\ngiven:\n  bandits: {{DOC: 2.roof}}\n  shotgun: 2.roof",
        5,
        "given: DOC stands on the Shotgun's roof",
    ),
    (f"{SEATS}\ngiven: {{horses: 3}}", 4, "given.horses: a list is expected, not 3"),
    (f"{SEATS}\ngiven: {{horses: [4]}}", 4, "given.horses[0]: 4 is not from 0 to 3"),
    (f"{SEATS}\ngiven: {{hostages: {{DOC: LADY}}}}", 4, "unknown hostage LADY; there are POODLE"),
    (f"{SEATS}\ngiven: {{hostages: {{GHOST: BANKER}}}}", 4, "unknown bandit GHOST"),
    (
        f"{SEATS}\ngiven: {{hostages: {{DOC: BANKER, TUCO: BANKER}}}}",
        4,
        "given.hostages.TUCO: BANKER is held by two bandits",
    ),
    (f"{SEATS}\ngiven: {{displayed_hostages: [BANKER, BANKER]}}", 4, "a hostage is named twice"),
    (
        f"{SEATS}\ngiven:\n  hostages: {{DOC: BANKER}}\n  displayed_hostages: [BANKER]",
        6,
        "given: BANKER is held and displayed",
    ),
    (f"{SEATS}\ngiven: {{this_round: {{DOC: 1}}}}", 4, "this_round.DOC: DOC has received 0 bull"),
    (f"{SEATS}\ngiven: {{round: {{keep: -1}}}}", 4, "given.round.keep: -1 is not from 0 to"),
    (f"{SEATS}\ngiven: {{round: {{turns: [JOLT]}}}}", 4, "unknown turn JOLT"),
    (f"{SEATS}\ngiven: {{loot: {{1.roof: [MAILBAG]}}}}", 4, "not part of this game: MAILBAG"),
    (f"{SEATS}\ngiven: {{loot: {{gone: [JEWEL]}}}}", 4, "not part of this game: gone"),
    (f"{SEATS}\ngiven: {{bandits: {{DOC: stagecoach}}}}", 4, "unknown space stagecoach"),
    (f"{SEATS}\npile: [DOC: CAPTURE]", 4, "not part of this game: CAPTURE"),
    (f"{SEATS}\nsteps: [DOC: {{board: maybe}}]", 4, "true or false is expected, not maybe"),
    (f"{SEATS}\nsteps: [DOC: {{hostage: LADY}}]", 4, "unknown hostage LADY"),
    (f"{SEATS}\nsteps: [DOC: {{whiskey: OLD_FLASK}}]", 4, "unknown flask OLD_FLASK"),
    (f"{SEATS}\nsteps: [DOC: {{of: DOC}}]", 4, "unknown key of a choice of"),
    (f"{SEATS}\nsteps: [DOC: {{ride: away}}]", 4, "unknown space away"),
    (f"{SEATS}\nsteps: [DOC: {{flee: gone}}]", 4, "not part of this game: gone"),
    (f"{SEATS}\nexpect: {{phase: JOLT}}", 4, "unknown phase JOLT; there are HORSE_ATTACK"),
    (
        "options: {expansions: [HORSES_AND_STAGECOACH, HORSES_AND_STAGECOACH]}\nseats: [BELLE]",
        3,
        "is named twice",
    ),
]


@pytest.mark.parametrize(("text", "line", "reason"), INVALID)
def test_what_is_no_scenario_is_refused(tmp_path: Path, text: str, line: int, reason: str) -> None:
    status, lines = run(tmp_path, f"name: Not like this\n{text}\n")
    assert status == 2
    assert lines[0].startswith(f"{tmp_path / '0.yaml'}:{line}: "), lines
    assert reason in lines[0]
