"""A table of scores as plain HTML: higher scores are darker; a second number can stand below each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from viz.base.colours import Theme, style_variables


@dataclass(frozen=True)
class ScoreCell:
    """A ``score`` of 1 and what stands under it, if it was measured; and ``other``, as it is to be read.

    ``is_first`` sets the best score of a row apart, and not by its colour alone. What ``is_hollow`` has no colour.
    """

    score: float | None = None
    detail: str = ""
    other: str = ""
    is_first: bool = False
    is_hollow: bool = False


def score_table(
    rows: Mapping[tuple[str, str], Sequence[ScoreCell]], *, corner: str, columns: Sequence[str], name: str, theme: Theme
) -> str:
    """Return HTML for ``rows``, by heading and subheading, below ``columns``; all text is escaped.

    Args:
        rows: a cell for each column.
        corner: the heading of the headings.
        columns: their headings.
        name: of the table, for those who hear it.
        theme: light or dark.
    """
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in (corner, *columns))
    body = "".join(
        f'<tr><th scope="row">{escape(heading)}{_small(below)}</th>{"".join(map(_cell, cells))}</tr>'
        for (heading, below), cells in rows.items()
    )
    # A place that scrolls has to be reachable by keyboard, and then it needs a role and a name.
    frame = f'class="score-table" style="{style_variables(theme)}" tabindex="0" role="region"'
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div {frame} aria-label="{escape(name, quote=True)}">{table}</div>'


def _cell(cell: ScoreCell) -> str:
    if cell.score is None:
        return f'<td class="empty">–{_small(cell.other)}</td>'
    number = f"{cell.score:.2f}"
    shown = f"<strong>{number}</strong>" if cell.is_first else number
    style = ' class="hollow"' if cell.is_hollow else f' style="--p:{cell.score:.3f}"'
    return f"<td{style}>{shown}{_small(cell.detail)}{_small(cell.other)}</td>"


def _small(text: str) -> str:
    return f"<small>{escape(text)}</small>" if text else ""
