"""The format of an exported game: one JSON object, read strictly.

Cards are written `FIGURE.ACTION`, bullets `GIVER.BULLET` with NEUTRAL where nobody gave it; spaces
`CAR.LEVEL` or `stagecoach.LEVEL`, `horseback`, `cell` and `gone` for who is on none; seats are
numbers from 0, clockwise; bytes are lower-case hexadecimal.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

FORMAT: Final = "coltexpress/replay/1"

Number = Annotated[int, Meta(ge=0)]
Hex = Annotated[str, Meta(pattern="^([0-9a-f]{2})*$")]
Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class InvalidReplay(ValueError):
    """Bytes that are no exported game of this format; says where and why."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options the game was created with; cars: empty if they were drawn."""

    variant: str
    expansions: list[str]
    edition: str
    cars: list[str]
    closing_actions: bool = True


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat before the start.

    bandits: those it chose; empty if they were dealt.
    entropy: what it brought to the shuffles, at most 255 bytes; empty if nothing.
    """

    bandits: list[str]
    entropy: Hex


class Token(Struct, frozen=True, forbid_unknown_fields=True):
    """A loot token: its kind and its dollars; FLASK, HALF_FLASK, HALF_OLD_FLASK have none.

    value: of a flask 1 for old whiskey, else 0.
    """

    kind: str
    value: Number


class Event(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """Base of all events: what happened at the table, with nothing hidden."""


class GameStarted(Event, frozen=True, tag="GAME_STARTED"):
    """The train stands; the bandits are aboard, or on horseback.

    first_seat: who is first player; -1 before a horse attack.
    """

    cars: list[str]
    figures: list[str]
    first_seat: int


class RoundStarted(Event, frozen=True, omit_defaults=True, tag="ROUND_STARTED"):
    """A round card is revealed.

    keep: how many cards may be kept for the next round; left out where none.
    """

    number: Number
    card: str
    turns: list[str]
    event: str
    first_seat: Number
    keep: Number = 0


class CardsDrawn(Event, frozen=True, tag="CARDS_DRAWN"):
    """Cards go from a deck into a hand, in this order."""

    seat: Number
    cards: list[str]


class TurnStarted(Event, frozen=True, tag="TURN_STARTED"):
    """A turn of Schemin' begins."""

    index: Number
    turn: str


class CardPlayed(Event, frozen=True, tag="CARD_PLAYED"):
    """A card is laid on the common pile."""

    seat: Number
    card: str
    face_down: bool


class HandReturned(Event, frozen=True, tag="HAND_RETURNED"):
    """The cards left in a hand go back to the deck."""

    seat: Number
    count: Number


class DeckRebuilt(Event, frozen=True, tag="DECK_REBUILT"):
    """The discards of a seat whose deck was empty are shuffled into a new one, of `count` cards."""

    seat: Number
    count: Number


class CardsDiscarded(Event, frozen=True, tag="CARDS_DISCARDED"):
    """Cards go from a hand on the discard pile, in this order; `kept` stay in the hand."""

    seat: Number
    cards: list[str]
    kept: Number


class CardBorrowed(Event, frozen=True, tag="CARD_BORROWED"):
    """A seat draws a card from the deck of its partner."""

    seat: Number
    partner: Number
    card: str


class CardTurnedUp(Event, frozen=True, tag="CARD_TURNED_UP"):
    """The next card of the pile resolves."""

    seat: Number
    card: str


class NoEffect(Event, frozen=True, tag="NO_EFFECT"):
    """An action was impossible."""

    figure: str
    action: str
    rule: str


class FigureMoved(Event, frozen=True, tag="FIGURE_MOVED"):
    """A figure changes space."""

    figure: str
    source: str
    space: str
    cause: str


class BulletGiven(Event, frozen=True, tag="BULLET_GIVEN"):
    """A bullet goes into a figure's deck."""

    giver: str
    figure: str
    cause: str


