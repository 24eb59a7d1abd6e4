"""In which language a caller wants the texts of the answer, and how he is told which one it is in.

Calls answer in it; a transport names it to the caller, where he has asked.
"""

from __future__ import annotations

from typing import Final

from coltexpress_server.api.principals import Metadata
from coltexpress_server.api.texts import Language, language_for

ACCEPT_LANGUAGE: Final = "accept-language"
CONTENT_LANGUAGE: Final = "content-language"


def language_named(metadata: Metadata) -> tuple[tuple[str, str], ...]:
    """What an answer says ahead of its messages: its language, to who has asked for one."""
    language = wanted_language(metadata)
    return () if language is None else ((CONTENT_LANGUAGE, language.tag),)


def wanted_language(metadata: Metadata) -> Language | None:
    """The language for a caller with this metadata; None where he does not ask for any."""
    wanted = [str(value) for name, value in metadata if name == ACCEPT_LANGUAGE]
    return language_for(",".join(wanted)) if wanted else None
