"""No positional encoding at all (NoPE)."""

from model.positional.base import Description, PositionalEncoding, Properties, StackSpec
from model.positional.registry import register


@register
class NoPositionalEncoding(PositionalEncoding):
    """Leave every slot empty: a decoder sees order only through its causal mask (Haviv et al. 2022)."""

    description = Description(
        name="none",
        title="NoPE",
        explanation=(
            "NoPE means no positional encoding at all. A decoder can still learn the order of the "
            "tokens, because each sees only itself and those before it; an encoder cannot."
        ),
        paper="Haviv et al. 2022, arXiv:2203.16634; Kazemnejad et al. 2023, arXiv:2305.19466",
        year=2022,
        formula=r"x_p = E_p",
        properties=Properties(
            kind="none",
            acts_on=(),
            learned=False,
            decay="none",
            extrapolates="yes",
            tells_direction=False,
            published_for="causal",
            takes_positions=False,
        ),
    )

    def __init__(self, stack: StackSpec) -> None:
        """Take ``stack`` as every encoding does, and ignore it."""
        super().__init__()
