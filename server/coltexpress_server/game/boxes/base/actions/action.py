"""What all action cards have in common when they resolve (RULES.md 1.5.6)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.choices import Choice, Pass
from coltexpress_server.game.decisions import NO_MEMBERS, Decision, IllegalChoice
from coltexpress_server.game.events import NoEffect
from coltexpress_server.game.rules import Op
from coltexpress_server.game.state import Figure, Frame, State


class Action(Op):
    """The effect of an action card, for the figure that is the frame's actor.

    An action that is possible is compulsory, an impossible one has no effect.

    card: the card whose effect it is, where that is not its own name; its decision is called so.
    rule: the paragraph of RULES.md about the card.
    asks: what its decision asks for, to be read after "this decision is".
    """

    card: ClassVar[str] = ""
    rule: ClassVar[str] = ""
    asks: ClassVar[str] = ""

    @property
    def called(self) -> str:
        """What its decision and what it causes are called: the card."""
        return self.card or self.name

    def options(self, state: State, actor: Figure) -> list[Choice]:
        """All ways to carry the action out, in canonical order; none: it has no effect."""
        raise NotImplementedError

    def asked_anyway(self, state: State, actor: Figure) -> bool:
        """Whether the number of options betrays something hidden (1.5.8)."""
        return False

    def carry_out(self, state: State, actor: Figure, choice: Choice) -> None:
        """Does what was chosen."""
        raise NotImplementedError

    def why_not(self, state: State, actor: Figure, choice: Choice) -> IllegalChoice | None:
        """Why a choice of this action's own kind is illegal; None for a choice of another kind."""
        raise NotImplementedError

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Asks the figure's seat, or ends the action where nothing is possible."""
        actor = state.figures[frame.actor]
        hindered = state.rules.hindrance(state, actor, self.called)
        options = [] if hindered else self.options(state, actor)
        if not options:
            state.stack.pop()
            if state.log is not None:
                state.log.append(NoEffect(actor.name, self.called, hindered or self.rule))
            return []
        asked_anyway = self.asked_anyway(state, actor)
        return [
            Decision(actor.seat, actor.name, self.called, options, asked_anyway, -1, NO_MEMBERS)
        ]

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """Carries out the choice; what it brings about comes before what lies below."""
        state.stack.pop()
        self.carry_out(state, state.figures[frame.actor], choices[0])

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """Compulsion and the wrong kind of choice here, the rest by `why_not`."""
        if isinstance(choice, Pass):
            return IllegalChoice("COMPULSORY", "1.5.6", "an action that is possible is compulsory")
        refused = self.why_not(state, state.figures[decision.figure], choice)
        if refused is None:
            return IllegalChoice("WRONG_CHOICE", self.rule, f"this decision is {self.asks}")
        return refused


def no_such_figure(name: str) -> IllegalChoice:
    """Refuses a figure that is not in this game."""
    return IllegalChoice("NO_SUCH_FIGURE", "1.4.1", f"there is no {name} in this game")


def no_such_space(space: str) -> IllegalChoice:
    """Refuses a space that this train does not have."""
    return IllegalChoice("NO_SUCH_SPACE", "1.1.2", f"this train has no space {space}")
