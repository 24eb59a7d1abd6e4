"""Prompts, labels and stories: there is one for everything, in every language, and it fits."""

from __future__ import annotations

import re
from gettext import NullTranslations

import pytest

from coltexpress_server.api import words
from coltexpress_server.api.texts import DEFAULT, LANGUAGES, WORDINGS, Language
from coltexpress_server.api.texts.base import BASE
from coltexpress_server.api.texts.wording import Wording
from coltexpress_server.game import choices as ch
from coltexpress_server.game import events as ev
from coltexpress_server.game.boxes import EDITIONS, VARIANTS, rules_for
from coltexpress_server.game.boxes.base.bandits import BANDITS
from coltexpress_server.game.boxes.horses_and_stagecoach import choices as horses_choices
from coltexpress_server.game.boxes.horses_and_stagecoach import events as horses_events
from coltexpress_server.game.boxes.horses_and_stagecoach.tables import ESCAPE, RANSOMS, SHOTGUN
from coltexpress_server.game.boxes.marshal_and_prisoners import choices as marshal_choices
from coltexpress_server.game.boxes.marshal_and_prisoners import events as marshal_events
from coltexpress_server.game.boxes.marshal_and_prisoners import tables as marshal
from coltexpress_server.game.boxes.marshal_and_prisoners.provisional import (
    BRAWLERS,
    SPECIAL_TARGETS,
)
from coltexpress_server.game.cards import BULLET, HIDDEN, NEUTRAL, Card
from coltexpress_server.game.loot import SPECTATOR, UNKNOWN_VALUE, Token
from coltexpress_server.game.options import STANDARD, Options
from coltexpress_server.service import events as lobby
from coltexpress_server.service.catalog import OFFERED
from tests.api.games import CAST, played
from tools import texts

SENTENCE = re.compile(r"[¿¡«]?[A-Z$0-9][^{}_]*[.]")
LABEL = re.compile(r"[A-Z][^{}_.]*[^{}_. ]")
FIRE = Card("DOC", "FIRE", 0)

CARD_NAMES = {card.name for each in WORDINGS for card in each.cards.values()}

every_language = pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)


def test_there_are_words_for_the_whole_vocabulary() -> None:
    rules = rules_for(Options("TEAMS", OFFERED[:1], "BIG_BOX", ()), 4)
    hunted = rules_for(Options("STANDARD", OFFERED, "BIG_BOX", ()), 4)
    vocabulary = {
        "figures": {*(power.name for power in BANDITS), marshal.MEI, marshal.MARSHAL, SHOTGUN},
        "cards": {*rules.actions, *hunted.actions, BULLET},
        "cars": {marshal.PRISON_CAR},
        "decks": set(hunted.card_owners),
        "marshal_bullets": set(hunted.bullet_sorts),
        "goals": {marshal.WARRANT, *SPECIAL_TARGETS},
        "brawlers": set(BRAWLERS),
        "hostages": set(RANSOMS),
        "boxes": {BASE.box, *OFFERED},
        "loot": set(words.LOOT_KINDS.words.values()),
        "round_cards": {card.name for cards in rules.round_cards(4) for card in cards},
        "turns": set(words.TURN_KINDS.words.values()),
        "round_events": set(words.ROUND_EVENTS.words.values()),
        "decisions": set(words.DECISION_KINDS.words.values()),
        # Those of the last are taken off, and so are no row of the rules.
        "rows": {*(name for each in (rules, hunted) for name, _ in each.score_rows), ESCAPE},
        "phases": set(words.PHASES.words.values()),
        "levels": set(words.LEVELS.words.values()),
        "reasons": set(words.REASONS.words.values()),
        "variants": set(VARIANTS),
        "editions": set(EDITIONS),
    }
    for table, wanted in vocabulary.items():
        assert {key for each in WORDINGS for key in getattr(each, table)} == wanted, table


