"""Tables of the view: the largest products, the score's steps, the row's softmax, norms, all numbers."""

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape

import numpy as np
from jaxtyping import Float32

from viz.components.matrix_view import written
from viz.components.table import table
from viz.pages.translate.components.cell_view.words import filled, linked, token
from viz.pages.translate.study.cell import AttentionCell, CellLabels

N_PRODUCTS = 5
"""Products that are written out, the largest ones."""

MOST_KEYS = 24
"""Keys up to which the picture lists all of a row."""

N_STRONGEST = 12
"""Keys that it lists of a longer row, the strongest ones."""

_THIS = ' class="this" aria-current="true"'


def products_table(cell: AttentionCell, text: Mapping[str, str]) -> str:
    """Return HTML for the largest products, the rest together, and their sum q·k."""
    largest = cell.largest_products(N_PRODUCTS)
    rows = [
        f'<tr><th scope="row">{dimension + 1}</th>{_numbers(cell.q[dimension], cell.k[dimension], product)}</tr>'
        for dimension, product in ((dimension, cell.products[dimension]) for dimension in largest)
    ]
    n_others = len(cell.q) - len(largest)
    if n_others:
        rest = cell.dot_product - float(cell.products[largest].sum())
        rows.append(f'<tr><th scope="row" colspan="3">{filled(text, "rest", count=n_others)}</th>{_numbers(rest)}</tr>')
    total = f'<tr class="total"><th scope="row" colspan="3">q·k</th><td>{linked(cell.dot_product, "dot")}</td></tr>'
    caption = filled(text, "largest products", shown=len(largest), count=len(cell.q))
    return _plain(caption, [text["dimension"], "q", "k", "q × k"], [*rows, total])


def score_table(cell: AttentionCell, text: Mapping[str, str]) -> str:
    """Return HTML for what makes q·k the score: the root, the position bias, the mask."""
    d_key, scaled = len(cell.q), float(cell.row.scaled[cell.key])
    divided = f"÷ √{d_key} = {written(math.sqrt(d_key))}"
    rows = [("q·k", linked(cell.dot_product, "dot"))]
    if cell.row.position_bias is None:
        rows.append((divided, written(scaled)))
    else:
        name = filled(text, "plus bias", encoding=token(cell.encoding or ""))
        bias = linked(float(cell.row.position_bias[cell.key]), "bias")
        rows += [(divided, linked(scaled, "scaled")), (name, bias)]
    mask = filled(text, "mask allows" if cell.is_allowed else "mask forbids")
    body = [f'<tr><th scope="row">{name}</th><td>{number}</td></tr>' for name, number in rows]
    body.append(f'<tr><th scope="row">{filled(text, "mask")}</th><td class="word">{mask}</td></tr>')
    score = linked(cell.score, "score")
    body.append(f'<tr class="total"><th scope="row">{filled(text, "score")}</th><td>{score}</td></tr>')
    return _plain(filled(text, "to the score"), [], body)


def keys_table(cell: AttentionCell, labels: CellLabels, text: Mapping[str, str]) -> str:
    """Return HTML for the softmax over the row: its keys, or the strongest ones, and the sum of the rest."""
    n_keys = len(cell.row.scores)
    shown = list(range(n_keys)) if n_keys <= MOST_KEYS else cell.strongest_keys(N_STRONGEST)
    with_bias = cell.row.position_bias is not None
    bias_headings = [f"q·k ÷ √{len(cell.q)}", text["bias"]] if with_bias else []
    rows = [_key_row(cell, labels, key) for key in shown]
    empty = '<td class="part"></td>' * len(bias_headings) + "<td></td>"
    others = np.setdiff1d(np.arange(n_keys), shown)
    if len(others):
        row = cell.row
        sums = _numbers(row.exponentials[others].sum()) + _weight(float(row.pattern[others].sum()))
        count = filled(text, "others", count=len(others))
        rows.append(f'<tr class="others"><th scope="row">{count}</th>{empty}{sums}<td></td></tr>')
    total = (
        f"<td>{linked(float(cell.row.exponentials.sum()), 'sum')}</td><td>{cell.row.pattern.sum():.3f}</td><td></td>"
    )
    rows.append(f'<tr class="total"><th scope="row">{filled(text, "sum")}</th>{empty}{total}</tr>')
    headings = [text["key"], *bias_headings, text["score"], text["exponential"], text["weight"], text["passes on"]]
    heads = "".join(_heading(heading, 0 < place <= len(bias_headings)) for place, heading in enumerate(headings))
    return f'<table class="keys"><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def lengths_table(cell: AttentionCell, text: Mapping[str, str]) -> str:
    """Return HTML for the lengths of what the key, the head and the whole block give."""
    vectors = {
        "this key": ("‖α·v W_O‖", cell.contribution),
        "this head": ("‖z W_O‖", cell.row.head_output),
        "all heads": ("‖Σ z W_O‖", cell.output),
    }
    lengths = {key: float(np.linalg.norm(vector)) for key, (_, vector) in vectors.items()}
    longest = max(lengths.values()) or 1.0
    shown = {key: written(length) for key, length in lengths.items()}
    shown["this key"] = linked(lengths["this key"], "passed")
    rows = "".join(
        f'<tr><th scope="row">{filled(text, key)} <span class="symbol" translate="no">{symbol}</span></th>'
        f'<td class="bar" style="--p:{lengths[key] / longest:.3f}">{shown[key]}</td></tr>'
        for key, (symbol, _) in vectors.items()
    )
    return f'<table class="lengths"><tbody>{rows}</tbody></table>'


