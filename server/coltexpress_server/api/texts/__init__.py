"""All words for people: prompts, labels of options, what happened, what things are called.

    wording.py      what a box brings: tables of terms, and writers for its choices and events
    language.py     a language: the sentences, and the phrases that go into them
    base/, ...      a folder for each box, with its words
    lobby.py, ...   the words of what is in no box
    locales/        translations: LANGUAGE/LC_MESSAGES/texts.po

A text stands whole in the source, in English, with named places for what varies; a translation
may put them in another order. Whoever is shown a text sees no more in it than in the message that
it belongs to: it is made of that.
"""

from __future__ import annotations

from typing import Final

from coltexpress_server.api.texts.base import BASE
from coltexpress_server.api.texts.horses_and_stagecoach import HORSES_AND_STAGECOACH
from coltexpress_server.api.texts.language import Language
from coltexpress_server.api.texts.lobby import LOBBY
from coltexpress_server.api.texts.marshal_and_prisoners import MARSHAL_AND_PRISONERS
from coltexpress_server.api.texts.negotiation import negotiated
from coltexpress_server.api.texts.reasons import REASONS
from coltexpress_server.api.texts.translations import SOURCE, read_translations
from coltexpress_server.api.texts.wording import Cast

__all__ = ["DEFAULT", "LANGUAGES", "WORDINGS", "Cast", "Language", "language_for"]

WORDINGS: Final = (LOBBY, REASONS, BASE, HORSES_AND_STAGECOACH, MARSHAL_AND_PRISONERS)
"""All there are, in the order in which the catalogue lists them."""

LANGUAGES: Final = {
    tag: Language(tag, found, WORDINGS) for tag, found in read_translations().items()
}
"""Every language, by its tag."""

DEFAULT: Final = LANGUAGES[SOURCE]
"""For whoever asks for none that there is."""


def language_for(accept_language: str) -> Language:
    """The language that suits a caller best, by his Accept-Language (RFC 9110, 12.5.4)."""
    tag = negotiated(accept_language, tuple(LANGUAGES))
    return LANGUAGES[tag] if tag else DEFAULT
