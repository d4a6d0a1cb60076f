"""Addition with position coupling: digits of the same place share a position (Cho et al. 2024)."""

from model.tasks.addition import Addition, describe_addition
from model.tasks.base import Tokens
from model.tasks.registry import register


@register
class AdditionCoupled(Addition):
    """Addition with a reversed sum, in which all digits of one place share a position (§3).

    Training shifts all positions but that of BOS by a random number, one per batch, so that the positions of longer
    sums are trained as well.
    """

    longest_shift = 40
    description = describe_addition(
        "addition_coupled",
        "Addition, positions coupled",
        "Write the sum of two numbers from its last digit; digits of the same place are told the same position.",
        longest_trained=10,
        longest=50,
        paper="Cho et al. 2024, §3, arXiv:2405.20671",
    )

    def solve(self, inputs: Tokens) -> Tokens:
        """Return the digits of the sum from the last."""
        return super().solve(inputs)[::-1]

    def positions(self, inputs: Tokens) -> tuple[int, ...]:
        """Return 0 for BOS; 2 to n + 1 for the digits of each number; n + 2 for + and =; 0 for EOS.

        The sum counts from n + 1 down to 1, because it is written from its last digit.
        """
        n = self.length(inputs)
        number = range(2, n + 2)
        return (0, *number, n + 2, *number, n + 2, *range(n + 1, 0, -1), 0)
