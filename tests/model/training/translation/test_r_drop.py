"""R-Drop against PyTorch's own losses on whole logits, values and gradients."""

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from model.training.loss import sequence_loss
from model.training.translation.r_drop import r_drop_loss

SOURCE, TARGET = torch.tensor([[5, 6, 3], [9, 3, 0]]), torch.tensor([[2, 7, 8, 3], [2, 4, 3, 0]])


def by_whole_logits(logits: Tensor, label_smoothing: float, weight: float) -> Tensor:
    """The paper's equation 4, halved; ``logits`` are of both passes over the same rows."""
    labels = TARGET[:, 1:].repeat(2, 1)
    nll = F.cross_entropy(
        logits.flatten(0, 1), labels.flatten(), reduction="sum", label_smoothing=label_smoothing, ignore_index=0
    )
    first, second = logits.log_softmax(-1).chunk(2)
    real = (TARGET[:, 1:] != 0)[..., None]
    there = (F.kl_div(second, first, log_target=True, reduction="none") * real).sum()
    back = (F.kl_div(first, second, log_target=True, reduction="none") * real).sum()
    return (nll + weight * (there + back) / 2) / 2


@pytest.mark.parametrize(("label_smoothing", "weight"), [(0.0, 5.0), (0.1, 1.0), (0.1, 0.0)])
def test_it_equals_the_paper_on_whole_logits(make_model, label_smoothing: float, weight: float) -> None:
    model = make_model(dropout=0.3).train()
    torch.manual_seed(1)
    found = r_drop_loss(model, SOURCE, TARGET, label_smoothing=label_smoothing, weight=weight)
    found.smoothed.backward()
    gradients = {name: parameter.grad.clone() for name, parameter in model.named_parameters()}
    model.zero_grad()
    torch.manual_seed(1)
    logits = model(SOURCE.repeat(2, 1), TARGET.repeat(2, 1)[:, :-1])
    assert not torch.equal(*logits.chunk(2))
    expected = by_whole_logits(logits, label_smoothing, weight)
    expected.backward()
    torch.testing.assert_close(found.smoothed, expected, rtol=1e-5, atol=1e-4)
    assert found.n_tokens == 5
    for name, parameter in model.named_parameters():
        torch.testing.assert_close(gradients[name], parameter.grad, rtol=1e-3, atol=1e-5, msg=name)


def test_without_dropout_it_is_the_plain_loss(make_model) -> None:
    model = make_model(dropout=0.0).train()
    plain = sequence_loss(model, SOURCE, TARGET, label_smoothing=0.1)
    both = r_drop_loss(model, SOURCE, TARGET, label_smoothing=0.1, weight=5.0)
    torch.testing.assert_close(both.smoothed, plain.smoothed)
    torch.testing.assert_close(both.cross_entropy, plain.cross_entropy)
