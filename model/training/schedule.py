"""Learning rates as functions of the step."""

import math
from collections.abc import Callable

Rate = Callable[[int], float]
Decay = Callable[[float], float]


def paper_rate(step: int, *, d_model: int, warmup: int) -> float:
    """Return d_model^{−½} · min(step^{−½}, step · warmup^{−3/2}); steps count from 1.

    Vaswani et al. 2017, equation 3.
    """
    result: float = d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)
    return result


def paper_rate_without_warmup(step: int, *, d_model: int, warmup: int) -> float:
    """Return :func:`paper_rate` with a constant peak in place of its warm-up.

    With the norms after the blocks, the first steps at such a rate are what warm-up avoids (Xiong et al. 2020,
    arXiv:2002.04745, §3.1).
    """
    return paper_rate(max(step, warmup), d_model=d_model, warmup=warmup)


WARMUPS = {"linear": paper_rate, "none": paper_rate_without_warmup}
"""The beginnings of the paper's rate that a configuration may name."""


def cool_down(rate: float, step: int, *, n_steps: int, cooldown_steps: int) -> float:
    """Return ``rate`` with a linear decay to zero over the last ``cooldown_steps`` of ``n_steps``.

    The annealed end of a run is worth more than the same steps at a high rate (Hägele et al. 2024, arXiv:2405.18392).
    """
    if cooldown_steps == 0:
        return rate
    return rate * min(1.0, (n_steps - step + 1) / cooldown_steps)


def warm_up_and_decay(step: int, *, peak: float, warmup: int, n_steps: int, decay: Decay) -> float:
    """Return the rate of ``step``, from 1: linear to ``peak`` in ``warmup`` steps, then times ``decay``.

    ``decay`` gets the share of the remaining steps that are over, from 0 to just below 1 at the last of ``n_steps``.
    """
    if step < warmup:
        return peak * step / warmup
    return peak * decay((step - warmup) / (n_steps - warmup + 1))


def cosine(share: float) -> float:
    """Return the factor of a cosine decay to 0 (Dai et al. 2019; Loshchilov and Hutter 2017)."""
    return (1 + math.cos(math.pi * share)) / 2


def straight_line(share: float) -> float:
    """Return the factor of a rate that falls to 0 in a straight line."""
    return 1 - share


DECAYS: dict[str, Decay] = {"cosine": cosine, "straight_line": straight_line}
"""The decays that a configuration may name."""
