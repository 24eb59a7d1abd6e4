"""Marshal & Prisoners as messages: choices, events, its part of table, result and catalogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from google.protobuf.message import Message

from coltexpress.v1 import marshal_and_prisoners_pb2 as pb
from coltexpress.v1.action_pb2 import Action
from coltexpress.v1.catalog_pb2 import Catalog
from coltexpress.v1.event_pb2 import CardsSearched
from coltexpress_server.api import fields
from coltexpress_server.api.cards import cards
from coltexpress_server.api.loot import known, read_kind, read_value
from coltexpress_server.api.words import CARD_KINDS, LOOT_KINDS
from coltexpress_server.game.boxes.marshal_and_prisoners import choices as ch
from coltexpress_server.game.boxes.marshal_and_prisoners import events as ev
from coltexpress_server.game.boxes.marshal_and_prisoners import goals, provisional, tables
from coltexpress_server.game.boxes.marshal_and_prisoners.state import NAME, PrisonTrain
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.events import Event
from coltexpress_server.game.state import State

# --- from choices to messages --------------------------------------------------------------------


def _loot_name(kind: str, value: int) -> pb.LootName:
    return pb.LootName(loot=LOOT_KINDS.values[kind], value=known(value))


def _shoot_one(choice: ch.ShootOne) -> Action:
    return Action(shoot_one=pb.ShootOne(figure=choice.figure, cylinder=choice.cylinder))


def _shoot_two(choice: ch.ShootTwo) -> Action:
    return Action(shoot_two=pb.ShootTwo(first=choice.first, second=choice.second))


def _rob_two(choice: ch.RobTwo) -> Action:
    return Action(
        rob_two=pb.RobTwo(
            first=_loot_name(choice.loot, choice.value),
            second=_loot_name(choice.other_loot, choice.other_value),
        )
    )


def _give(choice: ch.Give) -> Action:
    return Action(give=pb.Give(loot=LOOT_KINDS.values[choice.loot], value=known(choice.value)))


# Any, here and below: each function is given what its key says.
ACTIONS: Final[Mapping[type[Choice], Callable[[Any], Action]]] = {
    ch.Search: lambda choice: Action(search=pb.Search()),
    ch.Capture: lambda choice: Action(capture=pb.Capture(figure=choice.figure)),
    ch.ShootOne: _shoot_one,
    ch.ShootTwo: _shoot_two,
    ch.RobTwo: _rob_two,
    ch.FreePrisoner: lambda choice: Action(free_prisoner=pb.FreePrisoner(prisoner=choice.prisoner)),
    ch.FreeBandit: lambda choice: Action(free_bandit=pb.FreeBandit(figure=choice.figure)),
    ch.Give: _give,
    ch.LeaveCell: lambda choice: Action(leave_cell=pb.LeaveCell(space=choice.space)),
}
"""The message of a choice, by its class."""


# --- from messages to choices --------------------------------------------------------------------


def _read_loot(message: pb.LootName | pb.Give, path: str) -> tuple[str, int]:
    return read_kind(message, path), read_value(message, path)


def _read_shot(message: pb.ShootOne, path: str) -> Choice:
    figure = fields.name(message.figure, f"{path}.figure")
    return ch.ShootOne(
        figure, fields.between(message.cylinder, 1, tables.CYLINDERS, f"{path}.cylinder")
    )


def _read_shots(message: pb.ShootTwo, path: str) -> Choice:
    return ch.ShootTwo(
        fields.name(message.first, f"{path}.first"), fields.name(message.second, f"{path}.second")
    )


def _read_robbery(message: pb.RobTwo, path: str) -> Choice:
    for name in ("first", "second"):
        if not message.HasField(name):
            raise fields.missing(f"{path}.{name}")
    return ch.RobTwo(
        *_read_loot(message.first, f"{path}.first"), *_read_loot(message.second, f"{path}.second")
    )


CHOICES: Final[Mapping[str, Callable[[Any, str], Choice]]] = {
    "search": lambda message, path: ch.SEARCH,
    "capture": lambda message, path: ch.Capture(fields.name(message.figure, f"{path}.figure")),
    "shoot_one": _read_shot,
    "shoot_two": _read_shots,
    "rob_two": _read_robbery,
    "free_prisoner": lambda message, path: ch.FreePrisoner(
        fields.name(message.prisoner, f"{path}.prisoner")
    ),
    "free_bandit": lambda message, path: ch.FreeBandit(
        fields.name(message.figure, f"{path}.figure")
    ),
    "give": lambda message, path: ch.Give(*_read_loot(message, path)),
    "leave_cell": lambda message, path: ch.LeaveCell(fields.name(message.space, f"{path}.space")),
}
"""The choice that a message makes, by its field in Action; given its path too.

