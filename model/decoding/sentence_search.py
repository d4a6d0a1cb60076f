"""Writing one text's translation and looking at it: with the model itself, or with its packed weights on a CPU."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import torch
from jaxtyping import Float, Float32, Int
from torch import Tensor

from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.beam_search import (
    Alternatives,
    DecodingOptions,
    Hypothesis,
    ModelWriter,
    Rule,
    SearchStep,
    Watch,
    beam_search,
    best_of,
    check_prefix,
    search,
    step_alternatives,
)
from model.decoding.compiled.packed_model import PackedModel, Reading, Writing
from model.decoding.generate import steps_of, write_one_by_one
from model.hooks import record

Pattern = Float32[np.ndarray, "head query key"]
Logits = Float32[np.ndarray, "new vocabulary"]


@dataclass(frozen=True)
class Searched:
    """What was found: the hypotheses, best first; of the best, each step's alternatives, and all patterns by name.

    ``steps`` are those of the search after its prefix; one without a beam weighs the alternatives of its one target.
    """

    hypotheses: tuple[Hypothesis, ...]
    alternatives: Alternatives
    patterns: Mapping[str, Pattern]
    steps: tuple[SearchStep, ...]


@runtime_checkable
class SentenceSearch(Protocol):
    """Searches for the translation of one text."""

    def __call__(
        self, source: Sequence[int], options: DecodingOptions, prefix: Sequence[int], n_alternatives: int
    ) -> Searched:
        """Return what is found for ``source``, which ends in EOS, by targets that begin with ``prefix``."""


class ModelSearch:
    """Searches with an :class:`EncoderDecoder`, on any device; whoever listens to its hooks hears all of it."""

    def __init__(self, model: EncoderDecoder, rule: Rule | None = None) -> None:
        """Take ``model``, in evaluation mode, and what else may not be written."""
        self._model, self._rule = model, rule

    @torch.inference_mode()
    def __call__(
        self, source: Sequence[int], options: DecodingOptions, prefix: Sequence[int], n_alternatives: int
    ) -> Searched:
        """Search, then look at the best in one more pass."""
        device = self._model.embedding.weight.device
        row = torch.tensor([list(source)], device=device)  # [1, S]
        steps: list[SearchStep] = []
        if options.beam_size == 1:
            check_prefix(prefix, self._model.config)
            writer = ModelWriter(self._model, row)

            def add(tokens: list[int]) -> Logits:
                logits: Logits = writer.add(torch.tensor([tokens], device=device))[0].float().cpu().numpy()
                return logits

            config = self._model.config
            written = write_one_by_one(add, config, options, len(source), prefix, rule=self._rule)
            hypotheses = [written.hypothesis]
        else:
            (hypotheses,) = beam_search(self._model, row, options, prefix, rule=self._rule, watch=_collecting(steps))
        with record("*.pattern") as seen:
            alternatives = step_alternatives(self._model, row, hypotheses[0].tokens, n_alternatives)
        patterns = {name: pattern[0].float().cpu().numpy() for name, pattern in seen.items()}
        if options.beam_size == 1:
            steps = steps_of(hypotheses[0], alternatives, len(prefix))
        return Searched(tuple(hypotheses), alternatives, patterns, tuple(steps))


class PackedSearch:
    """Searches with a :class:`PackedModel`; hooks hear nothing of it.

    Written one by one, patterns and alternatives are those of the one pass; a beam is looked at in one more.
    """

    def __init__(self, model: PackedModel, rule: Rule | None = None) -> None:
        """Take ``model``, and what else may not be written."""
        self._model, self._rule = model, rule

    @torch.inference_mode()
    def __call__(
        self, source: Sequence[int], options: DecodingOptions, prefix: Sequence[int], n_alternatives: int
    ) -> Searched:
        """Search."""
        check_prefix(prefix, self._model.config)
        reading = self._model.read(source)
        if options.beam_size == 1:
            return self._one_by_one(reading, options, prefix, n_alternatives)
        writing = Writing(self._model, reading, 1, options.longest(reading.n_tokens, len(prefix)))
        config, n_source = self._model.config, [reading.n_tokens]
        steps: list[SearchStep] = []
        writer = _PackedWriter(writing)
        (hypotheses,) = search(writer, config, n_source, options, prefix, rule=self._rule, watch=_collecting(steps))
        return self._look(reading, hypotheses, steps, n_alternatives)

    def _one_by_one(
        self, reading: Reading, options: DecodingOptions, prefix: Sequence[int], n_alternatives: int
    ) -> Searched:
        heard = _Heard()
        longest = options.longest(reading.n_tokens, len(prefix))
        writing = Writing(self._model, reading, 1, longest, heard)

        def add(tokens: list[int]) -> Logits:
            logits: Logits = writing.add(np.array([tokens]))[0]
            return logits

        config, n_source = self._model.config, reading.n_tokens
        written = write_one_by_one(add, config, options, n_source, prefix, rule=self._rule)
        alternatives = best_of(written.log_probabilities, n_alternatives)
        steps = steps_of(written.hypothesis, alternatives, len(prefix))
        return Searched((written.hypothesis,), alternatives, {**reading.patterns, **heard.patterns()}, tuple(steps))

    def _look(
        self, reading: Reading, hypotheses: Sequence[Hypothesis], steps: Sequence[SearchStep], n_alternatives: int
    ) -> Searched:
        read = np.array([[self._model.config.bos_id, *hypotheses[0].tokens[:-1]]])  # [1, P]
        heard = _Heard()
        logits = Writing(self._model, reading, 1, read.shape[1], heard).add(read)[0]  # [P, V]
        alternatives = best_of(torch.from_numpy(logits).log_softmax(-1), n_alternatives)
        patterns = {**reading.patterns, **heard.patterns()}
        return Searched(tuple(hypotheses), alternatives, patterns, tuple(steps))


def _collecting(steps: list[SearchStep]) -> Watch:
    return lambda _, step: steps.append(step)


class _PackedWriter:
    """A :class:`Writing` as the common search calls it."""

    def __init__(self, writing: Writing) -> None:
        self._writing = writing

    def add(self, tokens: Int[Tensor, "row new"]) -> Float[Tensor, "row new vocabulary"]:
        return torch.from_numpy(self._writing.add(tokens.numpy()))

    def select(self, rows: Int[Tensor, " new_row"]) -> None:
        self._writing.select(rows.numpy())


class _Heard:
    """The patterns of one target, as they came: [1, H, new, K] at a time."""

    def __init__(self) -> None:
        self._heard: dict[str, list[Float32[np.ndarray, "1 head new key"]]] = defaultdict(list)

    def __call__(self, name: str, pattern: Float32[np.ndarray, "1 head new key"]) -> None:
        self._heard[name].append(pattern)

    def patterns(self) -> dict[str, Pattern]:
        """Return all of each, [H, P, K]; a key that was not yet there has no weight."""
        return {name: _joined(parts) for name, parts in self._heard.items()}


def _joined(parts: Sequence[Float32[np.ndarray, "1 head _ _"]]) -> Pattern:
    n_heads, n_keys = parts[-1].shape[1], parts[-1].shape[3]
    joined = np.zeros((n_heads, sum(part.shape[2] for part in parts), n_keys), np.float32)
    end = 0
    for part in parts:
        start, end = end, end + part.shape[2]
        joined[:, start:end, : part.shape[3]] = part[0]
    return joined
