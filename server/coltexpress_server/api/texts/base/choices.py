"""The choices of the base box in words: the labels of options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from coltexpress_server.api.texts.language import Language
from coltexpress_server.api.texts.wording import ChoiceWriter
from coltexpress_server.game import choices as ch
from coltexpress_server.game.loot import UNKNOWN_VALUE


def _play(choice: ch.Play, lang: Language) -> str:
    card = lang.action(choice.action)
    if choice.figure:
        owner = lang.owner(choice.figure)
        if choice.face_down:
            return lang.say("Play {owner} {card} face down", owner=owner, card=card)
        return lang.say("Play {owner} {card}", owner=owner, card=card)
    if choice.face_down:
        return lang.say("Play {card} face down", card=card)
    return lang.say("Play {card}", card=card)


def _draw(choice: ch.Draw, lang: Language) -> str:
    return lang.say("Draw three cards")


def _pass(choice: ch.Pass, lang: Language) -> str:
    return lang.say("Pass")


def _move(choice: ch.MoveTo, lang: Language) -> str:
    return lang.say("Move {to}", to=lang.to(choice.space))


def _change_floor(choice: ch.FloorTo, lang: Language) -> str:
    return lang.say("Climb {to}", to=lang.to(choice.space))


def _move_marshal(choice: ch.MarshalTo, lang: Language) -> str:
    return lang.say("Move the Marshal {to}", to=lang.to_car(choice.car))


def _fire(choice: ch.FireAt, lang: Language) -> str:
    return lang.say("Shoot {target}", target=lang.target(choice.figure))


def _rob(choice: ch.Rob, lang: Language) -> str:
    return _take(choice.loot, choice.value, lang)


def _take_purse(choice: ch.TakePurse, lang: Language) -> str:
    return _take("PURSE", choice.value, lang)


def _take(kind: str, value: int, lang: Language) -> str:
    if kind == "PURSE" and value == UNKNOWN_VALUE:
        return lang.say("Take a purse whose value you do not know")
    return lang.say("Take {loot}", loot=lang.loot(kind, value))


def _keep(choice: ch.Keep, lang: Language) -> str:
    if not choice.cards:
        return lang.say("Keep nothing")
    cards = lang.listed([lang.own_card(name) for name in choice.cards])
    return lang.say("Keep {cards}", cards=cards)


def _punch(choice: ch.Punch, lang: Language) -> str:
    target, where = lang.target(choice.figure), lang.where(choice.space)
    if not choice.drop:
        return lang.say(
            "Punch {target}, who owns nothing and lands {where}", target=target, where=where
        )
    loot = lang.loot(choice.drop, UNKNOWN_VALUE)
    if choice.keep:
        return lang.say(
            "Punch {target}, take {loot} for yourself; the victim lands {where}",
            target=target,
            loot=loot,
            where=where,
        )
    return lang.say(
        "Punch {target}, who drops {loot} and lands {where}",
        target=target,
        loot=loot,
        where=where,
    )


CHOICES: Final[Mapping[type[ch.Choice], ChoiceWriter]] = {
    ch.Play: _play,
    ch.Draw: _draw,
    ch.Pass: _pass,
    ch.MoveTo: _move,
    ch.FloorTo: _change_floor,
    ch.MarshalTo: _move_marshal,
    ch.FireAt: _fire,
    ch.Rob: _rob,
    ch.TakePurse: _take_purse,
    ch.Keep: _keep,
    ch.Punch: _punch,
}
