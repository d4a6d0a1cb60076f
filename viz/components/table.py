"""A table as plain HTML: its text wraps, can be selected and is read aloud; nothing in it is markup."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from itertools import zip_longest

# Where the name of a hook or a file may break.
_JOINT = re.compile(r"(?<=\w)[._](?=[a-z])")
# A value with its range in brackets, as each language writes it.
_RANGE = re.compile(r"[\d.]+ ?[(（][\d.]+(?: to |〜|∼)[\d.]+[)）,、]?")


def table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    code_columns: Sequence[int] = (),
    swatches: Sequence[str] = (),
    name: str = "",
) -> str:
    """Return HTML for ``rows`` under ``headings``; the columns at ``code_columns`` are in monospace.

    ``swatches`` are colours, one a row, that tie the rows to the lines of a picture.
    A table that may be wider than the screen takes a ``name``, under which the keyboard can move it. No value is cut
    from its range there.
    """
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    marks = [f'<span class="swatch" style="background:{colour}"></span>' for colour in swatches]
    body = "".join(
        f"<tr>{_cells(row, code_columns, mark)}</tr>" for row, mark in zip_longest(rows, marks, fillvalue="")
    )
    if name:
        body = _RANGE.sub(r'<span class="whole">\g<0></span>', body)
    region = f' role="region" tabindex="0" aria-label="{escape(name)}"' if name else ""
    return f'<div class="plain-table"{region}><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _cells(row: Sequence[str], code_columns: Sequence[int], mark: str) -> str:
    texts = [
        f'<code translate="no">{_JOINT.sub(_breakable, escape(text))}</code>' if index in code_columns else escape(text)
        for index, text in enumerate(row)
    ]
    return "".join(f"<td>{mark if index == 0 else ''}{text}</td>" for index, text in enumerate(texts))


def _breakable(joint: re.Match[str]) -> str:
    return f"{joint[0]}<wbr>"
