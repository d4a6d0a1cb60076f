"""p-RoPE: rotary without its lowest frequencies (Barbero et al. 2024)."""

from dataclasses import replace

from jaxtyping import Float
from torch import Tensor

from model.positional.angles import geometric_frequencies
from model.positional.base import Description, Parameter, PositionalEncoding, QueryKey, StackSpec
from model.positional.registry import register
from model.positional.rotary import BASE, RotaryEncoding, rotate, rotated_dimensions


@register
class PRoPE(PositionalEncoding):
    """Rotate the pairs of the highest frequencies only; the others carry content alone, at any distance.

    Rotary with a share of its dimensions spreads all wavelengths over that share. This keeps the frequencies of the
    whole head and leaves out the lowest.
    """

    description = Description(
        name="prope",
        title="p-RoPE",
        explanation=(
            "p-RoPE is rotary without its slowest turns: only a share p of the dimensions turns with "
            "the position, the others carry content alone."
        ),
        paper="Barbero et al. 2024, §6, arXiv:2410.06205",
        year=2024,
        formula=(
            r"q'_m = R_m q_m,\; k'_n = R_n k_n, \quad "
            r"\theta_i = \begin{cases} b^{-2i/d} & i < \lfloor p\,d/2 \rfloor \\ 0 & \text{else} \end{cases}"
        ),
        properties=replace(RotaryEncoding.description.properties, published_for="causal"),
        parameters=(BASE, Parameter("p", 0.75, 0.25, 1.0, "share of the frequencies that is kept, the highest first")),
    )

    def __init__(self, stack: StackSpec, base: float = 10000.0, p: float = 0.75) -> None:
        """Keep ``base`` and the number of rotated pairs.

        Raises:
            ValueError: too few dimensions to rotate a pair.
        """
        super().__init__()
        self.base = base
        self.d_key = rotated_dimensions(stack.d_key)
        self.n_pairs = rotated_dimensions(stack.d_key, p) // 2

    def frequencies(self) -> Float[Tensor, " pair"]:
        """Return the angle per position of each rotated pair, in radians, in float64."""
        return geometric_frequencies(self.d_key, self.base)[: self.n_pairs]

    def transform_query_key(
        self, qk: QueryKey
    ) -> tuple[Float[Tensor, "batch head query d_key"], Float[Tensor, "batch head key d_key"]]:
        """Return queries and keys, each with its first pairs rotated by its own position."""
        frequencies = self.frequencies()
        return rotate(qk.q, qk.query_positions, frequencies), rotate(qk.k, qk.key_positions, frequencies)
