"""Addition with position coupling, in which the positions of the sum are shifted by one."""

from dataclasses import replace

from model.tasks.addition_coupled import AdditionCoupled
from model.tasks.base import Tokens
from model.tasks.registry import register


@register
class AdditionCoupledApart(AdditionCoupled):
    """Coupled addition for encodings such as T5's, which map negative distances to 0.

    From a digit of the sum, the digits of its place are at distance 1 and those of the next place at distance 2; digits
    of earlier places are at distance 0 or below.
    """

    description = replace(
        AdditionCoupled.description,
        name="addition_coupled_apart",
        title="Addition, positions coupled one apart",
        explanation=(
            "Write the sum of two numbers from its last digit; each digit of the sum is told the position after that "
            "of the digits of its place."
        ),
        paper="after Cho et al. 2024, arXiv:2405.20671",
    )

    def positions(self, inputs: Tokens) -> tuple[int, ...]:
        """Return the positions of coupled addition, with =, + and the sum shifted by one."""
        n = self.length(inputs)
        number = range(2, n + 2)
        return (0, *number, n + 3, *number, n + 3, *range(n + 2, 1, -1), 0)
