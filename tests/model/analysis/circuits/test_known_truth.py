"""A circuit that is known: an induction head finds its key by what a previous-token head wrote there.

Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"; Olsson et al. 2022, arXiv:2209.11895.
"""

from typing import Any

import pytest
import torch

from model.analysis.circuits.induction import InductionCircuit, induction_circuit
from model.architectures.decoder_only import DecoderOnly
from model.training.zoo.train import fresh_model
from model.training.zoo.watch import HeldOutInputs, watch
from model.zoo.recording import Frame
from model.zoo.watched_runs import WatchedRun

EVERY = 40


class Traced(HeldOutInputs):
    """The held-out inputs, on one of which every frame traces the circuit."""

    def __init__(self) -> None:
        super().__init__("induction", n_traced=4)
        self.circuits: list[InductionCircuit] = []

    def look(self, model: DecoderOnly, *of_step: object) -> Frame:
        frame = super().look(model, *of_step)
        self.circuits.append(induction_circuit(model.eval(), self.shown.tokens[0]))
        model.train()
        return frame


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_induction_head_looks_through_the_previous_token_head_and_not_before_it_forms(seed: int) -> None:
    traced = Traced()
    frames = list(watch(WatchedRun(seed=seed), traced, EVERY))
    last, circuit = frames[-1], traced.circuits[-1]
    head = int(circuit.writes.argmax())
    assert last.held_out > 0.95
    assert circuit.is_composed[head]
    assert head == last.induction[1].argmax() == last.circuit_writes.argmax()
    assert circuit.composed[head].argmax() == last.previous[0].argmax() == last.circuit_composed[head].argmax()
    assert circuit.scores[head] > 0
    formed = next(number for number, frame in enumerate(frames) if frame.induction[1].max() > 0.5)
    complete = []
    for frame, one in zip(frames, traced.circuits, strict=True):
        writer = int(one.writes.argmax())
        complete.append(
            bool(one.is_composed[writer]) and one.scores[writer] > 0 and frame.induction[1].argmax() == writer
        )
    assert complete.index(True) >= formed - 1
    assert all(complete[formed + 1 :])


def test_a_token_that_was_not_read_once_before_is_refused() -> None:
    model = fresh_model(WatchedRun().run())
    with pytest.raises(ValueError, match="occurs earlier 2 times"):
        induction_circuit(model, torch.tensor([5, 6, 5, 7, 5, 6]))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [({"n_layers": 1}, "two layers"), ({"norm": "post"}, "norm 'pre'"), ({"encoding": "pope"}, "PoPE")],
)
def test_a_model_without_such_a_circuit_is_refused(changes: dict[str, Any], reason: str) -> None:
    traced = HeldOutInputs("induction", n_traced=1)
    with pytest.raises(ValueError, match=reason):
        next(watch(WatchedRun(**changes), traced, EVERY))