def test_every_text_is_translated() -> None:
    """To mend it: tools/texts.py, and the translations that it names."""
    source = texts.template()
    for path in texts.LOCALES.glob(f"*/{texts.FILE}"):
        catalog = texts.up_to_date(path, source)
        assert list(texts.faults(catalog)) == []
        assert texts.written(catalog) == path.read_bytes(), "out of date"


def test_no_two_boxes_have_words_for_the_same_thing() -> None:
    with pytest.raises(ValueError, match="FIRE"):
        Language("en", NullTranslations(), [*WORDINGS, Wording(cards=BASE.cards)])


@every_language
def test_every_event_is_told_in_one_sentence_to_everybody(language: Language) -> None:
    for event in played().events:
        for viewer in (*range(len(CAST)), SPECTATOR):
            story = language.story(event.seen_by(viewer), CAST)
            assert SENTENCE.fullmatch(story), story


@every_language
def test_every_option_has_a_short_label_of_its_own(language: Language) -> None:
    for decision in played().decisions:
        found = [language.label(option) for option in decision.options]
        assert len(set(found)) == len(found)
        assert all(LABEL.fullmatch(label) for label in found), found
        # That of a whole hand is longer than all others.
        assert decision.members or all(len(label) < 120 for label in found), found


@every_language
def test_every_decision_has_a_question(language: Language) -> None:
    for kind in words.DECISION_KINDS.words.values():
        assert language.prompt(kind, "DOC").endswith("?")
        assert "Doc" in language.prompt(kind, "DOC")


def test_choices_in_words() -> None:
    assert DEFAULT.label(ch.Play("", "FLOOR_CHANGE", False)) == "Play Floor Change"
    assert DEFAULT.label(ch.Play("", "FIRE", True)) == "Play Fire face down"
    assert DEFAULT.label(ch.Play("DOC", "FIRE", False)) == "Play Doc's Fire"
    assert DEFAULT.label(ch.Play("DOC", "FIRE", True)) == "Play Doc's Fire face down"
    assert DEFAULT.label(ch.Keep(())) == "Keep nothing"
    assert DEFAULT.label(ch.Keep(("FIRE", "DOC.MOVE"))) == "Keep Fire and Doc's Move"
    assert DEFAULT.label(ch.DRAW) == "Draw three cards"
    assert DEFAULT.label(ch.PASS) == "Pass"
    assert DEFAULT.label(ch.MoveTo("3.roof")) == "Move to the roof of car 3"
    assert DEFAULT.label(ch.MoveTo("0.inside")) == "Move to the locomotive"
    assert DEFAULT.label(ch.FloorTo("3.inside")) == "Climb to car 3"
    assert DEFAULT.label(ch.MarshalTo(2)) == "Move the Marshal to car 2"
    assert DEFAULT.label(ch.FireAt("BELLE")) == "Shoot Belle"
    assert DEFAULT.label(ch.Rob("JEWEL", UNKNOWN_VALUE)) == "Take a jewel"
    assert DEFAULT.label(ch.Rob("PURSE", 300)) == "Take a purse of $300"
    assert DEFAULT.label(ch.TakePurse(UNKNOWN_VALUE)) == "Take a purse whose value you do not know"
    assert (
        DEFAULT.label(ch.Punch("DOC", "JEWEL", "3.roof", False))
        == "Punch Doc, who drops a jewel and lands on the roof of car 3"
    )
    assert (
        DEFAULT.label(ch.Punch("DOC", "PURSE", "3.inside", True))
        == "Punch Doc, take a purse for yourself; the victim lands in car 3"
    )
    assert (
        DEFAULT.label(ch.Punch("DOC", "", "3.inside", False))
        == "Punch Doc, who owns nothing and lands in car 3"
    )


