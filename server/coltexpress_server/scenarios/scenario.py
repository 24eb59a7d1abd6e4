"""A scenario: a position, some choices, and what must follow."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from coltexpress_server.game.boxes import (
    EDITIONS,
    EXPANSIONS,
    VARIANTS,
    rules_for,
    seat_counts,
)
from coltexpress_server.game.engine import bare_state, run
from coltexpress_server.game.generator import SEED_BYTES
from coltexpress_server.game.options import STANDARD, InvalidOptions, Options
from coltexpress_server.game.rules import Rules
from coltexpress_server.game.scripted_draws import CannotDraw, ScriptedDraws
from coltexpress_server.scenarios import reading
from coltexpress_server.scenarios.document import Node
from coltexpress_server.scenarios.language import (
    EVERYTHING,
    Check,
    Given,
    Position,
    Scene,
    Sight,
)
from coltexpress_server.scenarios.steps import Play, Step, read_checks, read_step
from coltexpress_server.scenarios.words import language_for

_KEYS: Final = (
    *("name", "rule", "seats", "options"),
    *("start", "given", "pile", "plan", "steps", "expect"),
)
_OPTIONS: Final = ("variant", "expansions", "edition", "closing_actions")
_PARAGRAPH: Final = re.compile(r"[1-9](\.[0-9]{1,2}){0,2}")
_SEED: Final = (1).to_bytes(SEED_BYTES, "big")
_MANY_STEPS: Final = 10_000


class Scenario:
    """One scenario of a file, read and ready to be played once.

    name: what it shows.
    rules: the paragraphs of RULES.md that it shows.
    line: where it begins in its file.
    """

    def __init__(self, node: Node) -> None:
        """Reads a document of a file. Raises InvalidScenario."""
        parts = node.keys(_KEYS, "key")
        for key in ("name", "seats"):
            if key not in parts:
                raise node.error(f"the key {key} is missing")
        self.line = node.line
        self.name = _name(parts["name"])
        self.rules = _paragraphs(parts["rule"]) if "rule" in parts else []
        scene = _set_up(node, parts)
        self._state = scene.state
        self._steps: list[tuple[int, Step]] = []
        if "steps" in parts:
            items = parts["steps"].items(_MANY_STEPS)
            self._steps = [(item.line, read_step(scene, item)) for item in items]
        self._expected: Check | None = None
        if "expect" in parts:
            self._expected = read_checks(scene, parts["expect"], "expect", {})

    def play(self) -> str:
        """Plays it; says what differs from what must follow, or nothing."""
        play = Play(self._state, [])
        self._state.log = play.log
        place = "at the start"
        try:
            run(self._state)
            for number, (line, step) in enumerate(self._steps, start=1):
                place = f"step {number} (line {line})"
                difference = step(play)
                if difference:
                    return f"{place}: {difference}"
        except CannotDraw as error:
            return f"{place}: {error}"
        if self._expected is None:
            return ""
        return self._expected(Sight(self._state, EVERYTHING, play.log))


def _name(node: Node) -> str:
    name = node.text()
    if not name.strip() or not name.isprintable():
        raise node.error("a name is one line")
    return name


def _paragraphs(node: Node) -> list[str]:
    items = node.items() if node.is_list else [node]
    for item in items:
        if not _PARAGRAPH.fullmatch(item.text()):
            raise item.error(f"a paragraph such as 1.6.7 is expected, not {item.text()}")
    return [item.text() for item in items]


def _set_up(node: Node, parts: dict[str, Node]) -> Scene:
    """The position at the start, its frames pushed, not yet run."""
    seats = parts["seats"]
    count = len(seats.pairs() if seats.is_mapping else seats.items())
    options = _options(parts.get("options"), count)
    try:
        rules = rules_for(options, count)
    except InvalidOptions as error:
        wrong = parts["options"] if error.field in _OPTIONS and "options" in parts else seats
        raise wrong.error(error.message) from error
    language = language_for(rules)
    chance = ScriptedDraws(_SEED, 0)
    scene = Scene(bare_state(options, _bandits(seats, rules), chance), language)
    position = Position(scene, chance, _start(parts), {"given": node.line})
    played = parts.get("pile", parts.get("plan"))
    if played is not None:
        scene.state.pile[:] = reading.pile(scene, played)
    steps = list(language.set_up)
    if "given" in parts:
        position.lines["given"] = parts["given"].line
        for key, value in parts["given"].keys(language.given, "key of given").items():
            position.lines[key] = value.line
            rank, put = language.given[key]
            steps.append((rank, partial(_put, put, value)))
    for _, step in sorted(steps, key=lambda row: row[0]):
        step(position)
    language.starts[position.start](position)
    return scene


def _put(put: Given, node: Node, position: Position) -> None:
    put(position, node)


def _options(node: Node | None, seats: int) -> Options:
    """The options; a variant that is not named is the first that so many seats can play."""
    playable = [variant for variant in VARIANTS if seats in seat_counts(variant)]
    variant = playable[0] if playable else STANDARD.variant
    expansions, edition = STANDARD.expansions, STANDARD.edition
    closing_actions = STANDARD.closing_actions
    parts = node.keys(_OPTIONS, "option") if node else {}
    for key, value in parts.items():
        if key == "variant":
            variant = value.one_of(VARIANTS, "variant")
        elif key == "expansions":
            expansions = tuple(item.one_of(EXPANSIONS, "expansion") for item in value.items())
        elif key == "edition":
            edition = value.one_of(EDITIONS, "edition")
        else:
            closing_actions = value.flag()
    return Options(variant, expansions, edition, (), closing_actions)


def _bandits(node: Node, rules: Rules) -> list[list[str]]:
    """The bandits of each seat, in turn order: a list, or by P1, P2 where a seat leads several."""
    each = rules.seating.bandits()
    if each == 1:
        seats = [[item] for item in node.items()]
    else:
        pairs = node.pairs()
        for number, (key, value) in enumerate(pairs, start=1):
            key.one_of([f"P{number}"], "seat")
            if len(value.items()) != each:
                raise value.error(f"a seat leads {each} bandits, not {len(value.items())}")
        seats = [value.items() for _, value in pairs]
    bandits = [
        [item.one_of([fixed] if fixed else list(rules.powers), "bandit") for item in items]
        for number, items in enumerate(seats)
        for fixed in [rules.seating.leads(number)]
    ]
    names = [name for led in bandits for name in led]
    if len(set(names)) < len(names):
        raise node.error("a bandit has two seats")
    return bandits


def _start(parts: dict[str, Node]) -> str:
    """Where the game goes on."""
    pile, plan, start = parts.get("pile"), parts.get("plan"), parts.get("start")
    if pile is not None:
        for other in (plan, start):
            if other is not None:
                raise other.error("a scenario with a pile begins at Stealin'")
        return "STEALIN"
    if start is None:
        return "SCHEMIN"
    if plan is not None:
        raise plan.error("a scenario with a plan begins in Schemin'")
    return start.one_of(("SETUP", "ROUND"), "start")
