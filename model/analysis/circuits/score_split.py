"""Scores split exactly into what wrote the query times what wrote the key: why a head looks there.

A softmax only sees by how much one score is above others, so a score can be split against the mean of others: what all
keys share is then left out.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from model.analysis.circuits.frozen_pass import HEAD, POSITION, TOKEN, UNIT, FrozenPass
from model.analysis.interventions.ablation import Part
from model.analysis.interventions.direct_attribution import refuse_unless_sum
from model.positional.base import PositionalEncoding


@dataclass(frozen=True)
class ScoreSplit:
    """The score of a query and a key, by what wrote either of them into the residual stream.

    Attributes:
        score: before the softmax; above the mean of the scores of the other keys, where there are any.
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


def split_score(
    frozen: FrozenPass, block: str, head: int, query: int, key: int, *, against: Sequence[int] = ()
) -> ScoreSplit:
    """Return the score of ``head`` at two positions, split; the scales of all norms are held.

    Args:
        frozen: a pass of a pre-norm model with residual connections, whose queries and keys are linear in the stream.
        block: the hook points' common part of its block, such as "encoder.1.self_attention".
        head: from 0.
        query: its position, from 0.
        key: its position, from 0, which the head may read.
        against: the positions of the other keys, which it may read too.

    Raises:
        NotASumError: a model whose residual stream is no sum.
        ValueError: queries or keys that are not linear in it, or the head may not read one of the keys.
    """
    refuse_unless_sum(frozen.model)
    # Cross-attention has no positions.
    if block.endswith("self_attention") and not _encoding_at(frozen, block).is_linear:
        title = _encoding_at(frozen, block).description.title
        raise ValueError(f"the queries and keys of {title} are not linear in what wrote them; choose another encoding")
    scores = frozen.seen[f"{block}.scores"].detach()[0, head, query]
    for one in (key, *against):
        if math.isinf(scores[one]):
            raise ValueError(f"the query at {query} may not read the key at {one}; choose a key that the mask allows")
    own = frozen.seen[f"{block}.residual_before"]
    # The keys of cross-attention are made of the encoder's stream.
    is_cross = block.endswith("cross_attention")
    context = frozen.stream("encoder") if is_cross else own
    q, k = frozen.seen[f"{block}.q"][0, head], frozen.seen[f"{block}.k"][0, head]  # [Q, E], [K, E]
    stack = block.partition(".")[0]
    of_query, of_key = _writers(frozen, stack, block), _writers(frozen, "encoder" if is_cross else stack, block)
    scale = frozen.attention[block].scale or q.shape[1] ** -0.5
    keys = _above_others(_made_of(frozen, k, context, of_key), key, against)  # [part, E]
    products = _made_of(frozen, q, own, of_query)[:, query] @ keys.T * scale  # [query part, key part]
    score = float(_above_others(scores[None, :, None], key, against))
    by_content = float(q.detach()[query] @ _above_others(k.detach()[None], key, against)[0]) * scale
    return ScoreSplit(score, tuple(of_query), tuple(of_key), products, score - by_content)


def _above_others(
    x: Float[Tensor, "part position size"], place: int, others: Sequence[int]
) -> Float[Tensor, "part size"]:
    return x[:, place] - x[:, [*others]].mean(1) if others else x[:, place]


def _encoding_at(frozen: FrozenPass, block: str) -> PositionalEncoding:
    """Return the encoding of positions in the layer of ``block``."""
    stack, layer, _ = block.split(".")
    # A decoder without an encoder is a stack itself.
    of_stack: Any = getattr(frozen.model, stack, frozen.model)
    encoding: PositionalEncoding = of_stack.positional.at_layer(int(layer))
    return encoding


def _made_of(
    frozen: FrozenPass,
    vectors: Float[Tensor, "position d_key"],
    stream: Tensor,
    writers: Mapping[Part, Float[Tensor, "position d_model"]],
) -> Float[Tensor, "part position d_key"]:
    """Return the part of each writer in ``vectors``, linear functions of ``stream``; biases last."""
    # The sum over positions has at each of them the slope of the vector there.
    rows = torch.stack([frozen.slopes(sums, (stream,))[0][0] for sums in vectors.sum(0)])  # [E, P, D]
    parts = torch.einsum("wpd,epd->wpe", torch.stack([*writers.values()]), rows)  # [part, P, E]
    return torch.cat((parts, (vectors.detach() - parts.sum(0))[None]))


def _writers(frozen: FrozenPass, stack: str, block: str) -> dict[Part, Float[Tensor, "position d_model"]]:
    """Return what is in the stream of ``stack`` when ``block`` reads it, by its writer."""
    writers: dict[Part, Tensor] = {}
    for point, tensor in frozen.seen.items():
        if point.startswith(f"{block}."):
            break
        if not point.startswith(f"{stack}."):
            continue
        if point.endswith((TOKEN, POSITION)):
            writers[Part(point)] = tensor.detach().reshape(-1, tensor.shape[-1])
        elif point.endswith(HEAD):
            z = tensor.detach()[0]  # [H, P, E]
            W_O = frozen.attention[point.removesuffix(HEAD)].W_O.weight.detach()
            heads = torch.einsum("dhe,hpe->hpd", W_O.view(-1, z.shape[0], z.shape[2]), z)
            writers |= {Part(point, number): written for number, written in enumerate(heads)}
        elif point.endswith(UNIT):
            W_2 = frozen.feed_forward[point.removesuffix(UNIT)].W_2.weight.detach()
            writers[Part(f"{point.removesuffix(UNIT)}.output")] = tensor.detach()[0] @ W_2.T
    return writers
