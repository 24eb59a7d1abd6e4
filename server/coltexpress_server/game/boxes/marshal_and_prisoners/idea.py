"""BRILLIANT_IDEA: a way out of the cell, a hand for who is in it, or a copy (RULES.md 4.13)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.actions.action import no_such_figure, no_such_space
from coltexpress_server.game.boxes.base.actions.robbery import why_no_such_loot, why_not_value
from coltexpress_server.game.boxes.base.looting import (
    draw_token,
    kinds,
    named,
    names,
    names_betray,
    steal,
)
from coltexpress_server.game.boxes.base.movement import move
from coltexpress_server.game.boxes.marshal_and_prisoners.capture import captives
from coltexpress_server.game.boxes.marshal_and_prisoners.choices import (
    FreeBandit,
    FreePrisoner,
    Give,
    LeaveCell,
)
from coltexpress_server.game.boxes.marshal_and_prisoners.events import (
    ActionCopied,
    BanditFreed,
    PrisonerFreed,
)
from coltexpress_server.game.boxes.marshal_and_prisoners.state import prison_train
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import (
    BRILLIANT_IDEA,
    CELL,
    FREE,
    GIVE,
    LEAVE_CELL,
    MARSHAL,
)
from coltexpress_server.game.cards import Card
from coltexpress_server.game.choices import Choice, Pass
from coltexpress_server.game.decisions import NO_MEMBERS, Decision, IllegalChoice
from coltexpress_server.game.events import NoEffect
from coltexpress_server.game.rules import Op
from coltexpress_server.game.state import Figure, Frame, State

_RULE = "4.13"


class BrilliantIdea(Op):
    """What it does depends on where the frame's actor is."""

    name: ClassVar[str] = BRILLIANT_IDEA

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Asks where to go or whom to free; or copies, which leaves nothing to ask here."""
        actor = state.figures[frame.actor]
        hindered = state.rules.hindrance(state, actor, self.name)
        copied = prison_train(state).turned_up
        if hindered:
            options, kind = [], ""
        elif actor.space == CELL:
            options, kind = _ways_out(state), LEAVE_CELL
        elif actor.space in _prison_car(state):
            options, kind = _whom_to_free(state, actor), FREE
        elif copied:
            state.stack.pop()
            state.record(ActionCopied(actor.name, copied))
            state.push(state.rules.effect(state, actor, copied), actor.name)
            return []
        else:
            options, kind = [], ""
        if not options:
            state.stack.pop()
            state.record(NoEffect(actor.name, self.name, hindered or _RULE))
            return []
        return [Decision(actor.seat, actor.name, kind, options, False, -1, NO_MEMBERS)]

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """Leaves the cell, or frees whom was chosen."""
        state.stack.pop()
        actor = state.figures[frame.actor]
        choice = choices[0]
        if isinstance(choice, LeaveCell):
            move(state, actor, choice.space, self.name)
        elif isinstance(choice, FreePrisoner):
            extra = prison_train(state)
            extra.displayed.remove(choice.prisoner)
            extra.prisoners[actor.name] = choice.prisoner
            state.record(PrisonerFreed(actor.name, choice.prisoner))
        elif isinstance(choice, FreeBandit):
            freed = state.figures[choice.figure]
            state.record(BanditFreed(actor.name, freed.name))
            move(state, freed, actor.space, self.name)
            state.push(GIVE, freed.name).names = [actor.name]

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """By what the decision is about."""
        if isinstance(choice, Pass):
            return IllegalChoice("COMPULSORY", "1.5.6", "an action that is possible is compulsory")
        if decision.kind == LEAVE_CELL:
            return _why_not_out(state, choice)
        return _why_not_free(state, state.figures[decision.figure], choice)


class Giving(Op):
    """The frame's actor, let out of the cell, gives a token of his choice to the one named."""

    name: ClassVar[str] = GIVE

    def step(self, state: State, frame: Frame) -> list[Decision]:
        """Asks which; who owns nothing gives nothing."""
        giver = state.figures[frame.actor]
        if not giver.loot:
            state.stack.pop()
            return []
        rules = state.rules
        options: list[Choice] = [
            Give(kind, value) for kind, value in names(rules, giver.loot, giver.seat)
        ]
        asked_anyway = names_betray(rules, giver.loot)
        return [Decision(giver.seat, giver.name, GIVE, options, asked_anyway, -1, NO_MEMBERS)]

    def resolve(self, state: State, frame: Frame, choices: list[Choice]) -> None:
        """Hands it over."""
        state.stack.pop()
        choice = choices[0]
        if isinstance(choice, Give):
            giver, receiver = state.figures[frame.actor], state.figures[frame.names[0]]
            fitting = named(state.rules, giver.loot, giver.seat, choice.loot, choice.value)
            steal(state, receiver, giver, draw_token(state, fitting), BRILLIANT_IDEA)

    def refusal(self, state: State, decision: Decision, choice: Choice) -> IllegalChoice:
        """Loot that the giver has not."""
        if isinstance(choice, Pass):
            return IllegalChoice("COMPULSORY", _RULE, "whoever is let out gives a loot token")
        if not isinstance(choice, Give):
            return IllegalChoice("WRONG_CHOICE", _RULE, "this decision is what to give")
        refused = why_no_such_loot(state.rules, choice.loot, choice.value)
        if refused is not None:
            return refused
        if choice.loot not in kinds(state.rules, state.figures[decision.figure].loot):
            return IllegalChoice("LOOT_NOT_OWNED", _RULE, f"no {choice.loot} to give")
        return why_not_value(choice.loot, choice.value)


