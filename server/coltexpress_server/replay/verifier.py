"""Whether a finished game went as its seed, its players' choices and the rules say it did."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from coltexpress_server.replay.chance import Chance, mixed
from coltexpress_server.replay.document import Options, Replay, Seat
from coltexpress_server.replay.horses_and_stagecoach import HorsesAndStagecoachReferee
from coltexpress_server.replay.marshal_and_prisoners import (
    BothReferee,
    MarshalAndPrisonersReferee,
)
from coltexpress_server.replay.record import Discrepancy, Record
from coltexpress_server.replay.referee import Referee
from coltexpress_server.replay.table import CARS

RULES_REVISION: Final = 1
"""The revision of the rules that is verified."""

HORSES_AND_STAGECOACH: Final = "HORSES_AND_STAGECOACH"
MARSHAL_AND_PRISONERS: Final = "MARSHAL_AND_PRISONERS"
_REFEREES: Final[dict[frozenset[str], type[Referee]]] = {
    frozenset(): Referee,
    frozenset({HORSES_AND_STAGECOACH}): HorsesAndStagecoachReferee,
    frozenset({MARSHAL_AND_PRISONERS}): MarshalAndPrisonersReferee,
    frozenset({HORSES_AND_STAGECOACH, MARSHAL_AND_PRISONERS}): BothReferee,
}
"""Who knows the rules, by the expansions."""

_SEATS: Final = {"STANDARD": (3, 4, 5, 6), "EXPERT": (2, 3, 4, 5, 6), "TEAMS": (4, 6)}
_SEATS_WITH_A_MARSHAL: Final = {"STANDARD": tuple(range(3, 9)), "EXPERT": tuple(range(3, 9))}
"""The variants, and for how many seats each of them is."""


@dataclass(slots=True, frozen=True)
class Verification:
    """What came out.

    problems: what is wrong, one sentence each; after the first thing that went otherwise than by
        the rules nothing further is looked at. Empty: the game is as it should be.
    game, seed_hash: as the file says; that they are those of the game one means, and the hash the
        one published at its creation, is for the reader to compare.
    commits, events, shuffles, draws: how many were checked.
    scores, winners: by seat, as the file says.
    """

    problems: list[str]
    game: str
    seed_hash: str
    commits: int
    events: int
    shuffles: int
    draws: int
    scores: list[int]
    winners: list[int]

    @property
    def verified(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def verify(replay: Replay) -> Verification:
    """Checks the seed against its hash, then plays the game again by the rules.

    Every shuffle and draw must be the seed's, every choice one that the rules offered to that seat,
    every event what followed, the scores and winners what they come to. Never raises: what cannot
    be verified is a problem.
    """
    seed = bytes.fromhex(replay.seed)
    problems = []
    if sha256(seed).hexdigest() != replay.seed_hash:
        problems.append("the seed's SHA-256 is not the published hash")
    chance = Chance(mixed(seed, [bytes.fromhex(seat.entropy)[:255] for seat in replay.seats]))
    try:
        _check_scope(replay)
        scores, winners = _referee(replay, chance).play()
        if (replay.scores, replay.winners) != (scores, winners):
            raise Discrepancy(
                f"the result should be {scores}, won by {winners}; "
                f"the file has {replay.scores}, won by {replay.winners}"
            )
    except Discrepancy as discrepancy:
        problems.append(str(discrepancy))
    return Verification(
        problems=problems,
        game=replay.game,
        seed_hash=replay.seed_hash,
        commits=len(replay.commits),
        events=sum(len(commit.events) for commit in replay.commits),
        shuffles=chance.shuffles,
        draws=chance.draws,
        scores=replay.scores,
        winners=replay.winners,
    )


def _referee(replay: Replay, chance: Chance) -> Referee:
    """Who knows the rules of this game."""
    chosen = [seat.bandits for seat in replay.seats]
    rules = _REFEREES[frozenset(replay.options.expansions)]
    return rules(replay.options, chosen, chance, Record(replay.commits))


def _check_scope(replay: Replay) -> None:
    """Raises Discrepancy for games that this verifier does not know or that cannot exist."""
    if replay.rules_revision != RULES_REVISION:
        raise Discrepancy(
            f"played by rules revision {replay.rules_revision}, this verifies {RULES_REVISION}"
        )
    options = replay.options
    if options.expansions != list(dict.fromkeys(options.expansions)) or (
        frozenset(options.expansions) not in _REFEREES
    ):
        raise Discrepancy(f"games with {' and '.join(options.expansions)} are not verified")
    _check_options(options, len(replay.seats))
    _check_seats(options, replay.seats)


def _check_options(options: Options, seats: int) -> None:
    variants = _SEATS_WITH_A_MARSHAL if _has_marshal(options) else _SEATS
    if options.variant not in variants:
        raise Discrepancy(f"there is no variant {options.variant}")
    if seats not in variants[options.variant]:
        raise Discrepancy(f"{options.variant} is not for {seats} seats")
    if not (options.closing_actions or _has_marshal(options)):
        raise Discrepancy("there are no closing actions to play without")
    if options.edition not in {"BIG_BOX", "FIRST"}:
        raise Discrepancy(f"there is no edition {options.edition}")
    cars = options.cars
    due = (4 if seats < 6 else 5) if _has_marshal(options) else seats * _bandits_a_seat(seats)
    if cars and (len(cars) != due or len(set(cars)) < due or not CARS.keys() >= set(cars)):
        raise Discrepancy(f"no train of {due} cars is {' '.join(cars)}")


def _has_marshal(options: Options) -> bool:
    """Whether somebody plays the Marshal, in seat 0."""
    return MARSHAL_AND_PRISONERS in options.expansions


def _check_seats(options: Options, seats: list[Seat]) -> None:
    each = _bandits_a_seat(len(seats))
    bandits = _REFEREES[frozenset(options.expansions)].bandits
    chosen = [name for seat in seats for name in seat.bandits]
    if _has_marshal(options) and seats[0].bandits in ([], ["MARSHAL"]):
        chosen = [name for seat in seats[1:] for name in seat.bandits]
    if any(len(seat.bandits) not in {0, each} for seat in seats):
        raise Discrepancy(f"a seat leads {each} of the bandits here")
    if len(set(chosen)) < len(chosen):
        raise Discrepancy("a bandit has one seat")
    for name in chosen:
        if name not in bandits:
            raise Discrepancy(f"there is no bandit {name}")
    for number, seat in enumerate(seats):
        if len(bytes.fromhex(seat.entropy)) > 255:
            raise Discrepancy(f"the entropy of seat {number} has more than 255 bytes")


def _bandits_a_seat(seats: int) -> int:
    """How many bandits a seat leads."""
    return 2 if seats == 2 else 1
