"""What is said of longer sentences holds of what was measured, and of nothing else."""

import pandas as pd

from viz.base.claims import Names
from viz.pages.longer_sentences.study.claims import (
    all_lose,
    helps_on_joined,
    helps_on_long,
    most_is_lost,
    one_is_best,
    seeds_differ,
)

SETS = (("whole", 10, 12), ("whole", 13, 24), ("whole", 25, 36), ("joined", 13, 24), ("joined", 25, 36))


def measured(**bleu: tuple[float, ...]) -> pd.DataFrame:
    """Return results of two seeds, one BLEU apart, with these values for SETS."""
    rows = [
        {"variant": variant, "seed": seed, "kind": kind, "shortest": low, "longest": high, "words": low + 1.0}
        | {"bleu": value + seed - 1.5}
        for variant, values in bleu.items()
        for (kind, low, high), value in zip(SETS, values, strict=True)
        for seed in (1, 2)
    ]
    return pd.DataFrame(rows).assign(trained_to=12)


RESULTS = measured(
    joined=(30, 20, 18, 28, 25), rotary=(30, 24, 10, 14, 6), alibi=(30, 20, 11, 13.5, 7), randomized=(10, 9, 9, 9, 9)
)


def test_joined_training_is_ahead_only_where_all_its_seeds_are() -> None:
    joined = helps_on_joined(RESULTS)
    assert joined.holds
    assert joined.values["encoding"] == Names("encoding", ("rotary",))
    assert (joined.values["helped"], joined.values["best"], joined.values["last_best"]) == (28, 14, 7)
    level = measured(joined=(30, 20, 18, 28, 7.5), rotary=(30, 24, 10, 14, 7))
    assert not helps_on_joined(level).holds


def test_on_long_captions_it_is_told_from_where_on_it_is_ahead() -> None:
    long = helps_on_long(RESULTS)
    assert long.holds
    assert (long.values["ahead_from"], long.values["least"], long.values["most"]) == (25, 7, 7)
    assert not helps_on_long(measured(joined=(30, 25, 18, 28, 9), rotary=(30, 24, 10, 14, 7))).holds


def test_most_is_lost_only_where_less_than_half_is_left_of_every_encoding() -> None:
    assert most_is_lost("joined", RESULTS).holds
    long = most_is_lost("whole", RESULTS)
    assert not long.holds
    assert (long.values["low"], long.values["high"]) == (20 / 30, 24 / 30)


def test_all_lose_where_the_best_encoding_has_less_on_each_kind_of_longer_pairs() -> None:
    every = all_lose(RESULTS)
    assert every.holds
    assert every.values == {"whole": 24 / 30, "joined": 14 / 30}
    kept = measured(joined=(30, 20, 18, 28, 25), rotary=(30, 31, 10, 14, 6))
    assert not all_lose(kept).holds


def test_an_encoding_is_best_where_no_seed_of_another_reaches_it() -> None:
    assert one_is_best("whole", RESULTS).holds
    joined = one_is_best("joined", RESULTS)
    assert not joined.holds
    assert joined.values["near"] == Names("encoding", ("alibi",))


def test_seeds_are_told_where_there_are_several() -> None:
    assert seeds_differ(RESULTS).values["most"] == 1
    assert not seeds_differ(RESULTS[RESULTS.seed == 1]).holds
