"""Activations of the model during one translation, for the parts that Start opens."""

from collections.abc import Mapping

import numpy as np
import torch
from jaxtyping import Float32
from torch import Tensor, nn

from model.analysis.representations.lens import logit_lens, raised_tokens
from model.architectures.layers import DecoderLayer
from model.attention import MultiHeadAttention
from model.decoding.translator import Translation, Translator
from viz.base.attention_maps import BLOCKS, hook_name
from viz.base.tokens import label_alone
from viz.pages.start.study.records import (
    TEMPERATURES,
    AttentionRecord,
    Candidates,
    FeedForwardStack,
    Inside,
    ResidualStream,
    Stack,
)
from viz.pages.start.study.translator import BLOCKS as BLOCKS_OF
from viz.pages.start.study.translator import parameter_counts

N_CANDIDATES = 10
N_UNITS = 10
"""Hidden units of a token that are shown, the strongest first."""
_N_RAISED = 3
_STACKS: tuple[Stack, ...] = ("encoder", "decoder")

Seen = Mapping[str, Float32[np.ndarray, "..."]]


def inside(translator: Translator, translation: Translation) -> Inside:
    """Return what the parts of the model hold while it makes ``translation``."""
    seen = translator.look_inside(
        translation, "*.[qkvz]", "*.hidden", "*.output", "*.residual_after", "*.input", "logits"
    )
    return Inside(
        attention=_attention(translator, seen),
        feed_forward={stack: _feed_forward(translator, seen, stack) for stack in _STACKS},
        residual={stack: _residual(translator, translation, seen, stack) for stack in _STACKS},
        candidates=_candidates(translator, seen["logits"]),
        weights=parameter_counts(translator.model),
    )


def _attention(translator: Translator, seen: Seen) -> Mapping[str, AttentionRecord]:
    blocks = {block.name: block for block in translator.model.modules() if isinstance(block, MultiHeadAttention)}
    layers = {"encoder": len(translator.model.encoder.layers), "decoder": len(translator.model.decoder.layers)}
    return {
        f"{kind}.{layer + 1}": _attention_layer(blocks[name], seen)
        for kind in BLOCKS
        for layer in range(layers["encoder" if kind == "encoder" else "decoder"])
        for name in [hook_name(kind, layer).removesuffix(".pattern")]
    }


def _attention_layer(block: MultiHeadAttention, seen: Seen) -> AttentionRecord:
    z = seen[f"{block.name}.z"]  # [H, Q, E]
    W_O = block.W_O.weight.detach().float().cpu().numpy()  # [D, H · E]
    by_head = np.einsum("hqe,dhe->hqd", z, W_O.reshape(len(W_O), len(z), -1))
    q, k, v = (seen[f"{block.name}.{name}"] for name in "qkv")
    return AttentionRecord(q, k, v, seen[f"{block.name}.output"], np.linalg.norm(by_head, axis=2))


@torch.inference_mode()
def _feed_forward(translator: Translator, seen: Seen, stack: Stack) -> FeedForwardStack:
    layers = getattr(translator.model, stack).layers
    hidden = [torch.from_numpy(seen[f"{stack}.{index}.feed_forward.hidden"]) for index in range(len(layers))]  # [P, F]
    raised: tuple[Mapping[int, tuple[str, ...]], ...] = ()
    if stack == "decoder":
        raised = tuple(map(_raised, [translator] * len(layers), layers, hidden))
    return FeedForwardStack(torch.stack(hidden).numpy(), raised)


def _raised(translator: Translator, layer: nn.Module, hidden: Tensor) -> Mapping[int, tuple[str, ...]]:
    """Return the tokens that each of the strongest units raises most, by its column of W_2."""
    assert isinstance(layer, DecoderLayer)
    units = sorted({unit for row in hidden.topk(N_UNITS, dim=1).indices.tolist() for unit in row})
    best = raised_tokens(translator.model, layer.feed_forward.W_2.weight.T[units], _N_RAISED).tolist()
    return {
        unit: tuple(map(label_alone, translator.tokenizer.pieces(tokens)))
        for unit, tokens in zip(units, best, strict=True)
    }


def _residual(translator: Translator, translation: Translation, seen: Seen, stack: Stack) -> ResidualStream:
    layers = range(len(getattr(translator.model, stack).layers))
    blocks = tuple((layer, block) for layer in layers for block in BLOCKS_OF[stack])
    added = [seen[f"{stack}.input"], *(seen[f"{stack}.{layer}.{block}.output"] for layer, block in blocks)]
    lengths = np.stack([np.linalg.norm(values, axis=1) for values in added])  # [point, P]
    words: tuple[tuple[tuple[str, float], ...], ...] = ()
    if stack == "decoder":
        target = list(translation.hypotheses[0].tokens)
        lens = logit_lens(translator.model, translator.tokenizer.ids(translation.source.pieces), target, 1)
        words = tuple(
            tuple(
                (label_alone(piece), float(probability))
                for piece, probability in zip(translator.tokenizer.pieces(tokens), probabilities, strict=True)
            )
            for tokens, probabilities in zip(
                lens.tokens[..., 0].tolist(), lens.probabilities[..., 0].tolist(), strict=True
            )
        )
    return ResidualStream(blocks, lengths, words)


def _candidates(translator: Translator, logits: Float32[np.ndarray, "position vocabulary"]) -> Candidates:
    logs = torch.from_numpy(logits).log_softmax(-1)  # [P, V]
    best = logs.topk(min(N_CANDIDATES, logs.shape[1]), dim=1)
    totals = torch.stack([(logs / temperature).logsumexp(-1) for temperature in TEMPERATURES], dim=1)  # [P, T]
    labels = tuple(
        tuple(label_alone(piece) for piece in translator.tokenizer.pieces(tokens)) for tokens in best.indices.tolist()
    )
    tokens = tuple(map(tuple, best.indices.tolist()))
    return Candidates(labels, tokens, best.values.numpy(), totals.numpy())
