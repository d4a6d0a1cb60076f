"""Generating one target token by token, by any decoder and any choice of the next token."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import torch
from jaxtyping import Float
from torch import Tensor

from model.decoding.constraints import TokenConstraint
from model.decoding.decoder import Decoder
from model.decoding.sampling import Pick, most_probable

_MAX_GUESSES = 8


@dataclass(frozen=True)
class GeneratedToken:
    """A token, and the logits of the model at its step, before any constraint."""

    id: int
    logits: Float[Tensor, " vocabulary"]


def generate(
    decoder: Decoder,
    logits: Float[Tensor, " vocabulary"],
    pick: Pick,
    *,
    eos_id: int,
    max_tokens: int | None = None,
    prefix: Sequence[int] = (),
    constraints: Sequence[TokenConstraint] = (),
) -> Iterator[GeneratedToken]:
    """Yield token after token, up to EOS. The decoder reads a token when the next one is asked for.

    Args:
        decoder: of one target, which has read a prompt.
        logits: those after the prompt.
        pick: chooses each token by its logits.
        eos_id: the token that ends the target; it is yielded too.
        max_tokens: the largest number of tokens; None for no limit.
        prefix: the tokens of the target that the prompt ended with, for the constraints.
        constraints: rule tokens out.
    """
    tokens = list(prefix)
    for n_generated in count(1):
        scores = logits.float().cpu().clone()
        for constraint in constraints:
            constraint([tokens], scores[None])
        tokens.append(pick(scores))
        yield GeneratedToken(tokens[-1], logits)
        if tokens[-1] == eos_id or n_generated == max_tokens:
            return
        logits = decoder.step(torch.tensor([tokens[-1:]]))[0, -1]


@torch.inference_mode()
def generate_greedily(
    new_decoder: Callable[[], Decoder],
    prompt: Sequence[int],
    max_tokens: int,
    *,
    eos_id: int,
    guess: Sequence[int] = (),
) -> list[int]:
    """Return the tokens that greedy search generates after ``prompt``, up to EOS, which is kept.

    With a ``guess`` of ``max_tokens`` tokens, one step reads it as a whole. It shows how many tokens of the guess are
    those of greedy search, and which token follows them; the predictions at the later places are the next guess
    (Jacobi decoding, Santilli et al. 2023, arXiv:2305.10427). After a few guesses the rest is generated token by token.

    Args:
        new_decoder: returns a fresh decoder of one target.
        prompt: at least one token.
        max_tokens: the largest number of tokens, at least 1.
        eos_id: the token that ends the target.
        guess: a guess at the tokens; none to generate them one by one.

    Raises:
        ValueError: an empty prompt, or less than one token to generate.
    """
    if not prompt or max_tokens < 1:
        raise ValueError(
            f"the prompt has {len(prompt)} tokens, and {max_tokens} are to be generated; give at least one of both"
        )
    known: list[int] = []
    for _ in range(_MAX_GUESSES if guess else 0):
        logits = new_decoder().step(torch.tensor([[*prompt, *guess[:-1]]]))  # [1, P + G − 1, V]
        predicted: list[int] = logits[0, len(prompt) - 1 :].argmax(-1).tolist()
        n_right = next((place for place, token in enumerate(guess) if predicted[place] != token), len(guess))
        known, guess = predicted[: n_right + 1], predicted
        if eos_id in known:
            return known[: known.index(eos_id) + 1]
        if len(known) == max_tokens:
            return known
    decoder = new_decoder()
    logits = decoder.step(torch.tensor([[*prompt, *known]]))[0, -1]
    rest = generate(decoder, logits, most_probable, eos_id=eos_id, max_tokens=max_tokens - len(known))
    return known + [token.id for token in rest]
