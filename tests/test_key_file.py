from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from coltexpress_server.key_file import Unusable, read_or_make


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "key"
    key = read_or_make(path)
    assert len(key) == 32
    assert read_or_make(path) == key
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_all_who_make_it_at_once_get_the_same_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        keys = set(threads.map(read_or_make, [tmp_path / "key"] * 32))
    assert len(keys) == 1


def test_keys_differ(tmp_path: Path) -> None:
    assert read_or_make(tmp_path / "one") != read_or_make(tmp_path / "other")


def test_a_key_from_elsewhere_is_read(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("5E" * 32)
    assert read_or_make(path) == b"\x5e" * 32


@pytest.mark.parametrize("content", ["", "5e" * 31, "5e" * 33, "x" * 64, "é" * 64])
def test_what_is_no_key_is_refused_and_left_alone(tmp_path: Path, content: str) -> None:
    path = tmp_path / "key"
    path.write_text(content)
    with pytest.raises(Unusable, match="should be 64 hexadecimal digits") as unusable:
        read_or_make(path)
    assert str(path) in str(unusable.value)
    assert not content or content not in str(unusable.value)
    assert path.read_text() == content


def test_a_file_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Unusable, match="file/key: File exists"):
        read_or_make(tmp_path / "file" / "key")
