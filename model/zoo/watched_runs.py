"""Small runs that are watched while they train: their options and their recipe."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, fields
from operator import itemgetter
from typing import Any, Literal

from model.zoo.plan import Recipe, Run, make_run

# The smallest rate at which a head of induction forms within some hundred steps from every seed that was tried.
_PEAK_RATE = 5e-3
_D_FF = 4
MOST_STEPS = 5_000

OPTIONS = {
    "task": "--task",
    "encoding": "--encoding",
    "n_layers": "--layers",
    "n_heads": "--heads",
    "d_model": "--d-model",
    "feed_forward": "--feed-forward",
    "seed": "--seed",
    "n_steps": "--steps",
    "norm": "--norm",
    "warmup_share": "--warmup-share",
    "label_smoothing": "--label-smoothing",
    "weight_decay": "--weight-decay",
    "rate_factors": "--rate-factor",
}
"""The option of the command line for each entry of :class:`WatchedRun`."""


@dataclass(frozen=True)
class WatchedRun:
    """A run of the zoo with a model of one's own choice and an output projection of its own.

    ``d_model`` is shared among the heads; without ``feed_forward`` the layers are attention alone. The rate rises for
    ``warmup_share`` of the steps; from the step of each of ``rate_factors`` on, it is times the factor. Of every answer
    that is trained on, all tokens share ``label_smoothing`` of the probability (Szegedy et al. 2016, §7). The
    ``weight_decay`` is that of AdamW: a step takes the rate times it off every weight.

    Raises:
        ValueError: more steps than :data:`MOST_STEPS`, a share outside [0, 1], a ``label_smoothing`` outside [0, 1), a
            factor or a ``weight_decay`` below 0, or a ``d_model`` that the heads cannot share in even parts.
    """

    task: str = "induction"
    encoding: str = "rotary"
    n_layers: int = 2
    n_heads: int = 2
    d_model: int = 64
    feed_forward: bool = False
    seed: int = 1
    n_steps: int = 400
    norm: Literal["pre", "post"] = "pre"
    warmup_share: float = 0.05
    label_smoothing: float = 0.0
    weight_decay: float = 0.05
    rate_factors: tuple[tuple[int, float], ...] = ()

    def __post_init__(self) -> None:
        """Check what depends on more than one value."""
        if self.d_model % (2 * self.n_heads):
            raise ValueError(f"d_model is {self.d_model}; it must be a multiple of {2 * self.n_heads}")
        if not 1 <= self.n_steps <= MOST_STEPS:
            raise ValueError(f"n_steps is {self.n_steps}; it must be from 1 to {MOST_STEPS}")
        if not 0 <= self.warmup_share <= 1:
            raise ValueError(f"warmup_share is {self.warmup_share}; it must be from 0 to 1")
        if not 0 <= self.label_smoothing < 1:
            raise ValueError(f"label_smoothing is {self.label_smoothing}; it must be from 0 to below 1")
        if self.weight_decay < 0:
            raise ValueError(f"weight_decay is {self.weight_decay}; it must be 0 or above")
        if any(factor < 0 for _, factor in self.rate_factors):
            raise ValueError(f"rate_factors are {self.rate_factors}; no factor may be below 0")

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "WatchedRun":
        """Return the run that ``values``, of JSON, describe; raises TypeError at an unknown entry."""
        factors = tuple((int(step), float(factor)) for step, factor in values.get("rate_factors", ()))
        return cls(**{**values, "rate_factors": factors})

    def rate_factor(self, step: int) -> float:
        """Return what the rate of ``step`` is multiplied by."""
        return max((one for one in self.rate_factors if one[0] <= step), default=(0, 1.0), key=itemgetter(0))[1]

    def command(self, out: str, every: int) -> str:
        """Return the command that trains it, and records a frame of every ``every`` steps in the file ``out``."""
        words = ["python", "-m", "model.training.zoo.watch"]
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default and field.name not in ("feed_forward", "rate_factors"):
                words += [OPTIONS[field.name], str(value)]
        if self.feed_forward:
            words.append(OPTIONS["feed_forward"])
        for start, factor in self.rate_factors:
            words += [OPTIONS["rate_factors"], f"{start}:{factor:g}"]
        return shlex.join([*words, "--every", str(every), "--out", out])

    def to_toml(self) -> str:
        """Return it as the TOML file that ``python -m model.training.zoo.watch`` takes."""
        # What these values are in JSON, they are in TOML.
        return "".join(f"{field.name} = {json.dumps(getattr(self, field.name))}\n" for field in fields(self))

    def run(self) -> Run:
        """Return the run; raises ValueError for an unknown name, or a size that the model does not allow."""
        d_head = self.d_model // self.n_heads
        recipe = Recipe(
            n_steps=self.n_steps,
            batch_size=64,
            n_training=8_000,
            peak_rate=_PEAK_RATE,
            warmup_share=self.warmup_share,
            weight_decay=self.weight_decay,
            evaluate_every=self.n_steps,
        )
        return make_run(
            self.task,
            self.encoding,
            self.seed,
            recipe,
            n_layers=self.n_layers,
            n_heads=self.n_heads,
            d_model=self.d_model,
            d_key=d_head,
            d_value=d_head,
            d_ff=_D_FF * self.d_model if self.feed_forward else 0,
            norm=self.norm,
            tied=False,
        )
