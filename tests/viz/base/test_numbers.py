"""Numbers as people read them."""

import pytest

from viz.base.numbers import in_full, rounded, scientific, signed


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.5, "0.5"), (2, "2"), (100, "100"), (13.94, "13.94"), (7.6e-6, "8 × 10⁻⁶"), (1e-12, "1 × 10⁻¹²")],
)
def test_a_small_number_is_a_power_of_ten(value: float, text: str) -> None:
    assert scientific(value).replace("\N{NO-BREAK SPACE}", " ") == text


@pytest.mark.parametrize(("value", "text"), [(-1.625, "−1.62"), (3.0, "3.00"), (-0.001, "0.00"), (-12.5, "−12.50")])
def test_a_negative_number_has_a_true_minus_sign_and_zero_has_none(value: float, text: str) -> None:
    assert signed(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e6, "1,000,000"),
        (1_048_576, "1,048,576"),
        (2_147_483_647, "2,147,483,647"),
        (500.0, "500"),
        (0.25, "0.25"),
        (1234.5678, "1,234.57"),
        (1_234_567.9, "1,234,568"),
        (0.0001, "0.0001"),
        (float("inf"), "inf"),
    ],
)
def test_a_large_number_is_written_in_full(value: float, text: str) -> None:
    assert in_full(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(1023.4, "1,020"), (0.012345, "0.0123"), (1234567, "1,230,000"), (0, "0"), (99.96, "100")]
)
def test_a_rounded_number_has_no_exponent(value: float, text: str) -> None:
    assert rounded(value) == text
