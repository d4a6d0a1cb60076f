"""Heads that are switched off, as a link carries them."""

import numpy as np
import pytest

from pretrained.huggingface.recorded import Head
from viz.base.attention_maps import AttentionKind, BlockName, TokenRow
from viz.pages.your_model.state import MAX_HEADS, OffHeads, have_same_tokens

OFF = OffHeads("own-off", ())


@pytest.mark.parametrize(
    ("text", "heads"),
    [
        ("", ()),
        ("1.1", (Head("self", 0, 0),)),
        ("2.8,1.1,2.8", (Head("self", 1, 7), Head("self", 0, 0))),
        ("cross.12.3,encoder.1.1", (Head("cross", 11, 2), Head("encoder", 0, 0))),
    ],
)
def test_heads_are_read_and_written(text: str, heads: tuple[Head, ...]) -> None:
    assert OFF.read(text) == heads
    assert OFF.read(OFF.write(heads)) == heads


@pytest.mark.parametrize(
    "text",
    [
        "1",
        "0.1",
        "1.0",
        "1.99999",
        "both.1.1",
        "1.1.1",
        "1.1;2.2",
        "\u0663.\u0661",
        ",".join(f"{n}.1" for n in range(1, MAX_HEADS + 2)),
    ],
)
def test_what_names_no_heads_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        OFF.read(text)


def kind(*labels: str, name: BlockName = "encoder", n_layers: int = 1) -> AttentionKind:
    row = TokenRow(labels)
    return AttentionKind(name, np.full((n_layers, 1, len(row), len(row)), 1 / len(row), np.float32), row, row)


def test_maps_have_a_difference_only_between_the_same_tokens() -> None:
    assert have_same_tokens((kind("the", "cat"),), (kind("the", "cat", name="decoder", n_layers=3),))
    assert not have_same_tokens((kind("the", "cat"),), (kind("the", "[UNK]"),))
    assert not have_same_tokens((kind("cat"),), (kind("cat"), kind("cat", name="cross")))
