from __future__ import annotations

import pytest

from coltexpress_server.store.keys import BUCKETS, game_id_from, game_keys, is_game_id, wake_channel


@pytest.mark.parametrize("first", range(256))
def test_ids_made_of_bytes_have_the_form_of_an_id(first: int) -> None:
    game_id = game_id_from(bytes([first]) + bytes(15))
    assert is_game_id(game_id)
    assert game_id[:2] in BUCKETS


def test_the_id_tells_all_sixteen_bytes_apart_but_for_the_buckets_two_high_bits() -> None:
    ids = {game_id_from(bytes(place) + b"\x01" + bytes(15 - place)) for place in range(16)}
    assert len(ids) == 16


def test_too_few_bytes_make_no_id() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        game_id_from(bytes(15))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "00" + "a" * 23,
        "00" + "a" * 25,
        "40" + "a" * 24,
        "0G" + "a" * 24,
        "0A" + "a" * 24,
        "00" + "a" * 23 + "1",
        "00" + "a" * 23 + "A",
        "00" + "a" * 24 + "\n",
        "00" + "a" * 22 + "}{",
    ],
)
def test_what_is_no_id_names_no_keys(text: str) -> None:
    assert not is_game_id(text)
    with pytest.raises(ValueError, match="not a game id"):
        game_keys(text)
    with pytest.raises(ValueError, match="not a game id"):
        wake_channel(text)


def test_all_keys_of_a_game_carry_its_bucket_as_hash_tag() -> None:
    keys = game_keys("2a" + "b" * 24)
    assert all("{2a}" in key for key in keys)
    assert len(set(keys)) == len(keys)