class NeutralBulletsGone(Event, frozen=True, tag="NEUTRAL_BULLETS_GONE"):
    """The rest of the neutral bullets leaves the game."""

    count: Number


class Punched(Event, frozen=True, tag="PUNCHED"):
    """A figure punches another."""

    figure: str
    target: str


class LootMoved(Event, frozen=True, tag="LOOT_MOVED"):
    """A loot token changes place; source, target: a space, a figure, or empty for the box."""

    token: Token
    source: str
    target: str
    cause: str


class Declined(Event, frozen=True, tag="DECLINED"):
    """A figure's seat refused what it may refuse."""

    figure: str
    cause: str


class RoundEventStarted(Event, frozen=True, tag="ROUND_EVENT_STARTED"):
    """The event at the end of a round begins."""

    event: str


class RoundEnded(Event, frozen=True, tag="ROUND_ENDED"):
    """A round is over; first_seat: who is first player from now on."""

    number: Number
    first_seat: Number


class HostagesDisplayed(Event, frozen=True, tag="HOSTAGES_DISPLAYED"):
    """These hostages lie face up, in the order of the rules."""

    hostages: list[str]


class CarBoarded(Event, frozen=True, tag="CAR_BOARDED"):
    """These bandits board a car, their horses stay beside it."""

    car: Number
    figures: list[str]


class FirstPlayerChosen(Event, frozen=True, tag="FIRST_PLAYER_CHOSEN"):
    """Everybody is aboard; a first player is drawn."""

    seat: Number


class HorseMoved(Event, frozen=True, tag="HORSE_MOVED"):
    """A horse runs from beside one car to beside another."""

    source: Number
    car: Number
    cause: str


class HorseLeft(Event, frozen=True, tag="HORSE_LEFT"):
    """A horse that was beside a car leaves the game."""

    car: Number
    cause: str


class StagecoachMoved(Event, frozen=True, tag="STAGECOACH_MOVED"):
    """The stagecoach drops back from beside one car to beside another."""

    source: Number
    car: Number
    cause: str


class HostageTaken(Event, frozen=True, tag="HOSTAGE_TAKEN"):
    """A bandit takes a hostage."""

    figure: str
    hostage: str


class WhiskeyDrunk(Event, frozen=True, tag="WHISKEY_DRUNK"):
    """A seat uses a flask of one of its bandits; flask: what it was until now."""

    seat: Number
    figure: str
    flask: str
    old: bool


class CardsKept(Event, frozen=True, tag="CARDS_KEPT"):
    """Cards stay in a hand for the next round."""

    seat: Number
    cards: list[str]


class PrisonersDisplayed(Event, frozen=True, tag="PRISONERS_DISPLAYED"):
    """These prisoners lie face up, in the order of the rules."""

    prisoners: list[str]


class GoalTurned(Event, frozen=True, tag="GOAL_TURNED"):
    """The top Upcoming goal of the Marshal becomes Current."""

    goal: str


class CardsSearched(Event, frozen=True, tag="CARDS_SEARCHED"):
    """A seat has searched its played cards and taken these."""

    seat: Number
    cards: list[str]


class Captured(Event, frozen=True, tag="CAPTURED"):
    """A bandit is captured; poster: whether for the first time."""

    figure: str
    poster: bool


class MarshalBulletGiven(Event, frozen=True, tag="MARSHAL_BULLET_GIVEN"):
    """The Marshal has shot a bandit with the top bullet of a cylinder, 1 or 2."""

    figure: str
    bullet: str
    cylinder: Number


class InjuriesHealed(Event, frozen=True, tag="INJURIES_HEALED"):
    """Bullets in front of a bandit go into his deck."""

    figure: str
    bullets: list[str]


class PrisonerFreed(Event, frozen=True, tag="PRISONER_FREED"):
    """A bandit takes a prisoner's card."""

    figure: str
    prisoner: str


