"""Weights in eight bits: how far they are from what they were."""

import pytest
import torch

from pretrained.quantization import dequantized, quantized


def test_no_weight_moves_by_more_than_half_a_step_of_its_row() -> None:
    torch.manual_seed(0)
    rows = torch.randn(50, 64) * torch.logspace(-3, 2, 50)[:, None]
    stored = quantized({"matrix": rows})
    assert stored["matrix"].dtype == torch.int8
    step = stored["matrix.scale"].float()
    # A row's largest weight may be past the last step, by what half precision takes from the scale.
    assert bool(((dequantized(stored)["matrix"] - rows).abs() <= step * 0.57).all())


def test_vectors_stay_and_a_row_of_zeros_is_zero() -> None:
    weights = {"bias": torch.tensor([0.5, -2.0]), "matrix": torch.zeros(2, 3), "table.scale_free": torch.ones(1)}
    again = dequantized(quantized(weights))
    assert all(torch.equal(again[name], tensor) for name, tensor in weights.items())


def test_a_matrix_without_its_scale_is_refused() -> None:
    stored = quantized({"matrix": torch.ones(2, 2)})
    del stored["matrix.scale"]
    with pytest.raises(KeyError):
        dequantized(stored)
