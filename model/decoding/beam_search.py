"""Writing a translation token by token.

Greedy and beam search with a key–value cache, and what each step could have been.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from model.architectures.encoder_decoder import EncoderDecoder
from model.config import EncoderDecoderConfig
from model.decoding.sampling import SamplingOptions
from model.text.tokenizer import UNKNOWN_ID


@dataclass(frozen=True)
class DecodingOptions:
    """How to search. The defaults are the paper's (§6.1), with a guard against loops.

    ``beam_size`` 1 is greedy. ``length_penalty`` is α of ((5 + length) / 6)^α (Wu et al. 2016, equation 14).
    ``max_extra_length`` bounds the target at so many tokens more than the source. No run of ``ngram_size`` tokens may
    stand in a translation more than ``max_ngram_repeats`` times; a size of 0 switches this off. With ``sampling``,
    which takes a beam of 1, each token is drawn, by random numbers that ``seed`` begins.

    Raises:
        ValueError: a value that no search can use.
    """

    beam_size: int = 4
    length_penalty: float = 0.6
    n_best: int = 1
    max_extra_length: int = 50
    ngram_size: int = 4
    max_ngram_repeats: int = 2
    sampling: SamplingOptions | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        """Check every value."""
        for name, lowest in {
            "beam_size": 1,
            "n_best": 1,
            "max_extra_length": 1,
            "ngram_size": 0,
            "max_ngram_repeats": 1,
        }.items():
            if getattr(self, name) < lowest:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be at least {lowest}")
        if self.n_best > self.beam_size:
            raise ValueError(f"n_best is {self.n_best}, more than the beam_size of {self.beam_size}; ask for fewer")
        if self.length_penalty < 0:
            raise ValueError(f"length_penalty is {self.length_penalty}; it must be 0 or more")
        if self.sampling and self.beam_size > 1:
            raise ValueError(f"sampling draws one token at a time, and beam_size is {self.beam_size}; it must be 1")

    def longest(self, n_source: int, n_prefix: int) -> int:
        """Return how many tokens a target may have, for a source of ``n_source`` tokens with EOS and such a prefix."""
        return max(n_source + self.max_extra_length, n_prefix + 1)

    def score(self, log_probabilities: Sequence[float]) -> float:
        """Return what a target whose tokens have these log-probabilities is ranked by."""
        return sum(log_probabilities) / self.penalty(len(log_probabilities))

    def penalty(self, length: int) -> float:
        """Return what the log-probability of a target of ``length`` tokens is divided by."""
        penalty: float = ((5 + length) / 6) ** self.length_penalty
        return penalty


GREEDY = DecodingOptions(beam_size=1)


@dataclass(frozen=True)
class Hypothesis:
    """A decoded target: its tokens without BOS, each token's log-probability, and the score it was ranked by.

    It ends in EOS, unless the length limit cut it off.
    """

    tokens: tuple[int, ...]
    log_probabilities: tuple[float, ...]
    score: float


@dataclass(frozen=True)
class Alternatives:
    """The most probable tokens at each step of a target [P, n], best first, and their probabilities [P, n]."""

    tokens: Int[Tensor, "position n"]
    probabilities: Float[Tensor, "position n"]


@dataclass(frozen=True)
class SearchStep:
    """One step of the search for one sentence: the candidates it weighed, the most probable whole first.

    Attributes:
        beams: the beam that each candidate goes on from, by its number among those that the step before kept.
        tokens: what each adds.
        log_probabilities: of what each adds.
        totals: of each as a whole.
        kept: which candidates are the next step's beams, in their order there; none after the last step.
        finished: which candidates ended here as hypotheses.
    """

    beams: tuple[int, ...]
    tokens: tuple[int, ...]
    log_probabilities: tuple[float, ...]
    totals: tuple[float, ...]
    kept: tuple[int, ...]
    finished: tuple[int, ...]

    @classmethod
    def of(cls, candidates: Sequence[Tensor], kept: Sequence[int], finished: Sequence[int]) -> "SearchStep":
        """Return the step of ``candidates``: beams, tokens, log-probabilities and totals, [n] each."""
        beams, tokens, log_probabilities, totals = (tuple(each.tolist()) for each in candidates)
        return cls(beams, tokens, log_probabilities, totals, tuple(kept), tuple(finished))


Watch = Callable[[int, SearchStep], None]

Rule = Callable[[Int[Tensor, "row position"]], Bool[Tensor, "row_or_1 vocabulary"]]
"""Says of targets, without BOS, which tokens may not follow; in one row if the same for all."""


@runtime_checkable
class Writer(Protocol):
    """What a search asks of a model: targets of one or several sources, being written side by side, a row each."""

    def add(self, tokens: Int[Tensor, "row new"]) -> Float[Tensor, "row new vocabulary"]:
        """Read ``tokens``, which follow those so far; return the logits after each, which the search may change."""

    def select(self, rows: Int[Tensor, " new_row"]) -> None:
        """Keep, repeat or reorder the targets."""


class ModelWriter:
    """Writes with an :class:`EncoderDecoder`, on any device, a row for each source at first."""

    def __init__(self, model: EncoderDecoder, source: Int[Tensor, "row source"]) -> None:
        """Read ``source``, padded on the right."""
        self._model, self._cache = model, model.new_cache()
        self._memory, self._memory_mask = model.encode(source)

    def add(self, tokens: Int[Tensor, "row new"]) -> Float[Tensor, "row new vocabulary"]:
        """Return the logits after each of ``tokens``."""
        return self._model.decode(tokens, self._memory, self._memory_mask, self._cache)

    def select(self, rows: Int[Tensor, " new_row"]) -> None:
        """Keep, repeat or reorder the rows, of which each knows its source."""
        self._memory, self._memory_mask = self._memory[rows], self._memory_mask[rows]
        self._cache.select(rows)


@torch.inference_mode()
def beam_search(
    model: EncoderDecoder,
    source: Int[Tensor, "batch source"],
    options: DecodingOptions | None = None,
    prefix: Sequence[int] = (),
    *,
    rule: Rule | None = None,
    watch: Watch | None = None,
) -> list[list[Hypothesis]]:
    """Return, for each row of ``source``, its ``n_best`` hypotheses, best first.

    Args:
        model: in evaluation mode.
        source: tokens, each row ending in EOS and padded on the right.
        options: how to search.
        prefix: tokens that every target is made to begin with, without BOS.
        rule: what else may not be written, after the prefix.
        watch: called with the number of a row and its step, at every step.

    Raises:
        ValueError: no source at all, or a prefix that has ended already.
    """
    if not len(source):
        raise ValueError("there is no source to translate; give at least one row of tokens")
    n_source = (source != model.config.pad_id).sum(1).tolist()
    writer = ModelWriter(model, source)
    return search(writer, model.config, n_source, options, prefix, rule=rule, watch=watch, device=source.device)


@torch.inference_mode()
def search(
    writer: Writer,
    config: EncoderDecoderConfig,
    n_source: Sequence[int],
    options: DecodingOptions | None = None,
    prefix: Sequence[int] = (),
    *,
    rule: Rule | None = None,
    watch: Watch | None = None,
    device: torch.device | None = None,
) -> list[list[Hypothesis]]:
    """Return, for each source of ``writer``, its ``n_best`` hypotheses, best first.

    Args:
        writer: fresh, with a row for each source.
        config: of its model.
        n_source: how many tokens each source has, EOS included.
        options: how to search.
        prefix: tokens that every target is made to begin with, without BOS.
        rule: what else may not be written, after the prefix.
        watch: called with the number of a source and its step, at every step.
        device: where the writer takes tokens; None is the CPU.

    Raises:
        ValueError: a prefix that has ended already, or sampling, which is no search.
    """
    check_prefix(prefix, config)
    if options and options.sampling:
        raise ValueError("sampling is no search; write_one_by_one draws")
    forced = torch.tensor([list(prefix)] * len(n_source), dtype=torch.long, device=device)  # [S, P]
    options = options or DecodingOptions()
    return _BeamSearch(writer, config, n_source, options, forced=forced, rule=rule, watch=watch).run()


def check_prefix(prefix: Sequence[int], config: EncoderDecoderConfig) -> None:
    """Raise ValueError if ``prefix`` has ended already."""
    if config.eos_id in prefix:
        raise ValueError("the prefix ends the target by EOS; leave it out, or there is nothing to go on with")


@torch.inference_mode()
def step_alternatives(
    model: EncoderDecoder, source: Int[Tensor, "1 source"], target: Sequence[int], n: int
) -> Alternatives:
    """Return the ``n`` most probable tokens at each step of writing ``target`` (without BOS).

    They come by one pass over all of it. Whatever is recorded around this call is that of ``target`` alone: after a
    beam, the maps of the hypothesis shown.
    """
    read = torch.tensor([[model.config.bos_id, *target[:-1]]], device=source.device)
    return best_of(model(source, read)[0].log_softmax(-1), n)


def best_of(log_probabilities: Float[Tensor, "position vocabulary"], n: int) -> Alternatives:
    """Return the ``n`` most probable tokens at each position."""
    best = log_probabilities.topk(min(n, log_probabilities.shape[1]))
    return Alternatives(best.indices, best.values.exp())


@dataclass
class _Finished:
    """The finished hypotheses of one sentence, best first, at most ``size``."""

    size: int
    hypotheses: list[Hypothesis] = field(default_factory=list)

    def add(self, hypothesis: Hypothesis) -> None:
        self.hypotheses = sorted([*self.hypotheses, hypothesis], key=lambda one: -one.score)[: self.size]

    def is_closed_to(self, best_score: float) -> bool:
        """Whether no hypothesis scoring ``best_score`` or less could still enter."""
        return len(self.hypotheses) == self.size and self.hypotheses[-1].score >= best_score


class _BeamSearch:
    """State of one search: S sentences still open, K beams each; row s·K + b is beam b of open sentence s."""

    def __init__(
        self,
        writer: Writer,
        config: EncoderDecoderConfig,
        n_source: Sequence[int],
        options: DecodingOptions,
        *,
        forced: Int[Tensor, "sentence prefix"],
        rule: Rule | None,
        watch: Watch | None,
    ) -> None:
        self._writer, self._config, self._options, self._rule, self._watch = writer, config, options, rule, watch
        self._finished = [_Finished(options.n_best) for _ in n_source]
        self._open = list(range(len(n_source)))
        self._limits = [options.longest(n, forced.shape[1]) for n in n_source]
        self._tokens = forced  # [S·K, P]
        self._log_probabilities = torch.empty(0)  # [S·K, P]

    def run(self) -> list[list[Hypothesis]]:
        """Search to the end."""
        log_p = self._first_step()  # [S, V]
        totals, tokens = self._candidates(self._log_probabilities.sum(1, keepdim=True) + log_p)
        self._advance(totals, torch.zeros_like(tokens), tokens, log_p[:, None])
        while self._open:
            log_p = self._step()  # [S·K, V]
            log_p = log_p.reshape(len(self._open), -1, log_p.shape[-1])  # [S, K, V]
            so_far = self._log_probabilities.sum(1).reshape(len(self._open), -1)  # [S, K]
            totals, flat = self._candidates((so_far[:, :, None] + log_p).flatten(1))  # [S, 2 K]
            self._advance(totals, flat // log_p.shape[-1], flat % log_p.shape[-1], log_p)
        return [finished.hypotheses for finished in self._finished]

    def _first_step(self) -> Tensor:
        forced = self._tokens
        read = torch.cat((forced.new_full((len(forced), 1), self._config.bos_id), forced), dim=1)
        log_p = self._writer.add(read).log_softmax(-1)  # [S, P, V]
        self._log_probabilities = log_p[:, :-1].gather(2, forced[:, :, None])[:, :, 0]  # [S, P]
        return self._forbid(log_p[:, -1])

    def _step(self) -> Tensor:
        return self._forbid(self._writer.add(self._tokens[:, -1:])[:, 0].log_softmax(-1))

    def _candidates(self, totals: Tensor) -> tuple[Tensor, Tensor]:
        """Return the best 2 K of ``totals`` [S, n] and their places: K of them go on even if the others end."""
        best = totals.topk(min(self._options.beam_size * 2, totals.shape[1]))
        return best.values, best.indices

    def _forbid(self, log_p: Tensor) -> Tensor:
        """Rule out tokens that are no text, or against the rule, or would complete a run of tokens once too often."""
        config, n = self._config, self._options.ngram_size
        log_p[:, [config.pad_id, config.bos_id, UNKNOWN_ID]] = -torch.inf
        if self._rule is not None:
            log_p.masked_fill_(self._rule(self._tokens), -torch.inf)
        if 0 < n <= self._tokens.shape[1]:
            runs = self._tokens.unfold(1, n, 1)  # [S·K, P - n + 1, n]
            tail = self._tokens[:, self._tokens.shape[1] - n + 1 :]  # [S·K, n - 1]
            is_same = (runs[:, :, :-1] == tail[:, None]).all(-1)  # [S·K, P - n + 1]
            counts = torch.zeros_like(log_p).scatter_add_(1, runs[:, :, -1], is_same.to(log_p.dtype))
            log_p[counts >= self._options.max_ngram_repeats] = -torch.inf
        return log_p

    def _advance(self, totals: Tensor, beams: Tensor, tokens: Tensor, log_p: Tensor) -> None:
        """Take the best 2 K candidates of each sentence: close those that end, go on with the K best of the others.

        Args:
            totals: log-probability of each candidate as a whole [S, 2 K].
            beams: the beam it continues [S, 2 K].
            tokens: the token it adds [S, 2 K].
            log_p: log-probability of every next token [S, K, V], to look the added one's up.
        """
        n_beams, size = log_p.shape[1], self._options.beam_size
        added = log_p.flatten(1).gather(1, beams * log_p.shape[-1] + tokens)  # [S, 2 K]
        rows = beams + n_beams * torch.arange(len(self._open), device=beams.device)[:, None]  # [S, 2 K]
        ends = (tokens == self._config.eos_id) & totals.isfinite()
        closed: list[list[int]] = [[] for _ in self._open]
        for place, rank in ends[:, :size].nonzero().tolist():
            closed[place].append(rank)
            self._close(self._open[place], rows[place, rank], tokens[place, rank], added[place, rank])
        weighed = beams, tokens, added, totals
        totals, added = totals.masked_fill(ends, -torch.inf), added.masked_fill(ends, -torch.inf)
        best = totals.topk(min(size, totals.shape[1]))  # [S, K]
        leading = best.values[:, 0].tolist()
        still = []
        for place, sentence in enumerate(self._open):
            finished, limit = self._finished[sentence], self._limits[sentence]
            if finished.hypotheses and size == 1:
                continue  # greedy: no other hypothesis was kept
            if self._tokens.shape[1] + 1 < limit:
                if not finished.is_closed_to(leading[place] / self._options.penalty(limit)):
                    still.append(place)
            elif not finished.hypotheses:
                for pick in best.indices[place, best.values[place].isfinite()].tolist():
                    closed[place].append(pick)
                    self._close(sentence, rows[place, pick], tokens[place, pick], added[place, pick])
        if self._watch is not None:
            for place, sentence in enumerate(self._open):
                kept = best.indices[place].tolist() if place in still else ()
                self._watch(sentence, SearchStep.of([each[place] for each in weighed], kept, closed[place]))
        self._open = [self._open[place] for place in still]
        picked = best.indices[still]  # [S, K]
        self._keep(rows[still].gather(1, picked), tokens[still].gather(1, picked), added[still].gather(1, picked))

    def _keep(self, rows: Tensor, tokens: Tensor, added: Tensor) -> None:
        chosen = rows.flatten()  # [S·K]
        self._tokens = torch.cat((self._tokens[chosen], tokens.flatten()[:, None]), dim=1)
        self._log_probabilities = torch.cat((self._log_probabilities[chosen], added.flatten()[:, None]), dim=1)
        self._writer.select(chosen)

    def _close(self, sentence: int, row: Tensor, token: Tensor, added: Tensor) -> None:
        tokens = (*self._tokens[row].tolist(), int(token))
        log_probabilities = (*self._log_probabilities[row].tolist(), float(added))
        self._finished[sentence].add(Hypothesis(tokens, log_probabilities, self._options.score(log_probabilities)))
