"""Writing finished games down: the engine's options and events in the words of the file format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import cast

import msgspec

from coltexpress_server.game import events as ev
from coltexpress_server.game.boxes.horses_and_stagecoach import events as horses
from coltexpress_server.game.boxes.marshal_and_prisoners import events as marshal
from coltexpress_server.game.cards import Card
from coltexpress_server.game.codec import RULES_REVISION
from coltexpress_server.game.loot import SPECTATOR
from coltexpress_server.game.options import Options
from coltexpress_server.replay import document as doc


@dataclass(slots=True, frozen=True)
class CommitRecord:
    """One commit of a game as it is stored.

    version: counting up by one from the commit that started the game.
    cause: START, PLAYER, TIMEOUT, BOT, ...
    seat: whose choice it was, None if nobody's.
    choice: the choice's canonical text, empty if there was none.
    events: as recorded, whole.
    """

    version: int
    cause: str
    seat: int | None
    choice: str
    events: Sequence[ev.Event]


def export_game(
    game: str,
    options: Options,
    seats: Sequence[Sequence[str]],
    *,
    seed: bytes,
    entropies: Sequence[bytes],
    commits: Sequence[CommitRecord],
) -> doc.Replay:
    """A finished game as the file format has it.

    game: the id.
    seats: as they were given to `new_game`, empty where bandits were dealt.
    seed: the server's 32 bytes, before they were mixed with the entropies.
    entropies: one a seat, as given to `generator.mix`.
    commits: from the one that started the game to the one that ended it.
    Raises ValueError if the last event is not the end of the game.
    """
    written = [
        doc.Commit(
            commit.version,
            commit.cause,
            commit.seat,
            commit.choice,
            [_event(event) for event in commit.events if not event.hidden_from(SPECTATOR)],
        )
        for commit in commits
    ]
    end = next((commit.events[-1] for commit in reversed(commits) if commit.events), None)
    if not isinstance(end, ev.GameEnded):
        raise ValueError("a game is exported when it has ended")
    return doc.Replay(
        game=game,
        rules_revision=RULES_REVISION,
        options=doc.Options(
            options.variant,
            list(options.expansions),
            options.edition,
            list(options.cars),
            options.closing_actions,
        ),
        seats=[
            doc.Seat(list(names), entropy.hex())
            for names, entropy in zip(seats, entropies, strict=True)
        ],
        seed=seed.hex(),
        seed_hash=sha256(seed).hexdigest(),
        commits=written,
        scores=list(end.scores),
        winners=list(end.winners),
    )


def event_to_json(event: ev.Event) -> dict[str, object]:
    """An event as in the file: `kind`, then its fields; nothing hidden in it."""
    # A struct with a tag always becomes an object.
    return cast("dict[str, object]", msgspec.to_builtins(_event(event)))


def _event(event: ev.Event) -> doc.AnyEvent:
    """The event in the words of the file format. Raises TypeError for a kind it does not have."""
    match event:
        case ev.GameStarted():
            return doc.GameStarted(event.cars, event.figures, event.first_seat)
        case ev.RoundStarted():
            return doc.RoundStarted(
                event.number, event.card, event.turns, event.event, event.first_seat, event.keep
            )
        case ev.CardsDrawn():
            return doc.CardsDrawn(event.seat, [_card(card) for card in event.cards])
        case ev.TurnStarted():
            return doc.TurnStarted(event.index, event.turn)
        case ev.CardPlayed():
            return doc.CardPlayed(event.seat, _card(event.card), event.face_down)
        case ev.HandReturned():
            return doc.HandReturned(event.seat, event.count)
        case ev.DeckRebuilt():
            return doc.DeckRebuilt(event.seat, event.count)
        case ev.CardsDiscarded():
            return doc.CardsDiscarded(event.seat, [_card(card) for card in event.cards], event.kept)
        case ev.CardBorrowed():
            return doc.CardBorrowed(event.seat, event.partner, _card(event.card))
        case ev.CardTurnedUp():
            return doc.CardTurnedUp(event.seat, _card(event.card))
        case ev.NoEffect():
            return doc.NoEffect(event.figure, event.action, event.rule)
        case ev.FigureMoved():
            return doc.FigureMoved(event.figure, event.source, event.space, event.cause)
        case ev.BulletGiven():
            return doc.BulletGiven(event.giver, event.figure, event.cause)
        case ev.NeutralBulletsGone():
            return doc.NeutralBulletsGone(event.count)
        case ev.Punched():
            return doc.Punched(event.figure, event.target)
        case ev.LootMoved():
            token = doc.Token(event.token.kind, event.token.value)
            return doc.LootMoved(token, event.source, event.target, event.cause)
        case ev.Declined():
            return doc.Declined(event.figure, event.cause)
        case ev.RoundEventStarted():
            return doc.RoundEventStarted(event.event)
        case ev.RoundEnded():
            return doc.RoundEnded(event.number, event.first_seat)
        case ev.GameEnded():
            return doc.GameEnded(event.scores, event.winners)
        case _:
            return _event_of_horses_and_stagecoach(event)


def _event_of_horses_and_stagecoach(event: ev.Event) -> doc.AnyEvent:
    match event:
        case horses.HostagesDisplayed():
            return doc.HostagesDisplayed(event.hostages)
        case horses.CarBoarded():
            return doc.CarBoarded(event.car, event.figures)
        case horses.FirstPlayerChosen():
            return doc.FirstPlayerChosen(event.seat)
        case horses.HorseMoved():
            return doc.HorseMoved(event.source, event.car, event.cause)
        case horses.HorseLeft():
            return doc.HorseLeft(event.car, event.cause)
        case horses.StagecoachMoved():
            return doc.StagecoachMoved(event.source, event.car, event.cause)
        case horses.HostageTaken():
            return doc.HostageTaken(event.figure, event.hostage)
        case horses.WhiskeyDrunk():
            return doc.WhiskeyDrunk(event.seat, event.figure, event.flask, event.old)
        case horses.CardsKept():
            return doc.CardsKept(event.seat, [_card(card) for card in event.cards])
        case marshal.PrisonersDisplayed():
            return doc.PrisonersDisplayed(event.prisoners)
        case marshal.GoalTurned():
            return doc.GoalTurned(event.goal)
        case marshal.CardsSearched():
            return doc.CardsSearched(event.seat, [_card(card) for card in event.cards])
        case marshal.Captured():
            return doc.Captured(event.figure, event.poster)
        case marshal.MarshalBulletGiven():
            return doc.MarshalBulletGiven(event.figure, event.bullet, event.cylinder)
        case marshal.InjuriesHealed():
            return doc.InjuriesHealed(event.figure, event.bullets)
        case marshal.PrisonerFreed():
            return doc.PrisonerFreed(event.figure, event.prisoner)
        case marshal.PrisonerRetaken():
            return doc.PrisonerRetaken(event.figure, event.prisoner)
        case marshal.BanditFreed():
            return doc.BanditFreed(event.figure, event.freed)
        case marshal.ActionCopied():
            return doc.ActionCopied(event.figure, event.action)
        case marshal.BrawlerTaken():
            return doc.BrawlerTaken(event.figure, event.brawler)
        case marshal.GoalsRevealed():
            return doc.GoalsRevealed(event.goals, event.met)
        case _:
            raise TypeError(f"the file format has no event {type(event).__name__}")


def _card(card: Card) -> str:
    return f"{card.figure}.{card.action}"
