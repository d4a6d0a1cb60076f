"""What is read inside a model: the logit lens, what heads write for a token, and how heads score on a text."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float32

from pretrained.huggingface.recorded import BlockName

Measure = Literal["lens", "attribution", "scores"]


@dataclass(frozen=True)
class ForeignLens:
    """What a decoder would say if it stopped after its input, or after each of its layers.

    Attributes:
        tokens: of the text, what each stands for.
        labels: of the likeliest next tokens, by depth and place in the text, the likeliest first.
        probabilities: theirs.
        of_final: the probability, at each depth, of the token that the whole model finds likeliest.
        is_final: whether the likeliest token of a depth is that one.
    """

    tokens: tuple[str, ...]
    labels: tuple[tuple[tuple[str, ...], ...], ...]
    probabilities: Float32[np.ndarray, "depth place n"]
    of_final: Float32[np.ndarray, "depth place"]
    is_final: np.ndarray


@dataclass(frozen=True)
class ForeignAttribution:
    """What each part of a decoder adds to the logits of some tokens after the text, its final norm frozen.

    Attributes:
        candidates: the tokens: the likeliest, the likeliest first, then those that were asked for.
        asked: the places of these among them.
        layers: the number of each layer in the model, from 0; of an encoder–decoder, each of its decoder twice.
        heads: what each head adds; NaN where a layer has no attention.
        rest: what else each layer adds: its feed-forward block, and all biases; where it is there twice, at its second.
        start: what the embeddings add.
        bias: what the biases of the final norm and of the unembedding add.
        logits: of the run itself, before any cap; all of the above adds up to them.
        blocks: of each of ``layers``, decoder or cross; empty for a model of one block.
    """

    candidates: tuple[str, ...]
    asked: tuple[int, ...]
    layers: tuple[int, ...]
    heads: Float32[np.ndarray, "layer head candidate"]
    rest: Float32[np.ndarray, "layer candidate"]
    start: Float32[np.ndarray, " candidate"]
    bias: Float32[np.ndarray, " candidate"]
    logits: Float32[np.ndarray, " candidate"]
    blocks: tuple[BlockName, ...] = ()


@dataclass(frozen=True)
class ForeignScores:
    """How much each head looks at the token before, and at what followed the last time that its token was there.

    Attributes:
        layers: the number of each layer in the model, from 0; of an encoder–decoder, those of both parts.
        n_random: tokens of the random sequence, which is read twice in a row.
        previous: the previous-token score on the text, and on the random sequence.
        induction: the induction score on both; NaN on a text in which no token is repeated.
        blocks: of each of ``layers``, encoder or decoder; empty for a model of one block. A part with fewer heads has
            NaN in their place.
    """

    layers: tuple[int, ...]
    n_random: int
    previous: Float32[np.ndarray, "2 layer head"]
    induction: Float32[np.ndarray, "2 layer head"]
    blocks: tuple[BlockName, ...] = ()


Inside = ForeignLens | ForeignAttribution | ForeignScores
KINDS: dict[Measure, type[Inside]] = {"lens": ForeignLens, "attribution": ForeignAttribution, "scores": ForeignScores}