def all_numbers(cell: AttentionCell, labels: CellLabels, text: Mapping[str, str]) -> str:
    """Return HTML for every number of the calculation, in tables that are read aloud and can be copied."""
    dimension = text["dimension"]
    by_key = {text["score"]: cell.row.scores, "exp": cell.row.exponentials, text["weight"]: cell.row.pattern}
    if cell.row.position_bias is not None:
        by_key = {text["bias"]: cell.row.position_bias, **by_key}
    by_key = {f"q·k ÷ √{len(cell.q)}": cell.row.scaled, **by_key, "‖α·v W_O‖": cell.contribution_norms}
    products = {"q": cell.q, "k": cell.k, "q × k": cell.products, text["sum so far"]: cell.running_sum}
    named = [f"{position} {label}" for position, label in enumerate(labels.keys, start=1)]
    return "".join(
        f'<p class="about">{filled(text, about)}</p>{_columns(heading, names, columns)}'
        for about, heading, names, columns in (
            ("all products", dimension, _counted(len(cell.q)), products),
            ("all keys", text["key"], named, by_key),
            ("all values", dimension, _counted(len(cell.v)), value_rows(cell, text)),
            ("all outputs", dimension, _counted(len(cell.output)), output_rows(cell, text)),
        )
    )


def value_rows(cell: AttentionCell, text: Mapping[str, str]) -> dict[str, Float32[np.ndarray, " d_value"]]:
    """Return by name what becomes of the value: v, its weighed part, and z with what it is the sum of."""
    rows = {"v": cell.v, "α·v": cell.weighed}
    if cell.row.added is not None:
        rows |= {"Σ α·v": cell.row.summed, text["added"]: cell.row.added}
    return {**rows, "z": cell.row.z}


def output_rows(cell: AttentionCell, text: Mapping[str, str]) -> dict[str, Float32[np.ndarray, " d_model"]]:
    """Return by name what the key gives to the block's output, what the head gives, and the output."""
    return {"α·v W_O": cell.contribution, "z W_O": cell.row.head_output, text["output"]: cell.output}


def _columns(heading: str, names: Sequence[str], columns: Mapping[str, np.ndarray]) -> str:
    rows = zip(names, *([written(value) for value in column.tolist()] for column in columns.values()), strict=True)
    return table([heading, *columns], rows)


def _counted(size: int) -> list[str]:
    return [str(number) for number in range(1, size + 1)]


def _key_row(cell: AttentionCell, labels: CellLabels, key: int) -> str:
    is_this = key == cell.key
    columns = {"score": cell.row.scores, "exp": cell.row.exponentials, "passed": cell.contribution_norms}
    if cell.row.position_bias is not None:
        columns |= {"scaled": cell.row.scaled, "bias": cell.row.position_bias}
    number = {name: linked(column[key], name) if is_this else written(column[key]) for name, column in columns.items()}
    by_parts = "".join(f'<td class="part">{number[name]}</td>' for name in ("scaled", "bias") if name in number)
    by_softmax = f"<td>{number['score']}</td><td>{number['exp']}</td>"
    marks = _THIS if is_this else "" if cell.row.allowed[key] else ' class="masked"'
    name = f'<th scope="row"><span class="place">{key + 1}</span> {token(labels.keys[key])}</th>'
    weight = _weight(float(cell.row.pattern[key]), is_this=is_this)
    return f"<tr{marks}>{name}{by_parts}{by_softmax}{weight}<td>{number['passed']}</td></tr>"


def _weight(weight: float, *, is_this: bool = False) -> str:
    number = linked(weight, "weight") if is_this else written(weight)
    return f'<td class="bar" style="--p:{weight:.3f}">{number}</td>'


def _heading(heading: str, is_part: bool) -> str:
    return f'<th scope="col"{" class=part" if is_part else ""}>{escape(heading)}</th>'


def _numbers(*values: float) -> str:
    return "".join(f"<td>{written(value)}</td>" for value in values)


def _plain(caption: str, headings: Sequence[str], rows: Iterable[str]) -> str:
    heads = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    head = f"<thead><tr>{heads}</tr></thead>" if headings else ""
    return f'<table class="sum"><caption>{caption}</caption>{head}<tbody>{"".join(rows)}</tbody></table>'
