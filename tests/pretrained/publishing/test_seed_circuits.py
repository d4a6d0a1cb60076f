"""A training whose heads are another's in another order: each comes back, where it went and with the same effect."""

from copy import deepcopy

import numpy as np
import pandas as pd
import pytest
import torch
from torch import Tensor, nn

from model.attention import MultiHeadAttention
from model.data.loading import Pair
from model.decoding.translator import Translator
from model.text.tokenizer import Tokenizer
from pretrained.ablated_models import load_ablated
from pretrained.publishing.seed_circuits import circuit_table

PAIRS = [
    Pair("A man in a blue shirt is standing on a ladder.", "Ein Mann in einem blauen Hemd steht auf einer Leiter."),
    Pair("Two dogs run through the snow.", "Zwei Hunde rennen durch den Schnee."),
    Pair("A woman is playing the guitar.", "Eine Frau spielt Gitarre."),
    Pair("Children are playing in the water.", "Kinder spielen im Wasser."),
]
ORDER = [3, 0, 7, 1, 6, 2, 5, 4]


def in_another_order(translator: Translator) -> Translator:
    """Return ``translator`` with the heads of every block in :data:`ORDER`; it computes the same."""
    model = deepcopy(translator.model)
    for block in (module for module in model.modules() if isinstance(module, MultiHeadAttention)):
        for name, projection in block.named_children():
            if isinstance(projection, nn.Linear):
                axis = 1 if name == "W_O" else 0
                projection.weight.data = _reordered(projection.weight.data, axis)
                if axis == 0 and projection.bias is not None:
                    projection.bias.data = _reordered(projection.bias.data, 0)
    return Translator(model.eval(), translator.tokenizer)


def _reordered(weight: Tensor, axis: int) -> Tensor:
    heads = weight.unflatten(axis, (len(ORDER), -1))
    return heads.index_select(axis, torch.tensor(ORDER)).flatten(axis, axis + 1)


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    one = load_ablated("base")
    return circuit_table({1: one, 2: in_another_order(one)}, PAIRS)


def test_every_head_is_matched_with_itself(table: pd.DataFrame) -> None:
    matches = table[table["measure"] == "match"]
    assert len(matches) == 12 * len(ORDER)
    assert [ORDER[int(match)] for match in matches["match"]] == [*matches["head"]]
    np.testing.assert_allclose(matches["overlap"], 1, atol=1e-4)
    assert (matches["overlap_of_all"] < 0.9).all()


def test_its_share_is_the_same_and_all_shares_are_one_together(table: pd.DataFrame) -> None:
    parts = table[table["measure"] == "part"]
    np.testing.assert_allclose(parts.groupby("seed")["share"].sum(), 1)
    shares = parts.set_index(["seed", "point", "head"])["share"]
    for row in table[table["measure"] == "match"].itertuples():
        assert shares[1, row.point, row.head] == pytest.approx(shares[2, row.point, row.match], rel=1e-3)


def test_words_are_ones_that_both_find_the_most_probable(table: pd.DataFrame) -> None:
    assert table["words"].iloc[0] == len(PAIRS)


def test_trainings_with_tokenizers_of_their_own_are_refused() -> None:
    one = load_ablated("base")
    other = Translator(one.model, Tokenizer.train(["a b c d e f g h"] * 20, 275))
    with pytest.raises(ValueError, match="the runs have different tokenizers; they must share one"):
        circuit_table({1: one, 2: other}, PAIRS)
