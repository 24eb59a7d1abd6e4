"""The six bandits of the base box, one module each (RULES.md 1.7), in their canonical order."""

from __future__ import annotations

from typing import Final

from coltexpress_server.game.boxes.base.bandits.belle import Belle
from coltexpress_server.game.boxes.base.bandits.cheyenne import Cheyenne
from coltexpress_server.game.boxes.base.bandits.django import Django
from coltexpress_server.game.boxes.base.bandits.doc import Doc
from coltexpress_server.game.boxes.base.bandits.ghost import Ghost
from coltexpress_server.game.boxes.base.bandits.tuco import Tuco
from coltexpress_server.game.rules import Power

BANDITS: Final[tuple[Power, ...]] = (Ghost(), Cheyenne(), Django(), Belle(), Tuco(), Doc())
