"""A circuit that is known: an induction head finds its key by what a previous-token head wrote there.

Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"; Olsson et al. 2022, arXiv:2209.11895.
"""

from dataclasses import dataclass

import pytest
import torch

from model.analysis.circuits.frozen_pass import HEAD, TOKEN, FrozenPass, Node, logit_difference
from model.analysis.circuits.score_split import split_score
from model.analysis.interventions.ablation import Part
from model.architectures.decoder_only import DecoderOnly
from model.training.zoo.watch import HeldOutInputs, watch
from model.zoo.recording import Frame
from model.zoo.watched_runs import WatchedRun

EVERY = 40
FIRST, SECOND = "decoder.0.self_attention", "decoder.1.self_attention"


@dataclass(frozen=True)
class Circuit:
    """What writes the last letter of a repeated word: a head of the second layer, and how it finds its key.

    Attributes:
        head: the head of the second layer that adds most to the letter.
        looks_right: whether it looks most at the letter after the earlier place of the one read last.
        is_composed: whether the strongest part of that score is (the query's token) × (a head of the first layer).
        through: that head.
    """

    head: int
    looks_right: bool
    is_composed: bool
    through: int


class Circuits(HeldOutInputs):
    """The held-out inputs, of which every frame also looks for the circuit."""

    def __init__(self) -> None:
        super().__init__("induction")
        self.found: list[Circuit] = []

    def look(self, model: DecoderOnly, *of_step: object) -> Frame:
        frame = super().look(model, *of_step)
        self.found.append(circuit_of(model.eval(), self.shown.tokens[:1]))
        model.train()
        return frame


def circuit_of(model: DecoderOnly, tokens: torch.Tensor) -> Circuit:
    read, right = tokens[:, :-1], int(tokens[0, -1])
    query = read.shape[1] - 1
    (earlier,) = (read[0, :query] == read[0, query]).nonzero().flatten().tolist()
    frozen = FrozenPass(model, lambda rows: model(read.expand(rows, -1)))
    others = frozen.logits[query].detach().index_fill(0, torch.tensor(right), -torch.inf)
    effects = frozen.effects(logit_difference(query, right, int(others.argmax())))
    heads = range(model.config.n_heads)
    head = max(heads, key=lambda head: effects.of(Node(f"{SECOND}{HEAD}", query, head)))
    scores = frozen.seen[f"{SECOND}.scores"].detach()[0, head, query]
    key = earlier + 1
    split = split_score(frozen, SECOND, head, query, key, against=[one for one in range(query + 1) if one != key])
    row, column = divmod(int(split.products.argmax()), split.products.shape[1])
    pair = [*split.query, None][row], [*split.key, None][column]
    through = max(heads, key=lambda one: float(split.products[0, split.key.index(Part(f"{FIRST}{HEAD}", one))]))
    is_composed = pair == (Part(f"decoder{TOKEN}"), Part(f"{FIRST}{HEAD}", through))
    return Circuit(head, int(scores.argmax()) == key, is_composed, through)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_induction_head_looks_through_the_previous_token_head_and_not_before_it_forms(seed: int) -> None:
    circuits = Circuits()
    frames = list(watch(WatchedRun(seed=seed), circuits, EVERY))
    last, found = frames[-1], circuits.found[-1]
    assert last.held_out > 0.95
    assert found.looks_right
    assert found.is_composed
    assert found.head == last.induction[1].argmax()
    assert found.through == last.previous[0].argmax()
    formed = next(number for number, frame in enumerate(frames) if frame.induction[1].max() > 0.5)
    complete = [one.looks_right and one.is_composed for one in circuits.found]
    assert complete.index(True) >= formed - 1
    assert not any(complete[: formed - 1])
    assert all(complete[formed + 1 :])
