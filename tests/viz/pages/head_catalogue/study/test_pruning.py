"""What is told of a model without some of its heads: the last level stretch, the worst head, the best one left."""

import numpy as np
import pandas as pd
import pytest

from viz.base.attention_maps import BLOCKS
from viz.pages.head_catalogue.study.claims import one_left, published_one_left
from viz.pages.head_catalogue.study.pruning import as_csv, pruning_of
from viz.pages.head_catalogue.study.published import published_pruning, published_with_one_head

NAN = float("nan")


def row(choice: str, n_left: int, loss: float, bleu: float, place: tuple[str, int, int] | None = None) -> dict:
    kind, layer, head = place or (None, NAN, NAN)
    values = {"choice": choice, "kind": kind, "layer": layer, "head": head, "n_left": n_left, "loss": loss}
    return {**values, "bleu": bleu, "sentences": 400, "choosing": 200}


ENCODER, CROSS = [("encoder", 1, 1), ("encoder", 1, 2)], [("cross", 1, 1), ("cross", 1, 2)]
ROWS = pd.DataFrame(
    [
        row("whole", 4, 1.0, 40.0),
        *(row("zero", 3, 1.1 + 0.1 * n, 40.2 - n, place) for n, place in enumerate([*ENCODER, *CROSS])),
        *(row("only", 3, 1.5 - 0.1 * n, 38.0 + n, place) for n, place in enumerate([*CROSS, *ENCODER])),
        # BLEU falls, and comes back by chance.
        *(row("loss", 3 - n, 1.1 + n, bleu, ENCODER[0]) for n, bleu in enumerate([39.8, 39.5, 30.0, 39.9])),
        *(row("importance", 3 - n, 1.2 + n, bleu, ENCODER[0]) for n, bleu in enumerate([NAN, 39.0, NAN, 0.0])),
    ]
)


def test_heads_are_left_up_to_the_last_place_before_bleu_first_falls() -> None:
    found = pruning_of(ROWS)
    assert found.n_heads == 4
    assert found.heads_left("loss") == 2
    assert found.heads_left("importance") == 4
    removed, bleu = found.curves["importance"].known("bleu")
    assert removed.tolist() == [0, 2, 4]
    assert bleu.tolist() == [40.0, 39.0, 0.0]
    assert found.curves["loss"].known("loss")[1].tolist() == [1.0, 1.1, 2.1, 3.1, 4.1]


def test_what_is_lost_is_against_the_whole_model() -> None:
    found = pruning_of(ROWS)
    worst = found.ranked("zero", "bleu")[0]
    assert (worst.kind, worst.layer, worst.number) == ("cross", 1, 2)
    assert worst.lost == pytest.approx({"bleu": 2.8, "loss": 0.4})
    places, values = found.grid("zero", "bleu")
    assert places == [("encoder", 1), ("cross", 1)]
    np.testing.assert_allclose(values, [[-0.2, 0.8], [1.8, 2.8]])
    assert [*found.alone] == ["zero"]


def test_of_each_block_the_head_is_told_that_is_best_left_alone() -> None:
    found = pruning_of(ROWS)
    assert {place: head.number for place, head in found.only.items()} == {("encoder", 1): 2, ("cross", 1): 2}
    assert found.only["cross", 1].lost["bleu"] == pytest.approx(1.0)


def test_blocks_that_need_several_heads_are_counted_even_if_all_do() -> None:
    assert published_one_left().holds
    found = one_left(pruning_of(ROWS[~((ROWS["choice"] == "only") & (ROWS["kind"] == "encoder"))]))
    assert (found.holds, found.values["n"], found.values["blocks"]) == (True, 1, 1)


def test_a_table_that_lacks_a_choice_is_refused() -> None:
    for choice in ("whole", "only", "loss"):
        with pytest.raises(KeyError):
            pruning_of(ROWS[ROWS["choice"] != choice])


def test_the_table_has_a_row_for_each_choice_and_gaps_where_nothing_was_measured() -> None:
    headings, *lines = as_csv(ROWS).splitlines()
    assert headings == "choice,kind,layer,head,n_left,loss,bleu"
    assert len(lines) == len(ROWS)
    assert lines[0] == "whole,,,,4,1.0,40.0"


def test_published_figures_are_of_three_and_of_six_layers() -> None:
    shares, changes = published_pruning()
    assert shares == pytest.approx([86 / 144, 108 / 144, 118 / 144])
    assert changes == pytest.approx([-0.24, -0.54, -0.7])
    assert {kind: len(changes) for kind, changes in published_with_one_head().items()} == dict.fromkeys(BLOCKS, 6)
