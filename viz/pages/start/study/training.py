"""The paper's training: its learning rate, dropout, and the effect of label smoothing on the loss."""

import numpy as np
from jaxtyping import Float

_SEED = 5
_FIRST_SHARE, _N_SHARES = 0.2, 1600


def paper_rates(steps: Float[np.ndarray, " step"], d_model: int, warmup: int) -> Float[np.ndarray, " step"]:
    """Return d_model^{−½} · min(step^{−½}, step · warmup^{−3/2}); steps count from 1 (equation 3)."""
    rates: Float[np.ndarray, " step"] = d_model**-0.5 * np.minimum(steps**-0.5, steps * warmup**-1.5)
    return rates


def drop(n_draws: int, n_units: int, rate: float) -> Float[np.ndarray, "draw unit"]:
    """Return units of 1 after dropout, draw by draw; a higher rate drops the same units and more."""
    kept = np.random.default_rng(_SEED).random((n_draws, n_units)) >= rate
    return kept / (1 - rate)


def smoothed_target(n: int, epsilon: float) -> Float[np.ndarray, " word"]:
    """Return the target of ``n`` words, whose first is right: 1 − ε for it, and ε shared by all."""
    target = np.full(n, epsilon / n)
    target[0] += 1 - epsilon
    return target


def losses(shares: Float[np.ndarray, " share"], n: int, epsilon: float) -> Float[np.ndarray, " share"]:
    """Return the cross-entropy for each probability of the right word; ``n`` - 1 others share the rest."""
    target = smoothed_target(n, epsilon)
    wrong = (1 - shares) / (n - 1)
    entropies: Float[np.ndarray, " share"] = -(target[0] * np.log(shares) + target[1:].sum() * np.log(wrong))
    return entropies


def shares_of_right() -> Float[np.ndarray, " share"]:
    """Return the probabilities for the loss curve, below 1; under the first one the loss is too steep."""
    return np.linspace(_FIRST_SHARE, 1, _N_SHARES, endpoint=False)


def best_share(n: int, epsilon: float) -> float:
    """Return the probability of the right word at which the loss is least, found on the curve."""
    shares = shares_of_right()
    return float(shares[losses(shares, n, epsilon).argmin()])
