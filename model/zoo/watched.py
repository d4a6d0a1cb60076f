"""Small runs that are watched while they train: what may be chosen of them, and by which recipe they learn."""

from dataclasses import dataclass

from model.zoo.plan import Recipe, Run, make_run

# The smallest rate at which a head of induction forms within some hundred steps from every seed that was tried.
_PEAK_RATE = 5e-3
_D_FF = 4
MOST_STEPS = 5_000


@dataclass(frozen=True)
class Watched:
    """A run of the zoo with a model of one's own choice, whose embedding and output projection are two tables.

    ``d_model`` is shared among the heads; without ``feed_forward`` the layers are attention alone.

    Raises:
        ValueError: more steps than :data:`MOST_STEPS`, or a ``d_model`` that the heads cannot share in even parts.
    """

    task: str = "induction"
    encoding: str = "rotary"
    n_layers: int = 2
    n_heads: int = 2
    d_model: int = 64
    feed_forward: bool = False
    seed: int = 1
    n_steps: int = 400

    def __post_init__(self) -> None:
        """Check what depends on more than one value."""
        if self.d_model % (2 * self.n_heads):
            raise ValueError(f"d_model is {self.d_model}; it must be a multiple of {2 * self.n_heads}")
        if not 1 <= self.n_steps <= MOST_STEPS:
            raise ValueError(f"n_steps is {self.n_steps}; it must be from 1 to {MOST_STEPS}")

    def run(self) -> Run:
        """Return the run; raises ValueError for an unknown name, or a size that the model does not allow."""
        d_head = self.d_model // self.n_heads
        recipe = Recipe(
            n_steps=self.n_steps,
            batch_size=64,
            n_training=8_000,
            peak_rate=_PEAK_RATE,
            warmup_share=0.05,
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
            tied=False,
        )
