"""Marshal & Prisoners in messages, and the end of a game of it over sockets."""

from __future__ import annotations

import pytest

from coltexpress.v1 import game_pb2, table_pb2
from coltexpress.v1.vocabulary_pb2 import CardKind, Expansion, LootKind, Variant
from coltexpress_server.api.cards import card
from coltexpress_server.api.tables import table
from coltexpress_server.game.cards import BULLET, NEUTRAL, Card
from coltexpress_server.game.engine import new_game
from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.game.options import Options
from coltexpress_server.game.views import view
from tests.api.games import HUNTED, MARSHAL
from tests.api.tables import Service, begun, get, play


def seen_by(viewer: int) -> table_pb2.Table:
    """The table of a game that has just begun."""
    state = new_game(Options("STANDARD", MARSHAL, "BIG_BOX", ()), HUNTED, bytes(32))
    return table(view(state, viewer), [len(deck.cards) for deck in state.decks])


def test_bullets_of_the_marshal_are_told_apart() -> None:
    bullet = card(Card("GOT_EM", BULLET, 0))
    assert (bullet.figure, bullet.marshal_bullet) == ("MARSHAL", "GOT_EM")
    for other in (Card("DOC", BULLET, 0), Card(NEUTRAL, BULLET, 0), Card("MARSHAL", "FIRE", 0)):
        assert not card(other).HasField("marshal_bullet")
        assert card(other).figure == ("" if other.figure == NEUTRAL else other.figure)


def test_the_marshal_alone_sees_his_current_goal_and_his_hand() -> None:
    own, others = seen_by(0), [seen_by(viewer) for viewer in (1, SPECTATOR)]
    [goal] = own.prison_train.current_goals
    assert goal.name != "HIDDEN"
    assert (goal.name == "WARRANT") == bool(goal.figure)
    assert len(own.hands[0].hand) == 6
    assert {each.kind for each in own.hands[0].hand} <= {
        *(CardKind.CARD_KIND_MOVE_PLUS, CardKind.CARD_KIND_FLOOR_CHANGE_PLUS),
        *(CardKind.CARD_KIND_FIRE, CardKind.CARD_KIND_CAPTURE),
    }
    for seen in others:
        assert [each.name for each in seen.prison_train.current_goals] == ["HIDDEN"]
        assert not seen.hands[0].hand
        assert seen.hands[0].hand_size == 6
        assert seen.prison_train.upcoming_goals == own.prison_train.upcoming_goals == 4


def test_nobody_knows_what_mailbags_are_worth() -> None:
    for viewer in (0, 1, SPECTATOR):
        locomotive = next(each for each in seen_by(viewer).spaces if each.id == "0.inside")
        assert [token.kind for token in locomotive.loot] == [LootKind.LOOT_KIND_MAILBAG] * 2
        assert not any(token.HasField("value") for token in locomotive.loot)


@pytest.mark.parametrize("seed", [1, 2])
async def test_the_end_shows_goals_captives_and_money(service: Service, seed: int) -> None:
    played = await begun(
        service,
        ("MARSHAL", "DOC", "BELLE"),
        variant=Variant.VARIANT_STANDARD,
        expansions=(Expansion.EXPANSION_MARSHAL_AND_PRISONERS,),
        seed=bytes([seed]) * 32,
    )
    await play(service, played, seed=seed)
    game = await get(service, played, 1)
    assert game.state == game_pb2.Game.STATE_FINISHED
    marshal, *bandits = game.result.seats
    assert marshal.score == 0
    assert marshal.goals.needed == 4
    assert len(marshal.goals.goals) == 5
    met = list(marshal.goals.met)
    assert all(goal in marshal.goals.goals for goal in met)
    # Nothing is hidden any more, and warrants hold by the posters that everybody sees.
    posters = set(game.table.prison_train.posters)
    for goal in marshal.goals.goals:
        assert goal.name != "HIDDEN"
        if goal.name == "WARRANT":
            assert (goal in met) == (goal.figure in posters)
    assert (list(game.result.winners) == [0]) == (len(met) >= marshal.goals.needed)
    spaces = {figure.name: figure.space for figure in game.table.figures}
    for row in bandits:
        assert not row.HasField("goals")
        assert row.score == sum(part.dollars for part in row.rows)
        assert {part.name for part in row.rows} >= {"MAILBAGS", "BRAWLERS", "POSTERS", "PRISONERS"}
        [name] = game.seats[row.seat].figures
        assert list(row.caught) == ([name] if spaces[name] == "cell" else [])
        assert not (row.caught and row.seat in game.result.winners)
        [poster] = [part.dollars for part in row.rows if part.name == "POSTERS"]
        assert poster == (0 if name in posters else 500)
