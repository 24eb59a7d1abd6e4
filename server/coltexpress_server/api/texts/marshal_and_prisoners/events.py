"""What happens with Marshal & Prisoners, told in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from coltexpress_server.api.texts.language import Language
from coltexpress_server.api.texts.wording import Cast, EventWriter
from coltexpress_server.game.boxes.marshal_and_prisoners import events as ev
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import HIDDEN_GOAL
from coltexpress_server.game.cards import HIDDEN
from coltexpress_server.game.events import Event

# --- the Marshal ---------------------------------------------------------------------------------


def _goal(name: str, lang: Language) -> str:
    """From `WARRANT:DOC`, or the name of a special target."""
    title, _, figure = name.partition(":")
    if not figure:
        return lang.goal(title)
    return lang.phrase("{goal} for {figure}", goal=lang.goal(title), figure=lang.figure(figure))


def _goal_turned(event: ev.GoalTurned, lang: Language, cast: Cast) -> str:
    if event.goal == HIDDEN_GOAL:
        return lang.say("The Marshal looks at his next goal.")
    return lang.say("The Marshal's next goal: {goal}.", goal=_goal(event.goal, lang))


def _goals_revealed(event: ev.GoalsRevealed, lang: Language, cast: Cast) -> str:
    goals = lang.listed([_goal(goal, lang) for goal in event.goals])
    if not event.met:
        return lang.say("The Marshal's goals were {goals}; he has reached none.", goals=goals)
    met = lang.listed([_goal(goal, lang) for goal in event.met])
    return lang.say("The Marshal's goals were {goals}; he has reached {met}.", goals=goals, met=met)


def _captured(event: ev.Captured, lang: Language, cast: Cast) -> str:
    target = lang.target(event.figure)
    if event.poster:
        return lang.say("The Marshal captures {target} and takes the poster.", target=target)
    return lang.say("The Marshal captures {target} once more.", target=target)


def _bullet_given(event: ev.MarshalBulletGiven, lang: Language, cast: Cast) -> str:
    return lang.say(
        "The Marshal shoots {target} from cylinder {cylinder}: {bullet}.",
        target=lang.target(event.figure),
        cylinder=event.cylinder,
        bullet=lang.marshal_bullet(event.bullet),
    )


def _healed(event: ev.InjuriesHealed, lang: Language, cast: Cast) -> str:
    bullets = lang.listed([lang.marshal_bullet(bullet) for bullet in event.bullets])
    figure = lang.figure(event.figure)
    return lang.say("{figure} recovers, and keeps {bullets}.", figure=figure, bullets=bullets)


def _brawler_taken(event: ev.BrawlerTaken, lang: Language, cast: Cast) -> str:
    figure, brawler = lang.figure(event.figure), lang.brawler(event.brawler)
    return lang.say("{figure} takes a Brawler card: {brawler}.", figure=figure, brawler=brawler)


# --- prisoners and ideas -------------------------------------------------------------------------


def _prisoners_displayed(event: ev.PrisonersDisplayed, lang: Language, cast: Cast) -> str:
    owners = lang.listed([lang.owner(name) for name in event.prisoners])
    return lang.say("In the prison car sit {owners} companions.", owners=owners)


def _prisoner_freed(event: ev.PrisonerFreed, lang: Language, cast: Cast) -> str:
    figure, owner = lang.figure(event.figure), lang.owner(event.prisoner)
    return lang.say("{figure} frees {owner} companion.", figure=figure, owner=owner)


def _prisoner_retaken(event: ev.PrisonerRetaken, lang: Language, cast: Cast) -> str:
    owner = lang.owner(event.prisoner)
    if event.figure:
        figure = lang.figure(event.figure)
        return lang.say("{figure} loses {owner} companion.", figure=figure, owner=owner)
    return lang.say("Nobody has freed {owner} companion.", owner=owner)


def _bandit_freed(event: ev.BanditFreed, lang: Language, cast: Cast) -> str:
    figure, target = lang.figure(event.figure), lang.target(event.freed)
    return lang.say("{figure} lets {target} out of the cell.", figure=figure, target=target)


def _copied(event: ev.ActionCopied, lang: Language, cast: Cast) -> str:
    figure, card = lang.figure(event.figure), lang.action(event.action)
    return lang.say("{figure} has an idea: {card}, once more.", figure=figure, card=card)


def _searched(event: ev.CardsSearched, lang: Language, cast: Cast) -> str:
    player = lang.seat(event.seat, cast)
    if not event.cards:
        return lang.say("{player} searches for a brilliant idea, and finds none.", player=player)
    if event.cards[0].action == HIDDEN:
        return lang.say("{player} searches for a brilliant idea, and finds one.", player=player)
    cards = lang.listed([lang.card(card) for card in event.cards])
    return lang.say("{player} searches, and takes {cards}.", player=player, cards=cards)


EVENTS: Final[Mapping[type[Event], EventWriter]] = {
    ev.PrisonersDisplayed: _prisoners_displayed,
    ev.GoalTurned: _goal_turned,
    ev.CardsSearched: _searched,
    ev.Captured: _captured,
    ev.MarshalBulletGiven: _bullet_given,
    ev.InjuriesHealed: _healed,
    ev.PrisonerFreed: _prisoner_freed,
    ev.PrisonerRetaken: _prisoner_retaken,
    ev.BanditFreed: _bandit_freed,
    ev.ActionCopied: _copied,
    ev.BrawlerTaken: _brawler_taken,
    ev.GoalsRevealed: _goals_revealed,
}
