"""Choices and their typed messages, in both directions.

Those of the base box are here; an expansion brings its own in the same two tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from coltexpress.v1 import action_pb2 as pb
from coltexpress_server.api import fields, horses_and_stagecoach, marshal_and_prisoners
from coltexpress_server.api.cards import hand_card, hand_card_name
from coltexpress_server.api.loot import known, read_kind, read_value
from coltexpress_server.api.words import CARD_KINDS, LOOT_KINDS
from coltexpress_server.game import choices as ch

_FIELD: Final = "action"


def action(choice: ch.Choice) -> pb.Action:
    """The message of a choice."""
    return _WRITERS[type(choice)](choice)


def choice(message: pb.Action) -> ch.Choice:
    """The choice that a message makes. Raises Refused where a field is missing or malformed."""
    kind = message.WhichOneof("action")
    if kind is None:
        raise fields.missing(_FIELD)
    return _READERS[kind](getattr(message, kind), f"{_FIELD}.{kind}")


# --- from choices to messages --------------------------------------------------------------------


def _play(choice: ch.Play) -> pb.Action:
    card = CARD_KINDS.values[choice.action]
    return pb.Action(
        play_card=pb.PlayCard(card=card, figure=choice.figure, face_down=choice.face_down)
    )


def _rob(choice: ch.Rob) -> pb.Action:
    loot = LOOT_KINDS.values[choice.loot]
    return pb.Action(rob=pb.Rob(loot=loot, value=known(choice.value)))


def _punch(choice: ch.Punch) -> pb.Action:
    return pb.Action(
        punch=pb.Punch(
            figure=choice.figure,
            drop=LOOT_KINDS.values[choice.drop],
            space=choice.space,
            keep=choice.keep,
        )
    )


def _take_purse(choice: ch.TakePurse) -> pb.Action:
    return pb.Action(take_purse=pb.TakePurse(value=known(choice.value)))


def _keep(choice: ch.Keep) -> pb.Action:
    return pb.Action(keep_cards=pb.KeepCards(cards=[hand_card(name) for name in choice.cards]))


# Any: each writer is given choices of the class that is its key.
_WRITERS: Final[Mapping[type[ch.Choice], Callable[[Any], pb.Action]]] = {
    ch.Play: _play,
    ch.Draw: lambda _: pb.Action(draw_cards=pb.DrawCards()),
    ch.Pass: lambda _: pb.Action(decline=pb.Decline()),
    ch.MoveTo: lambda choice: pb.Action(move=pb.Move(space=choice.space)),
    ch.FloorTo: lambda choice: pb.Action(change_floor=pb.ChangeFloor(space=choice.space)),
    ch.MarshalTo: lambda choice: pb.Action(move_marshal=pb.MoveMarshal(car=choice.car)),
    ch.FireAt: lambda choice: pb.Action(fire=pb.Fire(figure=choice.figure)),
    ch.Rob: _rob,
    ch.Punch: _punch,
    ch.TakePurse: _take_purse,
    ch.Keep: _keep,
    **horses_and_stagecoach.ACTIONS,
    **marshal_and_prisoners.ACTIONS,
}


# --- from messages to choices --------------------------------------------------------------------


def _read_play(message: pb.PlayCard, path: str) -> ch.Choice:
    return ch.Play(
        fields.name(message.figure, f"{path}.figure") if message.figure else "",
        fields.word(message.card, CARD_KINDS.words, f"{path}.card"),
        message.face_down,
    )


def _read_move(message: pb.Move, path: str) -> ch.Choice:
    return ch.MoveTo(fields.name(message.space, f"{path}.space"))


def _read_floor_change(message: pb.ChangeFloor, path: str) -> ch.Choice:
    return ch.FloorTo(fields.name(message.space, f"{path}.space"))


def _read_fire(message: pb.Fire, path: str) -> ch.Choice:
    return ch.FireAt(fields.name(message.figure, f"{path}.figure"))


def _read_rob(message: pb.Rob, path: str) -> ch.Choice:
    return ch.Rob(read_kind(message, path), read_value(message, path))


def _read_punch(message: pb.Punch, path: str) -> ch.Choice:
    drop = message.drop
    return ch.Punch(
        fields.name(message.figure, f"{path}.figure"),
        fields.word(drop, LOOT_KINDS.words, f"{path}.drop") if drop else "",
        fields.name(message.space, f"{path}.space"),
        message.keep,
    )


def _read_keep(message: pb.KeepCards, path: str) -> ch.Choice:
    return ch.Keep(
        tuple(
            hand_card_name(card, f"{path}.cards[{place}]")
            for place, card in enumerate(message.cards)
        )
    )


# Any: each reader is given messages of the field that is its key, and the field's path.
_READERS: Final[Mapping[str, Callable[[Any, str], ch.Choice]]] = {
    "play_card": _read_play,
    "draw_cards": lambda _, path: ch.DRAW,
    "decline": lambda _, path: ch.PASS,
    "move": _read_move,
    "change_floor": _read_floor_change,
    "move_marshal": lambda message, path: ch.MarshalTo(message.car),
    "fire": _read_fire,
    "rob": _read_rob,
    "punch": _read_punch,
    "take_purse": lambda message, path: ch.TakePurse(read_value(message, path)),
    "keep_cards": _read_keep,
    **horses_and_stagecoach.CHOICES,
    **marshal_and_prisoners.CHOICES,
}
