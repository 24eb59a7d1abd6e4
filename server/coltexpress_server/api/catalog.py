"""The catalogue as a message: words from `texts`, numbers from the rules' own tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final

from grpc import StatusCode

from coltexpress.v1.catalog_pb2 import Catalog
from coltexpress.v1.server_service_pb2 import TableSize
from coltexpress_server.api import horses_and_stagecoach, marshal_and_prisoners
from coltexpress_server.api.errors import CODES
from coltexpress_server.api.texts import LANGUAGES, WORDINGS, Language
from coltexpress_server.api.texts.wording import Term, Wording
from coltexpress_server.api.words import (
    CARD_KINDS,
    DECISION_KINDS,
    EDITIONS,
    EXPANSIONS,
    LEVELS,
    LOOT_KINDS,
    PHASES,
    REASONS,
    ROUND_EVENTS,
    TURN_KINDS,
    VARIANTS,
)
from coltexpress_server.game.cards import BULLET
from coltexpress_server.service.catalog import BoxContents, contents, table_sizes

_LOCOMOTIVE: Final = "LOCOMOTIVE"


@cache
def catalog(language: Language) -> Catalog:
    """Everything in the boxes, in a language; not to be changed."""
    boxes = contents()
    words = _Words(language, {box.box: box.provisional for box in boxes})
    return Catalog(
        language_code=language.tag,
        language_codes=list(LANGUAGES),
        boxes=[
            Catalog.BoxItem(
                entry=entry, expansion=EXPANSIONS.values.get(name, EXPANSIONS.values[""])
            )
            for name, entry in words.all(lambda each: each.boxes)
        ],
        variants=[
            Catalog.VariantItem(entry=entry, variant=VARIANTS.values[name])
            for name, entry in words.all(lambda each: each.variants)
        ],
        editions=[
            Catalog.EditionItem(entry=entry, edition=EDITIONS.values[name])
            for name, entry in words.all(lambda each: each.editions)
        ],
        table_sizes=sizes(),
        figures=list(_figures(boxes, words)),
        action_cards=list(_action_cards(boxes, words)),
        bullets=_bullets(boxes, words),
        loot=list(_loot(boxes, words)),
        cars=[*_cars(boxes, language), *_cars_with_names(words)],
        round_cards=list(_round_cards(boxes, words)),
        turns=[
            Catalog.TurnItem(entry=entry, kind=TURN_KINDS.values[name])
            for name, entry in words.all(lambda each: each.turns)
        ],
        round_events=[
            Catalog.RoundEventItem(entry=entry, event=ROUND_EVENTS.values[name])
            for name, entry in words.all(lambda each: each.round_events)
        ],
        phases=[
            Catalog.PhaseItem(entry=entry, phase=PHASES.values[name])
            for name, entry in words.all(lambda each: each.phases)
        ],
        levels=[
            Catalog.LevelItem(entry=entry, level=LEVELS.values[name])
            for name, entry in words.all(lambda each: each.levels)
        ],
        decisions=[
            Catalog.DecisionItem(entry=entry, kind=DECISION_KINDS.values[name])
            for name, entry in words.all(lambda each: each.decisions, printed=False)
        ],
        actions=[
            Catalog.ActionItem(entry=entry) for _, entry in words.all(lambda each: each.actions)
        ],
        score_rows=[
            Catalog.ScoreRowItem(entry=entry) for _, entry in words.all(lambda each: each.rows)
        ],
        hostages=[
            Catalog.HostageItem(entry=entry, ransoms=horses_and_stagecoach.ransoms(name))
            for name, entry in words.all(lambda each: each.hostages)
        ],
        decks=[
            marshal_and_prisoners.deck(entry) for _, entry in words.all(lambda each: each.decks)
        ],
        marshal_bullets=[
            marshal_and_prisoners.bullet(name, entry)
            for name, entry in words.all(lambda each: each.marshal_bullets)
        ],
        goals=[
            marshal_and_prisoners.goal(name, entry)
            for name, entry in words.all(lambda each: each.goals)
        ],
        brawlers=[
            marshal_and_prisoners.brawler(name, entry)
            for name, entry in words.all(lambda each: each.brawlers)
        ],
        error_reasons=[
            Catalog.ErrorReasonItem(entry=entry, reason=REASONS.values[name], code=_code(name))
            for name, entry in words.all(lambda each: each.reasons)
        ],
    )


def sizes() -> list[TableSize]:
    """What goes together."""
    return [
        TableSize(
            variant=VARIANTS.values[size.variant],
            seats=size.seats,
            bandits_per_seat=size.bandits,
            cars=size.cars,
            expansions=[EXPANSIONS.values[name] for name in size.expansions],
            marshal=size.led > 0,
        )
        for size in table_sizes()
    ]


class _Words:
    """Names and texts in one language; provisional: what of each box is to be marked as such."""

    def __init__(self, language: Language, provisional: Mapping[str, frozenset[str]]) -> None:
        self._language: Final = language
        self._provisional: Final = provisional

    def all(
        self, table: Callable[[Wording], Mapping[str, Term]], *, printed: bool = True
    ) -> Iterator[tuple[str, Catalog.Entry]]:
        """What all boxes have in one of their tables.

        printed: whether these are things in the box, which may be marked as provisional.
        """
        for wording in WORDINGS:
            for name, term in table(wording).items():
                yield (
                    name,
                    Catalog.Entry(
                        name=name,
                        display_name=self._language.phrase(term.name),
                        text=self._language.phrase(term.text),
                        box=wording.box,
                        provisional=printed and name in self._provisional.get(wording.box, ()),
                    ),
                )

    def by_name(self, table: Callable[[Wording], Mapping[str, Term]]) -> dict[str, Catalog.Entry]:
        """The same, to look names up."""
        return dict(self.all(table))


def _figures(boxes: list[BoxContents], words: _Words) -> Iterator[Catalog.FigureItem]:
    bandits = {bandit for box in boxes for bandit in box.bandits}
    for name, entry in words.all(lambda each: each.figures):
        yield Catalog.FigureItem(entry=entry, bandit=name in bandits)


def _action_cards(boxes: list[BoxContents], words: _Words) -> Iterator[Catalog.ActionCardItem]:
    entries = words.by_name(lambda each: each.cards)
    for box in boxes:
        for action, count in box.actions.items():
            yield Catalog.ActionCardItem(
                entry=entries[action], kind=CARD_KINDS.values[action], count=count
            )


def _bullets(boxes: list[BoxContents], words: _Words) -> Catalog.BulletItem:
    return Catalog.BulletItem(
        entry=words.by_name(lambda each: each.cards)[BULLET],
        kind=CARD_KINDS.values[BULLET],
        per_bandit=sum(box.bullets for box in boxes),
        neutral=[
            Catalog.Count(box=box.box, count=box.neutral_bullets)
            for box in boxes
            if box.neutral_bullets
        ],
    )


def _loot(boxes: list[BoxContents], words: _Words) -> Iterator[Catalog.LootItem]:
    for kind, entry in words.all(lambda each: each.loot):
        yield Catalog.LootItem(
            entry=entry,
            kind=LOOT_KINDS.values[kind],
            tokens=[
                Catalog.Tokens(box=box.box, value=value, count=count)
                for box in boxes
                for value, count in box.tokens.get(kind, {}).items()
            ],
        )


def _cars(boxes: list[BoxContents], language: Language) -> Iterator[Catalog.CarItem]:
    """Cars have no names, only letters: their texts are made of what lies in them."""
    for box in boxes:
        for letter, loot in box.cars.items():
            several = [language.several_loot(kind, count) for kind, count in loot.items() if count]
            yield Catalog.CarItem(
                entry=Catalog.Entry(
                    name=letter or _LOCOMOTIVE,
                    display_name=language.car(letter),
                    text=language.holds(several),
                    box=box.box,
                ),
                letter=letter,
                loot=[
                    Catalog.CarLoot(kind=LOOT_KINDS.values[kind], count=count)
                    for kind, count in loot.items()
                    if count
                ],
            )


def _cars_with_names(words: _Words) -> Iterator[Catalog.CarItem]:
    """Cars that are always there, without loot; see `wording.Wording.cars`."""
    for name, entry in words.all(lambda each: each.cars):
        yield Catalog.CarItem(entry=entry, letter=name)


def _round_cards(boxes: list[BoxContents], words: _Words) -> Iterator[Catalog.RoundCardItem]:
    entries = words.by_name(lambda each: each.round_cards)
    cards = [card for box in boxes for card in box.round_cards]
    for card in sorted(cards, key=lambda each: each.station):
        yield Catalog.RoundCardItem(
            entry=entries[card.name],
            event=ROUND_EVENTS.values[card.event],
            station=card.station,
            bands=[
                Catalog.Band(
                    min_bandits=band.fewest,
                    max_bandits=band.most,
                    turns=[TURN_KINDS.values[turn] for turn in band.card.turns],
                    keep=band.card.keep,
                )
                for band in card.bands
            ],
        )


def _code(reason: str) -> int:
    """The status that comes with a reason; with the transport's own there may come any."""
    number: int = CODES.get(reason, StatusCode.UNKNOWN).value[0]
    return number
