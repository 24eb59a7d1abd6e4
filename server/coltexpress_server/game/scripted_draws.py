"""Blind draws written down beforehand, for positions that are set up to show a rule."""

from __future__ import annotations

from coltexpress_server.game.generator import Generator
from coltexpress_server.game.loot import Token, by_value


class CannotDraw(Exception):
    """The next draw written down is none of the tokens that the game draws from."""


class ScriptedDraws(Generator):
    """A generator whose blind draws of loot come out as written, as long as any are left.

    draws: words such as `PURSE:300` or `JEWEL`, the next to draw first. A draw from one token is
    none and takes no word; a draw from equal tokens takes one only if it fits.
    """

    __slots__ = ("draws",)

    def __init__(self, seed: bytes, position: int) -> None:
        """As a generator, with nothing written down yet."""
        super().__init__(seed, position)
        self.draws: list[str] = []

    def draw(self, tokens: list[Token]) -> Token:
        """The token written down, or one drawn by chance; raises CannotDraw."""
        if len(tokens) == 1 or not self.draws:
            return super().draw(tokens)
        word = self.draws[0]
        fitting = [token for token in tokens if word in {token.text, token.kind}]
        if fitting:
            self.draws.pop(0)
            return min(fitting, key=by_value)
        words = [token.text for token in tokens]
        if len(set(words)) == 1:
            return super().draw(tokens)
        raise CannotDraw(f"the game cannot draw {word} from {', '.join(sorted(words))}")
