"""Which texts count as unlike those that a translator learned from."""

import pytest

from pretrained import read_card, shipped
from pretrained.out_of_domain import Unfamiliar, unfamiliar

KNOWN = {"confidence": {"0.01": -0.9, "0.02": -0.8, "0.35": -0.4}, "fertility": {"0.02": 0.34}, "both": 0.003}


@pytest.mark.parametrize(
    ("confidence", "fertility", "expected"),
    [
        (-0.1, 0.2, None),
        (-0.1, 0.9, None),
        (-0.5, 0.2, None),
        (-0.5, 0.4, Unfamiliar("finely cut", 0.003)),
        (-0.85, 0.2, Unfamiliar("unsure", 0.02)),
        (-0.95, 0.9, Unfamiliar("unsure", 0.01)),
    ],
)
def test_it_takes_great_doubt_or_some_and_many_pieces(
    confidence: float, fertility: float, expected: Unfamiliar | None
) -> None:
    assert unfamiliar(KNOWN, confidence, fertility) == expected


@pytest.mark.parametrize("name", shipped())
def test_every_shipped_translator_notices_noise_and_lets_pass_what_it_knows(name: str) -> None:
    noticed = read_card(name).metrics["familiarity"]["noticed"]
    # Most Japanese characters are pieces by themselves: shuffled, they are cut no finer.
    by_letters = not name.startswith("translation-ja-")
    assert noticed["letters shuffled"] >= (0.85 if by_letters else 0.6)
    assert noticed["known"] <= 0.05
