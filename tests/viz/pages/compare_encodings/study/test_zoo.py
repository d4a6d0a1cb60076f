"""What the zoo says of encodings is what its runs and models hold."""

import numpy as np
import pandas as pd
import pytest
import torch

from model.architectures.decoder_only import DecoderOnly
from model.config import DecoderOnlyConfig
from model.positional import PositionalConfig
from viz.pages.compare_encodings.study.zoo import learned_effects, twice_as_long


def results() -> pd.DataFrame:
    rows = [
        ("best", "sort", "alibi", 1, 16, 8, 0.5),
        ("best", "sort", "alibi", 2, 16, 8, 1.0),
        ("last", "sort", "alibi", 1, 16, 8, 0.0),
        ("best", "sort", "alibi", 1, 8, 8, 1.0),
        ("best", "copy", "alibi", 1, 16, 8, 0.1),
        ("best", "sort", "none", 1, 12, 8, 0.1),
    ]
    return pd.DataFrame(
        rows, columns=["checkpoint", "task", "encoding", "seed", "length", "longest_trained", "exact_match"]
    )


def test_twice_as_long_is_the_mean_over_the_seeds_best_checkpoints() -> None:
    found = twice_as_long(results(), "sort", "alibi")
    assert (found.exact_match, found.length, found.longest_trained, found.n_seeds) == (0.75, 16, 8, 2)


@pytest.mark.parametrize("encoding", ["none", "rotary"])
def test_what_was_not_measured_there_is_nothing(encoding: str) -> None:
    assert twice_as_long(results(), "sort", encoding) is None
    assert twice_as_long(pd.DataFrame(), "sort", encoding) is None


def tiny(name: str) -> DecoderOnly:
    torch.manual_seed(5)
    sizes = {"d_model": 16, "n_heads": 2, "d_key": 8, "d_value": 8, "d_ff": 8, "n_layers": 2}
    return DecoderOnly(DecoderOnlyConfig(11, positional=PositionalConfig(name), **sizes)).eval()


def test_a_trained_encoding_stands_beside_a_new_one() -> None:
    found = learned_effects({"t5": tiny("t5"), "alibi": tiny("alibi"), "fire": tiny("fire")}, 6)
    assert [learned.encoding for learned in found] == ["t5", "fire"]
    for learned in found:
        assert learned.trained.scores.shape == learned.untrained.scores.shape == (2, 6, 6)
        assert np.isnan(learned.trained.scores[0, 0, 1])
        assert not np.allclose(learned.trained.scores, learned.untrained.scores, equal_nan=True)
