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


def paragraphs_of(section: str) -> list[str]:
    """The numbered paragraphs of a section of RULES.md, or the section itself if it has none."""
    found = re.findall(r"^- ([0-9]+(?:\.[0-9]+)+)\.? ", RULES.read_text("utf-8"), re.MULTILINE)
    return [number for number in found if number.split(".")[0] == section] or [section]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: getattr(scenario, "name", "-"))
def test_what_must_follow_follows(scenario: Scenario | InvalidScenario) -> None:
    if isinstance(scenario, InvalidScenario):
        raise scenario
    assert scenario.play() == ""


def test_every_paragraph_about_the_base_box_and_its_variants_has_a_scenario() -> None:
    paragraphs = paragraphs_of("1") + paragraphs_of("2") + paragraphs_of("5")
    shown = {
        rule for scenario in SCENARIOS if isinstance(scenario, Scenario) for rule in scenario.rules
    }
    assert len(paragraphs) == 61
    assert [number for number in paragraphs if number not in shown] == []


def test_every_scenario_names_a_paragraph_that_exists() -> None:
    text = RULES.read_text("utf-8")
    known = {"5", "7", *re.findall(r"^- ([0-9]+(?:\.[0-9]+)+)\.? ", text, re.MULTILINE)}
    for scenario in SCENARIOS:
        assert isinstance(scenario, Scenario)
        assert scenario.rules, scenario.name
        assert set(scenario.rules) <= known, scenario.name


def test_no_two_scenarios_have_the_same_name() -> None:
    names = [scenario.name for scenario in SCENARIOS if isinstance(scenario, Scenario)]
    assert len(set(names)) == len(names)
