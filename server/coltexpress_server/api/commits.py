"""Messages of commits, made once for all who see them alike."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from coltexpress.v1.event_pb2 import Commit
from coltexpress_server.api.events import commit
from coltexpress_server.api.texts import Language
from coltexpress_server.service.views import SeenStep


class Commits:
    """The latest commits' messages, by the commit's mark, which is unique, viewer and language."""

    def __init__(self, kept: int) -> None:
        """kept: how many messages are kept."""
        self._kept: Final = kept
        self._messages: Final[OrderedDict[tuple[str, int, str], Commit]] = OrderedDict()

    def message(self, seen: SeenStep, language: Language) -> Commit:
        """The message of a step for its viewer, in a language; not to be changed."""
        key = (seen.past.cursor.mark, seen.viewer, language.tag)
        found = self._messages.get(key)
        if found is None:
            found = self._messages[key] = commit(seen, language)
            if len(self._messages) > self._kept:
                self._messages.popitem(last=False)
        return found
