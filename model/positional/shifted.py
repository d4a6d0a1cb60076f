"""Shifted positions, a wrapper for any encoding that takes positions (Kiyono et al. 2021)."""

from dataclasses import replace

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.positional.base import Description, EncodingError, Parameter, PositionalEncoding, Properties, StackSpec
from model.positional.registry import register


@register
class ShiftedPositions(PositionalEncoding):
    """Begin to count at a random offset in training, and at 0 at test; ``inner`` encodes the positions.

    In training, n tokens get consecutive positions of 0 … ``max_position`` − 1 from an offset that is drawn in each
    forward pass, as likely as any other that has room for them. Every position is trained so, also with short inputs.
    """

    description = Description(
        name="shifted",
        title="Shifted positions",
        explanation=(
            "Shifted positions begin to count the tokens of a training input at a random offset, so that the positions "
            "of a longer input are trained, too. Another encoding then uses these numbers."
        ),
        other_names=("SHAPE",),
        paper="Kiyono et al. 2021, arXiv:2109.05644; with learned positions Huang et al. 2025, arXiv:2410.02140",
        year=2021,
        formula=r"p'_t = t + o, \quad o \sim U\{0, \dots, L-n\}",
        properties=Properties(
            kind="absolute",
            acts_on=("embeddings",),
            learned=False,
            decay="bounded",
            extrapolates="by a factor",
            tells_direction=True,
            memory=False,
        ),
        parameters=(Parameter("max_position", 512, 1, 65536, "L: positions to train", integer=True, logarithmic=True),),
        inner="sinusoidal",
        note=(
            "Both papers draw an offset for each input; here all inputs of a batch have the same one. The offset of "
            "Kiyono et al. is below a fixed number; here, as in Huang et al., the last position is."
        ),
    )

    def __init__(self, stack: StackSpec, inner: PositionalEncoding, max_position: int = 512) -> None:
        """Wrap ``inner``.

        Raises:
            EncodingError: an inner encoding with a shorter table.
            ValueError: an inner encoding that takes no positions.
        """
        super().__init__()
        described = inner.description
        if not described.properties.takes_positions or described.inner is not None:
            raise ValueError(f"{described.name!r} takes no positions of its own; shifted wraps an encoding that does")
        inner.additive_encoding(torch.tensor([max_position - 1]))  # refuses a table that is too short
        self.description = replace(
            self.description,
            title=f"{described.title}, shifted",
            properties=replace(described.properties, extrapolates="by a factor"),
        )
        self.inner = inner
        self.max_position = max_position

    def map_positions(self, positions: Int[Tensor, " position"]) -> Int[Tensor, " position"]:
        """Return the positions of the tokens: moved by a new offset in training, as they are at test.

        Raises:
            EncodingError: in training, a negative position, or more tokens than positions.
        """
        if not self.training or positions.numel() == 0:
            return positions
        first, last = int(positions.min()), int(positions.max())
        if first < 0 or last >= self.max_position:
            raise EncodingError(
                "no random position",
                position=first if first < 0 else last,
                available=self.max_position,
                last=self.max_position - 1,
                parameter="max_position",
            )
        return positions + torch.randint(self.max_position - last, (), device=positions.device)

    def additive_encoding(self, positions: Int[Tensor, " position"]) -> Float[Tensor, "position d_model"] | None:
        """Return what the inner encoding adds to the embeddings."""
        return self.inner.additive_encoding(positions)

    def at_layer(self, layer: int) -> PositionalEncoding:
        """Return the inner encoding of ``layer``, which acts on the mapped positions."""
        return self.inner.at_layer(layer)
