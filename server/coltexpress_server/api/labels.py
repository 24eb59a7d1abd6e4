"""All words for people: prompts, labels of options, what happened. English, for now.

Every sentence stands here whole, with named places for what varies, so that it can be translated.
Whoever is shown a text sees no more in it than in the message it belongs to: it is made of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from coltexpress_server.game import choices as ch
from coltexpress_server.game import events as ev
from coltexpress_server.game.cards import BULLET, HIDDEN, NEUTRAL, Card
from coltexpress_server.game.loot import UNKNOWN_VALUE
from coltexpress_server.game.train import ROOF
from coltexpress_server.service import events as lobby

Cast = Sequence[Sequence[str]]
"""The bandits of each seat, as far as they are known."""

PROMPTS: Final = {
    "SCHEME": "{figure}: play a card or draw three?",
    "MOVE": "Where does {figure} move?",
    "FLOOR_CHANGE": "Where does {figure} climb?",
    "FIRE": "Whom does {figure} shoot?",
    "ROBBERY": "What does {figure} take?",
    "PUNCH": "Whom does {figure} punch, what is lost, and where does the victim land?",
    "MARSHAL": "{figure} moves the Marshal: where to?",
    "PICKPOCKETING": "Which purse does {figure} take, if any?",
    "DISCARD": "{figure}: which cards stay in your hand for the next round?",
}
"""By kind of decision."""

CARDS: Final = {
    "MOVE": "Move",
    "FLOOR_CHANGE": "Floor Change",
    "FIRE": "Fire",
    "ROBBERY": "Robbery",
    "PUNCH": "Punch",
    "MARSHAL": "Marshal",
}
"""By action."""

LOOT: Final = {
    "PURSE": "a purse",
    "JEWEL": "a jewel",
    "STRONGBOX": "a strongbox",
}
"""By kind of loot."""

ROUND_CARDS: Final = {
    "SWIVEL_ARM": "Swivel Arm",
    "ANGRY_MARSHAL": "Angry Marshal",
    "TAKE_IT_ALL": "Take It All!",
    "BRAKING": "Braking",
    "PASSENGERS_REBELLION": "Passengers' Rebellion",
    "BRIDGE": "The Bridge",
    "LONG_TUNNEL": "The Tunnel",
    "MARSHALS_REVENGE": "Marshal's Revenge",
    "PICKPOCKETING": "Pickpocketing",
    "HOSTAGE_CONDUCTOR": "The Conductor as Hostage",
}
"""By title of the round card."""

TURNS: Final = {
    "STANDARD": "Turn {number}: cards are played face up.",
    "TUNNEL": "Turn {number}: in a tunnel, cards are played face down.",
    "SPEEDING_UP": "Turn {number}: the train speeds up, everybody has two turns in a row.",
    "SWITCHING": "Turn {number}: at a switch, the order is reversed.",
}
"""By kind of turn."""

AUTO_PLAY: Final = {
    "REQUESTED": "A bot plays for {player} from now on.",
    "MISSED_DEADLINES": "{player} has not answered in time; a bot plays on.",
    "ABANDONED": "Nobody has answered for very long; a bot plays for {player}.",
}

ROUND_EVENTS: Final = {
    "NONE": "Nothing else happens in this round.",
    "SWIVEL_ARM": "A swivel arm sweeps the roofs clear.",
    "ANGRY_MARSHAL": "The Marshal gets angry, shoots at the roof above him and goes back a car.",
    "TAKE_IT_ALL": "Another strongbox is brought to the Marshal.",
    "BRAKING": "The train brakes: everybody on the roofs goes one car forward.",
    "PASSENGERS_REBELLION": "The passengers rebel and shoot at everybody inside.",
    "MARSHALS_REVENGE": "The Marshal takes revenge on those on the roof above him.",
    "PICKPOCKETING": "Whoever is alone may pick up a purse.",
    "HOSTAGE_CONDUCTOR": "Whoever is in or on the locomotive gets a ransom for the conductor.",
}
"""By event at the end of a round."""

MOVES: Final = {
    "MOVE": "{figure} moves to {space}.",
    "FLOOR_CHANGE": "{figure} climbs to {space}.",
    "FIRE": "The shot pushes {figure} to {space}.",
    "PUNCH": "The punch sends {figure} to {space}.",
    "MARSHAL": "{figure} moves to {space}.",
    "MARSHAL_MET": "{figure} flees from the Marshal to {space}.",
    "SWIVEL_ARM": "{figure} is swept to {space}.",
    "ANGRY_MARSHAL": "{figure} moves to {space}.",
    "BRAKING": "{figure} stumbles to {space}.",
}
"""What moved a figure, by cause."""

NEUTRAL_BULLETS: Final = {
    "MARSHAL_MET": "The Marshal shoots {figure}.",
    "ANGRY_MARSHAL": "The Marshal shoots {figure}.",
    "PASSENGERS_REBELLION": "The passengers shoot {figure}.",
}
"""Who gave a neutral bullet, by cause."""


def prompt(kind: str, figure: str) -> str:
    """The question of a decision."""
    return _say(PROMPTS[kind], figure=_figure(figure))


def label(choice: ch.Choice) -> str:
    """An option in words."""
    match choice:
        case ch.Play(figure="", face_down=False):
            return _say("Play {card}", card=CARDS[choice.action])
        case ch.Play(figure=""):
            return _say("Play {card} face down", card=CARDS[choice.action])
        case ch.Play(face_down=False):
            figure = _figure(choice.figure)
            return _say("Play {figure}'s {card}", figure=figure, card=CARDS[choice.action])
        case ch.Play():
            figure = _figure(choice.figure)
            card = CARDS[choice.action]
            return _say("Play {figure}'s {card} face down", figure=figure, card=card)
        case ch.Draw():
            return _say("Draw three cards")
        case ch.Pass():
            return _say("Take nothing")
        case ch.MoveTo():
            return _say("Move to {space}", space=_space(choice.space))
        case ch.FloorTo():
            return _say("Climb to {space}", space=_space(choice.space))
        case ch.MarshalTo():
            return _say("Move the Marshal to {car}", car=_car(choice.car))
        case ch.FireAt():
            return _say("Shoot {figure}", figure=_figure(choice.figure))
        case ch.Rob():
            return _take(choice.loot, choice.value)
        case ch.TakePurse():
            return _take("PURSE", choice.value)
        case ch.Keep(cards=()):
            return _say("Keep nothing")
        case ch.Keep():
            return _say("Keep {cards}", cards=_list([_own_card(name) for name in choice.cards]))
        case ch.Punch(drop=""):
            return _say(
                "Punch {figure}, who owns nothing and lands {where}",
                figure=_figure(choice.figure),
                where=_where(choice.space),
            )
        case ch.Punch(keep=False):
            return _say(
                "Punch {figure}, who drops {loot} and lands {where}",
                figure=_figure(choice.figure),
                loot=LOOT[choice.drop],
                where=_where(choice.space),
            )
        case ch.Punch():
            return _say(
                "Punch {figure}, take {loot} for yourself; {figure} lands {where}",
                figure=_figure(choice.figure),
                loot=LOOT[choice.drop],
                where=_where(choice.space),
            )
    raise TypeError(f"no words for a choice of kind {type(choice).__name__}")


def story(event: ev.Event, cast: Cast) -> str:
    """An event in one sentence, as far as this form of the event tells.

    event: as its reader may see it (`seen_by`). cast: who plays, for naming seats.
    """
    match event:
        case lobby.GameCreated():
            return _say("The game is created.")
        case lobby.SeatTaken():
            return _seat_taken(event)
        case lobby.SeatLeft():
            return _say("Seat {seat} is free again.", seat=event.seat)
        case lobby.AutoPlayStarted():
            return _say(AUTO_PLAY[event.reason], player=_seat(event.seat, cast))
        case lobby.AutoPlayStopped():
            return _say("{player} is back.", player=_seat(event.seat, cast))
        case lobby.SeatHandedOver():
            return _say(
                "{player} has left; a bot plays on to the end.", player=_seat(event.seat, cast)
            )
        case ev.GameStarted():
            return _say(
                "The train leaves with {figures} aboard; {first} begins.",
                figures=_list([_figure(name) for name in event.figures]),
                first=_seat(event.first_seat, cast),
            )
        case ev.RoundStarted():
            return _say(
                "Round {number}: {card}. {first} begins.",
                number=event.number,
                card=ROUND_CARDS[event.card],
                first=_seat(event.first_seat, cast),
            )
        case ev.TurnStarted():
            return _say(TURNS[event.turn], number=event.index + 1)
        case ev.RoundEventStarted():
            return _say(ROUND_EVENTS[event.event])
        case ev.RoundEnded():
            return _say(
                "Round {number} is over; {first} begins the next one.",
                number=event.number,
                first=_seat(event.first_seat, cast),
            )
        case ev.GameEnded():
            return _game_ended(event, cast)
        case ev.CardsDrawn() | ev.CardPlayed() | ev.HandReturned() | ev.CardTurnedUp():
            return _of_cards(event, cast)
        case ev.DeckRebuilt() | ev.CardsDiscarded() | ev.CardBorrowed():
            return _of_piles(event, cast)
        case _:
            return _of_figures(event)


def _of_cards(
    event: ev.CardsDrawn | ev.CardPlayed | ev.HandReturned | ev.CardTurnedUp, cast: Cast
) -> str:
    player = _seat(event.seat, cast)
    match event:
        case ev.CardsDrawn(cards=[]):
            return _say("{player} draws no card.", player=player)
        case ev.CardsDrawn(cards=cards) if cards[0].action != HIDDEN:
            return _say(
                "{player} draws {cards}.",
                player=player,
                cards=_list([_card(card) for card in cards]),
            )
        case ev.CardsDrawn(cards=[_]):
            return _say("{player} draws a card.", player=player)
        case ev.CardsDrawn(cards=cards):
            return _say("{player} draws {count} cards.", player=player, count=len(cards))
        case ev.CardPlayed(card=card) if card.action == HIDDEN:
            return _say("{player} plays a card face down.", player=player)
        case ev.CardPlayed(face_down=True):
            return _say("{player} plays {card} face down.", player=player, card=_card(event.card))
        case ev.CardPlayed():
            return _say("{player} plays {card}.", player=player, card=_card(event.card))
        case ev.HandReturned(count=1):
            return _say("{player} puts a card back into the deck.", player=player)
        case ev.HandReturned():
            return _say(
                "{player} puts {count} cards back into the deck.", player=player, count=event.count
            )
        case ev.CardTurnedUp():
            figure = _figure(event.card.figure)
            return _say("{figure}'s {card} comes up.", figure=figure, card=_card(event.card))


def _of_piles(event: ev.DeckRebuilt | ev.CardsDiscarded | ev.CardBorrowed, cast: Cast) -> str:
    player = _seat(event.seat, cast)
    match event:
        case ev.DeckRebuilt():
            return _say("{player} shuffles the discards into a new deck.", player=player)
        case ev.CardsDiscarded(cards=[_]):
            return _say(
                "{player} discards a card and keeps {kept}.", player=player, kept=event.kept
            )
        case ev.CardsDiscarded():
            return _say(
                "{player} discards {count} cards and keeps {kept}.",
                player=player,
                count=len(event.cards),
                kept=event.kept,
            )
        case ev.CardBorrowed(card=card) if card.action == HIDDEN:
            return _say(
                "{player} draws a card from the deck of {partner}.",
                player=player,
                partner=_seat(event.partner, cast),
            )
        case ev.CardBorrowed():
            return _say(
                "{player} draws {card} from the deck of {partner}.",
                player=player,
                card=_card(event.card),
                partner=_seat(event.partner, cast),
            )


def _of_figures(event: ev.Event) -> str:
    match event:
        case ev.NoEffect():
            return _say(
                "{figure}'s {card} has no effect.",
                figure=_figure(event.figure),
                card=CARDS[event.action],
            )
        case ev.FigureMoved():
            return _say(MOVES[event.cause], figure=_figure(event.figure), space=_space(event.space))
        case ev.BulletGiven(giver=giver) if giver == NEUTRAL:
            return _say(NEUTRAL_BULLETS[event.cause], figure=_figure(event.figure))
        case ev.BulletGiven():
            return _say(
                "{giver} shoots {figure}.",
                giver=_figure(event.giver),
                figure=_figure(event.figure),
            )
        case ev.NeutralBulletsGone():
            return _say("Too few neutral bullets are left for everybody, so nobody gets one.")
        case ev.Punched():
            return _say(
                "{figure} punches {target}.",
                figure=_figure(event.figure),
                target=_figure(event.target),
            )
        case ev.LootMoved():
            return _loot_moved(event)
        case ev.Declined():
            return _say("{figure} takes nothing.", figure=_figure(event.figure))
    raise TypeError(f"no words for an event of kind {type(event).__name__}")


def _loot_moved(event: ev.LootMoved) -> str:
    loot = _loot(event.token.kind, event.token.value)
    source, target = event.source, event.target
    if _is_space(target):
        if source:
            return _say("{figure} loses {loot}.", figure=_figure(source), loot=loot)
        return _say("{loot} is laid down {where}.", loot=loot, where=_where(target))
    if not target:
        return _say("{figure} has to give up {loot}.", figure=_figure(source), loot=loot)
    if not source:
        return _say("{figure} gets {loot}.", figure=_figure(target), loot=loot)
    if _is_space(source):
        return _say("{figure} takes {loot}.", figure=_figure(target), loot=loot)
    return _say(
        "{figure} takes {loot} from {victim}.",
        figure=_figure(target),
        loot=loot,
        victim=_figure(source),
    )


def _seat_taken(event: lobby.SeatTaken) -> str:
    name, seat = event.display_name, event.seat
    figures = _list([_figure(figure) for figure in event.figures])
    if name and figures:
        return _say(
            "Seat {seat} is taken by {name} to play {figures}.",
            seat=seat,
            name=name,
            figures=figures,
        )
    if name:
        return _say("Seat {seat} is taken by {name}.", seat=seat, name=name)
    if figures:
        return _say("Seat {seat} is taken to play {figures}.", seat=seat, figures=figures)
    return _say("Seat {seat} is taken.", seat=seat)


def _game_ended(event: ev.GameEnded, cast: Cast) -> str:
    if not event.winners:
        return _say("The game is over, and nobody wins.")
    winners = _list([_seat(seat, cast) for seat in event.winners])
    dollars = event.scores[event.winners[0]]
    if len(event.winners) == 1:
        return _say(
            "The game is over: {winner} wins with ${dollars}.", winner=winners, dollars=dollars
        )
    return _say(
        "The game is over: {winners} share the win with ${dollars}.",
        winners=winners,
        dollars=dollars,
    )


def _take(kind: str, value: int) -> str:
    if kind == "PURSE" and value == UNKNOWN_VALUE:
        return _say("Take a purse whose value you do not know")
    return _say("Take {loot}", loot=_loot(kind, value))


def _loot(kind: str, value: int) -> str:
    if value == UNKNOWN_VALUE:
        return LOOT[kind]
    return _phrase("{loot} of ${value}", loot=LOOT[kind], value=value)


def _card(card: Card) -> str:
    if card.action != BULLET:
        return CARDS[card.action]
    if card.figure == NEUTRAL:
        return _phrase("a neutral bullet")
    return _phrase("a bullet from {giver}", giver=_figure(card.figure))


def _own_card(name: str) -> str:
    """A card in one's own hand, from its name."""
    figure, _, kind = name.rpartition(".")
    if not figure:
        return CARDS[kind]
    return _phrase("{figure}'s {card}", figure=_figure(figure), card=CARDS[kind])


