"""The words of Marshal & Prisoners: each can fail, and what is no position is refused."""

from pathlib import Path

import pytest

from coltexpress_server.game.boxes import rules_for
from coltexpress_server.game.options import STANDARD, Options
from coltexpress_server.scenarios.words import language_for
from tests.scenarios.files import run

OPTIONS = Options("STANDARD", ("MARSHAL_AND_PRISONERS",), "BIG_BOX", ())

SEATS = "options: {expansions: [MARSHAL_AND_PRISONERS]}\nseats: [MARSHAL, BELLE, DOC, TUCO]"
POSITION = f"""\
name: A chase
{SEATS}
given:
  marshal: 2.inside
  bandits: {{BELLE: 1.inside, DOC: 2.inside, TUCO: cell}}
  prisoners: {{DOC: MEI}}
  displayed_prisoners: [GHOST]
  posters: [DOC]
  achievements: [PRISONER:BELLE, MAILBAG:200]
  cylinders: [[DISARMED, GOT_EM], [GOLDEN_BULLET]]
  goals: {{current: [WARRANT:DOC], upcoming: [UNBEATEN]}}
  brawlers: [BRONZE]
  brawlers_of: {{DOC: [SILVER, GOLD]}}
  injuries: {{BELLE: [WOUNDED_KNEE]}}
  owns: {{DOC: [MAILBAG:1200]}}
  bullets_received: {{DOC: [MARSHAL]}}
pile: [MARSHAL: FIRE, DOC: MOVE]
"""

WRONG = {
    "marshal": "2.roof",
    "prisoners": "{DOC: GHOST}",
    "displayed_prisoners": "[]",
    "posters": "[DOC]",
    "achievements": "[PRISONER:BELLE]",
    "cylinders": "[[GOT_EM], [GOLDEN_BULLET]]",
    "goals": "{current: [WARRANT:BELLE]}",
    "goals_met": "1",
    "brawlers": "[GOLD]",
    "brawlers_of": "{DOC: [GOLD, SILVER]}",
    "injuries": "{BELLE: []}",
}


@pytest.mark.parametrize("key", sorted(WRONG))
def test_every_key_of_expect_can_fail(tmp_path: Path, key: str) -> None:
    status, lines = run(tmp_path, POSITION + f"expect: {{{key}: {WRONG[key]}}}\n")
    assert status == 1, lines
    assert lines[0].startswith(f"FAILED A chase: {key}")


def test_every_key_of_the_box_is_among_those_that_can_fail() -> None:
    base = language_for(rules_for(STANDARD, 4)).expected
    ours = language_for(rules_for(OPTIONS, 4)).expected
    assert {key for key in ours if ours[key] is not base.get(key)} == WRONG.keys()


@pytest.mark.parametrize(
    ("expectation", "status"),
    [
        ("marshal: 2.inside", 0),
        ("bandits: {TUCO: cell}", 0),
        ("bandits: {TUCO: 5.inside}", 1),
        ("prisoners: {BELLE: MEI}", 1),
        ("posters: [TUCO, DOC]", 0),
        ("achievements: [MAILBAG:200, PRISONER:BELLE]", 0),
        ("achievements: [MAILBAG:1200, PRISONER:BELLE]", 1),
        ("cylinders: [[DISARMED, GOT_EM], [GOLDEN_BULLET]]", 0),
        ("cylinders: [[GOT_EM, DISARMED], [GOLDEN_BULLET]]", 1),
        ("goals: {current: [WARRANT:DOC], upcoming: [UNBEATEN]}", 0),
        ("goals: {upcoming: [FULL_CELL]}", 1),
        ("goals: {current: [HIDDEN]}", 1),
        ("goals_met: 2", 0),
        ("brawlers_of: {DOC: [SILVER, GOLD], BELLE: []}", 0),
        ("injuries: {BELLE: [WOUNDED_KNEE], DOC: []}", 0),
        ("bullets_received: {DOC: [MARSHAL]}", 0),
        ("bullets_received: {DOC: [NEUTRAL]}", 1),
        ("owns: {DOC: [MAILBAG:1200]}", 0),
        ("owns: {DOC: [MAILBAG:200]}", 1),
        ("cars: [A, B, C, D]", 0),
        ("cars: 5", 1),
        ("decision: FIRE", 0),
        ("decision: CAPTURE", 1),
        ("decision: LEAVE_CELL", 1),
    ],
)
def test_an_expectation_holds_or_not(tmp_path: Path, expectation: str, status: int) -> None:
    found, lines = run(tmp_path, POSITION + f"expect: {{{expectation}}}\n")
    assert found == status, lines


