"""Shifted positions, a wrapper for what adds positions to the embeddings (Kiyono et al. 2021)."""

from dataclasses import replace

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.positional.base import (
    Description,
    EncodingError,
    Parameter,
    PositionalEncoding,
    Properties,
    StackSpec,
    WrappingEncoding,
)
from model.positional.registry import register


@register
class ShiftedPositions(WrappingEncoding):
    """Begin to count at a random offset in training, and at 0 at test; ``inner`` encodes the positions.

    In training, the n tokens of a sequence get consecutive positions of 0 … ``max_position`` − 1 from an offset that is
    drawn in each forward pass, as likely as any other that has room for them. Short inputs train every position so.
    """

    description = Description(
        name="shifted",
        title="Shifted positions",
        explanation=(
            "Shifted positions begin to count the tokens of a training input at a random offset, so that the positions "
            "of a longer input are trained, too. Another encoding then uses these numbers."
        ),
        other_names=("SHAPE",),
        paper="Kiyono et al. 2021, arXiv:2109.05644; Huang et al. 2025, arXiv:2410.02140",
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
        parameters=(
            Parameter("max_position", 2048, 1, 65536, "L: positions to train", integer=True, logarithmic=True),
        ),
        inner="sinusoidal",
        wraps_added=True,
        note=(
            "The offset of Kiyono et al. is below a fixed number; here, as in Huang et al., the last position is, so "
            "that all positions are trained."
        ),
    )

    def __init__(self, stack: StackSpec, inner: PositionalEncoding, max_position: int = 2048) -> None:
        """Wrap ``inner``.

        Raises:
            EncodingError: an inner encoding with a shorter table.
            ValueError: an inner encoding that adds nothing to the embeddings.
        """
        super().__init__(inner)
        described = inner.description
        if not self.description.can_wrap(described):
            raise ValueError(f"{described.name!r} adds no positions to the embeddings; shifted wraps what does")
        inner.additive_encoding(torch.tensor([max_position - 1]))  # refuses a table that is too short
        self.description = replace(
            self.description,
            title=f"{described.title}, shifted",
            properties=replace(described.properties, extrapolates="by a factor"),
        )
        self.max_position = max_position

    def additive_encoding_by_row(
        self, positions: Int[Tensor, " position"], n_rows: int
    ) -> Float[Tensor, "*batch position d_model"] | None:
        """Return what the inner encoding adds: in training, from an offset of its own for each of ``n_rows``.

        Raises:
            EncodingError: in training, a negative position, or more tokens than positions.
        """
        if not self.training or positions.numel() == 0:
            return self.additive_encoding(positions)
        first, last = int(positions.min()), int(positions.max())
        if first < 0 or last >= self.max_position:
            raise EncodingError(
                "no random position",
                position=first if first < 0 else last,
                available=self.max_position,
                last=self.max_position - 1,
                parameter="max_position",
            )
        offsets = torch.randint(self.max_position - last, (n_rows, 1), device=positions.device)
        added = self.inner.additive_encoding((positions + offsets).flatten())
        return None if added is None else added.reshape(n_rows, len(positions), -1)
