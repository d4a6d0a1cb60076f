"""Layer normalisation with a hook point at its scale."""

from jaxtyping import Float
from torch import Tensor, nn

from model.hooks import hook, is_wanted


class LayerNorm(nn.LayerNorm):
    """LayerNorm (Ba et al. 2016, arXiv:1607.06450), whose scale 1/σ can be seen and held.

    With the scale held, the norm is a linear map and a bias.
    """

    def __init__(self, name: str, d_model: int) -> None:
        """Build the norm of ``d_model`` dimensions; ``name`` prefixes the hook point."""
        super().__init__(d_model)
        self.name = name

    def forward(self, x: Float[Tensor, "*leading d_model"]) -> Float[Tensor, "*leading d_model"]:
        """Return ``x`` normalised, then scaled by the weight and shifted by the bias."""
        point = f"{self.name}.norm_scale"
        if not is_wanted(point):
            return super().forward(x)
        centred = x - x.mean(-1, keepdim=True)
        scale = hook(point, (centred.square().mean(-1, keepdim=True) + self.eps).rsqrt())  # [..., 1]
        return centred * scale * self.weight + self.bias
