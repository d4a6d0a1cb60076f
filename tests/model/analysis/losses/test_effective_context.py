"""Relative effective context length, against the paper's appendix written out with loops, and where it is obvious."""

import math
import random

import numpy as np
import pytest

from model.analysis.losses.effective_context import effective_contexts, relative_gain


def gain_by_hand(short: np.ndarray, long: np.ndarray, model: int, share: float) -> float:
    """Dai et al. 2019, appendix C, formula by formula."""
    n_models, n_positions = short.shape
    baseline = [min(short[i, t] for i in range(n_models)) for t in range(n_positions)]
    hardest = sorted(range(n_positions), key=lambda t: -baseline[t])[: math.ceil(share * n_positions)]

    def f(losses: np.ndarray) -> float:
        return sum(min(baseline[t], losses[model, t]) for t in hardest) / len(hardest)

    return (math.exp(f(short)) - math.exp(f(long))) / math.exp(f(short))


@pytest.mark.parametrize("share", [0.1, 0.33, 1.0])
def test_the_gain_is_the_paper_s(share: float) -> None:
    rng = np.random.default_rng(0)
    short, long = rng.exponential(2.0, (3, 40)), rng.exponential(1.5, (3, 40))
    expected = [gain_by_hand(short, long, model, share) for model in range(3)]
    assert relative_gain(short, long, share).tolist() == pytest.approx(expected)


def test_a_gain_counts_only_below_the_best_model_of_the_group() -> None:
    short = np.array([[4.0, 4.0], [2.0, 2.0]])
    long = np.array([[2.5, 2.5], [1.0, 2.0]])
    weak, strong = relative_gain(short, long, 1.0)
    assert weak == 0
    assert strong == pytest.approx(1 - math.exp(-0.5))


def test_only_the_hardest_positions_count() -> None:
    short = np.array([[1.0, 5.0, 2.0, 3.0]])
    long = np.array([[0.0, 5.0, 0.0, 3.0]])
    assert relative_gain(short, long, 0.5) == pytest.approx([0.0])
    assert relative_gain(short, long, 0.75) == pytest.approx([1 - math.exp(-2 / 3)])


def test_longer_context_never_counts_as_a_loss() -> None:
    short = np.array([[1.0, 2.0], [2.0, 1.0]])
    assert (relative_gain(short, short + 3, 1.0) == 0).all()


def falling(until: int, contexts: list[int]) -> np.ndarray:
    """The losses of a model that gains a tenth of a nat with every context up to ``until``, [context, position]."""
    return np.stack([np.full(20, 3.0 - 0.1 * min(context, until) / 10) for context in contexts])


def test_a_model_s_length_is_where_it_stops_to_gain() -> None:
    contexts = [10, 20, 30, 40, 50]
    # The group's baseline is the best model's, so that one alone is measured against itself.
    for until, length, is_reached in ((10, 10, True), (30, 30, True), (40, 40, True), (50, 50, False)):
        (found,) = effective_contexts(falling(until, contexts)[:, None], contexts, hardest=0.5)
        assert (found.length, found.is_reached) == (length, is_reached)
        gaining = [gain > 0.01 for gain in found.gains]
        assert gaining == [context < until for context in contexts[:-1]]


def test_the_first_useless_step_ends_it_though_a_later_one_gains_again() -> None:
    contexts = [10, 20, 30, 40]
    losses = np.array([3.0, 2.5, 2.499, 1.0])[:, None, None] * np.ones((4, 1, 5))
    (found,) = effective_contexts(losses, contexts, hardest=1.0)
    assert (found.length, found.is_reached) == (20, True)
    assert found.gains[2] > 0.5


def test_the_order_of_models_and_positions_does_not_matter() -> None:
    rng = np.random.default_rng(1)
    losses = rng.exponential(2.0, (4, 3, 30)).cumsum(axis=0)[::-1].copy()
    found = effective_contexts(losses, [8, 16, 24, 32], hardest=0.3)
    order = random.Random(0).sample(range(30), 30)
    shuffled = effective_contexts(losses[:, ::-1][:, :, order], [8, 16, 24, 32], hardest=0.3)[::-1]
    for ours, theirs in zip(found, shuffled, strict=True):
        assert (ours.length, ours.is_reached) == (theirs.length, theirs.is_reached)
        assert ours.gains == pytest.approx(theirs.gains)


@pytest.mark.parametrize("share", [0.0, -0.1, 1.1])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match=rf"hardest is {share}, of 4 positions; it must be above 0"):
        relative_gain(np.ones((1, 4)), np.ones((1, 4)), share)


@pytest.mark.parametrize("contexts", [[10], [10, 20, 30], [20, 10], [10, 10]], ids=str)
def test_contexts_that_do_not_rise_in_equal_steps_are_refused(contexts: list[int]) -> None:
    with pytest.raises(ValueError, match="rising in equal steps"):
        effective_contexts(np.ones((len(contexts) if len(contexts) < 3 else 2, 1, 4)), contexts, hardest=0.5)


def test_unequal_steps_are_refused() -> None:
    with pytest.raises(ValueError, match="the contexts are 10, 20, 40 for 3 rows of losses"):
        effective_contexts(np.ones((3, 1, 4)), [10, 20, 40], hardest=0.5)
