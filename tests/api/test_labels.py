from __future__ import annotations

import re

from coltexpress_server.api import labels, words
from coltexpress_server.game import choices as ch
from coltexpress_server.game import events as ev
from coltexpress_server.game.boxes import rules_for
from coltexpress_server.game.boxes.base import tables
from coltexpress_server.game.cards import BULLET, HIDDEN, NEUTRAL, Card
from coltexpress_server.game.loot import SPECTATOR, UNKNOWN_VALUE, Token
from coltexpress_server.game.options import STANDARD
from coltexpress_server.service import events as lobby
from tests.api.games import CAST, played

SENTENCE = re.compile(r"[A-Z$0-9][^{}_]*[.]")
LABEL = re.compile(r"[A-Z][^{}_.]*[^{}_. ]")
FIRE = Card("DOC", "FIRE", 0)


def test_there_are_words_for_the_whole_vocabulary() -> None:
    cards = [*tables.round_cards(4), *tables.station_cards()]
    assert set(labels.PROMPTS) == set(words.DECISION_KINDS.words.values())
    assert set(labels.CARDS) == set(rules_for(STANDARD, 4).actions)
    assert set(labels.LOOT) == set(words.LOOT_KINDS.words.values())
    assert set(labels.ROUND_CARDS) == {card.name for card in cards}
    assert set(labels.TURNS) == set(words.TURN_KINDS.words.values())
    assert set(labels.ROUND_EVENTS) == set(words.ROUND_EVENTS.words.values())


def test_every_event_is_told_in_one_sentence_to_everybody() -> None:
    for event in played().events:
        for viewer in (*range(len(CAST)), SPECTATOR):
            story = labels.story(event.seen_by(viewer), CAST)
            assert SENTENCE.fullmatch(story), story


def test_every_option_has_a_short_label_of_its_own() -> None:
    for decision in played().decisions:
        found = [labels.label(option) for option in decision.options]
        assert len(set(found)) == len(found)
        assert all(LABEL.fullmatch(label) for label in found), found
        # That of a whole hand is longer than all others.
        assert decision.members or all(len(label) < 100 for label in found), found


def test_every_decision_has_a_question() -> None:
    for kind in labels.PROMPTS:
        assert labels.prompt(kind, "DOC").endswith("?")
        assert "Doc" in labels.prompt(kind, "DOC")


def test_choices_in_words() -> None:
    assert labels.label(ch.Play("", "FLOOR_CHANGE", False)) == "Play Floor Change"
    assert labels.label(ch.Play("", "FIRE", True)) == "Play Fire face down"
    assert labels.label(ch.Play("DOC", "FIRE", False)) == "Play Doc's Fire"
    assert labels.label(ch.Play("DOC", "FIRE", True)) == "Play Doc's Fire face down"
    assert labels.label(ch.Keep(())) == "Keep nothing"
    assert labels.label(ch.Keep(("FIRE", "DOC.MOVE"))) == "Keep Fire and Doc's Move"
    assert labels.label(ch.DRAW) == "Draw three cards"
    assert labels.label(ch.PASS) == "Take nothing"
    assert labels.label(ch.MoveTo("3.roof")) == "Move to the roof of car 3"
    assert labels.label(ch.MoveTo("0.inside")) == "Move to the locomotive"
    assert labels.label(ch.FloorTo("3.inside")) == "Climb to car 3"
    assert labels.label(ch.MarshalTo(2)) == "Move the Marshal to car 2"
    assert labels.label(ch.FireAt("BELLE")) == "Shoot Belle"
    assert labels.label(ch.Rob("JEWEL", UNKNOWN_VALUE)) == "Take a jewel"
    assert labels.label(ch.Rob("PURSE", 300)) == "Take a purse of $300"
    assert labels.label(ch.TakePurse(UNKNOWN_VALUE)) == "Take a purse whose value you do not know"
    assert (
        labels.label(ch.Punch("DOC", "JEWEL", "3.roof", False))
        == "Punch Doc, who drops a jewel and lands on the roof of car 3"
    )
    assert (
        labels.label(ch.Punch("DOC", "PURSE", "3.inside", True))
        == "Punch Doc, take a purse for yourself; Doc lands in car 3"
    )
    assert (
        labels.label(ch.Punch("DOC", "", "3.inside", False))
        == "Punch Doc, who owns nothing and lands in car 3"
    )


def test_what_happens_in_words() -> None:
    def told(event: ev.Event, viewer: int = SPECTATOR) -> str:
        return labels.story(event.seen_by(viewer), CAST)

    drawn = ev.CardsDrawn(0, [FIRE, Card(NEUTRAL, BULLET, 0), Card("TUCO", BULLET, 0)])
    assert told(drawn) == "Doc draws 3 cards."
    assert told(drawn, 0) == "Doc draws Fire, a neutral bullet and a bullet from Tuco."
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
        return labels.story(event, CAST)

    for reason in words.AUTO_PLAY_REASONS.words.values():
        assert SENTENCE.fullmatch(told(lobby.AutoPlayStarted(0, "RANDOM", reason)))
    away = lobby.AutoPlayStarted(0, "RANDOM", lobby.MISSED_DEADLINES)
    assert told(away) == "Doc has not answered in time; a bot plays on."
    assert told(lobby.AutoPlayStopped(0)) == "Doc is back."
    gone = lobby.SeatHandedOver(0, "RANDOM")
    assert told(gone) == "Doc has left; a bot plays on to the end."


def test_the_lobby_in_words() -> None:
    assert labels.story(lobby.GameCreated(b""), []) == "The game is created."
    assert labels.story(lobby.SeatTaken(2, "", [], ""), []) == "Seat 2 is taken."
    assert labels.story(lobby.SeatTaken(2, "{x}", [], ""), []) == "Seat 2 is taken by {x}."
    assert (
        labels.story(lobby.SeatTaken(2, "Ann", ["DOC"], ""), [])
        == "Seat 2 is taken by Ann to play Doc."
    )
    assert labels.story(lobby.SeatTaken(2, "", ["DOC"], ""), []) == "Seat 2 is taken to play Doc."
    assert labels.story(lobby.SeatLeft(2), []) == "Seat 2 is free again."


def test_a_text_tells_no_card_that_the_event_hides() -> None:
    for event in played().events:
        shown = event.seen_by(SPECTATOR)
        if isinstance(event, ev.CardsDrawn):
            assert all(card.action == HIDDEN for card in shown.cards)  # type: ignore[attr-defined]
            assert not any(name in labels.story(shown, CAST) for name in labels.CARDS.values())
