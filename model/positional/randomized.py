"""Randomized positions, a wrapper for any encoding that takes positions (Ruoss et al. 2023)."""

from dataclasses import replace

import torch
from jaxtyping import Int
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


def sample_positions(
    n_tokens: int, max_position: int, device: torch.device, generator: torch.Generator | None = None
) -> Int[Tensor, " token"]:
    """Return ``n_tokens`` of ``max_position`` positions, without replacement, in ascending order (§3)."""
    drawn = torch.randperm(max_position, device=device, generator=generator)[:n_tokens]
    return drawn.sort().values


@register
class RandomizedPositions(WrappingEncoding):
    """Give tokens random positions in ascending order from a long range; ``inner`` encodes them.

    In training, n tokens get a new sample of n positions in each forward pass, as published. At test the sample of
    ``longest`` positions is fixed by ``seed``, and shorter inputs use its first positions: a token keeps its position
    while the sequence grows, so decoding with a cache equals the full sequence. The outputs of the paper's tasks have
    known lengths, and `test_positions` spreads so many tokens over the whole sample, as in training. Consecutive
    positions at test would fail even at trained lengths.
    """

    description = Description(
        name="randomized",
        title="Randomized positions",
        explanation=(
            "Randomized positions number the tokens of each training input with random ascending "
            "numbers of a large range, so that those of a longer input are not new. Another encoding "
            "then uses these numbers."
        ),
        paper="Ruoss et al. 2023, §3, arXiv:2305.16843",
        year=2023,
        formula=r"p'_t = S_{(t)}, \quad S \sim \binom{\{0, \dots, L-1\}}{n} \text{ sorted}",
        properties=Properties(
            kind="relative",
            acts_on=("queries and keys",),
            learned=False,
            decay="bounded",
            extrapolates="by a factor",
            tells_direction=True,
        ),
        parameters=(
            Parameter("max_position", 2048, 1, 65536, "L: positions to draw from", integer=True, logarithmic=True),
            Parameter("longest", 512, 1, 65536, "tokens the test sample is for", integer=True, logarithmic=True),
            Parameter("seed", 0, 0, 2**31 - 1, "seed of the test sample", integer=True),
        ),
        inner="rotary",
        note=(
            "In training as in the paper. For text of unknown length one sample is drawn, and n tokens get its first "
            "n positions: a token keeps its position while the text grows. On the tasks, positions are drawn for the "
            "known length of input and answer, as in the paper; other encodings are not told that length."
        ),
    )

    sample: Tensor

    def __init__(
        self,
        stack: StackSpec,
        inner: PositionalEncoding,
        max_position: int = 2048,
        longest: int = 512,
        seed: int = 0,
    ) -> None:
        """Wrap ``inner`` and draw the sample used at test.

        Raises:
            EncodingError: fewer positions than tokens, or an inner encoding with a shorter table.
            ValueError: an inner encoding that takes no positions.
        """
        super().__init__(inner)
        described = inner.description
        if not self.description.can_wrap(described):
            raise ValueError(
                f"{described.name!r} takes no positions of its own; randomized wraps an encoding that does"
            )
        if longest > max_position:
            raise EncodingError("max_position too small", longest=longest, max_position=max_position)
        inner.additive_encoding(torch.tensor([max_position - 1]))  # refuses a table that is too short
        self.description = replace(
            self.description,
            title=f"{described.title}, randomized",
            properties=replace(described.properties, extrapolates="by a factor"),
        )
        self.max_position = max_position
        generator = torch.Generator().manual_seed(seed)
        sample = sample_positions(longest, max_position, torch.device("cpu"), generator)
        self.register_buffer("sample", sample, persistent=False)

    def map_positions(self, positions: Int[Tensor, " position"]) -> Int[Tensor, " position"]:
        """Return the random positions of the tokens: a new sample in training, a fixed one at test.

        Raises:
            EncodingError: a negative position, or more tokens than positions.
        """
        if positions.numel() == 0:
            return positions
        first, last = int(positions.min()), int(positions.max())
        n_available = self.max_position if self.training else len(self.sample)
        if first < 0 or last >= n_available:
            raise EncodingError(
                "no random position",
                position=first if first < 0 else last,
                available=n_available,
                last=n_available - 1,
                parameter="max_position" if self.training else "longest",
            )
        if self.training:
            return sample_positions(last + 1, self.max_position, positions.device)[positions]
        return self.sample[positions]

    @property
    def n_test_draws(self) -> int:
        """In how many draws of test positions a measurement is split."""
        return 8

    def test_positions(self, n_tokens: int, draw: int = 0) -> Int[Tensor, " position"]:
        """Return indices of the test sample, others for each ``draw``, with distances as long as in training.

        Raises:
            EncodingError: more tokens than the test sample has positions.
        """
        if n_tokens > len(self.sample):
            raise EncodingError("test sample too short", n_tokens=n_tokens, available=len(self.sample))
        generator = torch.Generator().manual_seed(n_tokens + draw * len(self.sample))
        return sample_positions(n_tokens, len(self.sample), torch.device("cpu"), generator)