def test_choices_with_marshal_and_prisoners_in_words() -> None:
    for choice, label in (
        (marshal_choices.SEARCH, "Search for a brilliant idea"),
        (marshal_choices.Capture("DOC"), "Capture Doc"),
        (marshal_choices.ShootOne("DOC", 2), "Shoot Doc with cylinder 2"),
        (
            marshal_choices.ShootTwo("DOC", "TUCO"),
            "Shoot Doc with cylinder 1, Tuco with cylinder 2",
        ),
        (
            marshal_choices.RobTwo("MAILBAG", 1200, "PURSE", UNKNOWN_VALUE),
            "Take a mailbag of $1,200 and a purse",
        ),
        (marshal_choices.FreePrisoner("MEI"), "Free a prisoner: Mei's companion"),
        (marshal_choices.FreeBandit("DOC"), "Let Doc out of the cell"),
        (marshal_choices.Give("PURSE", 300), "Give a purse of $300"),
        (marshal_choices.LeaveCell("5.roof"), "Break out to the roof of car 5"),
        (ch.Keep(("FIRE", "DISARMED.BULLET")), "Keep Fire and the bullet “Disarmed”"),
    ):
        assert DEFAULT.label(choice) == label


def test_events_with_marshal_and_prisoners_in_words() -> None:
    cast = [["MARSHAL"], ["DOC"], ["TUCO"]]
    found = [Card("DOC", "BRILLIANT_IDEA", 110)]
    for event, viewer, story in (
        (
            marshal_events.GoalTurned("WARRANT:DOC"),
            0,
            "The Marshal's next goal: Arrest warrant for Doc.",
        ),
        (marshal_events.GoalTurned("UNBEATEN"), 1, "The Marshal looks at his next goal."),
        (
            marshal_events.GoalsRevealed(["UNBEATEN", "FULL_CELL"], ["UNBEATEN"]),
            1,
            "The Marshal's goals were Unbeaten and Full Cell; he has reached Unbeaten.",
        ),
        (marshal_events.CardsSearched(1, found), 1, "Doc searches, and takes Brilliant Idea."),
        (
            marshal_events.CardsSearched(1, found),
            2,
            "Doc searches for a brilliant idea, and finds one.",
        ),
        (marshal_events.Captured("DOC", True), 2, "The Marshal captures Doc and takes the poster."),
        (marshal_events.Captured("DOC", False), 2, "The Marshal captures Doc once more."),
        (
            marshal_events.MarshalBulletGiven("DOC", "GOT_EM", 2),
            2,
            "The Marshal shoots Doc from cylinder 2: the bullet “Got 'em!”.",
        ),
        (marshal_events.PrisonerRetaken("DOC", "MEI"), 2, "Doc loses Mei's companion."),
        (marshal_events.PrisonerRetaken("", "MEI"), 2, "Nobody has freed Mei's companion."),
        (marshal_events.ActionCopied("DOC", "PUNCH"), 2, "Doc has an idea: Punch, once more."),
        (ev.Declined("MARSHAL", "FREE_FIRE"), 2, "The Marshal holds his fire."),
        (ev.GameEnded([0, 2_000, 500], [0]), 2, "The game is over: the Marshal wins."),
        (ev.GameEnded([0, 2_000, 500], [1]), 2, "The game is over: Doc wins with $2,000."),
    ):
        assert DEFAULT.story(event.seen_by(viewer), cast) == story


def test_choices_with_horses_and_stagecoach_in_words() -> None:
    ch = horses_choices
    assert DEFAULT.label(ch.Board(True)) == "Board this car"
    assert DEFAULT.label(ch.Board(False)) == DEFAULT.label(ch.BoardBandits(())) == "Ride on"
    assert DEFAULT.label(ch.BoardCar(3)) == "Board the train in car 3"
    assert DEFAULT.label(ch.BoardBandits(("DOC", "GHOST"))) == "Board here: Doc and Ghost"
    assert (
        DEFAULT.label(ch.BoardCars(("DOC", "GHOST"), (2, 1)))
        == "Doc boards in car 2 and Ghost boards in car 1"
    )
    assert DEFAULT.label(ch.RideTo("stagecoach.inside")) == "Ride to the stagecoach"
    assert DEFAULT.label(ch.RideTo("gone")) == "Ride away for good"
    assert DEFAULT.label(ch.TakeHostage("OLD_LADY")) == "Take a hostage: Old Lady"
    assert DEFAULT.label(ch.Drink("", "FLASK")) == "Drink from a flask of whiskey"
    assert (
        DEFAULT.label(ch.Drink("DOC", "HALF_OLD_FLASK"))
        == "Doc drinks from a half-empty flask of old whiskey"
    )
    assert DEFAULT.label(ch.FleeTo("3.roof")) == "Flee to the roof of car 3"


