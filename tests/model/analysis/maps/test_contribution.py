"""Contributions add up to what the block passes on."""

from collections.abc import Callable

import pytest
import torch

from model.analysis.maps.contribution import contribution_norms, contributions
from model.architectures.encoder_decoder import EncoderDecoder
from model.hooks import record


@pytest.mark.parametrize(
    ("block", "module"),
    [
        ("encoder.1.self_attention", "encoder.layers.1.self_attention"),
        ("decoder.0.self_attention", "decoder.layers.0.self_attention"),
        ("decoder.2.cross_attention", "decoder.layers.2.cross_attention"),
    ],
)
def test_they_sum_to_the_output_of_the_block(
    make_model: Callable[..., EncoderDecoder], block: str, module: str
) -> None:
    model = make_model()
    source, target = torch.randint(4, 11, (1, 7)), torch.randint(4, 11, (1, 5))
    with torch.inference_mode(), record(f"{block}.*") as seen:
        model(source, target)
    W_O = model.get_submodule(module).W_O.weight.detach()
    parts = contributions(seen[f"{block}.pattern"][0], seen[f"{block}.v"][0], W_O)
    torch.testing.assert_close(parts.sum(dim=(0, 2)), seen[f"{block}.output"][0], atol=1e-5, rtol=1e-5)
    norms = contribution_norms(seen[f"{block}.pattern"][0], seen[f"{block}.v"][0], W_O)
    torch.testing.assert_close(norms, parts.norm(dim=-1), atol=1e-6, rtol=1e-5)
