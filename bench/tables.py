"""Tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Rows under their columns, numbers with separators, everything to the right."""
    cells = [list(columns), *([_text(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in cells
    ]
    return "\n".join([title, "-" * len(title), *lines])


def _text(cell: object) -> str:
    return f"{cell:,}" if isinstance(cell, int | float) else str(cell)
