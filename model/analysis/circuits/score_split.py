"""Why a head looks where it does: its score, exactly, as (what the query is made of) × (what the key is made of)."""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from model.analysis.circuits.frozen_pass import HEAD, POSITION, TOKEN, UNIT, FrozenPass
from model.analysis.interventions.ablation import Part


@dataclass(frozen=True)
class ScoreSplit:
    """The score of a query and a key, by what wrote either of them into the residual stream.

    Attributes:
        score: before the softmax.
        query: what the query is made of: token, position, heads and feed-forward blocks of the layers before.
        key: the same of the key.
        products: what each pair adds to the score; the last row and the last column are those of all biases.
        added: what the positional encoding adds to the score itself.
    """

    score: float
    query: tuple[Part, ...]
    key: tuple[Part, ...]
    products: Float[Tensor, "query_part key_part"]
    added: float


def split_score(frozen: FrozenPass, block: str, head: int, query: int, key: int) -> ScoreSplit:
    """Return the score of ``head`` at two positions, split; the scales of all norms are held.

    Args:
        frozen: a pass of a pre-norm model with residual connections.
        block: the hook points' common part of its block, such as "encoder.1.self_attention".
        head: from 0.
        query: its position, from 0.
        key: its position, from 0, which the head may read.

    Raises:
        ValueError: the head may not read this key.
    """
    score = float(frozen.seen[f"{block}.scores"].detach()[0, head, query, key])
    if math.isinf(score):
        raise ValueError(f"the query at {query} may not read the key at {key}; choose a key that the mask allows")
    own = frozen.seen[f"{block}.residual_before"]
    # The keys of cross-attention are made of the encoder's stream.
    context = frozen.stream("encoder") if block.endswith("cross_attention") else own
    q, k = frozen.seen[f"{block}.q"][0, head, query], frozen.seen[f"{block}.k"][0, head, key]
    stack = block.partition(".")[0]
    key_stack = "encoder" if block.endswith("cross_attention") else stack
    of_query, of_key = _writers(frozen, stack, block, query), _writers(frozen, key_stack, block, key)
    queries, keys = _made_of(frozen, q, own, query, of_query), _made_of(frozen, k, context, key, of_key)
    scale = frozen.attention[block].scale or len(q) ** -0.5
    products = queries @ keys.T * scale  # [query part, key part]
    return ScoreSplit(score, tuple(of_query), tuple(of_key), products, score - float(q.detach() @ k.detach()) * scale)


def _made_of(
    frozen: FrozenPass, vector: Tensor, stream: Tensor, position: int, writers: dict[Part, Tensor]
) -> Float[Tensor, "part d_key"]:
    """Return what each writer adds to ``vector``, a linear function of ``stream``; the last row is that of biases."""
    rows = torch.stack([frozen.slopes(one, (stream,))[0][0, position] for one in vector])  # [E, D]
    parts = torch.stack([*writers.values()]) @ rows.T  # [part, E]
    return torch.cat((parts, (vector.detach() - parts.sum(0))[None]))


def _writers(frozen: FrozenPass, stack: str, block: str, position: int) -> dict[Part, Float[Tensor, " d_model"]]:
    """Return what is in the stream of ``stack`` at ``position`` when ``block`` reads it, by its writer."""
    writers: dict[Part, Tensor] = {}
    for point, tensor in frozen.seen.items():
        if point.startswith(f"{block}."):
            break
        if not point.startswith(f"{stack}."):
            continue
        if point.endswith((TOKEN, POSITION)):
            writers[Part(point)] = tensor.detach().view(-1, tensor.shape[-1])[position]
        elif point.endswith(HEAD):
            z = tensor.detach()[0, :, position]  # [H, E]
            W_O = frozen.attention[point.removesuffix(HEAD)].W_O.weight.detach().view(-1, *z.shape)  # [D, H, E]
            heads = torch.einsum("dhe,he->hd", W_O, z)
            writers |= {Part(point, number): written for number, written in enumerate(heads)}
        elif point.endswith(UNIT):
            W_2 = frozen.feed_forward[point.removesuffix(UNIT)].W_2.weight.detach()
            writers[Part(f"{point.removesuffix(UNIT)}.output")] = W_2 @ tensor.detach()[0, position]
    return writers
