"""What is said of joined training follows from the results: other results, other sentences."""

import pandas as pd

from viz.pages.longer_sentences.study.claims import kept, on_joined, on_whole

SETS = ((10, 12), (13, 15), (16, 18), (19, 24))
WHOLE = {"joined": (30, 26, 22, 20), "fire": (33, 29, 21, 18), "none": (25, 20, 14, 13)}
JOINED = {"joined": (30, 41, 34, 30), "fire": (33, 21, 17, 14), "none": (25, 12, 11, 9)}


def results(whole: dict[str, tuple[int, ...]], joined: dict[str, tuple[int, ...]]) -> pd.DataFrame:
    return pd.DataFrame(
        {"variant": name, "seed": 1, "kind": kind, "shortest": low, "longest": high, "words": low, "bleu": float(value)}
        | {"trained_to": 12}
        for kind, by_name in (("whole", whole), ("joined", joined))
        for name, values in by_name.items()
        for (low, high), value in zip(SETS, values, strict=True)
        if kind == "whole" or low > 12
    )


def test_joining_helps_at_all_lengths_of_joined_captions_and_late_on_long_ones() -> None:
    rows = results(WHOLE, JOINED)
    assert on_joined(rows).holds
    claim = on_whole(rows)
    assert claim.holds
    assert (claim.values["from_words"], claim.values["least"], claim.values["most"]) == (16, 1, 2)


def test_other_results_are_said_otherwise() -> None:
    assert not on_joined(results(WHOLE, JOINED | {"fire": (33, 50, 17, 14)})).holds
    assert not on_whole(results(WHOLE | {"joined": (30, 35, 22, 20)}, JOINED)).holds
    assert not kept(results(WHOLE | {"fire": (50, 29, 21, 22)}, JOINED)).holds
    assert kept(results(WHOLE, JOINED)).holds


def test_nothing_is_said_of_nothing() -> None:
    assert not any(claim(pd.DataFrame()).holds for claim in (on_joined, on_whole))