def _space(space: str) -> str:
    car, _, level = space.partition(".")
    if level == ROOF:
        return _phrase("the roof of {car}", car=_car(int(car)))
    return _car(int(car))


def _where(space: str) -> str:
    car, _, level = space.partition(".")
    if level == ROOF:
        return _phrase("on the roof of {car}", car=_car(int(car)))
    return _phrase("in {car}", car=_car(int(car)))


def _car(car: int) -> str:
    return _phrase("car {number}", number=car) if car else _phrase("the locomotive")


def _is_space(place: str) -> bool:
    return "." in place


def _seat(seat: int, cast: Cast) -> str:
    figures = [_figure(name) for name in cast[seat]] if seat < len(cast) else []
    if len(figures) > 1:
        return _phrase("the team of {figures}", figures=_list(figures))
    return _list(figures) or _phrase("seat {seat}", seat=seat)


def _figure(name: str) -> str:
    """Bandits by name, others by what they are."""
    return _phrase("the Marshal") if name == "MARSHAL" else name.capitalize()


def _list(words: list[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return _phrase("{first} and {last}", first=", ".join(words[:-1]), last=words[-1])


def _phrase(text: str, **names: object) -> str:
    """A part of a sentence."""
    return text.format(**names)


def _say(sentence: str, **names: object) -> str:
    """A sentence, or a label; names that begin it get a capital letter."""
    text = sentence.format(**names)
    return text[0].upper() + text[1:]
