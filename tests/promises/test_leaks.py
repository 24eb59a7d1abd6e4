"""Leaks: nobody is told, in any form, what he may not know yet.

Twin games differ only in what some viewers may not know. Each viewer's messages from the one are
those from the other, byte for byte. Once both games go on, marks and times differ by chance; these
alone are left out of the comparison then, and so is, always, the published hash of the seed.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import redis

from coltexpress.v1.vocabulary_pb2 import Expansion, Variant
from coltexpress_server.game.loot import SPECTATOR
from tests.api.games import played
from tests.api.tables import begun
from tests.promises.conftest import Size
from tests.promises.twin_games import make_twin, state_of
from tests.promises.twin_services import Twins, served, submit

CAST = ("DOC", "GHOST", "BELLE", "TUCO", "CHEYENNE", "DJANGO")
HORSES = (Expansion.EXPANSION_HORSES_AND_STAGECOACH,)
MARSHAL = (Expansion.EXPANSION_MARSHAL_AND_PRISONERS,)
SELDOM = {"GIVE"}
"""Decisions for which it takes too many games; the engine's own twins come to them."""
TO_WHAT_IS_RARE = (
    *("play:CAPTURE", "capture", "play:BRILLIANT_IDEA", "search"),
    *(f"free:{name}" for name in CAST),
    *("play:RIDE", "ride:stagecoach.roof"),
)
"""Beginnings of choices that lead to decisions which random games seldom come to."""
STEPS = 3
"""How many choices twins are followed."""


async def test_twins_look_the_same_to_all_who_may_not_tell_them_apart(
    valkey_url: str, tmp_path: Path, size: Size
) -> None:
    enough = size(1, 100)
    chance = Random(3)
    missing = {
        (decision.kind, viewer_decides): enough
        for decision in played().decisions
        if decision.kind not in SELDOM
        for viewer_decides in (True, False)
    }
    pairs = told_apart = 0
    with (
        redis.Redis.from_url(valkey_url, db=0) as store,
        redis.Redis.from_url(valkey_url, db=1) as other_store,
    ):
        async with served(valkey_url, tmp_path) as service:
            for number in range(size(90, 255)):
                if not any(missing.values()):
                    break
                store.flushdb()
                variant, expansions, cast = _game(number)
                table = await begun(
                    service,
                    cast,
                    seed=bytes([number]) * 32,
                    variant=variant,
                    expansions=expansions,
                )
                game_id = table.name.removeprefix("games/")
                while any(missing.values()) and (pending := state_of(store, game_id).pending):
                    decision = pending[0]
                    wanted = [own for own in (True, False) if missing.get((decision.kind, own))]
                    if not wanted:
                        leading = [
                            each
                            for each in decision.options
                            if each.text.startswith(TO_WHAT_IS_RARE)
                        ]
                        option = chance.choice(chance.choice([leading, []]) or decision.options)
                        await submit(service, table, decision, option)
                        continue
                    own = chance.choice(wanted)
                    missing[decision.kind, own] -= 1
                    viewers = _viewers(decision.seat, len(cast), chance, own=own)
                    pairs += 1
                    other_store.flushdb()
                    make_twin(store, other_store, game_id, viewers, chance)
                    async with served(f"{valkey_url}?db=1", tmp_path) as other:
                        twins = Twins(
                            table, (service, other), (store, other_store), viewers, chance
                        )
                        await twins.compare_reads()
                        told_apart += await twins.owners_see_a_difference()
                        for _ in range(STEPS):
                            if not await twins.go_on():
                                break
    rare = [kind for kind, left in missing.items() if left == enough]
    assert not rare, "too few games: these kinds of decisions never came up"
    assert told_apart > pairs / 2
    print(f"\n{pairs} pairs of twins; {told_apart} could be told apart by their owners")


def _game(
    number: int,
) -> tuple[Variant.ValueType, tuple[Expansion.ValueType, ...], tuple[str, ...]]:
    """Variant, expansions and who plays: every second game with a Marshal whom somebody plays."""
    hunted, number = number % 2, number // 2
    expansions = HORSES if number % 2 else ()
    if hunted:
        variant = (Variant.VARIANT_STANDARD, Variant.VARIANT_EXPERT)[number // 2 % 2]
        return variant, (*expansions, *MARSHAL), ("MARSHAL", "MEI", *CAST[: 2 + number % 4])
    match number % 3:
        case 0:
            return Variant.VARIANT_STANDARD, expansions, CAST[: 3 + number // 3 % 4]
        case 1:
            return Variant.VARIANT_EXPERT, expansions, CAST[: 3 + number // 3 % 4]
    return Variant.VARIANT_TEAMS, expansions, CAST[: 4 + 2 * (number // 3 % 2)]


def _viewers(deciding: int, seats: int, chance: Random, *, own: bool) -> list[int]:
    """One seat or all but one, with the deciding one or without it; a spectator in any case."""
    others = [seat for seat in range(seats) if seat != deciding]
    if chance.random() < 0.5:
        return [deciding if own else chance.choice(others), SPECTATOR]
    if own:
        others.remove(chance.choice(others))
        others.append(deciding)
    return [*others, SPECTATOR]
