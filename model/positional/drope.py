"""DroPE: train with rotary, drop it, and recalibrate at the trained length (Gelberg et al. 2025)."""

from model.positional.base import Description, Parameter, PositionalEncoding, StackSpec
from model.positional.none import NoPositionalEncoding
from model.positional.registry import register
from model.positional.rotary import BASE, RotaryEncoding


@register
class DroPE(PositionalEncoding):
    """Rotary until the last steps of training, then none.

    Rotary speeds up learning, but binds it to trained lengths. A model in evaluation mode has no encoding, before the
    drop too: what is measured then is dropped but not recalibrated. The paper recalibrates for 0.5 to 2 % of a long
    training. The default is a larger part, for runs of a few thousand steps.
    """

    description = Description(
        name="drope",
        title="DroPE",
        explanation=(
            "DroPE trains a model with rotary positions and drops them near the end of the training. "
            "What remains is a model without positional encoding."
        ),
        paper="Gelberg et al. 2025, arXiv:2512.12167",
        year=2025,
        formula=(
            r"s_{mn} = \frac{1}{\sqrt{d}} \begin{cases} q_m^{\top} R_{n-m} k_n & \text{to step } (1 - \rho)T \\ "
            r"q_m^{\top} k_n & \text{after it} \end{cases}"
        ),
        properties=NoPositionalEncoding.description.properties,
        parameters=(
            BASE,
            Parameter("recalibration", 0.2, 0.001, 1.0, "ρ: share of the training steps after the drop"),
        ),
        note=(
            "The paper recalibrates for 0.5 to 2 % of a long training. The runs here are short: the rotation is dropped"
            " for the last fifth of the steps, ρ = 0.2, while the learning rate falls to 0."
        ),
    )

    def __init__(self, stack: StackSpec, base: float = 10000.0, recalibration: float = 0.2) -> None:
        """Keep both encodings. Until :meth:`note_progress` is called, the model is one after the drop.

        Raises:
            ValueError: too few dimensions to rotate a pair.
        """
        super().__init__()
        self.recalibration = recalibration
        self.rotary = RotaryEncoding(stack, base)
        self.none = NoPositionalEncoding(stack)
        self._trained_share = 1.0

    def note_progress(self, trained_share: float) -> None:
        """Drop rotary once the share that is left is the recalibration's."""
        self._trained_share = trained_share

    def at_layer(self, layer: int) -> PositionalEncoding:
        """Return rotary in a training step before the drop, else none."""
        is_dropped = not self.training or self._trained_share >= 1 - self.recalibration
        return self.none if is_dropped else self.rotary
