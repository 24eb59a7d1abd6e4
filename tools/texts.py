"""Keeps the translations of the API's texts (`make texts`, `make lint-texts`).

Collects the texts that stand in `server/coltexpress_server/api/texts` and brings the catalogue of
each language up to date with them: new texts are there to be translated, texts that are gone
disappear, texts that have changed a little keep their translation, marked as fuzzy. `--add fr`
begins another language. `--check` changes nothing, and fails where a catalogue is out of date, or
where a translation is missing, fuzzy, or names other things in braces than its text.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from string import Formatter

from babel import Locale, UnknownLocaleError
from babel.messages import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

REPOSITORY = Path(__file__).resolve().parents[1]
TEXTS = REPOSITORY / "server/coltexpress_server/api/texts"
LOCALES = TEXTS / "locales"
FILE = Path("LC_MESSAGES", "texts.po")

# Where a text stands among the arguments of what it is given to; "c" is a context.
KEYWORDS = {
    "N_": (1,),
    "NP_": ((1, "c"), 2),
    "NN_": (1, 2),
    "say": (1,),
    "phrase": (1,),
    "counted": (1, 2),
}
# Lines of a catalogue's head that change although nothing has changed, or that nobody filled in.
EMPTY = (
    b'"Project-Id-Version: PROJECT VERSION',
    b'"Report-Msgid-Bugs-To: EMAIL@ADDRESS',
    b'"POT-Creation-Date:',
    b'"PO-Revision-Date:',
    b'"Last-Translator: FULL NAME',
    b'"Language-Team:',
    b'"Generated-By:',
)


def template() -> Catalog:
    """All texts of the source, without translations."""
    found = Catalog()
    extracted = extract_from_dir(TEXTS, [("**.py", "python")], keywords=KEYWORDS)
    for path, _, message, comments, context in extracted:
        found.add(message, locations=[(path, 0)], auto_comments=comments, context=context)
    return found


def up_to_date(path: Path, source: Catalog) -> Catalog:
    """The catalogue of a file, with the texts of the source."""
    with path.open("rb") as lines:
        catalog = read_po(lines, locale=path.relative_to(LOCALES).parts[0])
    catalog.update(source)
    return catalog


def written(catalog: Catalog) -> bytes:
    """What a catalogue's file holds."""
    file = BytesIO()
    write_po(file, catalog, width=96, ignore_obsolete=True, sort_by_file=True, include_lineno=False)
    lines = file.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(EMPTY))


def faults(catalog: Catalog) -> Iterator[str]:
    """What is wrong with the translations of a catalogue."""
    for message in catalog:
        if not message.id:
            continue  # the header
        text = _forms(message.id)[0]
        translations = _forms(message.string)
        if not all(translations):
            yield f"no translation: {text!r}"
        elif message.fuzzy:
            yield f"translation to be looked at: {text!r}"
        elif wrong := _wrong_names(message):
            yield f"{{{', '.join(sorted(wrong))}}} only in one of: {text!r}, {translations[0]!r}"


def _forms(texts: str | Sequence[str] | None) -> list[str]:
    """The singular and the plurals of a text or a translation."""
    return [texts or ""] if texts is None or isinstance(texts, str) else list(texts)


def _wrong_names(message: Message) -> set[str]:
    """Names in braces that a translation has too many, or lacks.

    A singular may do without the number that stands in the plural.
    """
    wanted = [_names(text) for text in _forms(message.id)]
    found = [_names(text) for text in _forms(message.string)]
    known, needed = set.union(*wanted), set.intersection(*wanted)
    return {name for names in found for name in (names - known) | (needed - names)}


def _names(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def begin(tag: str, source: Catalog) -> Path:
    """A catalogue for another language, with nothing translated yet."""
    try:
        locale = Locale.parse(tag, sep="-")
    except (UnknownLocaleError, ValueError) as error:
        sys.exit(f"{tag} is no language: {error}")
    path = LOCALES / str(locale) / FILE
    if path.exists():
        sys.exit(f"there is one already: {path.relative_to(REPOSITORY)}")
    path.parent.mkdir(parents=True)
    catalog = Catalog(locale, fuzzy=False, header_comment=f"# {locale.english_name}")
    catalog.update(source)
    path.write_bytes(written(catalog))
    return path


def main() -> None:
    """Run the tool."""
    parser = argparse.ArgumentParser(description="Keeps the translations of the API's texts.")
    doing = parser.add_mutually_exclusive_group()
    doing.add_argument("--check", action="store_true", help="only say what is to be done")
    doing.add_argument("--add", metavar="LANGUAGE", help="begin another language: fr, pt-BR")
    arguments = parser.parse_args()
    source = template()
    if arguments.add:
        begin(arguments.add, source)
    failed = False
    for path in sorted(LOCALES.glob(f"*/{FILE}")):
        catalog = up_to_date(path, source)
        new = written(catalog)
        found = list(faults(catalog))
        if arguments.check and new != path.read_bytes():
            found.insert(0, "out of date; `make texts` renews it")
        elif not arguments.check:
            path.write_bytes(new)
        for fault in found:
            print(f"{path.relative_to(REPOSITORY)}: {fault}")
        failed |= bool(found)
    if failed and arguments.check:
        sys.exit(1)


if __name__ == "__main__":
    main()
