"""Rankings of nodes, against gradients by PyTorch alone."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from model.analysis.circuits.frozen_pass import logit_difference
from model.analysis.circuits.rankings import (
    N_POINTS,
    RANKINGS,
    attribution_patching,
    frozen,
    integrated_gradients,
    matched_draw,
)
from model.hooks import intervene, record
from tests.model.analysis.circuits.held import FOIL, STEP, TOKEN, translator

OBJECTIVE = logit_difference(STEP, TOKEN, FOIL)
HEADS, UNITS = "encoder.1.self_attention.z", "decoder.1.feed_forward.hidden"


@pytest.mark.parametrize("name", RANKINGS)
def test_only_heads_and_hidden_units_are_ranked(make_model: Callable, name: str) -> None:
    effects = RANKINGS[name](*translator(make_model), OBJECTIVE, None)
    assert {node.point.rpartition(".")[2] for node in effects.nodes} == {"z", "hidden"}


@pytest.mark.parametrize("by_mean", [False, True])
def test_attribution_patching_is_the_networks_own_gradient(make_model: Callable, by_mean: bool) -> None:
    model, read = translator(make_model)
    with record(HEADS, UNITS) as seen:
        total = OBJECTIVE(read(1))[0]
        slopes = torch.autograd.grad(total, [seen[HEADS], seen[UNITS]])
    z, hidden = seen[HEADS].detach()[0], seen[UNITS].detach()[0]
    means = {HEADS: torch.rand(2, 5), UNITS: torch.rand(24)} if by_mean else None
    every = None if means is None else {**{point: torch.zeros(1) for point in seen}, **means}
    with torch.no_grad(), record("*.z", "*.hidden") as all_seen:
        read(1)
    if every is not None:
        for point, value in all_seen.items():
            every.setdefault(point, torch.zeros(value.shape[1], value.shape[3]) if value.ndim == 4 else torch.zeros(24))
    effects = attribution_patching(model, read, OBJECTIVE, every).effects
    if means is not None:
        z, hidden = z - means[HEADS][:, None], hidden - means[UNITS]
    torch.testing.assert_close(effects[HEADS], (z * slopes[0][0]).sum(-1), atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(effects[UNITS], hidden * slopes[1][0], atol=1e-5, rtol=1e-4)


def test_integrated_gradients_take_the_mean_slope_of_scaled_inputs(make_model: Callable) -> None:
    model, read = translator(make_model)
    slopes = []
    for number in range(1, N_POINTS + 1):
        with intervene({"*.embedding": lambda x, share=number / N_POINTS: x * share}), record(HEADS) as seen:
            total = OBJECTIVE(read(1))[0]
            slopes.append(torch.autograd.grad(total, [seen[HEADS]])[0][0])
    with torch.no_grad(), record(HEADS) as whole:
        read(1)
    expected = (whole[HEADS][0] * torch.stack(slopes).mean(0)).sum(-1)
    effects = integrated_gradients(model, read, OBJECTIVE).effects
    torch.testing.assert_close(effects[HEADS], expected, atol=1e-5, rtol=1e-4)


def test_holding_patterns_changes_the_ranking(make_model: Callable) -> None:
    model, read = translator(make_model)
    held, free = frozen(model, read, OBJECTIVE), attribution_patching(model, read, OBJECTIVE)
    assert held.total == pytest.approx(free.total, abs=1e-6)
    assert held.nodes[:20] != free.nodes[:20]


def test_a_matched_draw_has_as_many_of_each_kind(make_model: Callable) -> None:
    nodes = frozen(*translator(make_model), OBJECTIVE).nodes
    drawn = matched_draw(nodes[:15], nodes, np.random.default_rng(0))
    assert len({*drawn}) == 15
    assert {*drawn} <= {*nodes}
    assert sorted(node.point for node in drawn) == sorted(node.point for node in nodes[:15])
    assert {*drawn} != {*nodes[:15]}
