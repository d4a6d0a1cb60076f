"""One cell of an attention map from the inside: from q and k to the weight and the block's output.

HTML and CSS alone: the pointer on a column says its numbers, and on a number lights it in every step that uses it. A
page draws it in two steps, the first once a page:

    st.html(cell_style())
    st.html(cell_view(cell, CellLabels(query, keys), theme=theme(), text=page_text("pages/translate/cell")))
"""

import math
from collections.abc import Mapping
from html import escape
from pathlib import Path

import numpy as np

from viz.base.colours import Theme, style_variables
from viz.base.words import listed
from viz.components.matrix_view import written
from viz.pages.translate.components.cell_view.strips import Strip, largest_of, strips_view
from viz.pages.translate.components.cell_view.tables import (
    MOST_KEYS,
    N_STRONGEST,
    all_numbers,
    keys_table,
    lengths_table,
    output_rows,
    products_table,
    score_table,
    value_rows,
)
from viz.pages.translate.components.cell_view.words import filled, linked, token
from viz.pages.translate.study.cell import AttentionCell, CellLabels

_STYLE = Path(__file__).with_name("cell_view.css")
_LINKS = ("dot", "scaled", "bias", "score", "exp", "sum", "weight", "passed")
# Below this share of the deepest colour a strip looks empty.
_FAINT = 0.03


def cell_style() -> str:
    """Return the style sheet of the view, to be on the page once."""
    return f"<style>{_STYLE.read_text(encoding='utf-8')}{''.join(map(_link, _LINKS))}</style>"


def cell_view(cell: AttentionCell, labels: CellLabels, *, theme: Theme, text: Mapping[str, str]) -> str:
    """Return HTML for every step of ``cell``, with its numbers.

    Args:
        cell: the calculation.
        labels: its query and all keys of its row; any text, shown as text.
        theme: light or dark.
        text: the words around the numbers: the sections of ``cell.md``.

    Raises:
        ValueError: not one label for each key.
    """
    if len(labels.keys) != len(cell.row.scores):
        raise ValueError(f"there are {len(labels.keys)} labels for {len(cell.row.scores)} keys; give one for each")
    query, key = token(labels.query), token(labels.keys[cell.key])
    parts = {"query": query, "key": key, "weight": linked(cell.weight, "weight")}
    place = {"kind": escape(text[f"kind {cell.kind}"]), "layer": cell.layer + 1, "head": cell.head + 1}
    number = cell.key + 1
    steps = (
        ("step", _compare(cell, text, parts)),
        ("step narrow", _score(cell, text, parts)),
        ("step", _softmax(cell, labels, text, parts)),
        ("step", _values(cell, text, parts)),
        ("step", _output(cell, text, parts)),
    )
    return (
        f'<div class="cell-view" style="{style_variables(theme)}">'
        f"<h2>{filled(text, 'title')}</h2>"
        f'<p class="which">{filled(text, "which", number=number, **place, **parts)}</p>'
        f'<p class="about legend">{filled(text, "legend")}</p><div class="steps">'
        + "".join(f'<section class="{name}">{step}</section>' for name, step in steps)
        + f'</div><p class="about">{_check(cell, text)}</p>{_numbers(cell, labels, text)}</div>'
    )


def _numbers(cell: AttentionCell, labels: CellLabels, text: Mapping[str, str]) -> str:
    name = escape(text["all numbers"])
    return (
        f'<details><summary>{name}</summary><div class="numbers" tabindex="0" role="region" aria-label="{name}">'
        f"{all_numbers(cell, labels, text)}</div></details>"
    )


def _compare(cell: AttentionCell, text: Mapping[str, str], parts: Mapping[str, object]) -> str:
    titles = [
        text["product title"].format(
            number=number, q=written(q), k=written(k), product=written(product), sum=written(total)
        )
        for number, (q, k, product, total) in enumerate(
            zip(cell.q, cell.k, cell.products, cell.running_sum, strict=True), start=1
        )
    ]
    operands, products, sums = largest_of(cell.q, cell.k), largest_of(cell.products), largest_of(cell.running_sum)
    strips = (
        Strip("q", cell.q, operands),
        Strip("k", cell.k, operands),
        Strip("q × k", cell.products, products),
        Strip("Σ", cell.running_sum, sums),
    )
    transformed = filled(text, "transformed", encoding=token(cell.encoding or ""))
    return (
        _lead(text, 1, "compare", count=len(cell.q), **parts)
        + (f'<p class="about">{transformed}</p>' if cell.is_transformed else "")
        + strips_view(strips, titles=titles, label=text["alt products"].format(count=len(cell.q)))
    )


