"""A language that the API speaks: its sentences, and the phrases that go into them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from gettext import NullTranslations
from typing import Any, Final, NamedTuple, TypeVar

from babel import Locale
from babel.lists import format_list
from babel.numbers import format_decimal

from coltexpress_server.api.texts.wording import (
    N_,
    Cast,
    ChoiceWriter,
    EventWriter,
    Figure,
    Loot,
    Place,
    Question,
    Term,
    Text,
    Turn,
    Wording,
)
from coltexpress_server.game.cards import BULLET, NEUTRAL, Card
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.events import Event
from coltexpress_server.game.loot import UNKNOWN_VALUE
from coltexpress_server.game.train import INSIDE, ROOF

Key = TypeVar("Key")
Value = TypeVar("Value")

_OPENING: Final = "¿¡«“\"'("
"""What may stand before the first letter of a sentence."""
_ANY_CAR: Final = "CAR"


class _FigurePhrases(NamedTuple):
    """What a figure is called by its part in a sentence; see `wording.Figure`."""

    subject: str
    target: str
    owner: str


class Language:
    """One language, with the words of all boxes.

    tag: what it is called in headers, e.g. `es`, `pt-BR` (BCP 47).
    to, where: the way to a space, and being on it, as phrases.
    money: dollars as they are written.
    """

    def __init__(
        self, tag: str, translations: NullTranslations, wordings: Sequence[Wording]
    ) -> None:
        """translations: from English. Raises ValueError where two wordings say the same thing."""
        self.tag: Final = tag
        self._locale: Final = Locale.parse(tag, sep="-")
        self._translations: Final = translations
        self._figures: Final = {
            name: self._figure_phrases(figure)
            for name, figure in _joined(each.figures for each in wordings).items()
        }
        self._cards: Final[Mapping[str, Term]] = _joined(each.cards for each in wordings)
        self._loot: Final[Mapping[str, Loot]] = _joined(each.loot for each in wordings)
        self._hostages: Final[Mapping[str, Term]] = _joined(each.hostages for each in wordings)
        self._round_cards: Final[Mapping[str, Term]] = _joined(
            each.round_cards for each in wordings
        )
        self._turns: Final[Mapping[str, Turn]] = _joined(each.turns for each in wordings)
        self._round_events: Final[Mapping[str, Term]] = _joined(
            each.round_events for each in wordings
        )
        self._decisions: Final[Mapping[str, Question]] = _joined(
            each.decisions for each in wordings
        )
        self._reasons: Final[Mapping[str, Term]] = _joined(each.reasons for each in wordings)
        self._places: Final[Mapping[str, Place]] = _joined(each.places for each in wordings)
        self._moves: Final[Mapping[str, str]] = _joined(each.moves for each in wordings)
        self._neutral_bullets: Final[Mapping[str, str]] = _joined(
            each.neutral_bullets for each in wordings
        )
        self._refusals: Final[Mapping[str, str]] = _joined(each.refusals for each in wordings)
        self._marshal_bullets: Final[Mapping[str, Term]] = _joined(
            each.marshal_bullets for each in wordings
        )
        self._goals: Final[Mapping[str, Term]] = _joined(each.goals for each in wordings)
        self._brawlers: Final[Mapping[str, Term]] = _joined(each.brawlers for each in wordings)
        self._choices: Final[Mapping[type[Any], ChoiceWriter]] = _joined(
            each.choices for each in wordings
        )
        self._events: Final[Mapping[type[Any], EventWriter]] = _joined(
            each.events for each in wordings
        )
        # Phrases that come up again and again.
        self.money: Final = lru_cache(maxsize=1024)(self._money)
        self.to: Final = lru_cache(maxsize=1024)(self._to)
        self.where: Final = lru_cache(maxsize=1024)(self._where)

    # --- what the API asks for ---------------------------------------------------------------

    def prompt(self, kind: str, figure: str) -> str:
        """The question of a decision."""
        return self.say(self._decisions[kind].prompt, figure=self.figure(figure))

    def label(self, choice: Choice) -> str:
        """An option in words."""
        return self._choices[type(choice)](choice, self)

    def story(self, event: Event, cast: Cast) -> str:
        """An event in one sentence, as far as this form of the event tells.

        event: as its reader may see it (`seen_by`). cast: who plays, for naming seats.
        """
        return self._events[type(event)](event, self, cast)

    # --- sentences ---------------------------------------------------------------------------

    def say(self, sentence: Text, **names: object) -> str:
        """A sentence, or a label; whatever begins it gets a capital letter."""
        return _begun(self.phrase(sentence, **names))

    def counted(self, one: str, many: str, number: int, **names: object) -> str:
        """A sentence about so many things; the number stands in it as {number}."""
        text = self._translations.ngettext(one, many, number)
        return _begun(text.format(number=number, **names))

    def phrase(self, text: Text, **names: object) -> str:
        """A part of a sentence."""
        if isinstance(text, str):
            return self._translations.gettext(text).format(**names)
        return self._translations.pgettext(*text).format(**names)

    def begun(self, phrase: str) -> str:
        """A phrase with which another sentence of a text begins."""
        return _begun(phrase)

    # --- phrases -----------------------------------------------------------------------------

    def figure(self, name: str) -> str:
        """Who does something, or with whom something happens."""
        return self._figures[name].subject

    def target(self, name: str) -> str:
        """To whom something is done."""
        return self._figures[name].target

    def owner(self, name: str) -> str:
        """Whose something is."""
        return self._figures[name].owner

    def seat(self, seat: int, cast: Cast) -> str:
        """Whoever plays there, as who does something."""
        figures = [self.figure(name) for name in cast[seat]] if seat < len(cast) else []
        if len(figures) > 1:
            return self.phrase(N_("the team of {figures}"), figures=self.listed(figures))
        return self.listed(figures) or self.phrase(N_("seat {seat}"), seat=seat)

    def action(self, kind: str) -> str:
        """What an action card is called."""
        return self.phrase(self._cards[kind].name)

    def card(self, card: Card) -> str:
        """An action card, or a bullet with who gave it."""
        if card.action != BULLET:
            return self.action(card.action)
        if card.figure == NEUTRAL:
            return self.phrase(N_("a neutral bullet"))
        if card.figure in self._marshal_bullets:
            return self.marshal_bullet(card.figure)
        return self.phrase(N_("one of {owner} bullets"), owner=self.owner(card.figure))

    def own_card(self, name: str) -> str:
        """A card in one's own hand, from its name: `FIRE`, `DOC.FIRE`."""
        figure, _, kind = name.rpartition(".")
        if not figure:
            return self.action(kind)
        if figure in self._marshal_bullets:
            return self.marshal_bullet(figure)
        return self.phrase(N_("{owner} {card}"), owner=self.owner(figure), card=self.action(kind))

    def hostage(self, name: str) -> str:
        """What a hostage is called."""
        return self.phrase(self._hostages[name].name)

    def marshal_bullet(self, sort: str) -> str:
        """A bullet of the Marshal, by its sort."""
        bullet = self.phrase(self._marshal_bullets[sort].name)
        return self.phrase(N_("the bullet “{bullet}”"), bullet=bullet)

    def goal(self, title: str) -> str:
        """What a goal is called."""
        return self.phrase(self._goals[title].name)

    def brawler(self, name: str) -> str:
        """What a Brawler card is called."""
        return self.phrase(self._brawlers[name].name)

    def refused(self, figure: str, cause: str) -> str:
        """That a figure has refused something."""
        return self.say(self._refusals[cause], figure=self.figure(figure))

    def round_card(self, name: str) -> str:
        """The title of a round card."""
        return self.phrase(self._round_cards[name].name)

    def turn_started(self, turn: str, number: int) -> str:
        """The beginning of a turn; number: from 1."""
        return self.say(self._turns[turn].started, number=number)

    def round_event(self, event: str) -> str:
        """What an event at the end of a round does."""
        return self.say(self._round_events[event].text)

    def moved(self, figure: str, space: str, cause: str) -> str:
        """Why a figure stands on another space now."""
        return self.say(
            self._moves[cause],
            figure=self.figure(figure),
            target=self.target(figure),
            to=self.to(space),
        )

    def hit_by_neutral_bullet(self, figure: str, cause: str) -> str:
        """Who gave a figure a neutral bullet."""
        return self.say(self._neutral_bullets[cause], target=self.target(figure))

    def loot(self, kind: str, value: int) -> str:
        """A loot token with its value in dollars, or of `UNKNOWN_VALUE`."""
        loot = self._loot[kind]
        if value == UNKNOWN_VALUE:
            return self.phrase(loot.some)
        return self.phrase(loot.worth, money=self.money(value))

    def several_loot(self, kind: str, number: int) -> str:
        """So many loot tokens of a kind."""
        one, many = self._loot[kind].several
        return self._translations.ngettext(one, many, number).format(number=number)

    def car(self, letter: str) -> str:
        """What a car is called; an empty letter stands for the locomotive."""
        return self.phrase(N_("Car {letter}"), letter=letter) if letter else self.say("Locomotive")

    def holds(self, loot: Sequence[str]) -> str:
        """What lies in a car at the start."""
        return self.say("Holds {loot} at the start.", loot=self.listed(loot))

    def reason(self, reason: str) -> str:
        """Why a request was refused, for players."""
        return self.phrase(self._reasons[reason].text)

    def to_car(self, car: int) -> str:
        """The way to the inside of a car."""
        return self.to(f"{car}.{INSIDE}")

    def where_car(self, car: int) -> str:
        """Being inside a car."""
        return self.where(f"{car}.{INSIDE}")

    def listed(self, words: Sequence[str]) -> str:
        """All of them; empty for none."""
        return format_list(words, locale=self._locale)

    def _to(self, space: str) -> str:
        stem, place, level = self._place(space)
        return self.phrase(place.to_roof if level == ROOF else place.to_inside, number=stem)

    def _where(self, space: str) -> str:
        stem, place, level = self._place(space)
        return self.phrase(place.roof if level == ROOF else place.inside, number=stem)

    def _figure_phrases(self, figure: Figure) -> _FigurePhrases:
        name = self.phrase(figure.name)
        return _FigurePhrases(
            self.phrase(figure.subject, name=name),
            self.phrase(figure.target, name=name),
            self.phrase(figure.owner, name=name),
        )

    def _place(self, space: str) -> tuple[str, Place, str]:
        stem, _, level = space.partition(".")
        return stem, self._places.get(stem) or self._places[_ANY_CAR], level

    def _money(self, dollars: int) -> str:
        amount = format_decimal(abs(dollars), locale=self._locale)
        return self.phrase(N_("-${amount}") if dollars < 0 else N_("${amount}"), amount=amount)


def _begun(text: str) -> str:
    start = 1 if text[0] in _OPENING else 0
    return text[:start] + text[start].upper() + text[start + 1 :]


def _joined(tables: Iterable[Mapping[Key, Value]]) -> Mapping[Key, Value]:
    found: dict[Key, Value] = {}
    for table in tables:
        if twice := found.keys() & table.keys():
            raise ValueError(f"two wordings have words for {sorted(map(str, twice))}")
        found.update(table)
    return found
