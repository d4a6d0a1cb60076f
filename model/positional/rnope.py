"""Rotary in most layers and no encoding in every n-th, RNoPE (Yang et al. 2025; SmolLM3)."""

from dataclasses import replace

from jaxtyping import Bool, Int
from torch import Tensor

from model.positional.base import Description, Parameter, PositionalEncoding, StackSpec, distances
from model.positional.none import NoPositionalEncoding
from model.positional.registry import register
from model.positional.rotary import BASE, RotaryEncoding

EVERY = Parameter("every", 2, 2, 16, "every n-th layer has no encoding", integer=True)
_WINDOW = Parameter("window", 0, 0, 8192, "tokens that a rotary layer sees, its own included; 0: all", integer=True)


class WindowedRotary(RotaryEncoding):
    """Rotary in which a query sees only the keys fewer than ``window`` positions away."""

    def __init__(self, stack: StackSpec, base: float, window: int) -> None:
        """Keep the window, in positions."""
        super().__init__(stack, base)
        self.window = window

    def visible_keys(
        self, query_positions: Int[Tensor, " query"], key_positions: Int[Tensor, " key"]
    ) -> Bool[Tensor, "query key"]:
        """Return True for each key inside the window of its query."""
        return distances(query_positions, key_positions).abs() < self.window


@register
class RNoPE(PositionalEncoding):
    """Rotate queries and keys except in every n-th layer, which finds keys by content alone.

    With a ``window`` the rotary layers see only near keys, as in the paper's final model, RNoPE-SWA.
    SmolLM3 and Llama 4 leave out every fourth layer of dozens. The default is every second one, so that a stack of two
    layers has such a layer too; the first layer is always rotary. A stack of fewer layers than n is rotary throughout.
    """

    description = Description(
        name="rnope",
        title="RNoPE",
        explanation="RNoPE alternates layers with rotary positions and layers without any.",
        used_in=("Command A", "SmolLM3"),
        paper="Yang et al. 2025, arXiv:2501.18795",
        year=2025,
        formula=(
            r"s_{mn} = \frac{1}{\sqrt{d}} \begin{cases} q_m^{\top} k_n & \text{in layers } N, 2N, 3N, \dots \\ "
            r"q_m^{\top} R_{n-m} k_n & \text{in the others} \end{cases}"
        ),
        properties=replace(RotaryEncoding.description.properties, published_for="causal"),
        parameters=(BASE, EVERY, _WINDOW),
        note=(
            "N is 2 unless it is changed: of four layers, the second and the fourth have no encoding. The paper's final"
            " model, RNoPE-SWA, also gives the rotary layers a sliding window; here they have one if window is above 0."
        ),
    )

    def __init__(self, stack: StackSpec, base: float = 10000.0, every: int = 2, window: int = 0) -> None:
        """Keep both encodings; layers are counted from 1, and those that ``every`` divides have none.

        A ``window`` above 0 is the number of tokens that the rotary layers see.

        Raises:
            ValueError: too few dimensions to rotate a pair.
        """
        super().__init__()
        self.every = every
        self.rotary = RotaryEncoding(stack, base)
        if window:
            self.rotary = WindowedRotary(stack, base, window)
            properties = self.description.properties
            acts_on = (*properties.acts_on, "scores")
            self.description = replace(self.description, properties=replace(properties, acts_on=acts_on))
        self.none: PositionalEncoding = NoPositionalEncoding(stack)

    def at_layer(self, layer: int) -> PositionalEncoding:
        """Return none for every n-th layer, and rotary for the others."""
        return self.none if (layer + 1) % self.every == 0 else self.rotary
