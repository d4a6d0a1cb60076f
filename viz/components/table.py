"""A table as plain HTML: its text wraps, can be selected and is read aloud; nothing in it is markup."""

from collections.abc import Iterable, Sequence
from html import escape


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, code_columns: Sequence[int] = ()) -> str:
    """Return HTML for ``rows`` under ``headings``; the columns at ``code_columns`` are in monospace."""
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    body = "".join(f"<tr>{_cells(row, code_columns)}</tr>" for row in rows)
    return f'<div class="plain-table"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _cells(row: Sequence[str], code_columns: Sequence[int]) -> str:
    return "".join(
        f"<td><code>{escape(text)}</code></td>" if index in code_columns else f"<td>{escape(text)}</td>"
        for index, text in enumerate(row)
    )
