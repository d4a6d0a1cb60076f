"""A translation as it passes through the parts of the architecture (Vaswani et al. 2017, figure 1)."""

from dataclasses import fields

import numpy as np

from model.decoding.translator import Translation, Translator
from viz.base.attention_maps import attention_kinds, token_row
from viz.base.tokens import label_alone
from viz.pages.start.study.clearness import resting_step
from viz.pages.start.study.records import ModelSizes, Passage, StackInput, TranslationToken


def passage(translator: Translator, translation: Translation) -> Passage:
    """Return the model's activations while it makes ``translation``, by one more forward pass."""
    stacks = ("encoder", "decoder")
    names = [f"{stack}.{part}" for stack in stacks for part in ("embedding", "input")]
    seen = translator.look_inside(translation, *names, "*.feed_forward.output", "encoder.output")
    source, read = (
        StackInput(
            token_row(tokens).labels, seen[f"{stack}.embedding"], seen[f"{stack}.input"] - seen[f"{stack}.embedding"]
        )
        for stack, tokens in zip(stacks, (translation.source, translation.read), strict=True)
    )
    written = tuple(
        TranslationToken(
            label,
            token.probability,
            tuple((label_alone(other.piece), other.probability) for other in token.alternatives),
        )
        for label, token in zip(token_row(translation.target).labels, translation.tokens, strict=True)
    )
    feed_forward = {
        stack: np.stack([values for name, values in seen.items() if name.startswith(f"{stack}.") and "feed" in name])
        for stack in stacks
    }
    config = translator.model.config
    sizes = ModelSizes(**{name.name: getattr(config, name.name) for name in fields(ModelSizes)})
    kinds = attention_kinds(translation)
    step = resting_step(kinds[-1], written)
    tokens = tuple(translation.hypotheses[0].tokens)
    return Passage(source, read, feed_forward, seen["encoder.output"], kinds, written, tokens, step, sizes)
