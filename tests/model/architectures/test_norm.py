"""The norm is PyTorch's own, hooked or not; with its scale held it is linear."""

import torch

from model.architectures.norm import LayerNorm
from model.hooks import intervene, record


def random_norm() -> LayerNorm:
    norm = LayerNorm("encoder", 16)
    with torch.no_grad():
        norm.weight.normal_()
        norm.bias.normal_()
    return norm


def test_recorded_it_gives_what_pytorch_gives() -> None:
    norm, x = random_norm(), torch.randn(2, 5, 16)
    with record("encoder.norm_scale") as seen:
        recorded = norm(x)
    torch.testing.assert_close(recorded, torch.nn.functional.layer_norm(x, (16,), norm.weight, norm.bias))
    expected = (x.var(-1, unbiased=False, keepdim=True) + norm.eps) ** -0.5
    torch.testing.assert_close(seen["encoder.norm_scale"], expected)


def test_with_its_scale_held_the_norm_of_a_sum_is_the_sum_of_norms() -> None:
    norm, x, y = random_norm(), torch.randn(5, 16), torch.randn(5, 16)
    held = torch.rand(5, 1)
    with intervene({"encoder.norm_scale": lambda _: held}):
        both, only_x, only_y, nothing = norm(x + y), norm(x), norm(y), norm(torch.zeros_like(x))
    torch.testing.assert_close(both, only_x + only_y - nothing)
    torch.testing.assert_close(nothing, norm.bias.expand(5, 16))
