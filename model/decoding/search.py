"""The search for one source's target, with alternatives, attention patterns and search steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Float32, Int
from torch import Tensor

from model.config import EncoderDecoderConfig
from model.decoding.beam_search import SearchStep, beam_search, check_prefix
from model.decoding.constraints import TokenConstraint, text_constraints
from model.decoding.decoder import Backend, Decoder, Hypothesis
from model.decoding.generate import generate
from model.decoding.options import DecodingOptions
from model.decoding.sampling import pick_of
from model.hooks import record

Pattern = Float32[np.ndarray, "head query key"]

_DECODER_PATTERNS = "decoder.*.pattern"


@dataclass(frozen=True)
class Alternatives:
    """The most probable tokens at each step of a target, the most probable first."""

    tokens: Int[Tensor, "position n"]
    probabilities: Float[Tensor, "position n"]


@dataclass(frozen=True)
class SearchResult:
    """The hypotheses, best first, and the best one's alternatives and patterns by hook name.

    The patterns cannot be written to. ``steps`` are those of the search after its prefix; greedy search and sampling
    have the alternatives of their one target as candidates.
    """

    hypotheses: tuple[Hypothesis, ...]
    alternatives: Alternatives
    patterns: Mapping[str, Pattern]
    steps: tuple[SearchStep, ...]


@torch.inference_mode()
def search_one(
    backend: Backend,
    source: Sequence[int],
    options: DecodingOptions,
    prefix: Sequence[int] = (),
    *,
    constraints: Sequence[TokenConstraint] = (),
    n_alternatives: int,
) -> SearchResult:
    """Return what ``backend`` decodes ``source`` to.

    Args:
        backend: runs the model.
        source: tokens that end in EOS.
        options: how to decode.
        prefix: tokens that every target begins with, without BOS.
        constraints: rule out tokens after the prefix, besides those of ``options``.
        n_alternatives: the number of alternatives at each step.

    Raises:
        ValueError: a prefix that has ended already.
    """
    config = backend.config
    check_prefix(prefix, config)
    constraints = (*text_constraints(config, options), *constraints)
    with record("encoder.*.pattern") as encoder:
        new_decoder = backend.encode(torch.tensor([list(source)]))
    steps: list[SearchStep] = []
    max_length = options.max_length(len(source), len(prefix))
    is_recorded = options.beam_size == 1 and backend.records_steps
    if options.beam_size == 1:
        with record(*([_DECODER_PATTERNS] if is_recorded else [])) as decoder:
            hypothesis, log_p = _generate(
                new_decoder(max_length), config, options, prefix=prefix, constraints=constraints, max_length=max_length
            )
        hypotheses = [hypothesis]
    else:
        (hypotheses,) = beam_search(
            new_decoder(max_length),
            config,
            [len(source)],
            options,
            prefix,
            constraints=constraints,
            on_step=lambda _, step: steps.append(step),
        )
    if not is_recorded:
        read = torch.tensor([[config.bos_id, *hypotheses[0].tokens[:-1]]])  # [1, P]
        with record(_DECODER_PATTERNS) as decoder:
            log_p = new_decoder(read.shape[1]).step(read)[0].log_softmax(-1)  # [P, V]
    best = log_p.topk(min(n_alternatives, log_p.shape[1]))
    alternatives = Alternatives(best.indices, best.values.exp())
    if options.beam_size == 1:
        steps = _greedy_steps(hypotheses[0], alternatives, len(prefix))
    patterns = {name: _joined(seen.every(name)) for seen in (encoder, decoder) for name in seen}
    return SearchResult(tuple(hypotheses), alternatives, patterns, tuple(steps))


def _generate(
    decoder: Decoder,
    config: EncoderDecoderConfig,
    options: DecodingOptions,
    *,
    prefix: Sequence[int],
    constraints: Sequence[TokenConstraint],
    max_length: int,
) -> tuple[Hypothesis, Float[Tensor, "position vocabulary"]]:
    """Return a target that begins with ``prefix``, and the log-probabilities at each of its steps."""
    logits = decoder.step(torch.tensor([[config.bos_id, *prefix]]))[0]  # [1 + prefix, V]
    generated = list(
        generate(
            decoder,
            logits[-1],
            pick_of(options),
            eos_id=config.eos_id,
            max_tokens=max_length - len(prefix),
            prefix=prefix,
            constraints=constraints,
        )
    )
    tokens = (*prefix, *(token.id for token in generated))
    log_p = torch.stack([*logits[:-1], *(token.logits for token in generated)]).log_softmax(-1)  # [P, V]
    each = tuple(log_p[range(len(tokens)), tokens].tolist())
    return Hypothesis(tokens, each, options.score(each)), log_p


def _greedy_steps(hypothesis: Hypothesis, alternatives: Alternatives, n_prefix: int) -> list[SearchStep]:
    """Return the steps of ``hypothesis`` after its prefix, with the alternatives as candidates."""
    log_p = alternatives.probabilities.log().tolist()
    steps = []
    for place in range(n_prefix, len(hypothesis.tokens)):
        token, before = hypothesis.tokens[place], sum(hypothesis.log_probabilities[:place])
        candidates = dict(zip(alternatives.tokens[place].tolist(), log_p[place], strict=True))
        # A token that was drawn, or taken because a more probable one was ruled out, need not be among them.
        candidates.setdefault(token, hypothesis.log_probabilities[place])
        chosen = list(candidates).index(token)
        is_last = place == len(hypothesis.tokens) - 1
        steps.append(
            SearchStep(
                beams=(0,) * len(candidates),
                tokens=tuple(candidates),
                log_probabilities=tuple(candidates.values()),
                totals=tuple(before + added for added in candidates.values()),
                kept=() if is_last else (chosen,),
                finished=(chosen,) if is_last else (),
            )
        )
    return steps


def _joined(parts: Sequence[Float[Tensor, "1 head _ _"]]) -> Pattern:
    """Return the patterns of successive steps as one [H, Q, K]; a key that comes later has no weight."""
    arrays = [part.numpy(force=True)[0] for part in parts]  # of [H, new, K]
    n_heads, _, n_keys = arrays[-1].shape
    joined = np.zeros((n_heads, sum(array.shape[1] for array in arrays), n_keys), np.float32)
    end = 0
    for array in arrays:
        start, end = end, end + array.shape[1]
        joined[:, start:end, : array.shape[2]] = array
    joined.flags.writeable = False
    return joined
