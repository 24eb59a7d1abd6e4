"""What a viewer knows of a table who saw the game once and then only the commits.

No rules in here: an event says what changed, and that is carried out.
"""

from __future__ import annotations

from collections import Counter

from coltexpress.v1 import (
    event_pb2,
    game_pb2,
    horses_and_stagecoach_pb2,
    marshal_and_prisoners_pb2,
    table_pb2,
)
from coltexpress.v1.vocabulary_pb2 import CardKind, LootKind

NEUTRAL = "NEUTRAL"
MARSHAL = "MARSHAL"
INJURIES = {"DISARMED", "WOUNDED_KNEE", "SHOULDER_INJURY"}
"""Bullets of the Marshal that lie in front of who got them; see the catalogue."""
HALF_EMPTY = {True: LootKind.LOOT_KIND_HALF_OLD_FLASK, False: LootKind.LOOT_KIND_HALF_FLASK}
"""What a full flask becomes that was drunk from, by whether its whiskey is old."""

Cards = Counter[tuple[int, str]]
Loot = dict[str, Counter[int]]


class Account:
    """Kept up by commits, compared with a game looked up at the same version."""

    def __init__(self, game: game_pb2.Game) -> None:
        self.viewer = game.viewer if game.HasField("viewer") else None
        self.version = game.version
        self.decisions = list(game.decisions)
        self.result: event_pb2.GameEnded | None = None
        self._read(game.table)

    def _read(self, table: table_pb2.Table) -> None:
        self.spaces = {figure.name: figure.space for figure in table.figures}
        self.received = {figure.name: list(figure.bullets_received) for figure in table.figures}
        self.bullets_left = {figure.name: figure.bullets_left for figure in table.figures}
        self.loot = loot_of(table)
        self.hand_sizes = {hand.seat: hand.hand_size for hand in table.hands}
        self.hand = cards_in(table, self.viewer)
        self.pile = list(table.pile)
        self.neutral_bullets = table.neutral_bullets
        self.round = table.round.number
        self.turn = table.round.turn
        self.round_cards = list(table.round_cards)
        self.stagecoach = table_pb2.Table(stagecoach=table.stagecoach).stagecoach
        self.hostages = {figure.name: figure.hostage for figure in table.figures}
        self.prison_train = table_pb2.Table(prison_train=table.prison_train).prison_train
        self.hunted = hunted(table)

    def add(self, commit: event_pb2.Commit) -> None:
        """Takes note of the next commit."""
        assert commit.version == self.version + 1
        self.version = commit.version
        self.decisions = list(commit.decisions)
        for event in commit.events:
            assert event.text
            kind = event.WhichOneof("event")
            assert kind is not None
            handle = getattr(self, f"_{kind}", None)
            if handle is not None:
                handle(getattr(event, kind))

    def check(self, game: game_pb2.Game) -> None:
        """Fails where the game, looked up at this version, is not as the commits made it."""
        table = game.table
        assert game.version == self.version
        assert self.decisions == list(game.decisions)
        assert self.spaces == {figure.name: figure.space for figure in table.figures}
        assert self.received == {
            figure.name: list(figure.bullets_received) for figure in table.figures
        }
        assert self.bullets_left == {figure.name: figure.bullets_left for figure in table.figures}
        assert self.loot == loot_of(table)
        assert self.hand_sizes == {hand.seat: hand.hand_size for hand in table.hands}
        if not game.HasField("result"):
            assert self.hand == cards_in(table, self.viewer)
        expected = table_pb2.Table(stagecoach=self.stagecoach).stagecoach
        expected.ClearField("attacked_car")
        found = table_pb2.Table(stagecoach=table.stagecoach).stagecoach
        found.ClearField("attacked_car")
        assert found == expected
        assert self.hostages == {figure.name: figure.hostage for figure in table.figures}
        shown = table_pb2.Table(prison_train=table.prison_train).prison_train
        shown.ClearField("last_action")  # follows from the cards that have come up
        kept = table_pb2.Table(prison_train=self.prison_train).prison_train
        kept.ClearField("last_action")
        assert shown == kept
        assert self.hunted == hunted(table)
        assert self.pile == list(table.pile)
        assert self.neutral_bullets == table.neutral_bullets
        assert self.round == table.round.number
        assert self.turn == table.round.turn
        assert self.round_cards == list(table.round_cards)

    def _round_started(self, event: event_pb2.RoundStarted) -> None:
        self.round = event.number
        self.round_cards.append(event.card)

    def _turn_started(self, event: event_pb2.TurnStarted) -> None:
        self.turn = event.index

    def _cards_drawn(self, event: event_pb2.CardsDrawn | event_pb2.CardsSearched) -> None:
        self.hand_sizes[event.seat] += event.count
        if event.seat == self.viewer:
            assert len(event.cards) == event.count
            self.hand.update((card.kind, card.figure) for card in event.cards)
        else:
            assert not event.cards

    def _card_played(self, event: event_pb2.CardPlayed) -> None:
        self.hand_sizes[event.seat] -= 1
        if event.seat == self.viewer:
            self.hand -= Counter([(event.card.kind, event.card.figure)])
        self.pile.append(
            table_pb2.PileCard(seat=event.seat, card=event.card, face_down=event.face_down)
        )

    def _hand_returned(self, event: event_pb2.HandReturned) -> None:
        self.hand_sizes[event.seat] -= event.count
        if event.seat == self.viewer and not self.hand_sizes[event.seat]:
            assert self.hand.total() == event.count
            self.hand.clear()

    def _card_borrowed(self, event: event_pb2.CardBorrowed) -> None:
        self.hand_sizes[event.seat] += 1
        if event.seat == self.viewer:
            self.hand.update([(event.card.kind, event.card.figure)])
        else:
            assert event.card.kind == CardKind.CARD_KIND_HIDDEN

    def _cards_discarded(self, event: event_pb2.CardsDiscarded) -> None:
        self.hand_sizes[event.seat] -= event.count
        assert self.hand_sizes[event.seat] == event.kept
        if event.seat == self.viewer:
            assert len(event.cards) == event.count
            self.hand -= Counter((card.kind, card.figure) for card in event.cards)
        else:
            assert len(event.cards) == 1

    def _cards_kept(self, event: event_pb2.CardsKept) -> None:
        assert self.hand_sizes[event.seat] == event.count
        if event.seat == self.viewer:
            kept = Counter((int(card.kind), card.figure) for card in event.cards)
            assert kept <= self.hand
            self.hand = kept
        else:
            assert not event.cards

    def _card_turned_up(self, event: event_pb2.CardTurnedUp) -> None:
        assert self.pile.pop(0).seat == event.seat

    def _figure_moved(self, event: event_pb2.FigureMoved) -> None:
        assert self.spaces[event.figure] == event.source
        self.spaces[event.figure] = event.space

    def _bullet_given(self, event: event_pb2.BulletGiven) -> None:
        self.received[event.figure].append(event.giver)
        if event.giver == NEUTRAL:
            self.neutral_bullets -= 1
        else:
            self.bullets_left[event.giver] -= 1

    def _neutral_bullets_gone(self, event: event_pb2.NeutralBulletsGone) -> None:
        assert self.neutral_bullets == event.count
        self.neutral_bullets = 0

    def _loot_moved(self, event: event_pb2.LootMoved) -> None:
        if event.source:
            self.loot[event.source] -= Counter([event.loot.kind])
        if event.target:
            self.loot.setdefault(event.target, Counter()).update([event.loot.kind])
        self.loot = {place: kinds for place, kinds in self.loot.items() if kinds}

    def _hostages_displayed(self, event: horses_and_stagecoach_pb2.HostagesDisplayed) -> None:
        assert list(self.stagecoach.hostages) == list(event.hostages)

    def _car_boarded(self, event: horses_and_stagecoach_pb2.CarBoarded) -> None:
        for figure in event.figures:
            assert self.spaces[figure] == "horseback"
            self.spaces[figure] = f"{event.car}.inside"
        self._horses([], [event.car] * len(event.figures))

    def _horse_moved(self, event: horses_and_stagecoach_pb2.HorseMoved) -> None:
        self._horses([event.source], [event.car])

    def _horse_left(self, event: horses_and_stagecoach_pb2.HorseLeft) -> None:
        self._horses([event.car], [])

    def _horses(self, gone: list[int], new: list[int]) -> None:
        left = Counter(self.stagecoach.horses)
        assert left >= Counter(gone)
        self.stagecoach.horses[:] = sorted((left - Counter(gone) + Counter(new)).elements())

    def _stagecoach_moved(self, event: horses_and_stagecoach_pb2.StagecoachMoved) -> None:
        assert self.stagecoach.car == event.source
        self.stagecoach.car = event.car

    def _hostage_taken(self, event: horses_and_stagecoach_pb2.HostageTaken) -> None:
        self.stagecoach.hostages.remove(event.hostage)
        self.hostages[event.figure] = event.hostage

    def _whiskey_drunk(self, event: horses_and_stagecoach_pb2.WhiskeyDrunk) -> None:
        assert self.loot[event.figure][event.flask]
        if event.flask == LootKind.LOOT_KIND_FLASK:
            self.loot[event.figure] -= Counter([event.flask])
            self.loot[event.figure].update([HALF_EMPTY[event.old]])

    def _prisoners_displayed(self, event: marshal_and_prisoners_pb2.PrisonersDisplayed) -> None:
        assert list(self.prison_train.prisoners) == list(event.prisoners)

    def _goal_turned(self, event: marshal_and_prisoners_pb2.GoalTurned) -> None:
        assert (event.goal.name == "HIDDEN") == (self.viewer != 0)
        self.prison_train.current_goals.append(event.goal)
        self.prison_train.upcoming_goals -= 1

    def _goals_revealed(self, event: marshal_and_prisoners_pb2.GoalsRevealed) -> None:
        del self.prison_train.current_goals[:]
        self.prison_train.current_goals.extend(event.goals)

    def _cards_searched(self, event: event_pb2.CardsSearched) -> None:
        self._cards_drawn(event)

    def _captured(self, event: marshal_and_prisoners_pb2.Captured) -> None:
        assert event.poster == (event.figure not in self.prison_train.posters)
        if event.poster:
            self.prison_train.posters.append(event.figure)

    def _marshal_bullet_given(self, event: marshal_and_prisoners_pb2.MarshalBulletGiven) -> None:
        assert self.prison_train.cylinders[event.cylinder - 1].bullets.pop(0) == event.bullet
        self.received[event.figure].append(MARSHAL)
        self.hunted[event.figure].marshal_bullets.append(event.bullet)
        if event.bullet in INJURIES:
            self.hunted[event.figure].injuries.append(event.bullet)

    def _injuries_healed(self, event: marshal_and_prisoners_pb2.InjuriesHealed) -> None:
        assert list(self.hunted[event.figure].injuries) == list(event.bullets)
        del self.hunted[event.figure].injuries[:]

    def _prisoner_freed(self, event: marshal_and_prisoners_pb2.PrisonerFreed) -> None:
        self.prison_train.prisoners.remove(event.prisoner)
        self.hunted[event.figure].prisoner = event.prisoner

    def _prisoner_retaken(self, event: marshal_and_prisoners_pb2.PrisonerRetaken) -> None:
        if event.figure:
            assert self.hunted[event.figure].prisoner == event.prisoner
            self.hunted[event.figure].prisoner = ""
        else:
            self.prison_train.prisoners.remove(event.prisoner)
        self.prison_train.retaken_prisoners.append(event.prisoner)

    def _brawler_taken(self, event: marshal_and_prisoners_pb2.BrawlerTaken) -> None:
        assert self.prison_train.brawlers.pop(0) == event.brawler
        self.hunted[event.figure].brawlers.append(event.brawler)

    def _game_ended(self, event: event_pb2.GameEnded) -> None:
        self.result = event


def hunted(table: table_pb2.Table) -> dict[str, table_pb2.Figure]:
    """What each figure has with Marshal & Prisoners alone."""
    return {
        figure.name: table_pb2.Figure(
            prisoner=figure.prisoner,
            brawlers=figure.brawlers,
            marshal_bullets=figure.marshal_bullets,
            injuries=figure.injuries,
        )
        for figure in table.figures
    }


def loot_of(table: table_pb2.Table) -> Loot:
    """How many tokens of each kind lie on each space and belong to each figure."""
    places = {space.id: space.loot for space in table.spaces}
    places |= {figure.name: figure.loot for figure in table.figures}
    return {
        place: Counter(int(token.kind) for token in tokens)
        for place, tokens in places.items()
        if tokens
    }


def cards_in(table: table_pb2.Table, viewer: int | None) -> Cards:
    """The cards in the viewer's own hand."""
    return Counter(
        (int(card.kind), card.figure)
        for hand in table.hands
        if hand.seat == viewer
        for card in hand.hand
    )
