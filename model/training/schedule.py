"""Learning rates as functions of the step."""

from collections.abc import Callable

Rate = Callable[[int], float]


def paper_rate(step: int, *, d_model: int, warmup: int) -> float:
    """Return d_model^{−½} · min(step^{−½}, step · warmup^{−3/2}); steps count from 1.

    Vaswani et al. 2017, equation 3.
    """
    result: float = d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)
    return result


def cool_down(rate: float, step: int, *, n_steps: int, n_cooling: int) -> float:
    """Return ``rate``, brought down to zero in a straight line over the last ``n_cooling`` of ``n_steps`` steps.

    The annealed end of a run is worth more than the same steps at a high rate (Hägele et al. 2024, arXiv:2405.18392).
    """
    if n_cooling == 0:
        return rate
    return rate * min(1.0, (n_steps - step + 1) / n_cooling)
