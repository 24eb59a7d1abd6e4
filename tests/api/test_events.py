"""Events and commits as messages."""

from __future__ import annotations

from coltexpress.v1 import event_pb2 as pb
from coltexpress.v1.vocabulary_pb2 import CARD_KIND_HIDDEN
from coltexpress_server.api import events
from coltexpress_server.api.commits import Commits
from coltexpress_server.api.texts import DEFAULT, LANGUAGES, Cast
from coltexpress_server.game import events as ev
from coltexpress_server.game.cards import BULLET, NEUTRAL, Card
from coltexpress_server.game.loot import SPECTATOR, UNKNOWN_VALUE, Token
from coltexpress_server.game.options import Options
from coltexpress_server.service import events as lobby
from coltexpress_server.service.clocks import Clock, SeatClock
from coltexpress_server.service.records import BY_PLAYER, PastStep, Step
from coltexpress_server.service.views import SeenStep
from coltexpress_server.store import Cursor
from tests.api.games import CAST, played

OF_THE_LOBBY = [
    lobby.GameCreated(b"hash"),
    lobby.SeatTaken(1, "Ann", ["DOC"], "RANDOM"),
    lobby.SeatLeft(1, removed=True),
    lobby.AutoPlayStarted(1, "RANDOM", lobby.MISSED_DEADLINES),
    lobby.AutoPlayStopped(1),
    lobby.SeatHandedOver(1, "RANDOM"),
    lobby.RematchCreated("3f" + "a2" * 12),
    lobby.GameAborted("Maintenance"),
    lobby.GameUpdated(
        "PRIVATE",
        Options("EXPERT", (), "FIRST", ("A", "C")),
        [lobby.SeatShown(taken=True, display_name="Ann", figures=["DOC"], reserved=True)],
        Clock(30, 60, 2),
        "RANDOM",
    ),
]
NO_CLOCK = SeatClock()
VIEWERS = (*range(len(CAST)), SPECTATOR)


def event(shown: ev.Event, cast: Cast) -> pb.Event:
    return events.event(shown, cast, DEFAULT)


def commit(seen: SeenStep) -> pb.Commit:
    return events.commit(seen, DEFAULT)


def test_every_event_has_a_message_of_its_own_kind() -> None:
    kinds = {field.name for field in pb.Event.DESCRIPTOR.oneofs_by_name["event"].fields}
    found = {}
    for each in [*played().events, *OF_THE_LOBBY]:
        kind = event(each.seen_by(SPECTATOR), CAST).WhichOneof("event")
        assert kind is not None
        assert kind.upper() == (each.kind if each.kind != "DRAWN_IN_SECRET" else "CARDS_DRAWN")
        found[kind] = each
    assert set(found) == kinds


def test_a_message_has_all_that_the_event_has() -> None:
    for each in [*played().events, *OF_THE_LOBBY]:
        whole = event(each, CAST)
        body = getattr(whole, whole.WhichOneof("event") or "")
        fields = {field.name for field in body.DESCRIPTOR.fields}
        unset = fields - {field.name for field, _ in body.ListFields()}
        # What is not set is a zero, a no, a nothing; only these fields ever are that.
        assert unset <= {
            *("seat", "first_seat", "index", "count", "cards", "face_down", "kept", "partner"),
            *("source", "target", "seed"),
            # Nobody boards, what is drunk is not old, nobody wins.
            *("car", "figures", "old", "winners"),
            # Nobody had the prisoner, no poster was left to take, no goal was reached.
            *("figure", "poster", "met"),
        }, whole


def test_cards_drawn_are_told_to_their_owner_alone() -> None:
    drawn = ev.CardsDrawn(1, [Card("DOC", "FIRE", 50), Card(NEUTRAL, BULLET, 10_000)])
    own = event(drawn.seen_by(1), CAST).cards_drawn
    assert [card.figure for card in own.cards] == ["DOC", ""]
    for viewer in (0, SPECTATOR):
        others = event(drawn.seen_by(viewer), CAST).cards_drawn
        assert not others.cards
        assert others.count == own.count == 2


