"""Numbers as people read them."""

import pytest

from viz.base.numbers import scientific, signed


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.5, "0.5"), (2, "2"), (100, "100"), (13.94, "13.94"), (7.6e-6, "8 × 10⁻⁶"), (1e-12, "1 × 10⁻¹²")],
)
def test_a_small_number_is_a_power_of_ten(value: float, text: str) -> None:
    assert scientific(value).replace("\N{NO-BREAK SPACE}", " ") == text


@pytest.mark.parametrize(("value", "text"), [(-1.625, "−1.62"), (3.0, "3.00"), (-0.001, "0.00"), (-12.5, "−12.50")])
def test_a_negative_number_has_a_true_minus_sign_and_zero_has_none(value: float, text: str) -> None:
    assert signed(value) == text
