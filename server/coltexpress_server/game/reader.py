"""Reading packed values back, one after the other, each with the type that is due."""

from __future__ import annotations

from typing import cast

from coltexpress_server.game.cards import Card

Packed = list[object]


class Unreadable(ValueError):
    """Bytes that are no stored game, or one of a schema or rules revision this code does not know.

    newer: whether a later release wrote it.
    """

    def __init__(self, message: str, newer: bool = False) -> None:
        super().__init__(message)
        self.newer = newer


class Reader:
    """Reads the values of one packed list in order, each with the type that is due."""

    __slots__ = ("_at", "_items")

    def __init__(self, items: object) -> None:
        """Raises Unreadable if it is no list."""
        if not isinstance(items, list):
            raise Unreadable("a list is missing")
        self._items: Packed = items
        self._at = 0

    def item(self) -> object:
        """The next value, whatever it is."""
        place = self._at
        if place >= len(self._items):
            raise Unreadable("a value is missing")
        self._at = place + 1
        return self._items[place]

    def text(self) -> str:
        """The next value, a string."""
        value = self.item()
        if not isinstance(value, str):
            raise Unreadable("a text is missing")
        return value

    def number(self) -> int:
        """The next value, an integer."""
        value = self.item()
        if not isinstance(value, int):
            raise Unreadable("a number is missing")
        return value

    def flag(self) -> bool:
        """The next value, a boolean."""
        return bool(self.item())

    def data(self) -> bytes:
        """The next value, bytes."""
        value = self.item()
        if not isinstance(value, bytes):
            raise Unreadable("bytes are missing")
        return value

    def row(self) -> Reader:
        """The next value, a list."""
        return Reader(self.item())

    def rows(self) -> list[Reader]:
        """The next value, a list of lists."""
        return [Reader(item) for item in self.row().rest()]

    def texts(self) -> list[str]:
        """The next value, a list of strings."""
        values = self.row().rest()
        for value in values:
            if not isinstance(value, str):
                raise Unreadable("a text is missing")
        return cast("list[str]", values)

    def numbers(self) -> list[int]:
        """The next value, a list of integers."""
        values = self.row().rest()
        for value in values:
            if not isinstance(value, int):
                raise Unreadable("a number is missing")
        return cast("list[int]", values)

    def card(self) -> Card:
        """The next value, a card as it is in an event."""
        row = self.row()
        return Card(row.text(), row.text(), row.number())

    def cards(self) -> list[Card]:
        """The next value, a list of cards as they are in an event."""
        return [Card(row.text(), row.text(), row.number()) for row in self.rows()]

    def rest(self) -> Packed:
        """All values not read yet."""
        return self._items[self._at :] if self._at else self._items
