"""How well heads align words, beside the maps of a translation, by a table made by hand."""

import numpy as np
import pandas as pd
import pytest

from viz.base.attention_maps import BLOCKS, AttentionKind, TokenRow
from viz.pages.translate.study.alignment import head_rates, with_alignment

ROW = TokenRow(("a", "b"))
KINDS = tuple(AttentionKind(name, np.full((2, 2, 2, 2), 0.5, np.float32), ROW, ROW) for name in BLOCKS)


def errors() -> pd.DataFrame:
    """Return rates that say what they are of: layer and head, and 0.01 more for norms."""
    return pd.DataFrame(
        {
            "part": part,
            "layer": layer,
            "head": head,
            "step": step,
            "weighing": weighing,
            "error": (layer + head / 10 + (weighing == "norms") / 100) * (step == "output") * (part == "all"),
        }
        for part in ("all", "everyday")
        for step in ("input", "output")
        for weighing in ("norms", "weights")
        for layer in (2, 1, 0)
        for head in (0, 2, 1)
    )


@pytest.mark.parametrize(("measure", "more"), [("weights", 0), ("passed on", 0.01)])
def test_each_head_of_cross_attention_has_its_rate_as_its_map_is_read(measure: str, more: float) -> None:
    table = errors()
    rates = head_rates(table[(table["layer"] > 0) | (table["head"] == 0)], measure)
    encoder, decoder, cross = with_alignment(KINDS, rates)
    assert encoder.alignment is None
    assert decoder.alignment is None
    np.testing.assert_allclose(cross.alignment, np.array([[1.1, 1.2], [2.1, 2.2]]) + more)


def test_where_a_rate_is_missing_no_head_has_one() -> None:
    table = errors()
    table = table[(table["layer"] > 0) | (table["head"] == 0)]
    missing = table[(table["layer"] != 2) | (table["head"] != 1)]
    for rates in (
        head_rates(pd.DataFrame(), "weights"),
        head_rates(table, "rollout"),
        head_rates(missing, "weights"),
        head_rates(table[table["layer"] < 2], "weights"),
    ):
        assert [kind.alignment for kind in with_alignment(KINDS, rates)] == [None, None, None]
