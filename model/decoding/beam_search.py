"""Beam search over a batch of sources (Wu et al. 2016, §7; Vaswani et al. 2017, §6.1)."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from torch import Tensor

from model.config import EncoderDecoderConfig
from model.decoding.constraints import TokenConstraint
from model.decoding.decoder import Decoder, Hypothesis
from model.decoding.options import DecodingOptions


@dataclass(frozen=True)
class SearchStep:
    """One step of the search for one source: its candidates, the most probable whole first.

    Attributes:
        beams: the beam that each candidate continues, by its number among those that the step before kept.
        tokens: the token that each adds.
        log_probabilities: of that token.
        totals: log-probability of the whole candidate.
        kept: the candidates that are the next step's beams, in their order there; none after the last step.
        finished: the candidates that ended here as hypotheses.
    """

    beams: tuple[int, ...]
    tokens: tuple[int, ...]
    log_probabilities: tuple[float, ...]
    totals: tuple[float, ...]
    kept: tuple[int, ...]
    finished: tuple[int, ...]


OnStep = Callable[[int, SearchStep], None]
"""Is called with the number of a source and its step, at every step."""


@torch.inference_mode()
def beam_search(
    decoder: Decoder,
    config: EncoderDecoderConfig,
    n_source: Sequence[int],
    options: DecodingOptions,
    prefix: Sequence[int] = (),
    *,
    constraints: Sequence[TokenConstraint] = (),
    on_step: OnStep | None = None,
) -> list[list[Hypothesis]]:
    """Return, for each source of ``decoder``, up to ``n_best`` hypotheses, best first.

    There are fewer where fewer have ended.

    Args:
        decoder: fresh, with a row for each source.
        config: of its model.
        n_source: the number of tokens of each source, EOS included.
        options: how to search; a beam size of 1 is greedy search.
        prefix: tokens that every target begins with, without BOS.
        constraints: rule out tokens after the prefix.
        on_step: is told of every step.

    Raises:
        ValueError: no source, a prefix that has ended already, or sampling, which is no search.
    """
    if not n_source:
        raise ValueError("there is no source to translate; give at least one row of tokens")
    check_prefix(prefix, config)
    if options.sampling:
        raise ValueError("sampling is no search; model.decoding.generate draws tokens")
    search = _BeamSearch(decoder, config, n_source, options, constraints=constraints, on_step=on_step)
    return search.run(prefix)


def check_prefix(prefix: Sequence[int], config: EncoderDecoderConfig) -> None:
    """Raise ValueError if ``prefix`` has ended already."""
    if config.eos_id in prefix:
        raise ValueError("the prefix ends the target by EOS; leave it out, or there is nothing to go on with")


@dataclass
class _Finished:
    """The finished hypotheses of one source, best first, at most ``size``."""

    size: int
    hypotheses: list[Hypothesis] = field(default_factory=list)

    def add(self, hypothesis: Hypothesis) -> None:
        self.hypotheses = sorted([*self.hypotheses, hypothesis], key=lambda other: -other.score)[: self.size]

    def is_closed_to(self, best_score: float) -> bool:
        """Whether no hypothesis scoring ``best_score`` or less could still enter."""
        return len(self.hypotheses) == self.size and self.hypotheses[-1].score >= best_score


class _Beam(NamedTuple):
    """The beginning of a target, and the log-probabilities of its tokens and of the whole."""

    tokens: tuple[int, ...]
    log_probabilities: tuple[float, ...]
    total: float


class _Candidate(NamedTuple):
    """One more token for a beam, and the log-probabilities of the token and of the whole."""

    beam: int
    token: int
    log_probability: float
    total: float


class _BeamSearch:
    """State of one search: S sources still open, K beams each; row s·K + b is beam b of the open source s."""

    def __init__(
        self,
        decoder: Decoder,
        config: EncoderDecoderConfig,
        n_source: Sequence[int],
        options: DecodingOptions,
        *,
        constraints: Sequence[TokenConstraint],
        on_step: OnStep | None,
    ) -> None:
        self._decoder, self._config, self._options = decoder, config, options
        self._constraints, self._on_step, self._n_source = constraints, on_step, n_source
        self._finished = [_Finished(options.n_best) for _ in n_source]
        self._open = list(range(len(n_source)))

    def run(self, prefix: Sequence[int]) -> list[list[Hypothesis]]:
        """Search to the end."""
        self._limits = [self._options.max_length(n, len(prefix)) for n in self._n_source]
        log_p = self._read(prefix)  # [S, V]
        while True:
            self._advance(self._constrained(log_p))
            if not self._open:
                return [finished.hypotheses for finished in self._finished]
            newest = torch.tensor([[beam.tokens[-1]] for beam in self._beams])  # [S·K, 1]
            log_p = self._decoder.step(newest)[:, 0].log_softmax(-1)  # [S·K, V]

    def _read(self, prefix: Sequence[int]) -> Tensor:
        """Begin a beam for each source with ``prefix``; return log-probabilities of next tokens, [S, V]."""
        read = torch.tensor([[self._config.bos_id, *prefix]] * len(self._open))  # [S, 1 + P]
        log_p = self._decoder.step(read).log_softmax(-1)  # [S, 1 + P, V]
        forced = log_p[:, range(len(prefix)), list(prefix)].tolist()  # [S, P]
        self._beams = [_Beam(tuple(prefix), tuple(each), sum(each)) for each in forced]
        return log_p[:, -1]

    def _constrained(self, log_p: Tensor) -> Tensor:
        targets = [beam.tokens for beam in self._beams]
        for constraint in self._constraints:
            constraint(targets, log_p)
        return log_p

    def _advance(self, log_p: Tensor) -> None:
        """Continue the beams of each source by the ``log_p`` [S·K, V] of every next token."""
        n_beams, rows = len(self._beams) // len(self._open), []
        still_open, beams = [], []
        for place, (source, candidates) in enumerate(zip(self._open, self._candidates(log_p), strict=True)):
            first = place * n_beams
            kept = self._choose(source, self._beams[first : first + n_beams], candidates)
            if kept:
                still_open.append(source)
            for candidate in kept:
                rows.append(first + candidate.beam)
                beams.append(_continued(self._beams[rows[-1]], candidate))
        self._open, self._beams = still_open, beams
        self._decoder.select(torch.tensor(rows, dtype=torch.long, device=log_p.device))

    def _candidates(self, log_p: Tensor) -> list[list[_Candidate]]:
        """Return the best 2 K candidates of each source, best first: enough to keep K even if the others end."""
        n_sources, n_tokens = len(self._open), log_p.shape[-1]
        so_far = torch.tensor([[beam.total] for beam in self._beams], device=log_p.device)  # [S·K, 1]
        totals = (so_far + log_p).reshape(n_sources, -1)  # [S, K·V]
        best = totals.topk(min(self._options.beam_size * 2, totals.shape[1]))  # [S, 2 K]
        added = log_p.reshape(n_sources, -1).gather(1, best.indices)  # [S, 2 K]
        return [
            [_Candidate(*divmod(place, n_tokens), *numbers) for place, *numbers in zip(*columns, strict=True)]
            for columns in zip(best.indices.tolist(), added.tolist(), best.values.tolist(), strict=True)
        ]

    def _choose(self, source: int, beams: Sequence[_Beam], candidates: Sequence[_Candidate]) -> list[_Candidate]:
        """Finish the candidates of ``source`` that end; return the K best others, none if its search is over."""
        size, n_read, limit = self._options.beam_size, len(beams[0].tokens) + 1, self._limits[source]
        finished = self._finished[source]
        ends = [one.token == self._config.eos_id and math.isfinite(one.total) for one in candidates]
        closed = [rank for rank in range(min(size, len(candidates))) if ends[rank]]
        ranks = sorted(range(len(candidates)), key=ends.__getitem__)[:size]  # ends last: they only fill the rows
        kept = [candidates[rank]._replace(total=-math.inf) if ends[rank] else candidates[rank] for rank in ranks]
        for rank in closed:
            finished.add(self._hypothesis(beams, candidates[rank]))
        if n_read < limit:
            is_greedy_and_done = size == 1 and bool(finished.hypotheses)  # no other hypothesis was kept
            is_over = is_greedy_and_done or finished.is_closed_to(kept[0].total / self._options.penalty(limit))
        else:
            is_over = True
            if not finished.hypotheses:
                closed += [rank for rank, one in zip(ranks, kept, strict=True) if math.isfinite(one.total)]
                for rank in closed:
                    finished.add(self._hypothesis(beams, candidates[rank]))
        if self._on_step is not None:
            of_beams, tokens, log_probabilities, totals = zip(*candidates, strict=True)
            kept_ranks = () if is_over else tuple(ranks)
            self._on_step(source, SearchStep(of_beams, tokens, log_probabilities, totals, kept_ranks, tuple(closed)))
        return [] if is_over else kept

    def _hypothesis(self, beams: Sequence[_Beam], last: _Candidate) -> Hypothesis:
        tokens, log_probabilities, _ = _continued(beams[last.beam], last)
        return Hypothesis(tokens, log_probabilities, self._options.score(log_probabilities))


def _continued(beam: _Beam, candidate: _Candidate) -> _Beam:
    return _Beam((*beam.tokens, candidate.token), (*beam.log_probabilities, candidate.log_probability), candidate.total)