@pytest.mark.parametrize(
    ("step", "difference"),
    [
        ("MARSHAL: {fire: BELLE}", ""),
        ("MARSHAL: {fire: BELLE, cylinder: 2}", ""),
        ("MARSHAL: {fire: DOC}", "MARSHAL: {fire: DOC} fits no option: fire:BELLE:1, fire:BELLE:2"),
        ("MARSHAL: {fire: [BELLE, DOC]}", "{fire: BELLE,DOC} fits no option"),
        ("options: {MARSHAL: [{fire: BELLE, cylinder: 2}, {fire: BELLE}]}", ""),
        ("options: {MARSHAL: [{fire: BELLE}]}", "fire:BELLE:2 are offered, too"),
        ("rejected: {MARSHAL: {fire: BELLE}}", "{fire: BELLE} is offered"),
        ("rejected: {MARSHAL: {fire: DOC}, reason: NOT_IN_SIGHT}", ""),
        ("rejected: {MARSHAL: {fire: [DOC, BELLE]}, reason: NOT_IN_SIGHT}", ""),
        ("rejected: {MARSHAL: {capture: DOC}, reason: WRONG_CHOICE}", ""),
        ("rejected: {DOC: {fire: BELLE}, reason: NOT_YOUR_DECISION}", ""),
        ("rejected: {MARSHAL: {rob: [JEWEL, PURSE:300]}, reason: WRONG_CHOICE}", ""),
        ("rejected: {MARSHAL: {free: PRISONER:MEI}, reason: WRONG_CHOICE}", ""),
        ("rejected: {MARSHAL: {free: DOC}, reason: WRONG_CHOICE}", ""),
        ("rejected: {MARSHAL: {give: MAILBAG:200}, reason: WRONG_CHOICE}", ""),
        ("rejected: {MARSHAL: {leave_cell: 5.roof}, reason: WRONG_CHOICE}", ""),
        ("rejected: {MARSHAL: {search: true}, reason: WRONG_CHOICE}", ""),
        ("sees: {MARSHAL: {goals: {current: [WARRANT:DOC], upcoming: [HIDDEN]}}}", ""),
        (
            "sees: {DOC: {goals: {current: [WARRANT:DOC]}}}",
            "DOC sees: goals current is [HIDDEN], not [WARRANT:DOC]",
        ),
        ("sees: {DOC: {goals_met: 2}}", "which goals hold is not known to a viewer"),
        (
            "sees: {DOC: {achievements: [PRISONER:BELLE, MAILBAG:200]}}",
            "DOC sees: achievements is [MAILBAG, PRISONER:BELLE], not [MAILBAG:200,",
        ),
    ],
)
def test_a_step_holds_or_says_what_differs(tmp_path: Path, step: str, difference: str) -> None:
    status, lines = run(tmp_path, POSITION + f"steps:\n- {step}\n")
    assert status == bool(difference), lines
    assert difference in lines[0]


ROBBING = f"""\
name: Two at once
{SEATS}
given:
  bandits: {{DOC: 1.inside}}
  prisoners: {{DOC: DOC}}
  loot: {{1.inside: [PURSE:300, JEWEL]}}
pile: [DOC: ROBBERY]
"""


@pytest.mark.parametrize(
    ("choice", "difference"),
    [
        ("[PURSE, JEWEL]", ""),
        ("[JEWEL, PURSE]", ""),
        ("PURSE", ""),
        ("[PURSE, PURSE]", "{rob: PURSE,PURSE} fits no option: rob:JEWEL, rob:PURSE, rob:JEWEL,P"),
    ],
)
def test_two_tokens_are_written_in_any_order(tmp_path: Path, choice: str, difference: str) -> None:
    status, lines = run(tmp_path, ROBBING + f"steps:\n- DOC: {{rob: {choice}}}\n")
    assert status == bool(difference), lines
    assert difference in lines[0]


