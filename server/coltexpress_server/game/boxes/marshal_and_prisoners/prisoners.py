"""Prisoners: whose companions they are, and what whoever freed one has of it (RULES.md 4.14)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.actions.robbery import (
    Robbery,
    lying,
    why_no_such_loot,
    why_not_value,
)
from coltexpress_server.game.boxes.base.looting import draw_token, kinds, named, names, pick_up
from coltexpress_server.game.boxes.marshal_and_prisoners.choices import RobTwo
from coltexpress_server.game.boxes.marshal_and_prisoners.events import PrisonerRetaken
from coltexpress_server.game.boxes.marshal_and_prisoners.state import prison_train
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import (
    PRISONER_VALUE,
    ROBBERY_OF_TWO,
)
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.decisions import IllegalChoice
from coltexpress_server.game.loot import Token
from coltexpress_server.game.rules import Power
from coltexpress_server.game.state import Figure, State


def powers(state: State, figure: Figure, own: tuple[Power, ...]) -> tuple[Power, ...]:
    """Another's companion lends that bandit's power; one's own lends nothing new."""
    prisoner = prison_train(state).prisoners.get(figure.name, figure.name)
    return own if prisoner == figure.name else (*own, state.rules.powers[prisoner])


def with_companion(state: State, figure: Figure) -> bool:
    """Whether a bandit has freed his own companion."""
    return prison_train(state).prisoners.get(figure.name) == figure.name


def retake(state: State, figure: Figure) -> None:
    """A bandit's prisoner, if he has one, goes to the Achievement zone."""
    extra = prison_train(state)
    prisoner = extra.prisoners.pop(figure.name, "")
    if prisoner:
        extra.retaken.append(prisoner)
        state.record(PrisonerRetaken(figure.name, prisoner))


def row(state: State) -> dict[str, int]:
    """Dollars for bringing a prisoner along."""
    return dict.fromkeys(prison_train(state).prisoners, PRISONER_VALUE)


class RobberyOfTwo(Robbery):
    """With his own companion a bandit takes one token or two, in one choice."""

    name: ClassVar[str] = ROBBERY_OF_TWO
    card: ClassVar[str] = Robbery.name

    def options(self, state: State, actor: Figure) -> list[Choice]:
        """One token, then two: of different names, or of one name that fits two of them."""
        options = super().options(state, actor)
        tokens = lying(state, actor)
        called = names(state.rules, tokens, actor.seat)
        for place, (kind, value) in enumerate(called):
            fitting = named(state.rules, tokens, actor.seat, kind, value)
            others = called[place if len(fitting) > 1 else place + 1 :]
            options += [RobTwo(kind, value, *other) for other in others]
        return options

    def carry_out(self, state: State, actor: Figure, choice: Choice) -> None:
        """Draws both before either is looked at."""
        if not isinstance(choice, RobTwo):
            super().carry_out(state, actor, choice)
            return
        left = list(lying(state, actor))
        drawn: list[Token] = []
        for kind, value in _pair(choice):
            token = draw_token(state, named(state.rules, left, actor.seat, kind, value))
            left.remove(token)
            drawn.append(token)
        for token in drawn:
            pick_up(state, actor, token, self.called)

    def why_not(self, state: State, actor: Figure, choice: Choice) -> IllegalChoice | None:
        """As for one token, for each of two; twice the same one."""
        if not isinstance(choice, RobTwo):
            return super().why_not(state, actor, choice)
        tokens = lying(state, actor)
        for kind, value in _pair(choice):
            refused = why_no_such_loot(state.rules, kind, value)
            if refused is not None:
                return refused
            if kind not in kinds(state.rules, tokens):
                return IllegalChoice("LOOT_NOT_HERE", self.rule, f"no {kind} lies here")
            if (kind, value) not in names(state.rules, tokens, actor.seat):
                return why_not_value(kind, value)
        return IllegalChoice(
            "LOOT_NOT_HERE", "4.14", f"there are no two such tokens here: {choice.text}"
        )


def _pair(choice: RobTwo) -> list[tuple[str, int]]:
    return [(choice.loot, choice.value), (choice.other_loot, choice.other_value)]
