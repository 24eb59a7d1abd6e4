"""The rules as data: every scenario of tests/scenarios passes, and every paragraph has one."""

import re
from pathlib import Path

import pytest

from coltexpress_server.scenarios.document import InvalidScenario
from coltexpress_server.scenarios.runner import read_file
from coltexpress_server.scenarios.scenario import Scenario

TESTS = Path(__file__).resolve().parent.parent
RULES = TESTS.parent / "docs" / "RULES.md"


def read_all() -> list[Scenario | InvalidScenario]:
    return [
        scenario
        for file in sorted((TESTS / "scenarios").glob("*.yaml"))
        for scenario in read_file(file)
    ]


SCENARIOS = read_all()


def paragraphs() -> list[str]:
    """The numbered paragraphs of RULES.md, and its sections that are not divided into any."""
    found: list[str] = []
    for number in re.findall(
        r"^(?:- |###? )([0-9]+(?:\.[0-9]+)*)\.? ", RULES.read_text("utf-8"), re.MULTILINE
    ):
        while found and number.startswith(f"{found[-1]}."):
            found.pop()
        found.append(number)
    return found


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: getattr(scenario, "name", "-"))
def test_what_must_follow_follows(scenario: Scenario | InvalidScenario) -> None:
    if isinstance(scenario, InvalidScenario):
        raise scenario
    assert scenario.play() == ""


def test_every_paragraph_of_the_rules_of_play_has_a_scenario() -> None:
    sections = {"1", "2", "3", "4", "5", "7", "8"}
    about = [number for number in paragraphs() if number.split(".")[0] in sections]
    shown = {
        rule for scenario in SCENARIOS if isinstance(scenario, Scenario) for rule in scenario.rules
    }
    assert len(about) == 105
    assert [number for number in about if number not in shown] == []


def test_every_scenario_names_a_paragraph_that_exists() -> None:
    known = set(paragraphs())
    for scenario in SCENARIOS:
        assert isinstance(scenario, Scenario)
        assert scenario.rules, scenario.name
        assert set(scenario.rules) <= known, scenario.name


def test_no_two_scenarios_have_the_same_name() -> None:
    names = [scenario.name for scenario in SCENARIOS if isinstance(scenario, Scenario)]
    assert len(set(names)) == len(names)