def _score(cell: AttentionCell, text: Mapping[str, str], parts: Mapping[str, object]) -> str:
    masked = "" if cell.is_allowed else f'<p class="warning">{filled(text, f"masked {cell.kind}", **parts)}</p>'
    tables = f'<div class="sums">{products_table(cell, text)}{score_table(cell, text)}</div>'
    return _lead(text, 2, "scale", d_key=len(cell.q), root=written(math.sqrt(len(cell.q)))) + tables + masked


def _softmax(cell: AttentionCell, labels: CellLabels, text: Mapping[str, str], parts: Mapping[str, object]) -> str:
    n_keys, largest = len(cell.row.scores), float(cell.row.scores.max())
    lead = _lead(text, 3, "softmax", count=n_keys, largest=written(largest), **parts)
    chain = filled(
        text,
        "softmax here",
        score=linked(cell.score, "score"),
        largest=_subtracted(largest),
        exponential=linked(float(cell.row.exponentials[cell.key]), "exp"),
        sum=linked(float(cell.row.exponentials.sum()), "sum"),
        **parts,
    )
    limit = filled(text, "strongest only", shown=len(cell.strongest_keys(N_STRONGEST)), count=n_keys, **parts)
    note = f"{limit} " if n_keys > MOST_KEYS else ""
    about = f'<p class="about">{note}{filled(text, "passes on how")}</p>'
    return f'{lead}<p class="chain">{chain}</p>{keys_table(cell, labels, text)}{about}'


def _values(cell: AttentionCell, text: Mapping[str, str], parts: Mapping[str, object]) -> str:
    rows = value_rows(cell, text)
    added = filled(text, "added how", encoding=token(cell.encoding or ""), name=escape(text["added"]))
    is_faint = largest_of(cell.weighed) < _FAINT * largest_of(*rows.values())
    return (
        _lead(text, 4, "take", count=len(cell.v), **parts)
        + (f'<p class="about">{added}</p>' if cell.row.added is not None else "")
        + _on_one_scale(rows, text, text["alt values"].format(count=len(cell.v)))
        + (f'<p class="about">{filled(text, "faint")}</p>' if is_faint else "")
    )


def _output(cell: AttentionCell, text: Mapping[str, str], parts: Mapping[str, object]) -> str:
    size = {"d_value": len(cell.v), "d_model": len(cell.output)}
    return (
        _lead(text, 5, "pass on", **size, **parts)
        + _on_one_scale(output_rows(cell, text), text, text["alt output"].format(count=len(cell.output)))
        + lengths_table(cell, text)
        + f'<p class="about">{filled(text, "share", share=f"{cell.share:z.1%}".replace("-", "−"), **parts)}</p>'
    )


def _on_one_scale(rows: Mapping[str, np.ndarray], text: Mapping[str, str], label: str) -> str:
    largest = largest_of(*rows.values())
    titles = [
        f"{text['dimension title'].format(number=number)}: "
        + listed(f"{name} {written(value)}" for name, value in zip(rows, values, strict=True))
        for number, values in enumerate(zip(*rows.values(), strict=True), start=1)
    ]
    return strips_view([Strip(name, values, largest) for name, values in rows.items()], titles=titles, label=label)


def _lead(text: Mapping[str, str], number: int, key: str, /, **parts: object) -> str:
    return f'<p class="lead"><b>{number}. {filled(text, key)}</b> {filled(text, f"{key} how", **parts)}</p>'


def _check(cell: AttentionCell, text: Mapping[str, str]) -> str:
    return filled(text, "check" if cell.is_faithful else "check failed", difference=written(cell.difference))


def _subtracted(value: float) -> str:
    return f"− {written(value)}" if value >= 0 else f"+ {written(-value)}"


def _link(name: str) -> str:
    return f".cell-view:has(.of-{name}:hover) .of-{name} {{ outline: 2px solid rgb(var(--hue)); outline-offset: 1px }}"
