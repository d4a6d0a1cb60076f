"""The learning rate of Vaswani et al. 2017 (arXiv:1706.03762), equation 3, as a curve."""

import numpy as np
from jaxtyping import Float

PAPER_D_MODEL, PAPER_WARMUP = 512, 4000
"""Of the paper's base model, §5.3 and table 3."""


def paper_rates(
    steps: Float[np.ndarray, " step"], *, d_model: int, warmup: int, has_warmup: bool = True
) -> Float[np.ndarray, " step"]:
    """Return d_model^−½ · min(step^−½, step · warmup^−3/2) at ``steps``, which count from 1.

    Without warm-up the first ``warmup`` steps have the rate that they would end with.
    """
    inverse_root = np.maximum(steps, warmup) ** -0.5
    rises = np.minimum(steps, warmup) / warmup if has_warmup else 1.0
    return np.asarray(d_model**-0.5 * inverse_root * rises)


def peak(d_model: int, warmup: int) -> float:
    """Return the highest rate, which step ``warmup`` has: (d_model · warmup)^−½."""
    return float((d_model * warmup) ** -0.5)
