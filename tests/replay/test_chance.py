"""The verifier's generator, the engine's and the one in docs/FAIRNESS.md are the same."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from coltexpress_server.game.generator import Generator, mix
from coltexpress_server.game.loot import Token as EngineToken
from coltexpress_server.replay.chance import Chance, mixed
from coltexpress_server.replay.table import Token, drawing_order

FAIRNESS = Path(__file__).parents[2] / "docs" / "FAIRNESS.md"

SEED = bytes(32)
ENTROPIES = [b"colt", b"", b"express"]
GAME_SEED = "7bec662a26caf779068e09e4fda808b9012419d02e3dfb5c6cb56cefb6d06079"
STREAM = "7c37954ebc957799e7e7d75548818b7ec5ffac71d080ffde01bfb5f422a437f07570a28086f0bd13"
NUMBERS = "4 1 5 0 2 5 5 3 3 3 5 1 0 3 1 0 5 4 5 4"
SHUFFLE = "DCFBAE"


def test_values_of_the_documentation() -> None:
    seed = mixed(SEED, ENTROPIES)
    assert seed.hex() == GAME_SEED
    stream, numbers, shuffle = Chance(seed), Chance(seed), Chance(seed)
    assert bytes(stream.below(256) for _ in range(40)).hex() == STREAM
    assert " ".join(str(numbers.below(6)) for _ in range(20)) == NUMBERS
    assert "".join(shuffle.shuffled(list("ABCDEF"))) == SHUFFLE


@pytest.mark.parametrize("value", [GAME_SEED, STREAM, NUMBERS, SHUFFLE])
def test_documentation_has_the_values(value: str) -> None:
    assert value in FAIRNESS.read_text()


def test_verifier_and_engine_agree() -> None:
    chance = Random(1)
    for _ in range(50):
        seed = chance.randbytes(32)
        entropies = [chance.randbytes(chance.randrange(256)) for _ in range(chance.randrange(7))]
        assert mixed(seed, entropies) == mix(seed, entropies)
        ours, theirs = Chance(seed), Generator(seed, 0)
        for _ in range(50):
            n = chance.randrange(1, 257)
            assert ours.below(n) == theirs.below(n)
            items = list(range(n))
            theirs.shuffle(items)
            assert ours.shuffled(list(range(n))) == items
            heap = [(250 + 50 * chance.randrange(6), chance.randrange(64)) for _ in range(5)]
            token = ours.drawn(sorted((Token("PURSE", *row) for row in heap), key=drawing_order))
            drawn = theirs.draw([EngineToken("PURSE", *row) for row in heap])
            assert (token.value, token.known) == (drawn.value, drawn.known)
