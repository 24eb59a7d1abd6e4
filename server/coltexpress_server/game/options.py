"""The options a game is created with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True, unsafe_hash=True)
class Options:
    """What a host may choose; `rules_for` says which combinations exist.

    variant: STANDARD.
    expansions: names of boxes beyond the base box, in any order.
    edition: BIG_BOX or FIRST (RULES.md section 8).
    cars: letters of the cars behind the locomotive, in order; empty: drawn at random (1.1.4).
    closing_actions: whether cards left in hand may be played at the end of a round; an option of
        the box that has them, true for all others (4.16).
    """

    variant: str
    expansions: tuple[str, ...]
    edition: str
    cars: tuple[str, ...]
    closing_actions: bool = True


STANDARD = Options("STANDARD", (), "BIG_BOX", ())


class InvalidOptions(ValueError):
    """A combination that does not exist; names the option and the reason.

    field: the option's name, with an index where it is a list, e.g. `cars[2]`.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message
