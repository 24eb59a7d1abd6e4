"""How commands print the end of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coltexpress import Game
    from coltexpress.v1.marshal_and_prisoners_pb2 import MarshalsGoals


def score_sheet(game: Game) -> str:
    """The result of a finished game, a line a seat, the richest first."""
    lines = []
    for row in sorted(game.result.seats, key=lambda row: -row.score):
        seat = game.seats[row.seat]
        who = " and ".join(seat.figures)
        name = f" ({seat.display_name})" if seat.display_name else ""
        if row.HasField("goals"):
            parts = _goals(row.goals)
        else:
            parts = ", ".join(f"{part.name.lower()} ${part.dollars:,}" for part in row.rows)
        caught = f" - {' and '.join(row.caught)} caught" if row.caught else ""
        won = " - wins" if row.seat in game.result.winners else ""
        lines.append(f"${row.score:>5,}  {who}{name}: {parts}{caught}{won}")
    return "\n".join(lines)


def _goals(achieved: MarshalsGoals) -> str:
    """What the Marshal has instead of money."""
    met = ", ".join(" ".join([goal.name.lower(), goal.figure]).strip() for goal in achieved.met)
    reached = f"{len(achieved.met)} of {len(achieved.goals)} goals, {achieved.needed} to win"
    return f"{reached}: {met}" if met else reached