def test_what_happens_with_horses_and_stagecoach_in_words() -> None:
    def told(event: ev.Event, viewer: int = SPECTATOR) -> str:
        return DEFAULT.story(event.seen_by(viewer), CAST)

    assert told(ev.GameStarted(["A"], ["DOC", "GHOST"], -1)) == (
        "The train leaves without Doc and Ghost, who ride after it."
    )
    assert told(horses_events.CarBoarded(3, [])) == "Nobody boards the train in car 3."
    assert told(horses_events.WhiskeyDrunk(0, "DOC", "FLASK", True)) == (
        "Doc drinks from a flask of whiskey: it is old whiskey."
    )
    kept = horses_events.CardsKept(0, [FIRE])
    assert told(kept) == "Doc keeps a card."
    assert told(kept, 0) == "Doc keeps Fire."


def test_what_happens_in_words() -> None:
    def told(event: ev.Event, viewer: int = SPECTATOR) -> str:
        return DEFAULT.story(event.seen_by(viewer), CAST)

    drawn = ev.CardsDrawn(0, [FIRE, Card(NEUTRAL, BULLET, 0), Card("TUCO", BULLET, 0)])
    assert told(drawn) == "Doc draws 3 cards."
    assert told(drawn, 0) == "Doc draws Fire, a neutral bullet, and one of Tuco's bullets."
    assert told(ev.CardsDrawn(0, [])) == "Doc draws no card."
    hidden = ev.CardPlayed(0, FIRE, face_down=True)
    assert told(hidden) == "Doc plays a card face down."
    assert told(hidden, 0) == "Doc plays Fire face down."
    assert told(ev.CardPlayed(0, FIRE, face_down=False)) == "Doc plays Fire."
    assert told(ev.BulletGiven(NEUTRAL, "DOC", "MARSHAL_MET")) == "The Marshal shoots Doc."
    assert told(ev.BulletGiven("DOC", "TUCO", "FIRE")) == "Doc shoots Tuco."
    purse = Token("PURSE", 450, 1)
    taken = ev.LootMoved(purse, "3.inside", "DOC", "ROBBERY")
    assert told(taken) == "Doc takes a purse."
    assert told(taken, 0) == "Doc takes a purse of $450."
    assert told(ev.LootMoved(purse, "TUCO", "DOC", "PUNCH")) == "Doc takes a purse from Tuco."
    assert told(ev.FigureMoved("MARSHAL", "0.inside", "1.inside", "MARSHAL")) == (
        "The Marshal moves to car 1."
    )
    assert told(ev.GameEnded([1, 9, 9, 2, 3], [1])) == "The game is over: Ghost wins with $9."
    assert told(ev.GameEnded([1, 9, 9, 2, 3], [1, 2])) == (
        "The game is over: Ghost and Cheyenne share the win with $9."
    )
    assert told(ev.GameEnded([1, 9, 9, 2, 3], [])) == "The game is over, and nobody wins."


