"""Parity with a scratchpad: the running parity after every bit (Anil et al. 2022)."""

from dataclasses import replace
from itertools import accumulate

from model.tasks.base import Tokens
from model.tasks.parity import Parity
from model.tasks.registry import register


@register
class ParityWithScratchpad(Parity):
    """The running parity after each bit; the last one is the answer."""

    description = replace(
        Parity.description,
        name="parity_scratchpad",
        title="Parity with a scratchpad",
        explanation="For each bit, write whether the number of ones so far is odd, 1, or even, 0.",
        guessed=0.0,
        paper="Anil et al. 2022, arXiv:2207.04901; Kazemnejad et al. 2023, arXiv:2305.19466",
    )

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the running parity after each bit."""
        return tuple(map(str, accumulate(map(int, inputs), lambda parity, bit: parity ^ bit)))
