"""Two models of the paper's table 3 on one sentence: their outputs and the spread of their attention."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from model.decoding.translator import Translation
from viz.base.attention_maps import token_row


@dataclass(frozen=True)
class LayerMap:
    """The mean over the heads of a layer of cross-attention, with labels and per-head statistics.

    ``layer`` is the one that is shown, from 0; ``entropy`` the mean in bits over heads and steps; ``largest`` the mean
    of each step's largest weight.
    """

    layer: int
    weights: Float32[np.ndarray, "step piece"]
    written: tuple[str, ...]
    read: tuple[str, ...]
    entropy: float
    largest: float


def layer_map(translation: Translation, layer: int) -> LayerMap:
    """Return the map of cross-attention in ``layer``, or in the last one where there are fewer."""
    layer = min(layer, n_layers(translation) - 1)
    pattern = translation.patterns[f"decoder.{layer}.cross_attention.pattern"]
    logs = np.log2(np.maximum(pattern, np.finfo(np.float32).tiny))
    return LayerMap(
        layer,
        pattern.mean(0),
        token_row(translation.target).labels,
        token_row(translation.source).labels,
        float(-(pattern * logs).sum(-1).mean()),
        float(pattern.max(-1).mean()),
    )


def n_layers(translation: Translation) -> int:
    """Return how many layers the decoder has."""
    return sum(name.startswith("decoder.") and ".cross_attention." in name for name in translation.patterns)
