"""What source tokens are worth: deleted one by one, by finite differences, and by a Riemann sum; ranks by SciPy."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from scipy.stats import spearmanr
from torch import Tensor

from model.analysis.interventions.source_attribution import (
    TOLERANCE,
    WrittenToken,
    gradient_times_input,
    integrated_gradients,
    leave_one_out,
    rank_correlation,
)
from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.translator import Translator
from model.hooks import intervene, record
from model.text.tokenizer import BOS_ID, EOS_ID

SOURCE, TARGET = [4, 9, 6, 7, EOS_ID], [5, 8, 10]
WRITTEN = WrittenToken(SOURCE, TARGET)


@pytest.fixture
def model(make_model: Callable[..., EncoderDecoder]) -> EncoderDecoder:
    torch.manual_seed(5)
    return make_model()


def log_p(model: EncoderDecoder, written: WrittenToken, embedding: Tensor | None = None) -> Tensor:
    """Log P of the last token of the target; the source embeddings [row, P, D] can be given."""
    n = 1 if embedding is None else len(embedding)
    source = torch.tensor([list(written.source)] * n)
    read = torch.tensor([[BOS_ID, *written.target[:-1]]] * n)
    edits = {} if embedding is None else {"encoder.embedding": lambda _: embedding}
    with intervene(edits):
        logits = model(source, read)
    return logits[:, -1].log_softmax(-1)[:, written.target[-1]]


def embedding_of(model: EncoderDecoder, written: WrittenToken) -> Tensor:
    with torch.no_grad(), record("encoder.embedding") as seen:
        log_p(model, written)
    return seen["encoder.embedding"]


def test_a_group_is_left_out_as_if_it_had_never_been_written(model: EncoderDecoder) -> None:
    groups = [[0], [1, 2], [4]]
    found = leave_one_out(model, SOURCE, TARGET, groups)
    with torch.no_grad():
        for group, losses in zip(groups, found, strict=True):
            rest = [token for at, token in enumerate(SOURCE) if at not in group]
            for step, loss in enumerate(losses.tolist(), start=1):
                target = TARGET[:step]
                expected = log_p(model, WrittenToken(SOURCE, target)) - log_p(model, WrittenToken(rest, target))
                assert loss == pytest.approx(float(expected), abs=1e-5)


def test_gradient_times_input_is_the_slope_along_each_embedding(model: EncoderDecoder) -> None:
    model = model.double()
    embedding, step = embedding_of(model, WRITTEN), 1e-6
    found = gradient_times_input(model, WRITTEN)
    with torch.no_grad():
        for at in range(len(SOURCE)):
            longer, shorter = embedding.clone(), embedding.clone()
            longer[:, at] *= 1 + step
            shorter[:, at] *= 1 - step
            slope = (log_p(model, WRITTEN, longer) - log_p(model, WRITTEN, shorter)) / (2 * step)
            assert float(found[at]) == pytest.approx(float(slope), abs=1e-6)


def test_integrated_gradients_are_a_fine_riemann_sum(model: EncoderDecoder) -> None:
    embedding, n = embedding_of(model, WRITTEN), 4000
    scaled = (((torch.arange(n) + 0.5) / n)[:, None, None] * embedding).requires_grad_()
    (gradient,) = torch.autograd.grad(log_p(model, WRITTEN, scaled).sum(), scaled)
    expected = (gradient.mean(0) * embedding[0]).sum(-1)
    found = integrated_gradients(model, WRITTEN)
    torch.testing.assert_close(found.values, expected, atol=3 * TOLERANCE * abs(found.change), rtol=0)


@pytest.mark.unchecked
def test_integrated_gradients_of_a_shipped_translator_are_complete_to_one_percent(translator: Translator) -> None:
    source = [*translator.tokenizer.encode("My brother has never read the book that I gave him."), EOS_ID]
    target = translator.tokenizer.encode("Mein Bruder hat nie das Buch gelesen, das ich ihm gegeben hatte.")
    for step in (1, 9):
        written = WrittenToken(source, target[:step])
        found = integrated_gradients(translator.model, written)
        with torch.no_grad():
            nothing = log_p(translator.model, written, torch.zeros_like(embedding_of(translator.model, written)))
            change = float(log_p(translator.model, written) - nothing)
        assert found.change == pytest.approx(change, abs=1e-3)
        assert float(found.values.sum()) == pytest.approx(change, rel=0.01)


@pytest.mark.parametrize("n_values", [2, 3, 50])
def test_rank_correlation_is_that_of_scipy_also_where_values_are_equal(n_values: int) -> None:
    rng = np.random.default_rng(n_values)
    for _ in range(20):
        one, other = rng.integers(n_values, size=12).astype(float), rng.normal(size=12)
        if len({*one}) > 1:
            assert rank_correlation(one, other) == pytest.approx(spearmanr(one, other).statistic, abs=1e-12)


def test_one_value_throughout_has_no_rank_correlation() -> None:
    assert np.isnan(rank_correlation(np.ones(4), np.arange(4.0)))
    assert np.isnan(rank_correlation(np.ones(1), np.ones(1)))
