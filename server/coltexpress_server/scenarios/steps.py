"""The steps of a scenario: choices, and what is asserted between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from coltexpress_server.game import timeouts
from coltexpress_server.game.choices import Choice, Keep
from coltexpress_server.game.codec import encode_state
from coltexpress_server.game.decisions import Decision, IllegalChoice
from coltexpress_server.game.engine import apply
from coltexpress_server.game.events import Event
from coltexpress_server.game.state import State
from coltexpress_server.game.views import view
from coltexpress_server.scenarios import reading
from coltexpress_server.scenarios.choice_words import ChoiceWord, Fields
from coltexpress_server.scenarios.document import Node
from coltexpress_server.scenarios.language import Check, Expected, Scene, Sight, joined

_LONGEST_SET: Final = 255
"""Options that a decision may have; the longest of the base box are a few dozen."""


@dataclass(slots=True)
class Play:
    """A scenario being played: the game, and what has happened so far."""

    state: State
    log: list[Event]


Step = Callable[[Play], str]
"""Carries a step out; says what differs, or nothing."""


@dataclass(slots=True)
class Wanted:
    """A choice as a scenario writes it."""

    word: ChoiceWord
    fields: Fields

    def fits(self, option: Choice) -> bool:
        """Whether an option is this choice: equal where a field is given or has a default."""
        if option.verb != self.word.verb:
            return False
        found = self.word.fields(option)
        wanted = self.word.defaults | self.fields
        return wanted.keys() <= found.keys() and all(
            found[key] == value for key, value in wanted.items()
        )

    def meant(self, fitting: list[Choice]) -> list[Choice]:
        """Those of the options that fit which are meant by what is left out."""
        return self.word.meant(self.fields, fitting)

    def made(self, state: State, seat: int) -> Choice:
        """The choice, whether it is among the options or not."""
        return self.word.make(state, seat, self.word.defaults | self.fields)

    def __str__(self) -> str:
        shown = {
            key: str(value).lower() if isinstance(value, bool) else value
            for key, value in self.fields.items()
        }
        return "{" + ", ".join(f"{key}: {value}" for key, value in shown.items()) + "}"


def read_step(scene: Scene, node: Node) -> Step:
    """One entry of `steps`."""
    key, value = node.only_pair()
    readers = {"options": _options, "rejected": _rejected, "sees": _sees, "timeout": _timeout}
    if key.text() in readers:
        return readers[key.text()](scene, value)
    names = reading.seat_names(scene.state)
    name = key.one_of([*names, *readers], "seat")
    return _chooses(names.index(name), name, read_choice(scene, value))


def read_choice(scene: Scene, node: Node) -> Wanted:
    """A choice as a mapping with one verb."""
    words = scene.language.choices
    pairs = node.pairs()
    keys = [key.text() for key, _ in pairs]
    fitting = [words[key] for key in keys if key in words and set(keys) <= set(words[key].keys)]
    if not fitting:
        verbs = [key for key in keys if key in words]
        known = words[verbs[0]].keys if verbs else tuple(words)
        for key, _ in pairs:
            if key.text() not in known:
                raise key.unknown("key of a choice", known)
        raise node.error(f"a choice is expected: one of {', '.join(words)}")
    word = fitting[0]
    return Wanted(word, {key.text(): word.read(scene, key.text(), value) for key, value in pairs})


def read_checks(scene: Scene, node: Node, kind: str, further: dict[str, Expected]) -> Check:
    """What stands under `expect`, or for one viewer of `sees`; kind: which of them."""
    known = scene.language.expected | further
    checks = [known[key](scene, value) for key, value in node.keys(known, f"key of {kind}").items()]
    return lambda sight: joined(check(sight) for check in checks)


def _chooses(seat: int, name: str, wanted: Wanted) -> Step:
    def step(play: Play) -> str:
        decision = _decision_of(play.state, seat)
        if decision is None:
            return f"{name}: {wanted}, but {_deciding(play.state)}"
        option, difference = _only_option(decision, wanted)
        if option is None:
            return f"{name}: {difference}"
        apply(play.state, seat, option)
        return ""

    return step


def _options(scene: Scene, node: Node) -> Step:
    steps: list[Step] = []
    for key, value in node.pairs():
        seat, name = reading.seat(scene, key), key.text()
        if value.is_mapping:
            steps.append(_may_choose_up_to(seat, name, read_choice(scene, value)))
        else:
            choices = [read_choice(scene, item) for item in value.items(_LONGEST_SET)]
            steps.append(_has_options(seat, name, choices))
    return lambda play: joined(step(play) for step in steps)


def _may_choose_up_to(seat: int, name: str, wanted: Wanted) -> Step:
    """Any part of what is written may be chosen, and nothing else."""

    def step(play: Play) -> str:
        decision = _decision_of(play.state, seat)
        if decision is None:
            return f"options of {name}, but {_deciding(play.state)}"
        if len(decision.options) > 1 and not decision.members:
            return f"options of {name}: {wanted} is no set, nor are {_texts(decision.options)}"
        whole = Keep(tuple(decision.members)) if decision.members else decision.options[0]
        if decision.most < len(decision.members):
            return f"options of {name}: {decision.most} of {whole.text}, not all of {wanted}"
        if not wanted.fits(whole):
            return f"options of {name}: {whole.text} and less, not {wanted}"
        return ""

    return step


def _has_options(seat: int, name: str, wanted: list[Wanted]) -> Step:
    def step(play: Play) -> str:
        decision = _decision_of(play.state, seat)
        if decision is None:
            return f"options of {name}, but {_deciding(play.state)}"
        left = _every_option(decision)
        for choice in wanted:
            option, difference = _only_option(decision, choice)
            if option is None:
                return f"options of {name}: {difference}"
            if option not in left:
                return f"options of {name}: {choice} is named twice"
            left.remove(option)
        if left:
            return f"options of {name}: {_texts(left)} are offered, too"
        return ""

    return step


def _rejected(scene: Scene, node: Node) -> Step:
    reason = ""
    seat, name = -1, ""
    wanted: Wanted | None = None
    for key, value in node.pairs():
        if key.text() == "reason":
            reason = value.text()
        elif wanted is None:
            seat, name = reading.seat(scene, key), key.text()
            wanted = read_choice(scene, value)
        else:
            raise key.error("one seat and perhaps a reason are expected")
    if wanted is None:
        raise node.error("a seat and its choice are expected")
    return _is_rejected(seat, name, wanted, reason)


def _is_rejected(seat: int, name: str, wanted: Wanted, reason: str) -> Step:
    def step(play: Play) -> str:
        decision = _decision_of(play.state, seat)
        offered = decision and any(wanted.fits(one) for one in _every_option(decision))
        if offered:
            return f"{name}: {wanted} is offered"
        before, events = encode_state(play.state), len(play.log)
        try:
            apply(play.state, seat, wanted.made(play.state, seat))
        except IllegalChoice as refusal:
            if encode_state(play.state) != before or len(play.log) != events:
                return f"{name}: {wanted} is refused, but has changed the game"
            if reason and refusal.reason != reason:
                return f"{name}: {wanted} is refused for {refusal.reason}, not {reason}"
            return ""
        return f"{name}: {wanted} is accepted"

    return step


def _sees(scene: Scene, node: Node) -> Step:
    rows = [
        (
            reading.viewer(scene, key),
            key.text(),
            read_checks(scene, value, "sees", scene.language.seen),
        )
        for key, value in node.pairs()
    ]

    def step(play: Play) -> str:
        return joined(
            f"{name} sees: {difference}"
            for viewer, name, check in rows
            if (difference := check(Sight(view(play.state, viewer), viewer, play.log)))
        )

    return step


def _timeout(scene: Scene, node: Node) -> Step:
    seat, name = reading.seat(scene, node), node.text()

    def step(play: Play) -> str:
        decision = _decision_of(play.state, seat)
        if decision is None:
            return f"timeout of {name}, but {_deciding(play.state)}"
        apply(play.state, seat, timeouts.answer(decision))
        return ""

    return step


def _decision_of(state: State, seat: int) -> Decision | None:
    for decision in state.pending:
        if decision.seat == seat:
            return decision
    return None


def _deciding(state: State) -> str:
    if not state.pending:
        return "the game is over"
    names = reading.seat_names(state)
    return ", ".join(f"{names[one.seat]} decides on {one.kind}" for one in state.pending)


def _every_option(decision: Decision) -> list[Choice]:
    """The options, of a set decision with what lies between as many as may be and nothing."""
    if not decision.members:
        return list(decision.options)
    sizes = range(decision.most, -1, -1)
    sets = (cards for size in sizes for cards in combinations(decision.members, size))
    return [Keep(cards) for cards in dict.fromkeys(sets)]


def _only_option(decision: Decision, wanted: Wanted) -> tuple[Choice | None, str]:
    """The option that is meant, or why it is not clear which."""
    fitting = wanted.meant([option for option in _every_option(decision) if wanted.fits(option)])
    if len(fitting) == 1:
        return fitting[0], ""
    if fitting:
        return None, f"{wanted} fits several options: {_texts(fitting)}"
    return None, f"{wanted} fits no option: {_texts(decision.options)}"


def _texts(options: list[Choice]) -> str:
    return ", ".join(option.text for option in options)