def test_who_plays_a_seat_in_words() -> None:
    def told(event: ev.Event) -> str:
        return DEFAULT.story(event, CAST)

    for reason in words.AUTO_PLAY_REASONS.words.values():
        assert SENTENCE.fullmatch(told(lobby.AutoPlayStarted(0, "RANDOM", reason)))
    away = lobby.AutoPlayStarted(0, "RANDOM", lobby.MISSED_DEADLINES)
    assert told(away) == "Doc has not answered in time; a bot plays on."
    assert told(lobby.AutoPlayStopped(0)) == "Doc is back."
    gone = lobby.SeatHandedOver(0, "RANDOM")
    assert told(gone) == "Doc has left; a bot plays on to the end."


def test_the_lobby_in_words() -> None:
    assert DEFAULT.story(lobby.GameCreated(b""), []) == "The game is created."
    assert DEFAULT.story(lobby.SeatTaken(2, "", [], ""), []) == "Seat 2 is taken."
    assert DEFAULT.story(lobby.SeatTaken(2, "{x}", [], ""), []) == "Seat 2 is taken by {x}."
    assert (
        DEFAULT.story(lobby.SeatTaken(2, "Ann", ["DOC"], ""), [])
        == "Seat 2 is taken by Ann to play Doc."
    )
    assert DEFAULT.story(lobby.SeatTaken(2, "", ["DOC"], ""), []) == "Seat 2 is taken to play Doc."
    assert DEFAULT.story(lobby.SeatLeft(2), []) == "Seat 2 is free again."
    removed = lobby.SeatLeft(2, removed=True)
    assert DEFAULT.story(removed, []) == "The host takes seat 2 from its player."
    rematch = lobby.RematchCreated("")
    assert DEFAULT.story(rematch, []) == "There will be a rematch."
    assert DEFAULT.story(lobby.GameAborted(""), []) == "The game is ended by its operator."
    aborted = lobby.GameAborted("We {move}.")
    assert DEFAULT.story(aborted, []) == "The game is ended by its operator: We {move}."
    updated = lobby.GameUpdated("PUBLIC", STANDARD, [], None, "RANDOM")
    assert DEFAULT.story(updated, []) == "The host changes what is to be played."


def test_a_text_tells_no_card_that_the_event_hides() -> None:
    for event in played().events:
        shown = event.seen_by(SPECTATOR)
        if isinstance(event, ev.CardsDrawn):
            assert all(card.action == HIDDEN for card in shown.cards)  # type: ignore[attr-defined]
            assert not any(name in DEFAULT.story(shown, CAST) for name in CARD_NAMES)


def test_in_spanish() -> None:
    spanish = LANGUAGES["es"]
    assert spanish.prompt("FIRE", "DOC") == "¿A quién dispara Doc?"
    assert spanish.label(ch.MoveTo("3.roof")) == "Moverse al techo del vagón 3"
    assert spanish.label(ch.MoveTo("0.inside")) == "Moverse a la Locomotora"
    assert spanish.label(ch.MarshalTo(2)) == "Mover al Marshal al vagón 2"
    assert spanish.label(ch.Rob("PURSE", 300)) == "Coger una Bolsa de 300$"
    assert spanish.label(ch.Play("DOC", "FIRE", False)) == "Jugar «Disparar» de Doc"
    moved = ev.FigureMoved("MARSHAL", "0.inside", "1.inside", "MARSHAL")
    assert spanish.story(moved, CAST) == "El Marshal se mueve al vagón 1."
    assert spanish.story(ev.BulletGiven("MARSHAL", "DOC", "FIRE"), CAST) == (
        "El Marshal dispara a Doc."
    )
    for count, told in (
        (1, "Doc devuelve una carta al mazo."),
        (4, "Doc devuelve 4 cartas al mazo."),
    ):
        assert spanish.story(ev.HandReturned(0, count), CAST) == told


def test_money() -> None:
    assert [DEFAULT.money(dollars) for dollars in (0, 1250, -150)] == ["$0", "$1,250", "-$150"]
    assert [LANGUAGES["es"].money(dollars) for dollars in (0, 1250, -150)] == [
        "0$",
        "1.250$",
        "-150$",
    ]
