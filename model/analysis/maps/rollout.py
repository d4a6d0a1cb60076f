"""Attention rollout: how a whole stack mixes tokens (Abnar and Zuidema 2020, arXiv:2005.00928).

A Transformer is seen as a sequence of *mixings*: square matrices over all tokens whose rows sum to one. Row i holds the
shares of all tokens in the next state of token i; half of it is its own state, from the residual path (§3).
"""

from itertools import accumulate

import numpy as np
from jaxtyping import Float

Mixings = Float[np.ndarray, "mixing token token"]


def self_mixings(patterns: Float[np.ndarray, "layer head token token"]) -> Mixings:
    """Return (mean over heads + identity) / 2 for every layer of self-attention."""
    mixings: Mixings = (patterns.mean(axis=1, dtype=np.float64) + np.eye(patterns.shape[-1])) / 2
    return mixings


def joint_mixings(
    encoder: Float[np.ndarray, "encoder_layer head source source"],
    decoder: Float[np.ndarray, "decoder_layer head target target"],
    cross: Float[np.ndarray, "decoder_layer head target source"],
) -> Mixings:
    """Return the mixings of an encoder–decoder over its source tokens followed by its target tokens.

    The layers of the encoder come first and leave the target unchanged. Each decoder layer adds two mixings:
    self-attention among target tokens, and cross-attention from target tokens to the encoder's output.
    """
    n_source, n_target = cross.shape[-1], cross.shape[-2]
    source, target = slice(0, n_source), slice(n_source, n_source + n_target)
    mixings = np.tile(np.eye(n_source + n_target), (len(encoder) + 2 * len(decoder), 1, 1))
    mixings[: len(encoder), source, source] = self_mixings(encoder)
    after = mixings[len(encoder) :]
    after[0::2, target, target] = self_mixings(decoder)
    after[1::2, target, target] /= 2
    after[1::2, target, source] = cross.mean(axis=1, dtype=np.float64) / 2
    return mixings


def rollout(mixings: Mixings) -> Mixings:
    """Return, after each mixing, the share of each input token in every token's state.

    Attention rollout, equation 1: the product of the mixing and all before it. Rows sum to one.
    """
    return np.array(list(accumulate(mixings, lambda before, mixing: mixing @ before)))
