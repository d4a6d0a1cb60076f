"""Options of decoding: greedy search, beam search or sampling, length limit, ranking."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

# Its power of the longest target is still a finite number.
_LARGEST_PENALTY = 100


@dataclass(frozen=True)
class SamplingOptions:
    """The distribution that the next token is drawn from.

    Attributes:
        temperature: the logits are divided by it before the softmax; below 1 the distribution becomes sharper.
        top_p: tokens are drawn from the smallest set of most probable tokens whose probability is at least this.
        top_k: tokens are drawn from the k most probable ones (Fan et al. 2018); 0 for all. ``top_k`` is applied first,
            and ``top_p`` is a share of what it leaves.

    Raises:
        ValueError: a temperature that is not above 0, a share outside 0 to 1, or a count below 0.
    """

    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0

    def __post_init__(self) -> None:
        """Check every value."""
        if not 0 < self.temperature < math.inf:
            raise ValueError(f"temperature is {self.temperature}; it must be above 0 and finite")
        if not 0 < self.top_p <= 1:
            raise ValueError(f"top_p is {self.top_p}; it must be above 0 and at most 1")
        if self.top_k < 0:
            raise ValueError(f"top_k is {self.top_k}; it must be 0, for all, or more")


@dataclass(frozen=True)
class DecodingOptions:
    """Options of decoding; the defaults are the paper's (§6.1), with a limit on repeated n-grams.

    ``beam_size`` 1 is greedy search. ``length_penalty`` is α of ((5 + length) / 6)^α (Wu et al. 2016, equation 14).
    A target has at most ``max_extra_length`` tokens more than its source. An n-gram of ``ngram_size`` tokens may occur
    at most ``max_ngram_repeats`` times in a target; a size of 0 allows all. With ``sampling``, which needs a beam size
    of 1, each token is drawn, by a random generator that starts from ``seed``.

    Raises:
        ValueError: a value out of range.
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
        if not 0 <= self.length_penalty <= _LARGEST_PENALTY:
            raise ValueError(f"length_penalty is {self.length_penalty}; it must be from 0 to {_LARGEST_PENALTY}")
        if self.sampling and self.beam_size > 1:
            raise ValueError(f"sampling draws one token at a time, and beam_size is {self.beam_size}; it must be 1")

    def max_length(self, n_source: int, n_prefix: int) -> int:
        """Return the length limit of a target, EOS included, for a number of source and prefix tokens."""
        return max(n_source + self.max_extra_length, n_prefix + 1)

    def score(self, log_probabilities: Sequence[float]) -> float:
        """Return the score that a target with these log-probabilities of its tokens is ranked by."""
        return sum(log_probabilities) / self.penalty(len(log_probabilities))

    def penalty(self, length: int) -> float:
        """Return the divisor of the log-probability of a target of ``length`` tokens."""
        penalty: float = ((5 + length) / 6) ** self.length_penalty
        return penalty


GREEDY = DecodingOptions(beam_size=1)
