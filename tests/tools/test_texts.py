"""The check of translations finds what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages import Catalog

from tools import texts


@pytest.mark.parametrize(
    ("text", "translation", "fault"),
    [
        ("Move {to}", "Mover {to}", ""),
        ("Move {to}", "", "no translation"),
        ("Move {to}", "Mover", "to} only in one"),
        ("Move {to}", "Mover {to} {adonde}", "adonde} only in one"),
        (
            ("{player} draws a card", "{player} draws {number}"),
            ("{player}: una", "{player}: {number}"),
            "",
        ),
        (
            ("{player} draws a card", "{player} draws {number}"),
            ("{player}: una", ""),
            "no translation",
        ),
        (
            ("{player} draws a card", "{player} draws {number}"),
            ("una", "{player}: {number}"),
            "player} only",
        ),
    ],
)
def test_a_fault_is_found(
    text: str | tuple[str, ...], translation: str | tuple[str, ...], fault: str
) -> None:
    catalog = Catalog("es")
    catalog.add(text, translation)
    found = list(texts.faults(catalog))
    assert len(found) == bool(fault)
    assert not fault or fault in found[0]


def test_a_translation_to_be_looked_at_is_a_fault() -> None:
    catalog = Catalog("es")
    catalog.add("Fire", "Disparar", flags={"fuzzy"})
    assert "looked at" in next(texts.faults(catalog))


def test_a_new_text_is_added_and_one_that_is_gone_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(texts, "LOCALES", tmp_path)
    source = Catalog()
    source.add("Fire")
    path = texts.begin("pt-BR", source)
    assert path == tmp_path / "pt_BR/LC_MESSAGES/texts.po"
    later = Catalog()
    later.add("Punch")
    catalog = texts.up_to_date(path, later)
    assert "Punch" in catalog
    assert b"Fire" not in texts.written(catalog)
    # What has been written does not change by being written again.
    path.write_bytes(texts.written(catalog))
    assert texts.written(texts.up_to_date(path, later)) == path.read_bytes()
