"""Dropout: the mean stays, the share dropped is p, and what is dropped gets no gradient."""

import pytest
import torch

from model.architectures.dropout import Dropout

N = 200_000


@pytest.mark.parametrize("p", [0.1, 0.3, 0.5, 0.9, 0.999])
def test_the_share_dropped_is_p_and_the_mean_is_kept(p: float) -> None:
    out = Dropout(p).train()(torch.ones(N // 8, 8))
    # p is rounded to a multiple of 1/256, and may not reach 1.
    share = (out == 0).float().mean().item()
    assert share == pytest.approx(min(p, 255 / 256), abs=1 / 512 + 4 * (p * (1 - p) / N) ** 0.5)
    (kept,) = out[out != 0].unique().tolist()
    assert kept == pytest.approx(1 / (1 - round(share * 256) / 256), rel=1e-5)
    assert out.mean().item() == pytest.approx(1.0, abs=5 * (p / (1 - p) / N) ** 0.5)


@pytest.mark.parametrize("shape", [(), (1,), (3, 5), (2, 0, 3), (7, 1, 3)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
def test_shape_and_type_are_kept(shape: tuple[int, ...], dtype: torch.dtype) -> None:
    out = Dropout(0.5).train()(torch.ones(shape, dtype=dtype))
    assert out.shape == shape
    assert out.dtype == dtype
    assert set(out.flatten().tolist()) <= {0.0, 2.0}


def test_nothing_is_dropped_in_evaluation_nor_at_zero() -> None:
    x = torch.randn(1000)
    assert torch.equal(Dropout(0.5).eval()(x), x)
    assert torch.equal(Dropout(0.0).train()(x), x)


def test_the_gradient_passes_where_the_value_passes() -> None:
    x = torch.randn(1000, requires_grad=True)
    out = Dropout(0.5).train()(x)
    out.sum().backward()
    dropped = out == 0
    assert 300 < int(dropped.sum()) < 700
    assert (x.grad[dropped] == 0).all()
    assert (x.grad[~dropped] == 2).all()


def test_masks_differ_from_call_to_call_and_repeat_with_the_seed() -> None:
    dropout, x = Dropout(0.5).train(), torch.ones(1000)
    torch.manual_seed(3)
    first, second = dropout(x), dropout(x)
    torch.manual_seed(3)
    assert not torch.equal(first, second)
    assert torch.equal(dropout(x), first)
