"""Importance of source words for a written token: by attention, and by tests of the model itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import torch
from jaxtyping import Float

from model.analysis.interventions.source_attribution import (
    WrittenToken,
    gradient_times_input,
    integrated_gradients,
    leave_one_out,
    rank_correlation,
)
from model.analysis.maps.contribution import contribution_norms
from model.analysis.maps.rollout import joint_mixings, rollout
from model.decoding.translator import Translation, Translator
from viz.base.attention_maps import attention_kinds, token_row
from viz.base.exports import columns_as_csv

Method = Literal["attention", "norms", "rollout", "gradient", "integrated", "left out"]
FROM_ATTENTION: tuple[Method, ...] = ("attention", "norms", "rollout")
METHODS: tuple[Method, ...] = (*FROM_ATTENTION, "gradient", "integrated", "left out")
TRUTH: Method = "left out"
"""What the others are compared with: it says what happens, and not what would follow from a part of the model."""

MATTERS = 0.05
"""A word matters to a token whose log-probability falls by as much without it; smaller changes say nothing."""

Values = Float[np.ndarray, " word"]


@dataclass(frozen=True)
class Worth:
    """Importance of every source word for one written token.

    Attributes:
        step: from 1.
        token: what is written there.
        words: the source words, and ⟨end⟩.
        values: by method, a number a word.
        agreement: Spearman's ρ of the sizes with those of :data:`TRUTH`, over the words without ⟨end⟩.
        change: of log P when all embeddings are zero, which integrated gradients add up to.
    """

    step: int
    token: str
    words: tuple[str, ...]
    values: Mapping[Method, Values]
    agreement: Mapping[Method, float]
    change: float
    is_word: tuple[bool, ...]

    def first(self, method: Method) -> int:
        """Return the place of the word, not of ⟨end⟩, with the largest value."""
        return _first(self.values[method], np.array(self.is_word))

    @property
    def needs_a_word(self) -> bool:
        """Whether some word matters to the token."""
        return bool(self.values[TRUTH][self.first(TRUTH)] >= MATTERS)


class SourceWords:
    """Importance of the source words of ``translation`` for each of its tokens."""

    def __init__(self, translator: Translator, translation: Translation) -> None:
        """Read the attention, and leave every word out once."""
        self._model = translator.model
        self._source = tuple(translator.tokenizer.ids(translation.source.pieces))
        self._target = translation.hypotheses[0].tokens
        row = token_row(translation.source)
        self._spans, self._words = row.words, row.word_labels
        self._is_word = np.array([not row.special[start] for start, _ in row.words])
        self.written = token_row(translation.target).labels
        left_out = leave_one_out(self._model, self._source, self._target, [range(*span) for span in self._spans])
        self._by_step: Mapping[Method, Float[np.ndarray, "step word"]] = {
            **{name: self._by_word(rows) for name, rows in _attention(translator, translation).items()},
            TRUTH: left_out.T.double().numpy(),
        }

    @cached_property
    def opening_step(self) -> int:
        """The step, from 1, with the largest error of attention.

        There the word that attention points to is least important relative to the most important one.

        It is one at which some word matters, if there is any.
        """
        truth = self._by_step[TRUTH]
        firsts = [_first(row, self._is_word) for row in self._by_step["attention"]]
        most = truth[:, self._is_word].max(axis=1, initial=0)
        missed = most - truth[np.arange(len(truth)), firsts]
        return int(np.where(most >= MATTERS, missed, -1).argmax()) + 1

    def agreements(self) -> dict[Method, float]:
        """Return for each method from attention its mean ρ with :data:`TRUTH` over all steps; NaN without any."""
        by_method = {
            method: [self._agreement(row, truth) for row, truth in zip(rows, self._by_step[TRUTH], strict=True)]
            for method, rows in self._by_step.items()
            if method != TRUTH
        }
        return {method: _mean(values) for method, values in by_method.items()}

    @property
    def n_needing(self) -> int:
        """At how many steps some word matters."""
        return sum(row[_first(row, self._is_word)] >= MATTERS for row in self._by_step[TRUTH])

    def n_pointing(self, method: Method) -> int:
        """Return at how many of these steps ``method`` puts the word first that matters most."""
        pairs = zip(self._by_step[method], self._by_step[TRUTH], strict=True)
        return sum(
            _first(row, self._is_word) == (most := _first(truth, self._is_word)) and truth[most] >= MATTERS
            for row, truth in pairs
        )

    def at(self, step: int) -> Worth:
        """Return what every word is worth to the token at ``step``, from 1."""
        written = WrittenToken(self._source, self._target[:step])
        integrated = integrated_gradients(self._model, written)
        by_token: dict[Method, np.ndarray] = {
            "gradient": gradient_times_input(self._model, written).double().numpy(),
            "integrated": integrated.values.double().numpy(),
        }
        values = {method: rows[step - 1] for method, rows in self._by_step.items()}
        values |= {name: self._by_word(row[None])[0] for name, row in by_token.items()}
        agreement = {method: self._agreement(values[method], values[TRUTH]) for method in METHODS}
        return Worth(
            step,
            self.written[step - 1],
            self._words,
            {method: values[method] for method in METHODS},
            agreement,
            integrated.change,
            tuple(self._is_word.tolist()),
        )

    def _by_word(self, rows: Float[np.ndarray, "step token"]) -> Float[np.ndarray, "step word"]:
        return np.stack([rows[:, start:end].sum(axis=1) for start, end in self._spans], axis=1)

    def _agreement(self, values: Values, truth: Values) -> float:
        return rank_correlation(np.abs(values[self._is_word]), np.abs(truth[self._is_word]))


def worth_as_csv(worth: Worth) -> str:
    """Return a table of what every word is worth, a column a method."""
    columns: dict[str, Sequence[object]] = {"source word": worth.words}
    return columns_as_csv(columns | {method: worth.values[method] for method in METHODS})


def _attention(translator: Translator, translation: Translation) -> dict[Method, Float[np.ndarray, "step token"]]:
    """Return what attention says of every source token, at the row that writes each token."""
    encoder, decoder, cross = (kind.weights for kind in attention_kinds(translation))
    n_source = cross.shape[-1]
    v = translator.look_inside(translation, "decoder.*.cross_attention.v")
    norms = [
        contribution_norms(
            torch.tensor(pattern),
            torch.tensor(v[f"decoder.{layer}.cross_attention.v"]),
            translator.model.get_parameter(f"decoder.layers.{layer}.cross_attention.W_O.weight").detach().cpu(),
        ).numpy()
        for layer, pattern in enumerate(cross)
    ]
    rolled = rollout(joint_mixings(encoder, decoder, cross))[-1]
    return {
        "attention": cross.mean(axis=(0, 1), dtype=np.float64),
        "norms": np.stack(norms).mean(axis=(0, 1), dtype=np.float64),
        "rollout": rolled[n_source:, :n_source],
    }


def _first(values: Values, is_word: Float[np.ndarray, " word"] | np.ndarray) -> int:
    return int(np.where(is_word, values, -np.inf).argmax())


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")
