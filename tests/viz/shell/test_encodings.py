"""The sentences about encodings that cannot be built or read as asked."""

import re
from collections.abc import Callable

import pytest
import torch

from model.positional import EncodingError, PositionalConfig, PositionalEncoding, StackSpec, build
from viz.shell.encodings import TEXT, encoding_refusal

STACK = StackSpec(d_model=16, n_heads=2, d_key=8, d_value=8, n_layers=1, causal=True)


def made(name: str, **parameters: float) -> PositionalEncoding:
    return build(PositionalConfig(name, parameters), STACK)


MISTAKES: list[tuple[Callable[[], object], str]] = [
    (lambda: made("sandwich", d_bar=7), "the dimension is 7; sines and cosines come in pairs, so it must be even"),
    (
        lambda: made("t5", n_buckets=64, max_distance=32),
        "max_distance is 32, but of 64 buckets 32 are for single distances; it must be above 32",
    ),
    (lambda: made("rotary_yarn", slow=40), "slow is 40 and fast is 32; a slow pair makes fewer turns, so slow must be"),
    (
        lambda: made("randomized", longest=300, max_position=256),
        "longest is 300 and max_position is 256; 300 tokens need as many positions",
    ),
    (
        lambda: made("randomized", longest=64).eval().map_positions(torch.arange(65)),
        "position 64 has no random position; there are 64 of them, for tokens from 0 to 63: raise longest for longer",
    ),
    (
        lambda: made("randomized", longest=64).test_positions(600),
        "600 tokens need a longer test sample than 64; raise longest",
    ),
    (
        lambda: made("learned", max_length=8).additive_encoding(torch.arange(9)),
        "position 8 is past the learned table of 8 rows; use at most 8 tokens or an encoding without a table",
    ),
]


@pytest.mark.parametrize(("mistake", "sentence"), MISTAKES)
def test_every_mistake_has_its_sentence(mistake: Callable[[], object], sentence: str) -> None:
    with pytest.raises(EncodingError) as caught:
        mistake()
    assert encoding_refusal(caught.value).startswith(sentence)


def test_there_is_no_sentence_without_a_mistake() -> None:
    def key(mistake: Callable[[], object]) -> str:
        with pytest.raises(EncodingError) as caught:
            mistake()
        return caught.value.key

    assert {key(mistake) for mistake, _ in MISTAKES} == set(TEXT)


def test_a_mistake_without_words_is_shown_by_its_key_and_numbers() -> None:
    """A new encoding is one file: it may have mistakes of its own."""
    assert re.search("^too steep: slope = 3$", encoding_refusal(EncodingError("too steep", slope=3)))
