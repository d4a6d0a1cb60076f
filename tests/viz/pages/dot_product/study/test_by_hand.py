"""Attention by hand: every step against PyTorch's own, in float64, and every mistake in one sentence."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from model.attention.additive import additive_scores
from viz.base.words import page_text
from viz.pages.dot_product.study.by_hand import (
    AttentionInputs,
    AttentionOptions,
    MatrixError,
    allowed_keys,
    compute,
    parse_matrix,
)

WORDS = page_text("pages/dot_product/dot_product")

RANDOM = np.random.default_rng(3)


def inputs(n: int = 5, d: int = 6, d_key: int = 4, d_value: int = 6) -> AttentionInputs:
    shapes = ((n, d), (d, d_key), (d, d_key), (d, d_value), (d_value, 3))
    return AttentionInputs(*(RANDOM.normal(size=shape) for shape in shapes))


def example() -> AttentionInputs:
    W_Q = parse_matrix("W_Q", "1 0; 0 1; 1 0; 0 1")
    W_K = parse_matrix("W_K", "1 0; 0 1; 0 1; 1 0")
    return AttentionInputs(parse_matrix("X", "1 0 1 0; 0 1 0 1"), W_Q, W_K, W_Q, np.eye(2))


def test_the_worked_example_gives_one_half_everywhere() -> None:
    steps = compute(example(), AttentionOptions())
    np.testing.assert_array_equal(steps.Q, [[2, 0], [0, 2]])
    np.testing.assert_array_equal(steps.V, [[2, 0], [0, 2]])
    np.testing.assert_array_equal(steps.K, [[1, 1], [1, 1]])
    np.testing.assert_array_equal(steps.heads[0].pattern, [[0.5, 0.5], [0.5, 0.5]])


def test_with_q_k_v_the_identity_the_weight_is_6698_and_not_6682() -> None:
    identity = np.eye(2)
    steps = compute(AttentionInputs(identity, identity, identity, identity, identity), AttentionOptions())
    expected = F.scaled_dot_product_attention(*[torch.eye(2, dtype=torch.float64)] * 3)
    np.testing.assert_allclose(steps.output, expected, atol=1e-12)
    assert steps.heads[0].pattern[0, 0] == pytest.approx(0.6698, abs=5e-5)


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("mask", ["none", "causal", "padding"])
@pytest.mark.parametrize("n_heads", [1, 2])
@pytest.mark.parametrize("subtract_maximum", [True, False])
def test_all_steps_equal_pytorch_s_attention(scale: bool, mask: str, n_heads: int, subtract_maximum: bool) -> None:
    given = inputs()
    options = AttentionOptions(n_heads, scale, mask, n_padding=2, subtract_maximum=subtract_maximum)
    steps = compute(given, options)
    X, W_Q, W_K, W_V, W_O = map(torch.from_numpy, (given.X, given.W_Q, given.W_K, given.W_V, given.W_O))
    q, k, v = ((X @ W).unflatten(1, (n_heads, -1)).transpose(0, 1) for W in (W_Q, W_K, W_V))
    allowed = {
        "none": torch.ones(5, 5, dtype=torch.bool),
        "causal": torch.ones(5, 5, dtype=torch.bool).tril(),
        "padding": torch.tensor([True, True, True, False, False]).expand(5, 5),
    }[mask]
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed, scale=None if scale else 1.0)
    np.testing.assert_allclose(np.stack([head.z for head in steps.heads]), z, atol=1e-12)
    np.testing.assert_allclose(steps.output, z.transpose(0, 1).flatten(1) @ W_O, atol=1e-12)
    for head in steps.heads:
        np.testing.assert_allclose(head.pattern.sum(axis=1), 1, atol=1e-12)
        np.testing.assert_allclose(head.pattern, torch.softmax(torch.from_numpy(head.scores), dim=-1), atol=1e-12)
        assert not head.pattern[~allowed.numpy()].any()


@pytest.mark.parametrize(("precision", "size"), [("float16", 12.0), ("float32", 89.0), ("float64", 710.0)])
def test_without_subtracting_the_maximum_large_scores_overflow(precision: str, size: float) -> None:
    given = AttentionInputs(np.array([[size, 0.0], [0.0, 1.0]]), *[np.eye(2)] * 4)
    W_K = np.array([[1 / size, 0], [0, 1]])
    given = AttentionInputs(given.X, np.eye(2), W_K, np.eye(2), np.eye(2))
    naive = compute(given, AttentionOptions(scale=False, subtract_maximum=False, precision=precision))
    assert naive.overflow == "exponentials"
    safe = compute(given, AttentionOptions(scale=False, precision=precision))
    assert safe.overflow is None
    expected = torch.softmax(torch.tensor([size, 0.0], dtype=torch.float64), dim=0)
    np.testing.assert_allclose(safe.heads[0].pattern[0], expected, atol=1e-3)


@pytest.mark.parametrize(("precision", "size"), [("float16", -18.0), ("float32", -105.0), ("float64", -750.0)])
def test_a_row_of_exponentials_that_are_all_0_is_an_underflow(precision: str, size: float) -> None:
    given = AttentionInputs(np.array([[1.0, 0.0], [1.0, 0.0]]), size * np.eye(2), *[np.eye(2)] * 3)
    naive = compute(given, AttentionOptions(scale=False, subtract_maximum=False, precision=precision))
    assert not naive.heads[0].exponentials.any()
    assert naive.overflow == "zeros"
    assert compute(given, AttentionOptions(scale=False, precision=precision)).overflow is None


@pytest.mark.parametrize("subtract_maximum", [True, False])
@pytest.mark.parametrize(("precision", "size"), [("float16", 300.0), ("float32", 1e20), ("float64", 1e160)])
def test_products_overflow_before_any_softmax(precision: str, size: float, subtract_maximum: bool) -> None:
    given = AttentionInputs(np.array([[size, 0.0], [0.0, 1.0]]), *[np.eye(2)] * 4)
    steps = compute(given, AttentionOptions(subtract_maximum=subtract_maximum, precision=precision))
    assert steps.overflow == "products"
    assert np.isnan(steps.heads[0].pattern[0]).any()


def test_a_product_that_a_mask_hides_overflows_for_nobody() -> None:
    given = AttentionInputs(np.array([[1.0, 0.0], [0.0, 300.0]]), *[np.eye(2)] * 4)
    for mask, overflow in (("padding", None), ("none", "products")):
        assert compute(given, AttentionOptions(mask=mask, n_padding=1, precision="float16")).overflow == overflow


def test_no_mask_ever_leaves_a_query_without_a_key() -> None:
    for n in range(1, 9):
        for n_padding in range(1, 9):
            assert allowed_keys(n, "padding", n_padding).any(axis=1).all()
            assert allowed_keys(n, "causal", n_padding).any(axis=1).all()


def test_additive_scores_equal_the_formula_of_the_paper_cell_by_cell() -> None:
    generator = torch.Generator().manual_seed(1)
    q, k, W_a, U_a, v_a = (
        torch.randn(*shape, generator=generator, dtype=torch.float64)
        for shape in ((3, 4), (5, 2), (4, 7), (2, 7), (7,))
    )
    scores = additive_scores(q, k, W_a=W_a, U_a=U_a, v_a=v_a)
    for i in range(3):
        for j in range(5):
            hidden = torch.nn.functional.linear(q[i], W_a.T) + torch.nn.functional.linear(k[j], U_a.T)
            assert scores[i, j] == pytest.approx(float(torch.dot(v_a, hidden.tanh())), abs=1e-12)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "X is empty; write at least one number"),
        ("  \n ; ", "X is empty; write at least one number"),
        ("1 2\n3", "row 2 of X has 1 number and row 1 has 2; every row needs as many"),
        ("1 two", "row 1, column 2 of X is “two”; write a finite number such as 0.5"),
        ("1 2; nan 4", "row 2, column 1 of X is “nan”; write a finite number such as 0.5"),
        ("1 _", "row 1, column 2 of X is empty; write a finite number such as 0.5"),
        ("inf", "row 1, column 1 of X is “inf”; write a finite number such as 0.5"),
        ("1e999", "row 1, column 1 of X is “1e999”; write a finite number such as 0.5"),
        ("<script>alert(1)", "row 1, column 1 of X is “<script>ale…”; write a finite number such as 0.5"),
        ("1 " * 9, "X is 1 × 9; at most 8 × 8 can be shown"),
        ("1;" * 9, "X is 9 × 1; at most 8 × 8 can be shown"),
    ],
)
def test_what_is_no_matrix_is_refused_in_one_sentence(text: str, message: str) -> None:
    with pytest.raises(MatrixError) as refused:
        parse_matrix("X", text)
    assert refused.value.sentence(WORDS) == message


@pytest.mark.parametrize(
    ("changed", "options", "message"),
    [
        (
            {"W_K": np.eye(3)},
            AttentionOptions(),
            "W_K has 3 rows and X has 6 columns; to multiply them, give W_K 6 rows",
        ),
        ({"W_K": np.ones((6, 3))}, AttentionOptions(), "W_Q has 4 columns and W_K has 3; q·k needs as many in both"),
        (
            {},
            AttentionOptions(n_heads=3),
            "W_Q and W_K have 4 columns, which 3 heads cannot share evenly; change the columns or",
        ),
        ({"W_V": np.ones((6, 1))}, AttentionOptions(n_heads=2), "W_V has 1 column, which 2 heads cannot share evenly"),
        (
            {"W_O": np.eye(5)},
            AttentionOptions(),
            "W_O has 5 rows and the heads together give 6 columns; give W_O 6 rows",
        ),
    ],
)
def test_shapes_that_do_not_fit_are_refused_in_one_sentence(
    changed: dict, options: AttentionOptions, message: str
) -> None:
    with pytest.raises(MatrixError) as refused:
        compute(AttentionInputs(**(vars(inputs()) | changed)), options)
    assert refused.value.sentence(WORDS).startswith(message)


def test_a_matrix_is_read_from_lines_and_tabs() -> None:
    np.testing.assert_array_equal(parse_matrix("X", "1\t−2\n\n 3 4 "), [[1, -2], [3, 4]])