def test_a_face_down_card_is_told_to_its_player_alone() -> None:
    laid = ev.CardPlayed(1, Card("DOC", "FIRE", 50), face_down=True)
    assert event(laid.seen_by(0), CAST).card_played.card.kind == CARD_KIND_HIDDEN
    assert event(laid.seen_by(1), CAST).card_played.card.figure == "DOC"


def test_a_purses_value_is_told_to_those_who_know_it() -> None:
    moved = ev.LootMoved(Token("PURSE", 350, 0b10), "3.inside", "GHOST", "ROBBERY")
    assert event(moved.seen_by(1), CAST).loot_moved.loot.value == 350
    assert not event(moved.seen_by(0), CAST).loot_moved.loot.HasField("value")
    assert event(moved.seen_by(0), CAST) == event(
        ev.LootMoved(Token("PURSE", UNKNOWN_VALUE, 0), "3.inside", "GHOST", "ROBBERY"), CAST
    )


def step(
    viewer: int, mark: str = "c0ffee", seed: bytes = b"", clock: SeatClock = NO_CLOCK
) -> SeenStep:
    decision = played().decisions[0]
    events: list[ev.Event] = [
        ev.CardsDrawn(1, [Card("GHOST", "FIRE", 50)]),
        ev.GameEnded([1, 2, 3, 4, 5], [4]),
    ]
    whole = Step(BY_PLAYER, 1, "draw", events, [decision], seed, [clock], "decade")
    return SeenStep(PastStep(Cursor(7, mark), 1_234, whole), viewer, CAST)


def test_a_commit() -> None:
    message = commit(step(SPECTATOR))
    assert message.version == 7
    assert message.cursor == "7-c0ffee"
    assert message.commit_time.ToMilliseconds() == 1_234
    assert message.trigger == pb.Commit.TRIGGER_PLAYER
    assert len(message.events) == 2
    assert message.decisions[0].id == f"{played().decisions[0].id}.decade"
    assert not message.decisions[0].options
    owner = played().decisions[0].seat
    assert commit(step(owner)).decisions[0].options


def test_a_commit_tells_everybody_by_when_to_decide() -> None:
    """A decision that was just opened has its turn and what the one before left of the reserve."""
    assert not commit(step(SPECTATOR)).decisions[0].HasField("deadline")
    for clock, deadline in (
        (SeatClock(500, deadline=9_000), 9_000),
        (SeatClock(500, given_ms=1_000), 1_234 + 1_500),
        (SeatClock(500, given_ms=1_000, closed=1_534), 1_234 + 1_300),
        (SeatClock(0, given_ms=1_000), 1_234 + 1_000),
    ):
        for viewer in VIEWERS:
            (decision,) = commit(step(viewer, clock=clock)).decisions
            assert decision.deadline.ToMilliseconds() == deadline


def test_the_seed_is_told_with_the_end_of_the_game() -> None:
    assert commit(step(SPECTATOR, seed=b"seed")).events[1].game_ended.seed == b"seed"


def test_a_commit_is_the_same_for_viewers_alike_and_made_once() -> None:
    commits = Commits(kept=2)
    first = commits.message(step(0), DEFAULT)
    assert commits.message(step(0), DEFAULT) is first
    assert commits.message(step(1), DEFAULT) is not first
    assert commits.message(step(1), DEFAULT) == commit(step(1))
    assert commits.message(step(0, mark="other"), DEFAULT) is not first
    # Only so many are kept.
    assert commits.message(step(0), DEFAULT) is not first
    assert commits.message(step(0), DEFAULT) == first


def test_commits_in_several_languages_are_not_mixed_up() -> None:
    commits = Commits(kept=10)
    texts = {
        tag: [event.text for event in commits.message(step(1), language).events]
        for tag, language in LANGUAGES.items()
    }
    assert len(set(map(tuple, texts.values()))) == len(LANGUAGES) > 1
    for tag, language in LANGUAGES.items():
        again = commits.message(step(1), language)
        assert [event.text for event in again.events] == texts[tag]