INVALID = [
    # text after the name, line, reason
    ("seats: [BELLE, DOC, TUCO]\noptions: {expansions: [MARSHAL_AND_PRISONERS]}", 2, "are MARSHAL"),
    (
        "options: {expansions: [MARSHAL_AND_PRISONERS]}\nseats: [MARSHAL, DOC]",
        3,
        "seats: EXPERT is for 3 or 4 or 5 or 6 or 7 or 8 seats, not 2",
    ),
    (
        SEATS.replace("{", "{variant: TEAMS, "),
        2,
        "options: TEAMS is not played with MARSHAL_AND_PRISONERS",
    ),
    (
        "options: {expansions: [MARSHAL_AND_PRISONERS], closing_actions: 1}\nseats: []",
        2,
        "options.closing_actions: true or false is expected, not 1",
    ),
    (f"{SEATS}\ngiven: {{marshal: 2}}", 4, "given.marshal: unknown space 2"),
    (f"{SEATS}\ngiven: {{marshal: cell}}", 4, "given.marshal: not part of this game: cell"),
    (f"{SEATS}\ngiven: {{bandits: {{MARSHAL: 2.roof}}}}", 4, "not part of this game: MARSHAL"),
    (f"{SEATS}\ngiven: {{prisoners: {{DOC: JIM}}}}", 4, "unknown prisoner JIM"),
    (f"{SEATS}\ngiven: {{prisoners: {{MARSHAL: MEI}}}}", 4, "not part of this game: MARSHAL"),
    (
        f"{SEATS}\ngiven: {{prisoners: {{DOC: MEI, BELLE: MEI}}}}",
        4,
        "given.prisoners.BELLE: MEI has been freed by two bandits",
    ),
    (f"{SEATS}\ngiven: {{displayed_prisoners: [DOC, JIM]}}", 4, "unknown prisoner JIM"),
    (f"{SEATS}\ngiven: {{posters: [GHOST]}}", 4, "unknown bandit GHOST"),
    (f"{SEATS}\ngiven: {{achievements: [JEWEL]}}", 4, "unknown achievement JEWEL"),
    (f"{SEATS}\ngiven: {{cylinders: [[]]}}", 4, "given.cylinders: 2 cylinders are expected, not 1"),
    (f"{SEATS}\ngiven: {{cylinders: [[], [BULLET]]}}", 4, "unknown bullet BULLET"),
    (f"{SEATS}\ngiven: {{goals: {{current: [WARRANT:GHOST]}}}}", 4, "unknown goal WARRANT:GHOST"),
    (f"{SEATS}\ngiven: {{goals: {{current: [ARCH_ENEMY]}}}}", 4, "unknown goal ARCH_ENEMY"),
    (f"{SEATS}\ngiven: {{goals: {{current: [HIDDEN]}}}}", 4, "unknown goal HIDDEN"),
    (f"{SEATS}\ngiven: {{goals: [UNBEATEN]}}", 4, "given.goals: a mapping is expected"),
    (f"{SEATS}\ngiven: {{brawlers: [IRON]}}", 4, "unknown Brawler IRON"),
    (f"{SEATS}\ngiven: {{injuries: {{DOC: [GOT_EM]}}}}", 4, "unknown injury GOT_EM"),
    (f"{SEATS}\ngiven: {{bullets_received: {{DOC: [DISARMED]}}}}", 4, "unknown giver DISARMED"),
    (f"{SEATS}\ngiven: {{hands: {{DOC: [BULLET:MARSHAL]}}}}", 4, "unknown card BULLET:MARSHAL"),
    (f"{SEATS}\ngiven: {{hands: {{DOC: [MARSHAL]}}}}", 4, "unknown card MARSHAL"),
    (f"{SEATS}\ngiven: {{hands: {{MARSHAL: [PUNCH]}}}}", 4, "unknown card PUNCH"),
    (f"{SEATS}\ngiven: {{hands: {{DOC: [RIDE]}}}}", 4, "not part of this game: RIDE"),
    (f"{SEATS}\ngiven: {{stagecoach: 1}}", 4, "not part of this game: stagecoach"),
    (f"{SEATS}\ngiven: {{loot: {{1.roof: [MAILBAG:300]}}}}", 4, "MAILBAG:300"),
    (f"{SEATS}\nsteps: [MARSHAL: {{fire: DOC, cylinder: 3}}]", 4, "cylinder: 3 is not from 1 to 2"),
    (f"{SEATS}\nsteps: [MARSHAL: {{fire: [DOC]}}]", 4, "fire: one target for each cylinder is"),
    (f"{SEATS}\nsteps: [DOC: {{rob: [PURSE]}}]", 4, "rob: one token or two are expected, not 1"),
    (f"{SEATS}\nsteps: [DOC: {{free: PRISONER:JIM}}]", 4, "unknown prisoner PRISONER:JIM"),
    (f"{SEATS}\nsteps: [DOC: {{free: JIM}}]", 4, "unknown figure JIM"),
    (f"{SEATS}\nsteps: [DOC: {{search: false}}]", 4, "true is all that can be said here"),
    (f"{SEATS}\nexpect: {{hostages: {{}}}}", 4, "not part of this game: hostages"),
]


@pytest.mark.parametrize(("text", "line", "reason"), INVALID)
def test_what_is_no_position_is_refused(tmp_path: Path, text: str, line: int, reason: str) -> None:
    status, lines = run(tmp_path, f"name: Not like this\n{text}\n")
    assert status == 2, lines
    assert lines[0].startswith(f"{tmp_path / '0.yaml'}:{line}: "), lines
    assert reason in lines[0]


def test_any_seat_may_be_first_player_of_a_round(tmp_path: Path) -> None:
    text = f"name: Later\n{SEATS}\ngiven: {{first_player: DOC}}\nexpect: {{deciding: [DOC]}}\n"
    assert run(tmp_path, text)[0] == 0
