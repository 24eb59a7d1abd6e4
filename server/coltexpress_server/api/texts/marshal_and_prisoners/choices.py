"""The choices of Marshal & Prisoners in words: the labels of options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from coltexpress_server.api.texts.language import Language
from coltexpress_server.api.texts.wording import ChoiceWriter
from coltexpress_server.game.boxes.marshal_and_prisoners import choices as ch
from coltexpress_server.game.choices import Choice


def _search(choice: ch.Search, lang: Language) -> str:
    return lang.say("Search for a brilliant idea")


def _capture(choice: ch.Capture, lang: Language) -> str:
    return lang.say("Capture {target}", target=lang.target(choice.figure))


def _shoot_one(choice: ch.ShootOne, lang: Language) -> str:
    return lang.say(
        "Shoot {target} with cylinder {cylinder}",
        target=lang.target(choice.figure),
        cylinder=choice.cylinder,
    )


def _shoot_two(choice: ch.ShootTwo, lang: Language) -> str:
    return lang.say(
        "Shoot {first} with cylinder 1, {second} with cylinder 2",
        first=lang.target(choice.first),
        second=lang.target(choice.second),
    )


def _rob_two(choice: ch.RobTwo, lang: Language) -> str:
    one = lang.loot(choice.loot, choice.value)
    other = lang.loot(choice.other_loot, choice.other_value)
    return lang.say("Take {loot}", loot=lang.listed([one, other]))


def _free_prisoner(choice: ch.FreePrisoner, lang: Language) -> str:
    return lang.say("Free a prisoner: {owner} companion", owner=lang.owner(choice.prisoner))


def _free_bandit(choice: ch.FreeBandit, lang: Language) -> str:
    return lang.say("Let {target} out of the cell", target=lang.target(choice.figure))


def _give(choice: ch.Give, lang: Language) -> str:
    return lang.say("Give {loot}", loot=lang.loot(choice.loot, choice.value))


def _leave_cell(choice: ch.LeaveCell, lang: Language) -> str:
    return lang.say("Break out {to}", to=lang.to(choice.space))


CHOICES: Final[Mapping[type[Choice], ChoiceWriter]] = {
    ch.Search: _search,
    ch.Capture: _capture,
    ch.ShootOne: _shoot_one,
    ch.ShootTwo: _shoot_two,
    ch.RobTwo: _rob_two,
    ch.FreePrisoner: _free_prisoner,
    ch.FreeBandit: _free_bandit,
    ch.Give: _give,
    ch.LeaveCell: _leave_cell,
}
