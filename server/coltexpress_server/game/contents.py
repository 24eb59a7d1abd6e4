"""What lies in a box, in numbers that hardly a rule asks for but whoever looks into it does."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Contents:
    """The components of a box that its other answers do not tell of.

    tokens: loot tokens by kind: how many of each value in dollars.
    cars: loot that lies in a car at the start, by the car's letter, empty for the locomotive: how
        many tokens of each kind.
    bullets: bullet cards that each bandit can give.
    neutral_bullets: bullet cards that nobody gives.
    provisional: names of what was not seen in print (RULES.md, **[provisional]**).
    """

    tokens: dict[str, dict[int, int]] = field(default_factory=dict)
    cars: dict[str, dict[str, int]] = field(default_factory=dict)
    bullets: int = 0
    neutral_bullets: int = 0
    provisional: tuple[str, ...] = ()
