"""Two models beside each other."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from viz.pages.ablations.study.side_by_side import layer_map, n_layers


def tokens(*pieces: str) -> SimpleNamespace:
    starts = [at for at, piece in enumerate(pieces) if piece.startswith(("▁", "<"))]
    spans = pairwise([*starts, len(pieces)])
    words = [SimpleNamespace(start=start, end=end, text="".join(pieces[start:end])) for start, end in spans]
    return SimpleNamespace(pieces=pieces, words=words)


def translation(*patterns: np.ndarray):
    named = {f"decoder.{layer}.cross_attention.pattern": pattern for layer, pattern in enumerate(patterns)}
    n_steps, n_pieces = patterns[0].shape[1:]
    rows = [tokens(*(f"▁p{number}" for number in range(n))) for n in (n_steps, n_pieces)]
    return SimpleNamespace(patterns=named, target=rows[0], source=rows[1])


def test_entropy_is_that_of_each_head() -> None:
    even, sharp = np.full((2, 3, 4), 0.25, np.float32), np.eye(4, dtype=np.float32)[None, :3].repeat(2, 0)
    found = translation(even, sharp)
    assert n_layers(found) == 2
    assert layer_map(found, 0).entropy == pytest.approx(2)
    assert layer_map(found, 1).entropy == pytest.approx(0, abs=1e-6)
    # A model of fewer layers shows its last one.
    assert (layer_map(found, 3).largest, layer_map(found, 3).layer) == (1, 1)
    # Two heads that each read one token alone have a mean that is spread: the entropy is taken before.
    apart = layer_map(translation(np.stack([sharp[0], sharp[0][:, ::-1]])), 0)
    assert (apart.entropy, apart.largest) == (pytest.approx(0, abs=1e-6), 1)
    assert apart.weights.max() == 0.5


def test_labels_have_no_marks_of_the_tokenizer() -> None:
    named = {"decoder.0.cross_attention.pattern": np.full((1, 2, 3), 1 / 3, np.float32)}
    written, read = tokens("▁Hund", "</s>"), tokens("▁bi", "ke", "</s>")
    found = layer_map(SimpleNamespace(patterns=named, target=written, source=read), 0)
    assert found.written == ("Hund", "⟨end⟩")
    assert found.read == ("bi", "·ke", "⟨end⟩")
