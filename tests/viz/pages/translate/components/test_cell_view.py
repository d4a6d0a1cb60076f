"""The view of one cell says every number of the calculation, holds no markup but its own, and lacks no word."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from html import unescape

import numpy as np
import pytest

from viz.base.colours import PALETTES
from viz.base.words import page_text
from viz.components.matrix_view import written
from viz.pages.translate.components.cell_view import cell_style, cell_view
from viz.pages.translate.components.cell_view.tables import MOST_KEYS, N_STRONGEST
from viz.pages.translate.study.cell import AttentionCell, CellLabels
from viz.pages.translate.study.cell_steps import BlockRecording, block_name, cell_of

ATTACK = "</script><script>alert(1)</script>{0}<img src=x onerror=alert(2)>"
N_HEADS, D_KEY, D_VALUE, D_MODEL = 2, 8, 6, 12


class Noted(Mapping[str, str]):
    """The words of the view, which remembers what was asked for."""

    def __init__(self) -> None:
        self.text, self.asked = page_text("pages/translate/cell"), set()

    def __getitem__(self, key: str) -> str:
        self.asked.add(key)
        return self.text[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.text)

    def __len__(self) -> int:
        return len(self.text)


def softmax(scores: np.ndarray) -> np.ndarray:
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


def recording(n_keys: int = 5, *, masked: bool = False, with_encoding: bool = False) -> BlockRecording:
    """Return a block as a model would have computed it from random q, k and v."""
    random = np.random.default_rng(0)

    def draw(*shape: int) -> np.ndarray:
        return random.normal(size=shape).astype(np.float32)

    q, k = draw(N_HEADS, n_keys, D_KEY), draw(N_HEADS, n_keys, D_KEY)
    v, W_O = draw(N_HEADS, n_keys, D_VALUE), draw(D_MODEL, N_HEADS * D_VALUE)
    bias = draw(N_HEADS, n_keys, n_keys) if with_encoding else None
    scores = q @ k.transpose(0, 2, 1) / np.float32(np.sqrt(D_KEY)) + (0 if bias is None else bias)
    if masked:
        scores[:, np.triu(np.ones((n_keys, n_keys), dtype=bool), 1)] = -np.inf
    pattern = softmax(scores)
    z = pattern @ v + (draw(N_HEADS, n_keys, D_VALUE) if with_encoding else 0)
    output = z.transpose(1, 0, 2).reshape(n_keys, -1) @ W_O.T
    title = "Some <b>encoding</b>" if with_encoding else None
    return BlockRecording(q, k, v, bias, scores, pattern, z, output, W_O, title, with_encoding, with_encoding)


def a_cell(kind: str = "encoder", *, n_keys: int = 5, query: int = 3, key: int = 1, **made: bool) -> AttentionCell:
    blocks = {block_name(kind, 0): recording(n_keys, **made)}
    return cell_of(blocks, kind, 0, head=1, query=query, key=key)


def labels_of(cell: AttentionCell) -> CellLabels:
    return CellLabels("query", tuple(f"key{number}" for number in range(len(cell.row.scores))))


def view(
    cell: AttentionCell, labels: CellLabels | None = None, text: Mapping[str, str] = page_text("pages/translate/cell")
) -> str:
    return cell_view(cell, labels or labels_of(cell), theme="light", text=text)


def words(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", " ", html))


def rows_of(html: str, table: str) -> list[list[str]]:
    """Return the texts of the cells of the rows of the first table of that class."""
    found = re.search(rf'<table class="{table}">(.*?)</table>', html)
    assert found
    body = re.search("<tbody>(.*)</tbody>", found[1])
    assert body
    rows = re.findall("<tr[^>]*>(.*?)</tr>", body[1])
    return [[" ".join(words(cell).split()) for cell in re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in rows]


def test_every_word_is_there_and_none_is_left_over() -> None:
    text = Noted()
    plain = a_cell()
    cells = [
        plain,
        a_cell("cross"),
        a_cell("decoder", masked=True, query=1, key=3),
        a_cell(with_encoding=True),
        a_cell(n_keys=MOST_KEYS + 9),
        replace(plain, difference=0.5),
    ]
    # A mask over padding would forbid keys of these kinds too.
    cells += [a_cell(kind, masked=True, query=1, key=3) for kind in ("encoder", "cross")]
    for cell in cells:
        shown = words(view(cell, text=text))
        assert "{" not in shown
        assert "}" not in shown
    assert text.asked == set(text)


def test_every_text_is_escaped() -> None:
    cell = a_cell(with_encoding=True)
    html = view(cell, CellLabels(ATTACK, (ATTACK,) * len(cell.row.scores)))
    assert "<script" not in html
    assert "<img" not in html
    assert "<b>encoding" not in html
    assert "&lt;script" in html


def test_the_row_has_every_key_with_its_score_weight_and_length() -> None:
    cell = a_cell()
    *rows, total = rows_of(view(cell), "keys")
    assert len(rows) == len(cell.row.scores)
    for key, (name, *numbers) in enumerate(rows):
        assert name == f"{key + 1} key{key}"
        columns = (cell.row.scores, cell.row.exponentials, cell.row.pattern, cell.contribution_norms)
        assert numbers == [written(column[key]) for column in columns]
    assert total[1:] == ["", written(cell.row.exponentials.sum()), "1.000", ""]
    marked = re.findall(r'<tr class="this"[^>]*>(.*?)</tr>', view(cell))
    assert [f"key{cell.key}" in row for row in marked] == [True]


def test_a_bias_stands_between_the_product_and_the_score() -> None:
    cell = a_cell(with_encoding=True)
    for key, (_, scaled, bias, score, *_) in enumerate(rows_of(view(cell), "keys")[:-1]):
        assert cell.row.position_bias is not None
        assert [scaled, bias, score] == [
            written(column[key]) for column in (cell.row.scaled, cell.row.position_bias, cell.row.scores)
        ]


def test_a_long_row_shows_the_strongest_keys_and_this_one_and_counts_the_rest() -> None:
    n_keys = 256
    weakest = int(a_cell(n_keys=n_keys).row.pattern.argmin())
    cell = a_cell(n_keys=n_keys, key=weakest)
    html = view(cell)
    *rows, others, _ = rows_of(html, "keys")
    shown = [int(row[0].split()[0]) - 1 for row in rows]
    assert shown == sorted({*np.argsort(-cell.row.pattern)[:N_STRONGEST].tolist(), weakest})
    assert str(n_keys - len(shown)) in others[0]
    assert float(others[3]) == pytest.approx(1 - cell.row.pattern[shown].sum(), abs=1e-3)
    assert f"The row has {n_keys} keys" in words(html)
    assert "key255" in words(html), "the table of all numbers leaves no key out"


def test_the_products_written_out_and_the_rest_make_the_sum() -> None:
    cell = a_cell()
    *largest, rest, total = rows_of(view(cell), "sum")
    products = [float(row[3].replace("−", "-")) for row in largest]
    by_size = sorted(cell.products, key=lambda product: -abs(product))
    np.testing.assert_allclose(products, by_size[: len(products)], atol=1e-3)
    assert sum(products) + float(rest[1].replace("−", "-")) == pytest.approx(cell.dot_product, abs=5e-3)
    assert total[1] == written(cell.dot_product)


def test_each_dimension_says_its_numbers_and_is_coloured_by_sign() -> None:
    cell = a_cell()
    html = view(cell)
    titles = [unescape(title) for title in re.findall(r'<div title="([^"]*)">', html)]
    assert len(titles) == D_KEY + D_VALUE + D_MODEL
    for place, title in enumerate(titles[:D_KEY]):
        numbers = (cell.q, cell.k, cell.products, cell.running_sum)
        assert all(written(column[place]) in title for column in numbers)
    columns = re.findall(r'<div title="[^"]*">(.*?)</div>', html)[:D_KEY]
    drawn = [re.findall(r"<i( class=\"n\")?(?: style=\"--a:([\d.]+)\")?>", column) for column in columns]
    for row, vector in enumerate((cell.q, cell.k, cell.products, cell.running_sum)):
        depths = [(-1 if negative else 1) * float(depth or 0) for negative, depth in (cells[row] for cells in drawn)]
        largest = np.abs([cell.q, cell.k] if row < 2 else vector).max()
        np.testing.assert_allclose(depths, vector / largest, atol=0.0051)


def test_a_forbidden_key_is_said_to_have_a_weight_of_exactly_zero() -> None:
    cell = a_cell("decoder", masked=True, query=1, key=3)
    shown = words(view(cell))
    assert "The mask forbids" in shown
    assert "exactly 0" in shown
    assert "exactly 0" not in words(view(a_cell("decoder", masked=True, query=3, key=1)))
    assert rows_of(view(cell), "keys")[3][1:] == ["−∞", "0", "0", "0"]


def test_all_numbers_can_be_read_without_the_picture() -> None:
    cell = a_cell(with_encoding=True)
    html = view(cell)
    numbers = html[html.index("<details>") :]
    assert cell.row.position_bias is not None
    assert cell.row.added is not None
    vectors = (
        *(cell.q, cell.k, cell.products, cell.running_sum),
        *(
            cell.row.scaled,
            cell.row.position_bias,
            cell.row.scores,
            cell.row.exponentials,
            cell.row.pattern,
            cell.contribution_norms,
        ),
        *(cell.v, cell.weighed, cell.row.summed, cell.row.added, cell.row.z),
        *(cell.contribution, cell.row.head_output, cell.output),
    )
    for vector in vectors:
        assert all(f"<td>{written(value)}</td>" in numbers for value in vector.tolist())


def test_a_number_that_is_used_again_is_lit_in_every_step() -> None:
    html, style = view(a_cell(with_encoding=True)), cell_style()
    used = re.findall(r'class="link of-(\w+)"', html)
    for name in set(used):
        assert used.count(name) >= 2, f"{name} stands in one place alone"
        assert f".of-{name}:hover" in style


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_are_those_of_the_theme(theme: str) -> None:
    cell = a_cell()
    html = cell_view(cell, labels_of(cell), theme=theme, text=page_text("pages/translate/cell"))
    assert f"--ink:{PALETTES[theme].ink}" in html


def test_a_label_too_few_is_refused() -> None:
    with pytest.raises(ValueError, match="there are 2 labels for 5 keys; give one for each"):
        view(a_cell(), CellLabels("query", ("a", "b")))


def test_an_empty_and_a_very_long_token_keep_their_place() -> None:
    cell = a_cell()
    html = view(cell, CellLabels("", ("x" * 200, *(["key"] * 4))))
    assert "␣" in words(html)
    assert f'title="{"x" * 200}"' in html


@pytest.mark.parametrize("tiny", [-1e-9, 1e-9])
def test_no_zero_has_a_sign(tiny: float) -> None:
    cell = a_cell()
    shown = words(view(replace(cell, output=cell.contribution / np.float32(tiny))))
    assert re.search(r"(?<![-−])\b0\.0%", shown)
