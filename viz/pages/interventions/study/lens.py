"""Logit lens of a translator: the prediction after each block of its decoder, as labels and table."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from model.analysis.representations.lens import logit_lens
from model.decoding.translator import Translation, Translator
from viz.base.attention_maps import token_row
from viz.base.exports import rows_as_csv
from viz.base.tokens import label_alone

N_SHOWN = 3
"""Tokens that are named for each residual and step."""
N_BLOCKS = 3
"""Blocks of a decoder layer, after each of which there is a residual."""


@dataclass(frozen=True)
class ShownLens:
    """Prediction of each residual at each step.

    Attributes:
        points: the hook points, from the decoder's input to its last block.
        written: the tokens that were written.
        labels: of the most probable tokens, by point and step, the most probable first.
        probabilities: theirs.
        of_written: the probability of the token that was written.
        is_written: whether the most probable one is that token.
    """

    points: tuple[str, ...]
    written: tuple[str, ...]
    labels: tuple[tuple[tuple[str, ...], ...], ...]
    probabilities: Float32[np.ndarray, "point step n"]
    of_written: Float32[np.ndarray, "point step"]
    is_written: np.ndarray

    def at(self, points: Sequence[int], n_steps: int) -> "ShownLens":
        """Return the same of some of the points, and of the first steps."""
        chosen = list(points)
        return ShownLens(
            tuple(self.points[point] for point in chosen),
            self.written[:n_steps],
            tuple(self.labels[point][:n_steps] for point in chosen),
            self.probabilities[chosen, :n_steps],
            self.of_written[chosen, :n_steps],
            self.is_written[chosen, :n_steps],
        )

    def settled(self) -> tuple[int, ...]:
        """Return for each step the first point from which on the most probable token is the one written.

        It is the number of points where the last one does not say it, which a beam may overrule.
        """
        n_points = len(self.points)
        wrong = ~self.is_written  # [point, step]
        last_wrong = np.where(wrong.any(0), n_points - 1 - wrong[::-1].argmax(0), -1)
        return tuple((last_wrong + 1).tolist())


def shown_lens(translator: Translator, translation: Translation) -> ShownLens:
    """Return what every residual of the decoder says while ``translation`` is written."""
    target = translation.hypotheses[0].tokens
    lens = logit_lens(translator.model, translator.tokenizer.ids(translation.source.pieces), target, N_SHOWN)
    written, pieces = token_row(translation.target).labels, translator.tokenizer.pieces
    # The token that is written is called in a cell as it is beside the row, where its word is known.
    labels = tuple(
        tuple(
            tuple(
                written[step] if token == target[step] else label_alone(piece)
                for token, piece in zip(best, pieces(best), strict=True)
            )
            for step, best in enumerate(steps)
        )
        for steps in lens.tokens.tolist()
    )
    return ShownLens(
        points=lens.points,
        written=written,
        labels=labels,
        probabilities=lens.probabilities.numpy(),
        of_written=lens.of_target.numpy(),
        is_written=lens.tokens[:, :, 0].numpy() == np.array(target),
    )


def lens_as_csv(lens: ShownLens) -> str:
    """Return a table of every residual and step: the written token's probability, and the top tokens."""
    headings = ["step", "written", "point", "probability of written", "rank", "token", "probability"]
    rows = [
        [step + 1, written, point, f"{lens.of_written[at, step]:.6g}", rank + 1, label, f"{probability:.6g}"]
        for step, written in enumerate(lens.written)
        for at, point in enumerate(lens.points)
        for rank, (label, probability) in enumerate(
            zip(lens.labels[at][step], lens.probabilities[at, step], strict=True)
        )
    ]
    return rows_as_csv(headings, rows)