class PrisonerRetaken(Event, frozen=True, tag="PRISONER_RETAKEN"):
    """A prisoner's card goes to the Achievement zone; figure: who had it, or empty."""

    figure: str
    prisoner: str


class BanditFreed(Event, frozen=True, tag="BANDIT_FREED"):
    """A bandit lets another out of the cell."""

    figure: str
    freed: str


class ActionCopied(Event, frozen=True, tag="ACTION_COPIED"):
    """A BRILLIANT_IDEA does what this card did."""

    figure: str
    action: str


class BrawlerTaken(Event, frozen=True, tag="BRAWLER_TAKEN"):
    """A bandit takes the top Brawler card."""

    figure: str
    brawler: str


class GoalsRevealed(Event, frozen=True, tag="GOALS_REVEALED"):
    """The Marshal's goals at the end, and those of them that hold."""

    goals: list[str]
    met: list[str]


class GameEnded(Event, frozen=True, tag="GAME_ENDED"):
    """The game is over; scores by seat, in dollars."""

    scores: list[int]
    winners: list[Number]


AnyEvent = (
    GameStarted
    | RoundStarted
    | CardsDrawn
    | TurnStarted
    | CardPlayed
    | HandReturned
    | DeckRebuilt
    | CardsDiscarded
    | CardBorrowed
    | CardTurnedUp
    | NoEffect
    | FigureMoved
    | BulletGiven
    | NeutralBulletsGone
    | Punched
    | LootMoved
    | Declined
    | RoundEventStarted
    | RoundEnded
    | HostagesDisplayed
    | CarBoarded
    | FirstPlayerChosen
    | HorseMoved
    | HorseLeft
    | StagecoachMoved
    | HostageTaken
    | WhiskeyDrunk
    | CardsKept
    | PrisonersDisplayed
    | GoalTurned
    | CardsSearched
    | Captured
    | MarshalBulletGiven
    | InjuriesHealed
    | PrisonerFreed
    | PrisonerRetaken
    | BanditFreed
    | ActionCopied
    | BrawlerTaken
    | GoalsRevealed
    | GameEnded
)


class Commit(Struct, frozen=True, forbid_unknown_fields=True):
    """One version of the game.

    cause: what made it: START, PLAYER, TIMEOUT, BOT, or another word where nothing happened.
    seat: whose choice it was; null if nobody's.
    choice: its canonical text, e.g. `move:3.inside`; empty if there was none.
    events: all that followed, up to the next decision.
    """

    version: Number
    cause: str
    seat: Number | None
    choice: str
    events: list[AnyEvent]


class Replay(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A finished game.

    game: its id.
    rules_revision: which revision of the rules it was played by.
    seats: as they were before the start, clockwise.
    seed: the server's, published when the game had ended.
    seed_hash: SHA-256 of the seed, published when the game was created.
    commits: from the one that started the game to the one that ended it, without gaps.
    scores, winners: the result, by seat.
    """

    format: Literal["coltexpress/replay/1"] = FORMAT
    game: str
    rules_revision: Number
    options: Options
    seats: list[Seat]
    seed: Hex32
    seed_hash: Hex32
    commits: list[Commit]
    scores: list[int]
    winners: list[Number]


class _Heading(Struct):
    """What is read of a file before anything else."""

    format: str


def read(data: bytes) -> Replay:
    """The game that a file's content holds. Raises InvalidReplay."""
    try:
        found = msgspec.json.decode(data, type=_Heading).format
        if found == FORMAT:
            return msgspec.json.decode(data, type=Replay)
    except msgspec.DecodeError as error:
        raise InvalidReplay(f"no exported game: {error}") from error
    raise InvalidReplay(f"the format is {found}, this release reads {FORMAT}")


def write(replay: Replay) -> bytes:
    """The content of the file, ending with a newline."""
    return msgspec.json.format(msgspec.json.encode(replay), indent=1) + b"\n"
