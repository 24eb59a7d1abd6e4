"""What happens with the base box, told in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from coltexpress_server.api.texts.language import Language
from coltexpress_server.api.texts.wording import Cast, EventWriter
from coltexpress_server.game import events as ev
from coltexpress_server.game.cards import HIDDEN, NEUTRAL

# --- the game, its rounds and turns ------------------------------------------------------------


def _game_started(event: ev.GameStarted, lang: Language, cast: Cast) -> str:
    figures = lang.listed([lang.figure(name) for name in event.figures])
    if event.first_seat < 0:
        return lang.say("The train leaves without {figures}, who ride after it.", figures=figures)
    return lang.say(
        "The train leaves with {figures} aboard; {first} begins.",
        figures=figures,
        first=lang.seat(event.first_seat, cast),
    )


def _round_started(event: ev.RoundStarted, lang: Language, cast: Cast) -> str:
    return lang.say(
        "Round {number}: {card}. {first} begins.",
        number=event.number,
        card=lang.round_card(event.card),
        first=lang.begun(lang.seat(event.first_seat, cast)),
    )


def _turn_started(event: ev.TurnStarted, lang: Language, cast: Cast) -> str:
    return lang.turn_started(event.turn, event.index + 1)


def _round_event_started(event: ev.RoundEventStarted, lang: Language, cast: Cast) -> str:
    return lang.round_event(event.event)


def _round_ended(event: ev.RoundEnded, lang: Language, cast: Cast) -> str:
    return lang.say(
        "Round {number} is over; {first} begins the next one.",
        number=event.number,
        first=lang.seat(event.first_seat, cast),
    )


def _game_ended(event: ev.GameEnded, lang: Language, cast: Cast) -> str:
    if not event.winners:
        return lang.say("The game is over, and nobody wins.")
    winners = lang.listed([lang.seat(seat, cast) for seat in event.winners])
    money = lang.money(event.scores[event.winners[0]])
    if event.scores[event.winners[0]] < max(event.scores):
        # Who wins by something else than money.
        return lang.say("The game is over: {winners} wins.", winners=winners)
    if len(event.winners) == 1:
        return lang.say(
            "The game is over: {winner} wins with {money}.", winner=winners, money=money
        )
    return lang.say(
        "The game is over: {winners} share the win with {money}.", winners=winners, money=money
    )


# --- cards --------------------------------------------------------------------------------------


def _cards_drawn(event: ev.CardsDrawn, lang: Language, cast: Cast) -> str:
    player = lang.seat(event.seat, cast)
    if not event.cards:
        return lang.say("{player} draws no card.", player=player)
    if event.cards[0].action != HIDDEN:
        cards = lang.listed([lang.card(card) for card in event.cards])
        return lang.say("{player} draws {cards}.", player=player, cards=cards)
    return lang.counted(
        "{player} draws a card.",
        "{player} draws {number} cards.",
        len(event.cards),
        player=player,
    )


def _card_played(event: ev.CardPlayed, lang: Language, cast: Cast) -> str:
    player = lang.seat(event.seat, cast)
    if event.card.action == HIDDEN:
        return lang.say("{player} plays a card face down.", player=player)
    card = lang.card(event.card)
    if event.face_down:
        return lang.say("{player} plays {card} face down.", player=player, card=card)
    return lang.say("{player} plays {card}.", player=player, card=card)


def _hand_returned(event: ev.HandReturned, lang: Language, cast: Cast) -> str:
    return lang.counted(
        "{player} puts a card back into the deck.",
        "{player} puts {number} cards back into the deck.",
        event.count,
        player=lang.seat(event.seat, cast),
    )


def _card_turned_up(event: ev.CardTurnedUp, lang: Language, cast: Cast) -> str:
    owner, card = lang.owner(event.card.figure), lang.card(event.card)
    return lang.say("{owner} {card} comes up.", owner=owner, card=card)


def _deck_rebuilt(event: ev.DeckRebuilt, lang: Language, cast: Cast) -> str:
    player = lang.seat(event.seat, cast)
    return lang.say("{player} shuffles the discards into a new deck.", player=player)


def _cards_discarded(event: ev.CardsDiscarded, lang: Language, cast: Cast) -> str:
    return lang.counted(
        "{player} discards a card and keeps {kept}.",
        "{player} discards {number} cards and keeps {kept}.",
        len(event.cards),
        player=lang.seat(event.seat, cast),
        kept=event.kept,
    )


def _card_borrowed(event: ev.CardBorrowed, lang: Language, cast: Cast) -> str:
    player, partner = lang.seat(event.seat, cast), lang.seat(event.partner, cast)
    if event.card.action == HIDDEN:
        return lang.say(
            "{player} draws a card from the deck of {partner}.",
            player=player,
            partner=partner,
        )
    return lang.say(
        "{player} draws {card} from the deck of {partner}.",
        player=player,
        card=lang.card(event.card),
        partner=partner,
    )


# --- figures and loot ----------------------------------------------------------------------------


def _no_effect(event: ev.NoEffect, lang: Language, cast: Cast) -> str:
    owner, card = lang.owner(event.figure), lang.action(event.action)
    return lang.say("{owner} {card} has no effect.", owner=owner, card=card)


def _figure_moved(event: ev.FigureMoved, lang: Language, cast: Cast) -> str:
    return lang.moved(event.figure, event.space, event.cause)


def _bullet_given(event: ev.BulletGiven, lang: Language, cast: Cast) -> str:
    if event.giver == NEUTRAL:
        return lang.hit_by_neutral_bullet(event.figure, event.cause)
    giver, target = lang.figure(event.giver), lang.target(event.figure)
    return lang.say("{giver} shoots {target}.", giver=giver, target=target)


def _neutral_bullets_gone(event: ev.NeutralBulletsGone, lang: Language, cast: Cast) -> str:
    return lang.say("Too few neutral bullets are left for everybody, so nobody gets one.")


def _punched(event: ev.Punched, lang: Language, cast: Cast) -> str:
    figure, target = lang.figure(event.figure), lang.target(event.target)
    return lang.say("{figure} punches {target}.", figure=figure, target=target)


def _loot_moved(event: ev.LootMoved, lang: Language, cast: Cast) -> str:
    loot = lang.loot(event.token.kind, event.token.value)
    source, target = event.source, event.target
    if _is_space(target):
        if source:
            return lang.say("{figure} loses {loot}.", figure=lang.figure(source), loot=loot)
        return lang.say("{loot} is laid down {where}.", loot=loot, where=lang.where(target))
    if not target and _is_space(source):
        return lang.say("{loot} {where} is used up.", loot=loot, where=lang.where(source))
    if not target:
        return lang.say("{figure} has to give up {loot}.", figure=lang.figure(source), loot=loot)
    figure = lang.figure(target)
    if not source:
        return lang.say("{figure} gets {loot}.", figure=figure, loot=loot)
    if _is_space(source):
        return lang.say("{figure} takes {loot}.", figure=figure, loot=loot)
    return lang.say(
        "{figure} takes {loot} from {target}.",
        figure=figure,
        loot=loot,
        target=lang.target(source),
    )


def _declined(event: ev.Declined, lang: Language, cast: Cast) -> str:
    return lang.refused(event.figure, event.cause)


def _is_space(place: str) -> bool:
    return "." in place


EVENTS: Final[Mapping[type[ev.Event], EventWriter]] = {
    ev.GameStarted: _game_started,
    ev.RoundStarted: _round_started,
    ev.TurnStarted: _turn_started,
    ev.RoundEventStarted: _round_event_started,
    ev.RoundEnded: _round_ended,
    ev.GameEnded: _game_ended,
    ev.CardsDrawn: _cards_drawn,
    ev.CardPlayed: _card_played,
    ev.HandReturned: _hand_returned,
    ev.CardTurnedUp: _card_turned_up,
    ev.DeckRebuilt: _deck_rebuilt,
    ev.CardsDiscarded: _cards_discarded,
    ev.CardBorrowed: _card_borrowed,
    ev.NoEffect: _no_effect,
    ev.FigureMoved: _figure_moved,
    ev.BulletGiven: _bullet_given,
    ev.NeutralBulletsGone: _neutral_bullets_gone,
    ev.Punched: _punched,
    ev.LootMoved: _loot_moved,
    ev.Declined: _declined,
}
