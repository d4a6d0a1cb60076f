"""Shares stand in the row of their phenomenon and the column of their part; claims follow from what was measured."""

import numpy as np
import pandas as pd
import pytest

from viz.base.claims import Names
from viz.pages.interventions.study.phenomena.claims import HEAD, agreement, recurring, verified, verified_one
from viz.pages.interventions.study.phenomena.measured import (
    all_shares,
    examples,
    shares_as_csv,
    shown_shares,
    strongest_heads,
    without,
)

CROSS, SELF, UNITS = "decoder.2.cross_attention.z", "encoder.0.self_attention.z", "encoder.1.feed_forward.hidden"
LAST_UNITS = "decoder.2.feed_forward.hidden"


def part(template: str, point: str, head: int, share: float, patched: float = np.nan) -> dict[str, object]:
    interval = {"low": share - 0.01, "high": share + 0.01}
    return {
        "template": template,
        "measure": "part",
        "point": point,
        "head": head,
        "share": share,
        "patched": patched,
        **interval,
    }


def off(template: str, heads: str, right: float, both: float, **place: object) -> dict[str, object]:
    return {
        "template": template,
        "measure": "without",
        "off": heads,
        "right": right,
        "both": both,
        "pairs": 50.0,
        **place,
    }


def chosen(template: str, point: str, head: int) -> dict[str, object]:
    return {"template": template, "measure": "strongest", "point": point, "head": head}


CIRCUITS = pd.DataFrame(
    [
        part("one", CROSS, 4, 0.5, 0.4),
        part("one", SELF, 0, 0.01, 0.02),
        part("one", UNITS, -1, 0.9, 0.1),
        part("one", LAST_UNITS, -1, 0.2, 0.3),
        part("two", CROSS, 4, -0.2),
        part("two", SELF, 0, 0.03),
        part("two", UNITS, -1, 0.1),
        part("two", LAST_UNITS, -1, 0.0),
        chosen("one", CROSS, 4),
        chosen("one", SELF, 0),
        chosen("two", CROSS, 4),
        off("one", "none", 1, 1),
        off("one", "strongest", 0.8, 0.6),
        off("one", "random", 0.99, 0.98),
        off("one", "one", 0.97, 0.94, point=CROSS, head=4),
        off("one", "one", 1, 1, point=SELF, head=0),
        off("two", "none", 1, 1),
        off("two", "strongest", 1, 1),
        off("two", "random", 1, 1),
        off("two", "one", 1, 1, point=CROSS, head=4),
    ]
)


def test_shares_stand_where_they_belong_and_small_parts_have_no_column() -> None:
    shares = all_shares(CIRCUITS)
    assert shares.phenomena == ("one", "two")
    assert [switch.code for switch in shares.parts] == [
        "cross.3.5",
        *("encoder.1.1", "encoder.2.feed-forward", "decoder.3.feed-forward"),
    ]
    np.testing.assert_allclose(shares.values, [[0.5, 0.01, 0.9, 0.2], [-0.2, 0.03, 0.1, 0]])
    shown = shown_shares(shares)
    assert [switch.code for switch in shown.parts] == ["cross.3.5", "encoder.2.feed-forward", "decoder.3.feed-forward"]
    np.testing.assert_allclose(shown.patched, [[0.4, 0.1, 0.3], [np.nan] * 3])


def test_the_table_has_every_share() -> None:
    head, *rows = shares_as_csv(all_shares(CIRCUITS)).splitlines()
    assert head == "phenomenon,part,share,low,high,patched"
    assert len(rows) == 8
    assert rows[0].startswith("one,cross.3.5,0.5000,")


def test_what_is_right_without_the_strongest_head_is_that_of_this_head() -> None:
    assert without(CIRCUITS, "one")["one"]["right"] == 0.97
    assert [head.code for head in strongest_heads(CIRCUITS)["one"]] == ["cross.3.5", "encoder.1.1"]


def test_a_phenomenon_that_needs_its_heads_is_told_from_one_that_does_not() -> None:
    needed, spared = verified_one(CIRCUITS, "one"), verified_one(CIRCUITS, "two")
    assert needed.holds
    assert not spared.holds
    assert needed.values["heads"] == Names(HEAD, ("cross.3.5", "encoder.1.1"))
    assert (needed.values["sentences"], needed.values["strongest_wrong"], needed.values["one_wrong"]) == (100, 20, 3)
    assert needed.values["random_wrong"] == pytest.approx(1)


def test_claims_of_all_phenomena_are_means_over_pairs() -> None:
    claim = verified(CIRCUITS)
    assert claim.holds
    assert (claim.values["pairs"], claim.values["strongest"], claim.values["random"]) == (100, 0.8, 0.99)
    nothing_lost = CIRCUITS.assign(both=CIRCUITS["both"].where(CIRCUITS["off"] != "strongest", 0.99))
    assert not verified(nothing_lost).holds
    assert recurring(CIRCUITS).values["head"] == Names(HEAD, ("cross.3.5",))
    assert recurring(CIRCUITS).values["n"] == 2
    assert agreement(CIRCUITS).holds
    assert agreement(CIRCUITS).values["phenomena"] == 1
    assert agreement(CIRCUITS).values["units"] == pytest.approx(-1)


def test_examples_are_those_that_the_translator_writes_by_itself() -> None:
    row = {"template": "one", "source_corrupted": "The cat.", "word_clean": "Der", "word_corrupted": "Die"}
    pairs = pd.DataFrame(
        [
            row | {"source_clean": "A.", "is_shown": False, "written_clean": [1]},
            row | {"source_clean": "B.", "is_shown": True, "written_clean": [1, 2]},
            row | {"source_clean": "B.", "is_shown": True, "written_clean": [1, 2]},
        ]
    )
    (example,) = examples(pairs, "one")
    assert (example.clean, example.step, example.word) == ("B.", 3, "Der")
