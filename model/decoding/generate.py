"""Writing one target token by token, each the most probable or drawn: greedy search and sampling."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Float32
from torch import Tensor

from model.config import EncoderDecoderConfig
from model.decoding.beam_search import Alternatives, DecodingOptions, Hypothesis, Rule, SearchStep
from model.decoding.sampling import nucleus
from model.text.tokenizer import UNKNOWN_ID

_Scores = Float32[np.ndarray, " vocabulary"]
Add = Callable[[list[int]], Float32[np.ndarray, "new vocabulary"]]
"""Reads tokens that follow those so far, and returns the logits after each."""


@dataclass(frozen=True)
class Written:
    """A target, and the model's own log-probabilities at each step, whatever was forbidden or favoured."""

    hypothesis: Hypothesis
    log_probabilities: Float[Tensor, "position vocabulary"]


def write_one_by_one(
    add: Add,
    config: EncoderDecoderConfig,
    options: DecodingOptions,
    n_source: int,
    prefix: Sequence[int],
    *,
    rule: Rule | None = None,
) -> Written:
    """Return what is written after ``prefix``, up to EOS or the most tokens that ``options`` allow.

    Args:
        add: a fresh writer of one target.
        config: of its model.
        options: how to choose; those of a beam and its penalty play no part in it.
        n_source: how many tokens the source has, EOS included.
        prefix: tokens that the target begins with, without BOS.
        rule: what else may not be written, after the prefix.
    """
    pick, longest = _picker(options), options.longest(n_source, len(prefix))
    tokens = list(prefix)
    logits = [add([config.bos_id, *prefix])]  # [new, V]
    while True:
        allowed = logits[-1][-1].copy()  # [V]
        allowed[[config.pad_id, config.bos_id, UNKNOWN_ID, *_repeating(tokens, options)]] = -np.inf
        if rule is not None:
            allowed[rule(torch.tensor([tokens], dtype=torch.long))[0].numpy()] = -np.inf
        tokens.append(pick(allowed))
        if tokens[-1] == config.eos_id or len(tokens) == longest:
            break
        logits.append(add(tokens[-1:]))  # [1, V]
    every = torch.from_numpy(np.concatenate(logits)).log_softmax(-1)  # [P, V]
    log_p = every[range(len(tokens)), tokens].tolist()
    return Written(Hypothesis(tuple(tokens), tuple(log_p), options.score(log_p)), every)


def _picker(options: DecodingOptions) -> Callable[[_Scores], int]:
    sampling = options.sampling
    if sampling is None:
        return lambda scores: int(scores.argmax())
    chance = torch.Generator().manual_seed(options.seed)
    return lambda scores: int(torch.multinomial(nucleus(torch.from_numpy(scores), sampling), 1, generator=chance))


def _repeating(tokens: Sequence[int], options: DecodingOptions) -> list[int]:
    """Return what would complete a run of ``options.ngram_size`` tokens once more often than it may stand there."""
    size = options.ngram_size
    if not size:
        return []
    tail = tokens[len(tokens) - size + 1 :]
    followers = [tokens[end] for end in range(size - 1, len(tokens)) if tokens[end - size + 1 : end] == tail]
    return [token for token in set(followers) if followers.count(token) >= options.max_ngram_repeats]


def steps_of(hypothesis: Hypothesis, alternatives: Alternatives, n_prefix: int) -> list[SearchStep]:
    """Return the steps that wrote ``hypothesis`` after its prefix, each weighing the alternatives to its token."""
    log_p = alternatives.probabilities.log().tolist()
    steps = []
    for place in range(n_prefix, len(hypothesis.tokens)):
        token, before = hypothesis.tokens[place], sum(hypothesis.log_probabilities[:place])
        weighed = dict(zip(alternatives.tokens[place].tolist(), log_p[place], strict=True))
        # What was drawn, or written because a more probable token was forbidden, need not be among them.
        weighed.setdefault(token, hypothesis.log_probabilities[place])
        chosen = list(weighed).index(token)
        is_last = place == len(hypothesis.tokens) - 1
        steps.append(
            SearchStep(
                beams=(0,) * len(weighed),
                tokens=tuple(weighed),
                log_probabilities=tuple(weighed.values()),
                totals=tuple(before + one for one in weighed.values()),
                kept=() if is_last else (chosen,),
                finished=(chosen,) if is_last else (),
            )
        )
    return steps