def remember(state: State, card: Card) -> None:
    """A bandit's card that is turned up may be copied from then on."""
    if card.figure != MARSHAL and card.action != BRILLIANT_IDEA:
        prison_train(state).turned_up = card.action


def _prison_car(state: State) -> tuple[str, str]:
    """The corridor and the roof."""
    train = state.train
    return train.inside[train.caboose], train.roof[train.caboose]


def _ways_out(state: State) -> list[Choice]:
    return [LeaveCell(space) for space in _prison_car(state)]


def _whom_to_free(state: State, actor: Figure) -> list[Choice]:
    """Prisoners, for who has none; then bandits by seat."""
    extra = prison_train(state)
    options: list[Choice] = []
    if actor.name not in extra.prisoners:
        options += [FreePrisoner(prisoner) for prisoner in extra.displayed]
    options += [FreeBandit(figure.name) for figure in captives(state)]
    return options


def _why_not_out(state: State, choice: Choice) -> IllegalChoice:
    if not isinstance(choice, LeaveCell):
        return IllegalChoice("WRONG_CHOICE", _RULE, "this decision is where to leave the cell")
    if choice.space not in state.train.level_of:
        return no_such_space(choice.space)
    return IllegalChoice("OUT_OF_REACH", _RULE, "the cell is left for the prison car")


def _why_not_free(state: State, actor: Figure, choice: Choice) -> IllegalChoice:
    if isinstance(choice, FreePrisoner):
        extra = prison_train(state)
        if choice.prisoner not in state.rules.powers:
            return IllegalChoice(
                "NO_SUCH_FIGURE", "4.14", f"there is no prisoner called {choice.prisoner}"
            )
        if actor.name in extra.prisoners:
            return IllegalChoice("NOT_OFFERED", _RULE, "nobody has two prisoners")
        return IllegalChoice("NOT_OFFERED", _RULE, f"{choice.prisoner} is not to be freed")
    if isinstance(choice, FreeBandit):
        if choice.figure not in state.figures:
            return no_such_figure(choice.figure)
        return IllegalChoice("NOT_A_TARGET", _RULE, f"{choice.figure} is not in the cell")
    return IllegalChoice("WRONG_CHOICE", _RULE, "this decision is whom to free")
