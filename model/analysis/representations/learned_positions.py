"""The positional knowledge of an encoding: curves over distances, or vectors."""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.positional.base import Properties, QueryKey


@torch.inference_mode()
def bias_by_distance(model: DecoderOnly, n_positions: int) -> Float[Tensor, "layer head distance"] | None:
    """Return what each head adds to a score at distance 0, 1, 2 … from the last of ``n_positions``.

    It is all there is of T5 (Raffel et al. 2019, §2.1), FIRE (Li et al. 2023, §3) and KERPLE (Chi et al. 2022, §4).
    None where nothing of this is learned, where the queries and keys have a part in it, as in Transformer-XL, or where
    keys at one distance have not one bias because positions are drawn at random.

    Args:
        model: in evaluation mode.
        n_positions: the distances, and one.
    """
    config, encoding = model.config, model.positional
    positions = encoding.map_positions(encoding.test_positions(n_positions))
    if not _is_bias_of_distance(encoding.description.properties) or (positions.diff() != 1).any():
        return None
    layers = [encoding.at_layer(layer) for layer in range(config.n_layers)]
    content = torch.zeros(1, config.n_heads, n_positions, config.d_key)
    biases = [layer.score_bias(QueryKey(content, content, positions, positions)) for layer in layers]
    return torch.stack([bias[0, :, -1].flip(-1) for bias in biases if bias is not None])


@torch.inference_mode()
def position_similarity(model: DecoderOnly, n_positions: int) -> Float[Tensor, "position position"] | None:
    """Return the cosines between learned vectors of positions; None where the encoding has no table."""
    if not model.positional.description.properties.learned:
        return None
    vectors = model.positional.additive_encoding(torch.arange(n_positions))  # [P, D]
    if vectors is None:
        return None
    directions = F.normalize(vectors, dim=-1)
    return directions @ directions.T


def _is_bias_of_distance(properties: Properties) -> bool:
    return properties.learned and properties.takes_positions and properties.acts_on == ("scores",)
