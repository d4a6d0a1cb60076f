"""Components of a shipped translator, and its activations while it translates one sentence."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Float32

from model.architectures.encoder_decoder import EncoderDecoder
from model.architectures.layers import Residual, SelfAttentionLayer
from model.checkpoint import n_parameters
from model.decoding.decoder import Hypothesis
from model.decoding.options import DecodingOptions
from model.decoding.translator import Translation, Translator
from viz.pages.start.study.records import ParameterCounts, Stack

BLOCKS: dict[Stack, tuple[str, ...]] = {
    "encoder": ("self_attention", "feed_forward"),
    "decoder": ("self_attention", "cross_attention", "feed_forward"),
}


def parameter_counts(model: EncoderDecoder) -> ParameterCounts:
    """Return the number of weights and biases of ``model``, of its embedding, and of every block."""
    layers = {
        (stack, index): {block: n_parameters(getattr(layer, block).parameters()) for block in blocks}
        for stack, blocks in BLOCKS.items()
        for index, layer in enumerate(getattr(model, stack).layers)
    }
    return ParameterCounts(n_parameters(model.parameters()), n_parameters(model.embedding.parameters()), layers)


def n_sublayers(model: EncoderDecoder) -> int:
    """Count the blocks that have a residual path around them."""
    return sum(isinstance(module, Residual) for module in model.modules())


@dataclass(frozen=True)
class StreamStatistics:
    """Mean and standard deviation of the residual stream, over all tokens and dimensions, place by place.

    The first place is the input of the first layer, the last one what the final norm returns; between them stand the
    blocks, by layer, from 0.
    """

    blocks: tuple[tuple[int, str], ...]
    means: Float[np.ndarray, " place"]
    deviations: Float[np.ndarray, " place"]

    @property
    def growth(self) -> float:
        """The ratio of the stream's standard deviation after the last block to that of the input."""
        return float(self.deviations[-2] / self.deviations[0])


def stream_statistics(translator: Translator, translation: Translation, stack: Stack) -> StreamStatistics:
    """Measure the residual stream of ``stack`` while ``translation`` is read once more."""
    seen = translator.look_inside(translation, f"{stack}.input", f"{stack}.*.residual_after", f"{stack}.output")
    n_layers = len(getattr(translator.model, stack).layers)
    blocks = tuple((layer, block) for layer in range(n_layers) for block in BLOCKS[stack])
    names = [f"{stack}.input", *(f"{stack}.{layer}.{block}.residual_after" for layer, block in blocks)]
    streams = [seen[name] for name in (*names, f"{stack}.output")]
    return StreamStatistics(
        blocks, np.array([stream.mean() for stream in streams]), np.array([stream.std() for stream in streams])
    )


def active_shares(translator: Translator, translation: Translation, layer: int) -> Float[np.ndarray, " token"]:
    """Return each source token's share of active hidden units in the feed-forward block of ``layer``."""
    name = f"encoder.{layer}.feed_forward.residual_before"
    stream = torch.from_numpy(translator.look_inside(translation, name)[name])
    block = translator.model.encoder.layers[layer]
    if not isinstance(block, SelfAttentionLayer):
        raise TypeError(f"layer {layer} of the encoder is a {type(block).__name__}")
    with torch.inference_mode():
        hidden = block.feed_forward.W_1(block.feed_forward_residual.read(stream[None]))[0]  # [P, d_ff]
    shares: Float[np.ndarray, " token"] = (hidden > 0).double().mean(dim=1).numpy()
    return shares


def strongest_key(patterns: Mapping[str, Float32[np.ndarray, "head query key"]], name: str, head: int, row: int) -> int:
    """Return the key with the greatest weight in the row ``row`` of ``head`` at the hook point ``name``."""
    return int(patterns[name][head, row].argmax())


def scores_by_alpha(
    hypotheses: tuple[Hypothesis, ...], alphas: Float[np.ndarray, " alpha"]
) -> Float[np.ndarray, "hypothesis alpha"]:
    """Return what each hypothesis scores under every length penalty."""
    return np.array(
        [
            [DecodingOptions(length_penalty=float(alpha)).score(one.log_probabilities) for alpha in alphas]
            for one in hypotheses
        ]
    )
