"""Decisions and their options as messages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from coltexpress.v1.decision_pb2 import CardSet, Option
from coltexpress.v1.decision_pb2 import Decision as DecisionMessage
from coltexpress_server.api.actions import action
from coltexpress_server.api.cards import hand_card
from coltexpress_server.api.texts import Language
from coltexpress_server.api.times import timestamp
from coltexpress_server.api.words import DECISION_KINDS
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.decisions import Decision
from coltexpress_server.service.decision_ids import decision_id


def decisions(
    open_ones: Sequence[Decision],
    opened_by: str,
    viewer: int,
    deadlines: Sequence[int],
    language: Language,
) -> list[DecisionMessage]:
    """Open decisions as a viewer may see them: prompt and options are the seat's alone.

    opened_by: mark of the commit that opened them. deadlines: of each, in ms since 1970; 0 for
        none. language: of prompts and labels.
    """
    return [
        DecisionMessage(
            id=decision_id(decision, opened_by),
            seat=decision.seat,
            figure=decision.figure,
            kind=DECISION_KINDS.values[decision.kind],
            prompt=language.prompt(decision.kind, decision.figure),
            options=[_option(choice, language) for choice in decision.options],
            deadline=timestamp(deadline) if deadline else None,
            set=_set(decision),
        )
        if decision.seat == viewer
        else DecisionMessage(
            id=decision_id(decision, opened_by),
            seat=decision.seat,
            figure=decision.figure,
            kind=DECISION_KINDS.values[decision.kind],
            deadline=timestamp(deadline) if deadline else None,
        )
        for decision, deadline in zip(open_ones, deadlines, strict=True)
    ]


def _set(decision: Decision) -> CardSet | None:
    if not decision.members:
        return None
    cards = [hand_card(name) for name in decision.members]
    return CardSet(cards=cards, most=decision.most)


@lru_cache(maxsize=4096)
def _option(choice: Choice, language: Language) -> Option:
    """An option; the same for every game, and copied into the message that takes it."""
    return Option(option_id=choice.text, action=action(choice), label=language.label(choice))
