"""Pairs without end marks: on both sides or on none, as many as were asked for."""

import pytest

from model.data.loading import Pair
from model.training.translation.drop_end_marks import drop_end_marks

STOP = "\u3002"


@pytest.mark.parametrize(
    ("pair", "unmarked"),
    [
        (Pair("Where is Tom?", "Wo ist Tom?"), Pair("Where is Tom", "Wo ist Tom")),
        (Pair(f"\u72ac\u3060{STOP}", "It is a dog ..."), Pair("\u72ac\u3060", "It is a dog")),
        (Pair("At 3.30 p.m. Really?!", "Um 3.30 Uhr. Echt?"), Pair("At 3.30 p.m. Really", "Um 3.30 Uhr. Echt")),
        (Pair("Hello", "Hallo."), Pair("Hello", "Hallo.")),
        (Pair("Hello.", "Hallo"), Pair("Hello.", "Hallo")),
        (Pair("?", "?!"), Pair("?", "?!")),
        (Pair("Hello. 😀", "Hallo. 😀"), Pair("Hello. 😀", "Hallo. 😀")),
    ],
)
def test_both_sides_lose_their_marks_or_none_does(pair: Pair, unmarked: Pair) -> None:
    assert drop_end_marks([pair], 1.0, seed=1) == [unmarked]
    assert drop_end_marks([pair], 0.0, seed=1) == [pair]


def test_the_share_decides_how_many_and_the_seed_which() -> None:
    pairs = [Pair("Yes.", "Ja.")] * 2000
    some = drop_end_marks(pairs, 0.2, seed=1)
    assert sum(pair.source == "Yes" for pair in some) == pytest.approx(400, abs=80)
    assert some == drop_end_marks(pairs, 0.2, seed=1)
    assert some != drop_end_marks(pairs, 0.2, seed=2)
