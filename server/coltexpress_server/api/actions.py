"""Choices and their typed messages, in both directions."""

from __future__ import annotations

from typing import Final

from coltexpress.v1 import action_pb2 as pb
from coltexpress_server.api import fields
from coltexpress_server.api.words import CARD_KINDS, LOOT_KINDS
from coltexpress_server.game import choices as ch
from coltexpress_server.game.loot import UNKNOWN_VALUE

_FIELD: Final = "action"


def action(choice: ch.Choice) -> pb.Action:
    """The message of a choice."""
    match choice:
        case ch.Play():
            card = CARD_KINDS.values[choice.action]
            return pb.Action(
                play_card=pb.PlayCard(card=card, figure=choice.figure, face_down=choice.face_down)
            )
        case ch.Draw():
            return pb.Action(draw_cards=pb.DrawCards())
        case ch.Pass():
            return pb.Action(decline=pb.Decline())
        case ch.MoveTo():
            return pb.Action(move=pb.Move(space=choice.space))
        case ch.FloorTo():
            return pb.Action(change_floor=pb.ChangeFloor(space=choice.space))
        case ch.MarshalTo():
            return pb.Action(move_marshal=pb.MoveMarshal(car=choice.car))
        case ch.FireAt():
            return pb.Action(fire=pb.Fire(figure=choice.figure))
        case ch.Rob():
            loot = LOOT_KINDS.values[choice.loot]
            return pb.Action(rob=pb.Rob(loot=loot, value=_known(choice.value)))
        case ch.TakePurse():
            return pb.Action(take_purse=pb.TakePurse(value=_known(choice.value)))
        case ch.Keep():
            return pb.Action(
                keep_cards=pb.KeepCards(cards=[hand_card(name) for name in choice.cards])
            )
        case ch.Punch():
            return pb.Action(
                punch=pb.Punch(
                    figure=choice.figure,
                    drop=LOOT_KINDS.values[choice.drop],
                    space=choice.space,
                    keep=choice.keep,
                )
            )
    raise TypeError(f"no message for a choice of kind {type(choice).__name__}")


def choice(message: pb.Action) -> ch.Choice:
    """The choice that a message makes. Raises Refused where a field is missing or malformed."""
    kind = message.WhichOneof("action")
    match kind:
        case "play_card":
            play = message.play_card
            return ch.Play(
                fields.name(play.figure, _path(kind, "figure")) if play.figure else "",
                fields.word(play.card, CARD_KINDS.words, _path(kind, "card")),
                play.face_down,
            )
        case "draw_cards":
            return ch.DRAW
        case "decline":
            return ch.PASS
        case "move":
            return ch.MoveTo(fields.name(message.move.space, _path(kind, "space")))
        case "change_floor":
            return ch.FloorTo(fields.name(message.change_floor.space, _path(kind, "space")))
        case "move_marshal":
            return ch.MarshalTo(message.move_marshal.car)
        case "fire":
            return ch.FireAt(fields.name(message.fire.figure, _path(kind, "figure")))
        case "rob":
            return ch.Rob(
                fields.word(message.rob.loot, LOOT_KINDS.words, _path(kind, "loot")),
                _value(message.rob, kind),
            )
        case "take_purse":
            return ch.TakePurse(_value(message.take_purse, kind))
        case "keep_cards":
            return ch.Keep(
                tuple(
                    _card_name(card, f"{_path(kind, 'cards')}[{place}]")
                    for place, card in enumerate(message.keep_cards.cards)
                )
            )
        case "punch":
            punch = message.punch
            return ch.Punch(
                fields.name(punch.figure, _path(kind, "figure")),
                fields.word(punch.drop, LOOT_KINDS.words, _path(kind, "drop"))
                if punch.drop
                else "",
                fields.name(punch.space, _path(kind, "space")),
                punch.keep,
            )
        case None:
            raise fields.missing(_FIELD)


def hand_card(name: str) -> pb.HandCard:
    """A card in a hand, from its name: `FIRE`, `DOC.FIRE`."""
    figure, _, kind = name.rpartition(".")
    return pb.HandCard(card=CARD_KINDS.values[kind], figure=figure)


def _card_name(message: pb.HandCard, path: str) -> str:
    kind = fields.word(message.card, CARD_KINDS.words, f"{path}.card")
    figure = fields.name(message.figure, f"{path}.figure") if message.figure else ""
    return f"{figure}.{kind}" if figure else kind


def _known(value: int) -> int | None:
    return None if value == UNKNOWN_VALUE else value


def _value(message: pb.Rob | pb.TakePurse, kind: str) -> int:
    if not message.HasField("value"):
        return UNKNOWN_VALUE
    return fields.not_negative(message.value, _path(kind, "value"))


def _path(kind: str, field: str) -> str:
    return f"{_FIELD}.{kind}.{field}"
