"""Beam search over a batch of sources (Wu et al. 2016, §7; Vaswani et al. 2017, §6.1)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

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

    @classmethod
    def of(cls, candidates: Sequence[Tensor], kept: Sequence[int], finished: Sequence[int]) -> "SearchStep":
        """Return the step of ``candidates``: beams, tokens, log-probabilities and totals, [n] each."""
        beams, tokens, log_probabilities, totals = (tuple(column.tolist()) for column in candidates)
        return cls(beams, tokens, log_probabilities, totals, tuple(kept), tuple(finished))


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
    """Return, for each source of ``decoder``, its ``n_best`` hypotheses, best first.

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
        log_p = self._first_step(prefix)  # [S, V]
        totals, tokens = self._candidates(self._log_probabilities.sum(1, keepdim=True) + log_p)
        self._advance(totals, torch.zeros_like(tokens), tokens, log_p[:, None])
        while self._open:
            log_p = self._constrained(self._decoder.step(self._tokens[:, -1:])[:, 0].log_softmax(-1))  # [S·K, V]
            log_p = log_p.reshape(len(self._open), -1, log_p.shape[-1])  # [S, K, V]
            so_far = self._log_probabilities.sum(1).reshape(len(self._open), -1)  # [S, K]
            totals, flat = self._candidates((so_far[:, :, None] + log_p).flatten(1))  # [S, 2 K]
            self._advance(totals, flat // log_p.shape[-1], flat % log_p.shape[-1], log_p)
        return [finished.hypotheses for finished in self._finished]

    def _first_step(self, prefix: Sequence[int]) -> Tensor:
        read = torch.tensor([[self._config.bos_id, *prefix]] * len(self._open))  # [S, 1 + P]
        log_p = self._decoder.step(read).log_softmax(-1)  # [S, 1 + P, V]
        self._tokens = read[:, 1:].to(log_p.device)  # [S·K, P]
        self._log_probabilities = log_p[:, :-1].gather(2, self._tokens[:, :, None])[:, :, 0]  # [S·K, P]
        self._limits = [self._options.max_length(n, len(prefix)) for n in self._n_source]
        return self._constrained(log_p[:, -1])

    def _constrained(self, log_p: Tensor) -> Tensor:
        targets = self._tokens.tolist()
        for constraint in self._constraints:
            constraint(targets, log_p)
        return log_p

    def _candidates(self, totals: Tensor) -> tuple[Tensor, Tensor]:
        """Return the best 2 K of ``totals`` [S, n] and their places: enough to keep K even if the others end."""
        best = totals.topk(min(self._options.beam_size * 2, totals.shape[1]))
        return best.values, best.indices

    def _advance(self, totals: Tensor, beams: Tensor, tokens: Tensor, log_p: Tensor) -> None:
        """Take the best 2 K candidates of each source: close those that end, keep the K best of the others.

        Args:
            totals: log-probability of each candidate as a whole [S, 2 K].
            beams: the beam it continues [S, 2 K].
            tokens: the token it adds [S, 2 K].
            log_p: log-probability of every next token [S, K, V].
        """
        n_beams, size = log_p.shape[1], self._options.beam_size
        added = log_p.flatten(1).gather(1, beams * log_p.shape[-1] + tokens)  # [S, 2 K]
        rows = beams + n_beams * torch.arange(len(self._open), device=beams.device)[:, None]  # [S, 2 K]
        ends = (tokens == self._config.eos_id) & totals.isfinite()
        closed: list[list[int]] = [[] for _ in self._open]
        for place, rank in ends[:, :size].nonzero().tolist():
            closed[place].append(rank)
            self._close(self._open[place], rows[place, rank], tokens[place, rank], added[place, rank])
        candidates = beams, tokens, added, totals
        totals, added = totals.masked_fill(ends, -torch.inf), added.masked_fill(ends, -torch.inf)
        best = totals.topk(min(size, totals.shape[1]))  # [S, K]
        leading = best.values[:, 0].tolist()
        still = []
        for place, source in enumerate(self._open):
            finished, limit = self._finished[source], self._limits[source]
            if finished.hypotheses and size == 1:
                continue  # greedy: no other hypothesis was kept
            if self._tokens.shape[1] + 1 < limit:
                if not finished.is_closed_to(leading[place] / self._options.penalty(limit)):
                    still.append(place)
            elif not finished.hypotheses:
                for pick in best.indices[place, best.values[place].isfinite()].tolist():
                    closed[place].append(pick)
                    self._close(source, rows[place, pick], tokens[place, pick], added[place, pick])
        if self._on_step is not None:
            for place, source in enumerate(self._open):
                kept = best.indices[place].tolist() if place in still else ()
                self._on_step(source, SearchStep.of([column[place] for column in candidates], kept, closed[place]))
        self._open = [self._open[place] for place in still]
        picked = best.indices[still]  # [S, K]
        self._keep(rows[still].gather(1, picked), tokens[still].gather(1, picked), added[still].gather(1, picked))

    def _keep(self, rows: Tensor, tokens: Tensor, added: Tensor) -> None:
        chosen = rows.flatten()  # [S·K]
        self._tokens = torch.cat((self._tokens[chosen], tokens.flatten()[:, None]), dim=1)
        self._log_probabilities = torch.cat((self._log_probabilities[chosen], added.flatten()[:, None]), dim=1)
        self._decoder.select(chosen)

    def _close(self, source: int, row: Tensor, token: Tensor, added: Tensor) -> None:
        tokens = (*self._tokens[row].tolist(), int(token))
        log_probabilities = (*self._log_probabilities[row].tolist(), float(added))
        self._finished[source].add(Hypothesis(tokens, log_probabilities, self._options.score(log_probabilities)))
