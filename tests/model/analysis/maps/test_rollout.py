"""Rollout and flow, against their definitions written out and a peer's maximum flow."""

import networkx
import numpy as np
import pytest
from networkx.algorithms.flow import preflow_push

from model.analysis.maps.flow import flow
from model.analysis.maps.rollout import joint_mixings, rollout, self_mixings

N_SOURCE, N_TARGET = 5, 4


def patterns(*shape: int, causal: bool = False) -> np.ndarray:
    weights = np.random.default_rng(sum(shape)).random(shape).astype(np.float32)
    if causal:
        weights = np.tril(weights)
    return weights / weights.sum(axis=-1, keepdims=True)


@pytest.fixture(scope="module")
def joint() -> np.ndarray:
    encoder = patterns(3, 2, N_SOURCE, N_SOURCE)
    decoder = patterns(2, 2, N_TARGET, N_TARGET, causal=True)
    return joint_mixings(encoder, decoder, patterns(2, 2, N_TARGET, N_SOURCE))


def test_rollout_equals_the_recursion_of_the_paper() -> None:
    weights = patterns(4, 3, 6, 6)
    expected = np.eye(6)
    for layer, rolled in zip(weights, rollout(self_mixings(weights)), strict=True):
        mean = sum(layer) / len(layer)
        augmented = mean + np.eye(6)
        augmented /= augmented.sum(axis=-1, keepdims=True)
        expected = augmented @ expected
        np.testing.assert_allclose(rolled, expected, atol=1e-6)


def test_joint_rollout_equals_encoder_and_decoder_written_out() -> None:
    encoder, cross = patterns(3, 2, N_SOURCE, N_SOURCE), patterns(2, 2, N_TARGET, N_SOURCE)
    decoder = patterns(2, 2, N_TARGET, N_TARGET, causal=True)
    source = np.eye(N_SOURCE)
    for layer in encoder:
        source = (source + layer.mean(axis=0) @ source) / 2
    from_source, from_target = np.zeros((N_TARGET, N_SOURCE)), np.eye(N_TARGET)
    for own, other in zip(decoder.mean(axis=1), cross.mean(axis=1), strict=True):
        from_source, from_target = (from_source + own @ from_source) / 2, (from_target + own @ from_target) / 2
        from_source, from_target = (from_source + other @ source) / 2, from_target / 2
    rolled = rollout(joint_mixings(encoder, decoder, cross))[-1]
    np.testing.assert_allclose(rolled[:N_SOURCE, :N_SOURCE], source, atol=1e-6)
    np.testing.assert_allclose(rolled[N_SOURCE:], np.hstack((from_source, from_target)), atol=1e-6)


def test_every_row_of_a_rollout_sums_to_one(joint: np.ndarray) -> None:
    np.testing.assert_allclose(rollout(joint).sum(axis=-1), 1, atol=1e-6)


def test_no_target_token_draws_on_a_later_one(joint: np.ndarray) -> None:
    last = rollout(joint)[-1]
    assert not np.triu(last[N_SOURCE:, N_SOURCE:], k=1).any()
    assert not last[:N_SOURCE, N_SOURCE:].any()
    assert not flow(joint, N_SOURCE)[N_SOURCE + 1 :].any()


@pytest.mark.parametrize("token", [0, N_SOURCE, N_SOURCE + N_TARGET - 1])
def test_flow_equals_another_maximum_flow(joint: np.ndarray, token: int) -> None:
    network = networkx.DiGraph()
    for step, mixing in enumerate(joint):
        for row, column in zip(*np.nonzero(mixing), strict=True):
            network.add_edge((step + 1, int(row)), (step, int(column)), capacity=float(mixing[row, column]))
    for end, found in enumerate(flow(joint, token)):
        goal = (0, end)
        expected = networkx.maximum_flow_value(network, (len(joint), token), goal, flow_func=preflow_push)
        assert found == pytest.approx(expected, abs=1e-6)


def test_flow_through_one_layer_is_its_mixing() -> None:
    mixings = self_mixings(patterns(1, 2, 4, 4))
    np.testing.assert_allclose(flow(mixings, 2), mixings[0, 2], atol=1e-6)
