"""What is told of the recorded runs is what their curves say; with other curves it is not told."""

from dataclasses import replace

import numpy as np

from viz.pages.training.study.answers import of_circuit, of_grokking, of_layers, of_norms, of_positions
from viz.pages.training.study.shipped import shipped_recordings


def test_two_layers_learn_and_one_does_not() -> None:
    one, two = shipped_recordings("layers")
    assert of_layers((one, two)).holds
    assert not of_layers((two, two)).holds


def test_the_circuit_of_induction_forms_with_its_head() -> None:
    one, two = shipped_recordings("layers")
    assert of_circuit((one, two)).holds
    assert not of_circuit((one, one)).holds
    assert not of_circuit((one, replace(two, circuit_composed=-two.circuit_composed))).holds
    at_once = np.broadcast_to(two.circuit_composed[-1], two.circuit_composed.shape)
    assert not of_circuit((one, replace(two, circuit_composed=at_once))).holds


def test_new_pairs_follow_late_and_with_weight_decay_alone() -> None:
    without, with_decay = shipped_recordings("grokking")
    assert of_grokking((without, with_decay)).holds
    assert not of_grokking((with_decay, with_decay)).holds
    assert not of_grokking((without, without)).holds


def test_the_norm_rises_again_while_new_pairs_are_learned() -> None:
    without, with_decay = shipped_recordings("grokking")
    claim = of_norms((without, with_decay))
    assert claim.holds
    assert with_decay.weight_norm.min() <= claim.values["lowest"] < claim.values["end"]
    falling = replace(with_decay, weight_norm=(1 / (1 + with_decay.steps)).astype("float32"))
    assert not of_norms((without, falling)).holds


def test_t5_is_not_learned_in_time() -> None:
    table, t5, kerple = shipped_recordings("positions")
    assert of_positions((table, t5, kerple)).holds
    assert not of_positions((table, table, kerple)).holds
