"""The edges between whole parts are those between all of their nodes, in every row as if it stood alone."""

from functools import partial

import pytest
import torch

from model.analysis.circuits.edges import edges_between, edges_between_parts
from model.analysis.circuits.frozen_pass import HEAD, UNIT, FrozenPass, Node, is_input, logit_difference
from model.analysis.interventions.ablation import Means, Part
from model.analysis.interventions.direct_attribution import NotASumError
from tests.model.analysis.circuits.held import FOIL, STEP, TOKEN, decoder

OBJECTIVE = logit_difference(STEP, TOKEN, FOIL)
TEXTS = torch.tensor([[2, 5, 8, 8], [2, 9, 4, 7]])


def part_of(node: Node | None) -> Part | None:
    return node and Part(node.point, node.index if node.point.endswith(HEAD) else None)


@pytest.mark.parametrize("encoding", ["sinusoidal", "rotary", "path", "kerple"])
def test_edges_of_parts_are_the_sums_of_those_of_their_nodes_row_by_row(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, _ = decoder(encoding)
    rows = FrozenPass(model, lambda _: model(TEXTS))
    means = {
        point: torch.randn(x.shape[1], x.shape[-1]) if point.endswith(HEAD) else torch.randn(x.shape[-1])
        for point, x in rows.seen.items()
        if point.endswith((HEAD, UNIT))
    }
    shared = {point: x.detach().reshape(-1, *x.shape[-2:]).mean(0) for point, x in rows.seen.items() if is_input(point)}
    edges = edges_between_parts(rows, OBJECTIVE, means)
    assert len({(edge.source, edge.target) for edge in edges}) == len(edges)
    for row, text in enumerate(TEXTS):
        alone = FrozenPass(model, partial(_read, model, text))
        effects = alone.effects(OBJECTIVE, means)
        groups = _at_each_position(effects.effects)
        monkeypatch.setattr(alone, "written", partial(_written, alone, shared))
        sums: dict[tuple[Part | None, Part | None], float] = {}
        for edge in edges_between(alone, effects, OBJECTIVE, groups):
            ends = part_of(edge.source[0]), part_of(edge.target and edge.target[0])
            sums[ends] = sums.get(ends, 0) + edge.effect
        assert any(is_input(edge.source.point) and abs(edge.effects[row]) > 1e-3 for edge in edges)
        for edge in edges:
            assert float(edge.effects[row]) == pytest.approx(sums[edge.source, edge.target], abs=2e-5), edge


def test_a_stream_that_is_no_sum_has_no_edges() -> None:
    frozen = FrozenPass(*decoder("sinusoidal", "post"))
    with pytest.raises(NotASumError, match="norm 'post'"):
        edges_between(frozen, frozen.effects(OBJECTIVE), OBJECTIVE, [])
    with pytest.raises(NotASumError, match="norm 'post'"):
        edges_between_parts(frozen, OBJECTIVE, {})


def test_what_all_rows_share_of_their_inputs_adds_nothing() -> None:
    model, _ = decoder("sinusoidal")
    same = FrozenPass(model, lambda _: model(TEXTS[:1].expand(2, -1)))
    means = {
        point: torch.zeros(x.shape[1], x.shape[-1]) if point.endswith(HEAD) else torch.zeros(x.shape[-1])
        for point, x in same.seen.items()
        if point.endswith((HEAD, UNIT))
    }
    inputs = [edge for edge in edges_between_parts(same, OBJECTIVE, means) if is_input(edge.source.point)]
    assert inputs
    assert all(edge.effects.abs().max() < 1e-6 for edge in inputs)


def _read(model: torch.nn.Module, text: torch.Tensor, rows: int) -> torch.Tensor:
    logits: torch.Tensor = model(text.expand(rows, -1))
    return logits


def _written(frozen: FrozenPass, shared: Means, node: Node, means: Means | None = None) -> torch.Tensor:
    """Return what ``node`` writes: of an input, what it differs in from ``shared`` at its position."""
    value = FrozenPass.written(frozen, node, means)
    return value - shared[node.point][node.position] if is_input(node.point) else value


def _at_each_position(effects: dict[str, torch.Tensor]) -> list[tuple[Node, ...]]:
    """Return each input and head alone, and the hidden units of each layer together, at each position."""
    groups: list[tuple[Node, ...]] = []
    for point, table in effects.items():
        if point.endswith(HEAD):
            groups += [(Node(point, column, row),) for row in range(len(table)) for column in range(table.shape[1])]
        elif is_input(point):
            groups += [(Node(point, row),) for row in range(len(table))]
        elif point.endswith(UNIT):
            groups += [tuple(Node(point, row, unit) for unit in range(table.shape[1])) for row in range(len(table))]
    return groups
