"""Whether a finished game went as its seed, its players' choices and the rules say it did."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from coltexpress_server.replay.chance import Chance, mixed
from coltexpress_server.replay.document import Options, Replay, Seat
from coltexpress_server.replay.horses_and_stagecoach import HorsesAndStagecoachReferee
from coltexpress_server.replay.record import Discrepancy, Record
from coltexpress_server.replay.referee import Referee
from coltexpress_server.replay.table import BANDITS, CARS

RULES_REVISION: Final = 1
"""The revision of the rules that is verified."""

HORSES_AND_STAGECOACH: Final = "HORSES_AND_STAGECOACH"
"""The expansion that is verified."""

_SEATS: Final = {"STANDARD": (3, 4, 5, 6), "EXPERT": (2, 3, 4, 5, 6), "TEAMS": (4, 6)}
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
    rules = HorsesAndStagecoachReferee if replay.options.expansions else Referee
    return rules(replay.options, chosen, chance, Record(replay.commits))


def _check_scope(replay: Replay) -> None:
    """Raises Discrepancy for games that this verifier does not know or that cannot exist."""
    if replay.rules_revision != RULES_REVISION:
        raise Discrepancy(
            f"played by rules revision {replay.rules_revision}, this verifies {RULES_REVISION}"
        )
    _check_options(replay.options, len(replay.seats))
    _check_seats(replay.seats)


def _check_options(options: Options, seats: int) -> None:
    if options.expansions not in ([], [HORSES_AND_STAGECOACH]):
        expansions = " and ".join(options.expansions)
        raise Discrepancy(
            f"games with {expansions} are not verified, only the base box and "
            f"{HORSES_AND_STAGECOACH}"
        )
    if not options.closing_actions:
        raise Discrepancy("without a played Marshal there are no closing actions to leave out")
    if options.variant not in _SEATS:
        raise Discrepancy(f"there is no variant {options.variant}")
    if seats not in _SEATS[options.variant]:
        raise Discrepancy(f"{options.variant} is not for {seats} seats")
    if options.edition not in {"BIG_BOX", "FIRST"}:
        raise Discrepancy(f"there is no edition {options.edition}")
    cars = options.cars
    due = seats * _bandits_a_seat(seats)
    if cars and (len(cars) != due or len(set(cars)) < due or not CARS.keys() >= set(cars)):
        raise Discrepancy(f"no train of {due} cars is {' '.join(cars)}")


def _check_seats(seats: list[Seat]) -> None:
    each = _bandits_a_seat(len(seats))
    chosen = [name for seat in seats for name in seat.bandits]
    if any(len(seat.bandits) not in {0, each} for seat in seats):
        raise Discrepancy(f"a seat leads {each} of the bandits here")
    if len(set(chosen)) < len(chosen):
        raise Discrepancy("a bandit has one seat")
    for name in chosen:
        if name not in BANDITS:
            raise Discrepancy(f"there is no bandit {name}")
    for number, seat in enumerate(seats):
        if len(bytes.fromhex(seat.entropy)) > 255:
            raise Discrepancy(f"the entropy of seat {number} has more than 255 bytes")


def _bandits_a_seat(seats: int) -> int:
    """How many bandits a seat leads."""
    return 2 if seats == 2 else 1
