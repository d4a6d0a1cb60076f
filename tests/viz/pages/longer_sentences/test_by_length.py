"""One measure of one kind of test, by variant and length."""

import pandas as pd

from viz.pages.longer_sentences.study.by_length import by_length, means_of, sets_of

ROWS = [
    {"variant": variant, "seed": seed, "kind": kind, "shortest": low, "longest": high, "words": words, "bleu": bleu}
    for variant, best in (("joined", 50.0), ("rotary", 40.0))
    for seed in (1, 2)
    for kind, low, high, words, bleu in (
        ("whole", 25, 36, 29.5, best - seed),
        ("joined", 25, 36, 29.0, best - 3 * seed),
        ("whole", 10, 12, 11.2, best + seed),
    )
]
RESULTS = pd.DataFrame(ROWS).assign(trained_to=12)


def test_values_are_by_seed_and_length() -> None:
    found = by_length(RESULTS, "whole", "bleu")
    assert {*found} == {"rotary", "joined"}
    assert found["rotary"].words == (11.2, 29.5)
    assert found["rotary"].values.tolist() == [[41, 39], [42, 38]]


def test_sets_are_told_by_their_ends_and_means_are_over_the_seeds() -> None:
    assert sets_of(RESULTS, "joined") == {(10, 12): 11.2, (25, 36): 29.0}
    assert means_of(RESULTS, "joined", "bleu")[25] == {"joined": 45.5, "rotary": 35.5}
