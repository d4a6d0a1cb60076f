"""Reverse, with position coupling (Cho et al. 2024)."""

from dataclasses import replace

from model.tasks.base import Tokens
from model.tasks.registry import register
from model.tasks.reverse import Reverse


@register
class ReverseCoupled(Reverse):
    """Reverse, in which each letter of the answer shares the position of its letter in the input."""

    longest_shift = 80
    description = replace(
        Reverse.description,
        name="reverse_coupled",
        title="Reverse, positions coupled",
        explanation=(
            "Write the letters from the last to the first; each letter of the answer is told the position that it has "
            "in the input."
        ),
        paper="Cho et al. 2024, arXiv:2405.20671, applied to reversal",
        family=None,
    )

    def positions(self, inputs: Tokens) -> tuple[int, ...]:
        """Return 0 for BOS, 1 to n for the letters, n + 1 for >, then n to 1, and 0 for EOS."""
        n = len(inputs)
        return (0, *range(1, n + 1), n + 1, *range(n, 0, -1), 0)
