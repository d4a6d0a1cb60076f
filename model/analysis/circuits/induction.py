"""The circuit of induction: a head finds its key by what an earlier head wrote there.

Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"; Olsson et al. 2022, arXiv:2209.11895.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from model.analysis.circuits.frozen_pass import HEAD, TOKEN, FrozenPass, Node, logit_difference
from model.analysis.circuits.score_split import split_score
from model.analysis.interventions.ablation import Part
from model.architectures.decoder_only import DecoderOnly

_FIRST, _SECOND = "decoder.0.self_attention", "decoder.1.self_attention"


@dataclass(frozen=True)
class InductionCircuit:
    """The heads of the second layer as they write the token that followed the last one before.

    Attributes:
        writes: what each adds to that token's logit, above that of the strongest other, with patterns held.
        scores: of each, its score of the right key above the mean of its other keys.
        composed: what (the token read last) × (each head of the first layer, at the key) adds to that score.
        is_composed: of each, whether one of these products is the largest part of its score.
    """

    writes: Float[Tensor, " head"]
    scores: Float[Tensor, " head"]
    composed: Float[Tensor, "head first_head"]
    is_composed: Bool[Tensor, " head"]


def induction_circuit(model: DecoderOnly, tokens: Int[Tensor, " position"]) -> InductionCircuit:
    """Return the circuit for the last of ``tokens``, which ``model`` of two layers or more is to write.

    Raises:
        NotASumError: a model whose residual stream is no sum.
        ValueError: less than two layers, queries or keys that are not linear in the stream, or the token before the
            last one occurs earlier more than once, or not at all.
    """
    if len(model.layers) < 2:
        raise ValueError(f"the model has {len(model.layers)} layers; a circuit of induction takes at least two layers")
    read, right = tokens[None, :-1], int(tokens[-1])
    query = read.shape[1] - 1
    earlier = (read[0, :query] == read[0, query]).nonzero().flatten().tolist()
    if len(earlier) != 1:
        raise ValueError(f"the token before the last one occurs earlier {len(earlier)} times; it must be once")
    key = earlier[0] + 1
    frozen = FrozenPass(model, lambda rows: model(read.expand(rows, -1)))
    others = frozen.logits[query].detach().index_fill(0, torch.tensor(right), -torch.inf)
    effects = frozen.effects(logit_difference(query, right, int(others.argmax())))
    heads = range(model.config.n_heads)
    elsewhere = [one for one in range(query + 1) if one != key]
    splits = [split_score(frozen, _SECOND, head, query, key, against=elsewhere) for head in heads]
    row = splits[0].query.index(Part(f"decoder{TOKEN}"))
    columns = [splits[0].key.index(Part(f"{_FIRST}{HEAD}", head)) for head in heads]
    composed = torch.stack([split.products[row, columns] for split in splits])
    largest = torch.stack([split.products.max() for split in splits])
    return InductionCircuit(
        torch.tensor([effects.of(Node(f"{_SECOND}{HEAD}", query, head)) for head in heads]),
        torch.tensor([split.score for split in splits]),
        composed,
        composed.amax(1) == largest,
    )
