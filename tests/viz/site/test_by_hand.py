"""Attention by hand on the site: every step, every mistake and every number as in the app."""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest

from tests.node import run_module
from viz.base.words import page_text
from viz.components.matrix_view import written
from viz.pages.dot_product.state import EXAMPLES, Matrices
from viz.pages.dot_product.study.by_hand import (
    MASKS,
    MAX_CELL,
    MAX_SIZE,
    PRECISIONS,
    AttentionOptions,
    MatrixError,
    Precision,
    compute,
)
from viz.site.by_hand import by_hand

WORDS = page_text("pages/dot_product/dot_product")
LIMITS = {"size": MAX_SIZE, "cell": MAX_CELL}
RANDOM = np.random.default_rng(58)

STEPS = """
import { readFileSync } from "node:fs";
import { MatrixError, compute, overflowOf, parseMatrices } from "./viz/site/browser/by_hand.js";
const { cases, limits, text } = JSON.parse(readFileSync(0, "utf-8"));
const answers = cases.map(({ matrices, options }) => {
  try {
    const steps = compute(parseMatrices(matrices, limits), options);
    return { ...steps, overflow: overflowOf(steps) };
  } catch (error) {
    if (!(error instanceof MatrixError)) throw error;
    return { problem: error.sentence(text) };
  }
});
const named = (_, value) => (typeof value === "number" && !Number.isFinite(value) ? String(value) : value);
process.stdout.write(JSON.stringify(answers, named));
"""
WRITTEN = """
import { readFileSync } from "node:fs";
import { written } from "./viz/site/browser/matrix_view.js";
process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf-8")).map((text) => written(Number(text)))));
"""


def on_the_site(cases: list[tuple[Matrices, AttentionOptions]]) -> list[dict[str, Any]]:
    given = {
        "cases": [{"matrices": asdict(matrices), "options": asdict(options)} for matrices, options in cases],
        "limits": LIMITS,
        "text": dict(WORDS),
    }
    answers: list[dict[str, Any]] = json.loads(run_module(STEPS, given=json.dumps(given).encode()))
    return answers


def matrices_of(n: int, d: int, d_key: int, d_value: int, *, step: float) -> Matrices:
    """Draw numbers in [-3, 3] that are multiples of ``step``."""
    shapes = ((n, d), (d, d_key), (d, d_key), (d, d_value), (d_value, 3))
    drawn = (RANDOM.integers(-3 / step, 3 / step, size=shape, endpoint=True) * step for shape in shapes)
    return Matrices(*("; ".join(" ".join(map(str, row)) for row in matrix) for matrix in drawn))


def cases_in(precision: Precision) -> Iterator[tuple[Matrices, AttentionOptions]]:
    for example in EXAMPLES.values():
        yield example.matrices, replace(example.options, precision=precision)
    # In quarters, sums of products are exact in single precision, in whatever order a processor takes their terms.
    step = 0.25 if precision == "float32" else 0.001
    for size in ((1, 1, 4, 4), (2, 3, 4, 8), (5, 6, 8, 4), (8, 8, 8, 8)):
        for mask in MASKS:
            for n_heads in (1, 2, 4):
                options = AttentionOptions(n_heads, n_heads != 2, mask, 3, mask != "causal", precision)
                yield matrices_of(*size, step=step), options


def assert_near(ours: Any, expected: np.ndarray) -> None:
    """Hold ``ours`` to 1e-12, or to a unit in the last place of the largest number: exponentials differ by one."""
    values, finite = np.array(ours, dtype=float), np.isfinite(expected)
    assert values.shape == expected.shape
    np.testing.assert_array_equal(values[~finite], expected[~finite].astype(float))
    np.testing.assert_array_equal(values, values.astype(expected.dtype))
    largest = np.abs(expected[finite]).max(initial=1)
    nearest = 1e-12 * largest if expected.dtype == np.float64 else float(np.spacing(largest))
    np.testing.assert_allclose(values[finite], expected[finite].astype(float), rtol=0, atol=nearest)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_every_step_is_that_of_the_app(precision: Precision) -> None:
    cases = [*cases_in(precision)]
    for (matrices, options), ours in zip(cases, on_the_site(cases), strict=True):
        steps = compute(matrices.inputs(), options)
        assert ours["overflow"] == steps.overflow
        assert ours["allowed"] == steps.allowed.tolist()
        for name in ("Q", "K", "V", "concatenated", "output"):
            assert_near(ours[name], getattr(steps, name))
        for head, own in zip(steps.heads, ours["heads"], strict=True):
            for name, expected in vars(head).items():
                assert_near(own[name], expected)


BAD = [
    {"X": "1 a; 2 3"},
    {"X": "1 _; 2 3"},
    {"X": "1 2; 3"},
    {"X": " ; "},
    {"W_K": "1 2 3 4 5 6 7 8 9"},
    {"W_O": "1 elevenletters; 2 3"},
    {"W_V": "0x10 1; 1 1; 1 1; 1 1"},
    {"W_V": "1 inf; 1 1; 1 1; 1 1"},
    {"X": "1 2; 3 4"},
    {"W_Q": "1; 2; 3; 4"},
    {"W_O": "1 2"},
    {"W_Q": "1; 2; 3; 4", "W_K": "1; 2; 3; 4"},
    {"W_V": "1 1 1; 1 1 1; 1 1 1; 1 1 1"},
]


def test_a_mistake_gets_the_sentence_of_the_app() -> None:
    cases = [(Matrices(**typed), AttentionOptions(n_heads=2)) for typed in BAD]
    for (matrices, options), ours in zip(cases, on_the_site(cases), strict=True):
        with pytest.raises(MatrixError) as error:
            compute(matrices.inputs(), options)
        assert ours == {"problem": error.value.sentence(WORDS)}


def test_what_counts_as_a_number_is_as_in_the_app() -> None:
    matrices = Matrices(X="−1 +.5 5. 1e-3; 1E2 007 -0 2\n3 3 3 3")
    (ours,) = on_the_site([(matrices, AttentionOptions())])
    assert_near(ours["Q"], compute(matrices.inputs(), AttentionOptions()).Q)


def test_a_number_is_written_as_in_the_app() -> None:
    sixteenths = np.arange(-100, 100) / 16
    drawn = RANDOM.normal(size=300) * 10.0 ** RANDOM.integers(-12, 12, size=300)
    edges = [0.0005, 0.00049, 99.95, 100.25, 100.75, 9999.95, 10_000, 12_500, 13_500, 99_500, 65_504, 3.4e38, 1e-300]
    values = [*sixteenths, *drawn, *edges, np.inf, -np.inf, np.nan]
    answer = run_module(
        WRITTEN, given=json.dumps([repr(float(value)) for value in values]).replace("inf", "Infinity").encode()
    )
    assert json.loads(answer) == [written(float(value)) for value in values]


def test_the_site_has_the_examples_of_the_app() -> None:
    about = by_hand()
    assert about["examples"][about["first"]]["options"] == asdict(AttentionOptions())
    assert about["opening"] in about["examples"]