All raise Refused where a field is missing or malformed.
"""


# --- events --------------------------------------------------------------------------------------


def _goal(name: str) -> pb.Goal:
    """From `WARRANT:DOC`, or the name of a special target."""
    title, _, figure = name.partition(":")
    return pb.Goal(name=title, figure=figure)


def _goals(names: Sequence[str]) -> list[pb.Goal]:
    return [_goal(name) for name in names]


def _searched(event: ev.CardsSearched) -> Message:
    return CardsSearched(seat=event.seat, count=len(event.cards), cards=cards(event.cards))


def _bullet_given(event: ev.MarshalBulletGiven) -> Message:
    return pb.MarshalBulletGiven(figure=event.figure, bullet=event.bullet, cylinder=event.cylinder)


def _healed(event: ev.InjuriesHealed) -> Message:
    return pb.InjuriesHealed(figure=event.figure, bullets=event.bullets)


def _copied(event: ev.ActionCopied) -> Message:
    return pb.ActionCopied(figure=event.figure, action=CARD_KINDS.values[event.action])


def _revealed(event: ev.GoalsRevealed) -> Message:
    return pb.GoalsRevealed(goals=_goals(event.goals), met=_goals(event.met))


EVENTS: Final[Mapping[type[Event], Callable[[Any], Message]]] = {
    ev.PrisonersDisplayed: lambda event: pb.PrisonersDisplayed(prisoners=event.prisoners),
    ev.GoalTurned: lambda event: pb.GoalTurned(goal=_goal(event.goal)),
    ev.CardsSearched: _searched,
    ev.Captured: lambda event: pb.Captured(figure=event.figure, poster=event.poster),
    ev.MarshalBulletGiven: _bullet_given,
    ev.InjuriesHealed: _healed,
    ev.PrisonerFreed: lambda event: pb.PrisonerFreed(figure=event.figure, prisoner=event.prisoner),
    ev.PrisonerRetaken: lambda event: pb.PrisonerRetaken(
        figure=event.figure, prisoner=event.prisoner
    ),
    ev.BanditFreed: lambda event: pb.BanditFreed(figure=event.figure, freed=event.freed),
    ev.ActionCopied: _copied,
    ev.BrawlerTaken: lambda event: pb.BrawlerTaken(figure=event.figure, brawler=event.brawler),
    ev.GoalsRevealed: _revealed,
}
"""The message of an event as its viewer may see it, by its class."""


# --- the table and the result --------------------------------------------------------------------


def prison_train(seen: State) -> pb.PrisonTrain | None:
    """The prison car and the Marshal's sheet, in a game that has them."""
    extra = _extra(seen)
    if extra is None:
        return None
    return pb.PrisonTrain(
        cylinders=[pb.Cylinder(bullets=bullets) for bullets in extra.cylinders],
        prisoners=extra.displayed,
        retaken_prisoners=extra.retaken,
        posters=extra.posters,
        brawlers=extra.brawlers,
        current_goals=_goals(extra.current),
        upcoming_goals=len(extra.upcoming),
        last_action=CARD_KINDS.values[extra.turned_up],
    )


def possessions(seen: State, figure: str) -> Mapping[str, Any]:
    """What a figure has of this box, by the fields of the message Figure."""
    extra = _extra(seen)
    if extra is None:
        return {}
    return {
        "prisoner": extra.prisoners.get(figure, ""),
        "brawlers": extra.brawlers_of.get(figure, ()),
        "marshal_bullets": extra.shots.get(figure, ()),
        "injuries": extra.injuries.get(figure, ()),
    }


def achievements(state: State, seat: int) -> pb.MarshalsGoals | None:
    """What the Marshal has achieved in a game that is over, where this seat is his."""
    extra = _extra(state)
    if extra is None or seat != tables.MARSHALS_SEAT:
        return None
    return pb.MarshalsGoals(
        goals=_goals(extra.current),
        met=_goals(goals.held(state)),
        needed=tables.GOALS_NEEDED,
    )


def _extra(seen: State) -> PrisonTrain | None:
    extra = seen.extras.get(NAME)
    return extra if isinstance(extra, PrisonTrain) else None


# --- the catalogue -------------------------------------------------------------------------------


def bullet(name: str, entry: Catalog.Entry) -> Catalog.MarshalBulletItem:
    """A sort of the Marshal's bullets."""
    return Catalog.MarshalBulletItem(
        entry=entry,
        count=provisional.CYLINDER.count(name),
        hinders=CARD_KINDS.values[tables.INJURIES.get(name, "")],
    )


def goal(name: str, entry: Catalog.Entry) -> Catalog.GoalItem:
    """A goal, or a kind of goals."""
    scarce = name in tables.NOT_WITH_FEW
    return Catalog.GoalItem(entry=entry, min_bandits=tables.FEW_BANDITS + 1 if scarce else 0)


def brawler(name: str, entry: Catalog.Entry) -> Catalog.BrawlerItem:
    """A Brawler card."""
    return Catalog.BrawlerItem(entry=entry, dollars=provisional.BRAWLERS[name])


def deck(entry: Catalog.Entry) -> Catalog.DeckItem:
    """The Marshal's deck, the only one of a figure that is no bandit."""
    return Catalog.DeckItem(
        entry=entry,
        cards=[
            Catalog.CardCount(kind=CARD_KINDS.values[kind], count=count)
            for kind, count in provisional.MARSHALS_DECK.items()
        ],
    )
