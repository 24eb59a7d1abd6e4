"""The Lua scripts that the server runs as one step each."""

from __future__ import annotations

import hashlib
from importlib import resources
from typing import Final


class Script:
    """A script by its text and by the digest under which a server that has seen it keeps it."""

    def __init__(self, name: str) -> None:
        self.name: Final = name.removesuffix(".lua")
        self.text: Final = resources.files(__name__).joinpath(name).read_text("utf-8")
        # SHA-1 is how the protocol names scripts; nothing rests on its strength.
        self.sha: Final = hashlib.sha1(self.text.encode("utf-8"), usedforsecurity=False).hexdigest()


COMMIT: Final = Script("commit.lua")
LOAD: Final = Script("load.lua")
ENTRIES: Final = Script("entries.lua")
DELETE: Final = Script("delete.lua")
FORGET: Final = Script("forget.lua")
HOOK: Final = Script("hook.lua")
CLAIM: Final = Script("claim.lua")
GIVE_UP: Final = Script("give_up.lua")
POSTPONE: Final = Script("postpone.lua")
COUNT: Final = Script("count.lua")
EXPORT: Final = Script("export.lua")
IMPORT: Final = Script("import.lua")
