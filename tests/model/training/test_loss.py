"""The chunked loss against PyTorch's, values and gradients."""

import pytest
import torch
import torch.nn.functional as F

from model.training.loss import projected_cross_entropy, sequence_loss

N_TOKENS = 1100  # more than two chunks, and not a multiple of one


@pytest.mark.parametrize("label_smoothing", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("n_tokens", [1, N_TOKENS])
def test_the_loss_equals_cross_entropy_of_the_projection(label_smoothing: float, n_tokens: int) -> None:
    hidden, weight = torch.randn(n_tokens, 6, requires_grad=True), torch.randn(13, 6, requires_grad=True)
    labels = torch.randint(0, 13, (n_tokens,))
    loss = projected_cross_entropy(hidden, weight, labels, label_smoothing=label_smoothing)
    logits = hidden @ weight.T
    expected = F.cross_entropy(logits, labels, reduction="sum", label_smoothing=label_smoothing)
    torch.testing.assert_close(loss.smoothed, expected, rtol=1e-5, atol=1e-3)
    torch.testing.assert_close(loss.cross_entropy, F.cross_entropy(logits, labels, reduction="sum"))
    assert loss.n_tokens == n_tokens
    found = torch.autograd.grad(3 * loss.smoothed, (hidden, weight))
    wanted = torch.autograd.grad(3 * expected, (hidden, weight))
    for ours, theirs in zip(found, wanted, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-4)


def test_large_logits_do_not_overflow() -> None:
    hidden, weight = torch.full((2, 1), 100.0, requires_grad=True), torch.tensor([[10.0], [-10.0]])
    loss = projected_cross_entropy(hidden, weight, torch.tensor([0, 1]), label_smoothing=0.0)
    assert loss.cross_entropy.item() == pytest.approx(2000.0)


def test_padding_counts_for_nothing(make_model) -> None:
    model = make_model()
    source, target = torch.tensor([[5, 6, 3]]), torch.tensor([[2, 7, 8, 3]])
    alone = sequence_loss(model, source, target, label_smoothing=0.1)
    logits = model(source, target[:, :-1])[0]
    expected = F.cross_entropy(logits, target[0, 1:], reduction="sum", label_smoothing=0.1)
    torch.testing.assert_close(alone.smoothed, expected, rtol=1e-5, atol=1e-4)
    padded = sequence_loss(model, F.pad(source, (0, 4)), F.pad(target, (0, 3)), label_smoothing=0.1)
    torch.testing.assert_close(padded.smoothed, alone.smoothed, rtol=1e-5, atol=1e-4)
    assert padded.n_tokens == alone.n_tokens == 3


def test_the_gradient_reaches_every_weight_as_through_the_whole_model(make_model) -> None:
    model = make_model()
    source, target = torch.tensor([[5, 6, 3], [9, 3, 0]]), torch.tensor([[2, 7, 8, 3], [2, 4, 3, 0]])
    sequence_loss(model, source, target, label_smoothing=0.1).smoothed.backward()
    found = {name: weight.grad.clone() for name, weight in model.named_parameters()}
    model.zero_grad()
    logits = model(source, target[:, :-1]).flatten(0, 1)
    F.cross_entropy(logits, target[:, 1:].flatten(), reduction="sum", label_smoothing=0.1, ignore_index=0).backward()
    for name, weight in model.named_parameters():
        torch.testing.assert_close(found[name], weight.grad, rtol=1e-3, atol=1e-4, msg=name)
