"""Learned absolute encoding: one trained vector per position."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from model.positional.base import Description, EncodingError, Parameter, PositionalEncoding, Properties, StackSpec
from model.positional.registry import register


@register
class LearnedEncoding(PositionalEncoding):
    """Add row p of a trained table to the embedding at position p; raise past the last row."""

    description = Description(
        name="learned",
        title="Learned",
        explanation=(
            "Learned positions are a table with one vector for each position, trained like any weight "
            "and added to the embeddings. Beyond the trained positions there is nothing to read from "
            "it."
        ),
        used_in=("BERT", "GPT-2", "OPT"),
        paper="Gehring et al. 2017, arXiv:1705.03122; Vaswani et al. 2017, table 3 (E)",
        year=2017,
        formula=r"x_p = E_p + P_p, \quad P \in \mathbb{R}^{max\_length \times d_{model}}",
        properties=Properties(
            kind="absolute",
            acts_on=("embeddings",),
            learned=True,
            decay="none",
            extrapolates="no",
            tells_direction=True,
            memory=False,
        ),
        parameters=(
            Parameter("max_length", 512, 1, 65536, "rows of the table", integer=True),
            Parameter("std", 0.02, 0, 10, "standard deviation of fresh rows", open_below=True, logarithmic=True),
        ),
    )

    def __init__(self, stack: StackSpec, max_length: int = 512, std: float = 0.02) -> None:
        """Make a table of ``max_length`` rows with standard deviation ``std``; 1 is that of scaled embeddings."""
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_length, stack.d_model) * std)

    def additive_encoding(self, positions: Int[Tensor, " position"]) -> Float[Tensor, "position d_model"]:
        """Return the table's row of each position.

        Raises:
            EncodingError: a position past the last row of the table.
            ValueError: a negative position.
        """
        if positions.numel() == 0:
            return self.table[positions]
        first, last = int(positions.min()), int(positions.max())
        if first < 0:
            raise ValueError(f"position {first} is before the first row of the learned table; positions start at 0")
        if last >= len(self.table):
            raise EncodingError("past the learned table", position=last, rows=len(self.table))
        return self.table[positions]
