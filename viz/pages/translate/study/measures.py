"""Measures between the tokens of a translation; a new one is a function and a line in MEASURES."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import torch
from jaxtyping import Float, Float32

from model.analysis.maps.contribution import contribution_norms
from model.analysis.maps.rollout import Mixings, joint_mixings, rollout, self_mixings
from model.decoding.translator import Translation, Translator
from viz.base.attention_maps import AttentionKind, attention_kinds, kind_between
from viz.pages.translate.study.cell_steps import BlockRecording, block_name, record_blocks

MAX_FLOW_TOKENS = 64
"""Tokens of source and translation together up to which flow is computed: its time grows with their cube."""

Kinds = tuple[AttentionKind, ...]


class TooManyTokensError(ValueError):
    """A translation too long for a measure; ``n_tokens``, where ``most`` are allowed."""

    def __init__(self, n_tokens: int, most: int) -> None:
        """Keep both numbers for the sentence on the screen."""
        super().__init__(f"{n_tokens} tokens, and at most {most} are measured")
        self.n_tokens = n_tokens
        self.most = most


def weights(_: Translator, translation: Translation) -> Kinds:
    """Return the attention weights α."""
    return attention_kinds(translation)


def passed_on(translator: Translator, translation: Translation) -> Kinds:
    """Return ‖α v W_O‖, the length of what each key passes on to each query (Kobayashi et al. 2020, §3)."""
    recorded = record_blocks(translator, translation)

    def lengths(kind: AttentionKind) -> Float32[np.ndarray, "layer head query key"]:
        blocks = [recorded[block_name(kind.name, layer)] for layer in range(len(kind.weights))]
        return np.stack([_contribution_norms(block) for block in blocks])

    return tuple(kind_between(translation, kind.name, lengths(kind)) for kind in attention_kinds(translation))


def rolled_out(_: Translator, translation: Translation) -> Kinds:
    """Return attention rollout after every layer, one map a layer (Abnar and Zuidema 2020, §3)."""
    kinds = attention_kinds(translation)
    n_encoder, n_source = len(kinds[0].weights), len(translation.source.pieces)
    after = rollout(_joint(kinds))
    # A decoder layer is two mixings: after its cross-attention it is complete.
    decoder = after[n_encoder + 1 :: 2, n_source:]
    return (
        _one_head(translation, kinds[0], after[:n_encoder, :n_source, :n_source]),
        _one_head(translation, kinds[1], decoder[:, :, n_source:]),
        _one_head(translation, kinds[2], decoder[:, :, :n_source]),
    )


def flowed(_: Translator, translation: Translation) -> Kinds:
    """Return attention flow through the whole stack, one map in all (Abnar and Zuidema 2020, §3).

    Raises:
        TooManyTokensError: more than ``MAX_FLOW_TOKENS``.
    """
    # Imported here because it brings SciPy, a third of a second on the way to the first page.
    from model.analysis.maps.flow import flow  # noqa: PLC0415

    kinds = attention_kinds(translation)
    n_source, n_target = len(translation.source.pieces), len(translation.target.pieces)
    if n_source + n_target > MAX_FLOW_TOKENS:
        raise TooManyTokensError(n_source + n_target, MAX_FLOW_TOKENS)
    encoder, joint = self_mixings(kinds[0].weights), _joint(kinds)
    source = np.stack([flow(encoder, token) for token in range(n_source)])
    target = np.stack([flow(joint, n_source + token) for token in range(n_target)])
    return (
        _one_head(translation, kinds[0], source[None]),
        _one_head(translation, kinds[1], target[None, :, n_source:]),
        _one_head(translation, kinds[2], target[None, :, :n_source]),
    )


MEASURES: Mapping[str, Callable[[Translator, Translation], Kinds]] = MappingProxyType(
    {"weights": weights, "passed on": passed_on, "rollout": rolled_out, "flow": flowed}
)
"""Every measure by its name; the first is what is measured where nothing is said."""


def _joint(kinds: Kinds) -> Mixings:
    encoder, decoder, cross = (kind.weights for kind in kinds)
    return joint_mixings(encoder, decoder, cross)


def _one_head(
    translation: Translation, kind: AttentionKind, maps: Float[np.ndarray, "layer query key"]
) -> AttentionKind:
    one_head = maps[:, None].astype(np.float32)  # [layer, 1, Q, K]
    return kind_between(translation, kind.name, one_head)


def _contribution_norms(block: BlockRecording) -> Float32[np.ndarray, "head query key"]:
    norms: Float32[np.ndarray, "head query key"] = contribution_norms(
        torch.tensor(block.pattern), torch.tensor(block.v), torch.tensor(block.W_O)
    ).numpy()
    return norms
