"""What a link may carry for a control, and numbers as text."""

import pytest

from viz.base.numbers import scientific, signed
from viz.shell.state import Number, choice_of

WHOLE, BROKEN = Number("n", 5, 1, 9), Number("x", 2.5, 1.5, 9.5)


@pytest.mark.parametrize("text", ["1", "9", "5"])
def test_what_lies_in_the_range_is_accepted(text: str) -> None:
    assert WHOLE.accepts(text)


@pytest.mark.parametrize("text", ["0", "10", "5.5", "nan", "inf", "", "five", "1e400"])
def test_what_does_not_is_refused(text: str) -> None:
    assert not WHOLE.accepts(text)


@pytest.mark.parametrize(
    ("text", "is_accepted"), [("1.5", True), ("1e0", False), ("nan", False), ("-inf", False), ("9", True)]
)
def test_a_number_with_a_default_that_is_not_whole_need_not_be_whole(text: str, is_accepted: bool) -> None:
    assert BROKEN.accepts(text) is is_accepted


def test_a_choice_is_named_by_its_label() -> None:
    rule = choice_of("by", ["Pieces", "Words"])
    assert rule.accepts("Words")
    assert not rule.accepts("words")
    assert rule.allowed == "Pieces, Words"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.5, "0.5"), (2, "2"), (100, "100"), (13.94, "13.94"), (7.6e-6, "8 × 10⁻⁶"), (1e-12, "1 × 10⁻¹²")],
)
def test_a_small_number_is_a_power_of_ten(value: float, text: str) -> None:
    assert scientific(value).replace("\N{NO-BREAK SPACE}", " ") == text


@pytest.mark.parametrize(("value", "text"), [(-1.625, "−1.62"), (3.0, "3.00"), (-0.001, "0.00"), (-12.5, "−12.50")])
def test_a_negative_number_has_a_true_minus_sign_and_zero_has_none(value: float, text: str) -> None:
    assert signed(value) == text
