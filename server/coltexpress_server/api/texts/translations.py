"""Where translations come from: gettext catalogues, `locales/LANGUAGE/LC_MESSAGES/texts.po`.

They are read when the service starts, from the .po files as translators leave them: nothing that is
compiled can be older than its source.
"""

from __future__ import annotations

from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

SOURCE: Final = "en"
"""The language that texts are written in."""

FOLDER: Final = Path(__file__).parent / "locales"
FILE: Final = Path("LC_MESSAGES", "texts.po")


def read_translations() -> dict[str, NullTranslations]:
    """The translations of every language by its tag, the language of the source first."""
    found: dict[str, NullTranslations] = {SOURCE: NullTranslations()}
    for path in sorted(FOLDER.glob(f"*/{FILE}")):
        locale = path.relative_to(FOLDER).parts[0]
        found[locale.replace("_", "-")] = _read(path, locale)
    return found


def _read(path: Path, locale: str) -> GNUTranslations:
    with path.open("rb") as lines:
        catalog = read_po(lines, locale=locale, abort_invalid=True)
    compiled = BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return GNUTranslations(compiled)
