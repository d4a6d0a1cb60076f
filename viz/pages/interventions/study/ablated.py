"""A translation with parts switched off, beside the one with all of them on."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import torch
from jaxtyping import Float
from torch import Tensor

from model.analysis.interventions.ablation import Means, Part, ablation, ablation_effects
from model.analysis.losses.log_probabilities import target_log_probabilities
from model.decoding.options import DecodingOptions
from model.decoding.translator import Translation, Translator
from model.hooks import Edit, intervene
from model.text.tokenizer import Word
from viz.base.tokens import is_special, label_alone, starts_word, visible

N_TRIED = 6
"""Heads that are tried for the one that a page opens with."""


@dataclass(frozen=True)
class AblationRequest:
    """A text, how ``translator`` searches for its translation, and ``whole``, the one with all parts on."""

    translator: Translator
    text: str
    options: DecodingOptions
    whole: Translation

    @property
    def source(self) -> list[int]:
        """The tokens of the text."""
        return self.translator.tokenizer.ids(self.whole.source.pieces)

    @property
    def target(self) -> tuple[int, ...]:
        """The tokens of the whole translation."""
        return self.whole.hypotheses[0].tokens

    def translation(self) -> Translation:
        """Return the translation by the model as it is now, within the interventions around this call."""
        return self.translator.translate(self.text, self.options, as_typed=True)

    @torch.inference_mode()
    def log_probabilities(self, target: Sequence[int]) -> Float[Tensor, " target"]:
        """Return log P of each token of ``target``, within the interventions around this call."""
        rows = torch.tensor([self.source], device=self.translator.model.embedding.weight.device)
        return target_log_probabilities(self.translator.model, rows, target)[0]


@dataclass(frozen=True)
class FirstChange:
    """The first token that differs, counted from 1, and the probabilities of both tokens there.

    ``whole`` is what is written with all parts on, ``ablated`` what is written without some; the probabilities are of
    these two in this order, after the tokens before them, which are the same.
    """

    step: int
    whole: str
    ablated: str
    all_on: tuple[float, float]
    switched_off: tuple[float, float]


@dataclass(frozen=True)
class AblatedTranslation:
    """A translation with parts switched off, or edited.

    Attributes:
        translation: what is written then.
        log_probability: of that translation, to the model as it is then; in nats.
        of_whole: of the translation with all parts on, to the model as it is then; in nats.
        first_change: where the two part; None where they are the same.
    """

    translation: Translation
    log_probability: float
    of_whole: float
    first_change: FirstChange | None


@dataclass(frozen=True)
class MarkedWord:
    """A word, whether a space stands before it, and whether the other translation lacks it there."""

    text: str
    after_space: bool
    is_changed: bool


def total(translation: Translation) -> float:
    """Return the log-probability of ``translation`` to the model that wrote it, in nats."""
    return math.fsum(translation.hypotheses[0].log_probabilities)


def translate_ablated(asked: AblationRequest, parts: Sequence[Part], means: Means | None) -> AblatedTranslation:
    """Return the translation with all of ``parts`` replaced by ``means``, or by zero where that is None."""
    return translate_edited(asked, ablation(parts, means))


def translate_edited(asked: AblationRequest, edits: Mapping[str, Edit]) -> AblatedTranslation:
    """Return the translation by the model within ``edits``."""
    with intervene(edits):
        translation = asked.translation()
        of_whole = float(asked.log_probabilities(asked.target).sum())
    change = _first_change(asked, translation, edits)
    return AblatedTranslation(translation, total(translation), of_whole, change)


def effects_of(asked: AblationRequest, parts: Sequence[Part], means: Means | None) -> tuple[float, ...]:
    """Return the change of log P of the translation, in nats, for each of ``parts`` ablated alone."""
    return tuple(ablation_effects(asked.translator.model, asked.source, asked.target, parts, means).tolist())


def opening_part(asked: AblationRequest, by_need: Sequence[Part], means: Means | None) -> Part:
    """Return the part with the oddest ablated translation, of the first :data:`N_TRIED` in ``by_need``.

    That is the one least probable to the whole model. Where none of them changes the translation, it is the first.
    """
    strangest, least = by_need[0], total(asked.whole)
    for part in by_need[:N_TRIED]:
        with intervene(ablation([part], means)):
            translation = asked.translation()
        value = float(asked.log_probabilities(translation.hypotheses[0].tokens).sum())
        if translation.text != asked.whole.text and value < least:
            strangest, least = part, value
    return strangest


def marked_words(translation: Translation, other: Translation) -> tuple[MarkedWord, ...]:
    """Return the words of ``translation``, marked where ``other`` has none or another one."""
    ours, theirs = _words(translation), _words(other)
    matcher = SequenceMatcher(None, [word.text for word in ours], [word.text for word in theirs], autojunk=False)
    same = {block.a + place for block in matcher.get_matching_blocks() for place in range(block.size)}
    pieces = translation.target.pieces
    return tuple(
        MarkedWord(visible(word.text), starts_word(pieces[word.start]) and place > 0, place not in same)
        for place, word in enumerate(ours)
    )


def _words(translation: Translation) -> list[Word]:
    target = translation.target
    return [word for word in target.words if not is_special(target.pieces[word.start])]


def _first_change(asked: AblationRequest, ablated: Translation, edits: Mapping[str, Edit]) -> FirstChange | None:
    pairs = list(zip(asked.target, ablated.hypotheses[0].tokens, strict=False))
    step = next((step for step, (one, other) in enumerate(pairs) if one != other), None)
    if step is None:
        return None
    ours, theirs = pairs[step]

    def probabilities() -> tuple[float, float]:
        one, other = (asked.log_probabilities([*asked.target[:step], token])[-1] for token in (ours, theirs))
        return float(one.exp()), float(other.exp())

    before = probabilities()
    with intervene(edits):
        after = probabilities()
    whole, without = (label_alone(piece) for piece in asked.translator.tokenizer.pieces([ours, theirs]))
    return FirstChange(step + 1, whole, without, before, after)
