"""Nodes switched off in rows of one pass are the same as switched off one by one, by zero or by their mean."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch import Tensor

from model.analysis.circuits.checks import only, without
from model.analysis.circuits.frozen_pass import FrozenPass, Node, logit_difference
from model.hooks import intervene, record
from tests.model.analysis.circuits.held import FOIL, STEP, TOKEN, translator

OBJECTIVE = logit_difference(STEP, TOKEN, FOIL)
SETS = [
    [],
    [Node("encoder.1.self_attention.z", 2, 1)],
    [Node("decoder.0.feed_forward.hidden", 2, 5), Node("decoder.0.feed_forward.hidden", 1, 7)],
    [Node("decoder.2.cross_attention.z", 2, 0), Node("encoder.0.feed_forward.hidden", 4, 3)],
]


def sizes_of(frozen: FrozenPass) -> dict[str, tuple[int, ...]]:
    effects = frozen.effects(OBJECTIVE).effects
    return {point: tuple(effect.shape) for point, effect in effects.items() if point.endswith((".z", ".hidden"))}


def nodes_of(sizes: dict[str, tuple[int, ...]]) -> list[Node]:
    return [
        Node(point, at, index)
        for point, shape in sizes.items()
        for at in range(shape[1] if point.endswith(".z") else shape[0])
        for index in range(shape[0] if point.endswith(".z") else shape[1])
    ]


def means_of(frozen: FrozenPass) -> dict[str, Tensor]:
    return {
        point: frozen.seen[point].detach()[0].mean(1 if point.endswith(".z") else 0)
        for point in frozen.node_points
        if point.endswith((".z", ".hidden"))
    }


@pytest.mark.parametrize("by_mean", [False, True])
def test_each_row_lacks_its_own_nodes(make_model: Callable, by_mean: bool) -> None:
    model, read = translator(make_model)
    means = means_of(FrozenPass(model, read)) if by_mean else None
    together = without(read, OBJECTIVE, SETS, means)
    assert together.shape == (len(SETS),)
    for row, nodes in enumerate(SETS):
        edits: dict[str, Callable[[Tensor], Tensor]] = {}
        for point in {node.point for node in nodes}:

            def off(x: Tensor, point: str = point, nodes: list[Node] = nodes) -> Tensor:
                x = x.clone()
                for node in nodes:
                    if node.point != point:
                        continue
                    mean = 0.0 if means is None else means[point][node.index]
                    if point.endswith(".z"):
                        x[0, node.index, node.position] = mean
                    else:
                        x[0, node.position, node.index] = mean
                return x

            edits[point] = off
        with torch.no_grad(), intervene(edits):
            alone = OBJECTIVE(read(1))
        torch.testing.assert_close(together[row], alone[0], atol=1e-5, rtol=1e-5)
    assert len({round(float(value), 4) for value in together}) == len(SETS)


def test_all_kept_is_the_whole_and_none_kept_is_without_heads_and_units(make_model: Callable) -> None:
    model, read = translator(make_model)
    frozen = FrozenPass(model, read)
    sizes = sizes_of(frozen)
    everything = nodes_of(sizes)
    whole, nothing = only(read, OBJECTIVE, [everything, []], [*sizes])
    assert float(whole) == pytest.approx(frozen.effects(OBJECTIVE).total, abs=1e-5)
    with torch.no_grad(), intervene({"*.z": torch.zeros_like, "*.hidden": torch.zeros_like}):
        expected = OBJECTIVE(read(1))[0]
    torch.testing.assert_close(nothing, expected, atol=1e-5, rtol=1e-5)


def test_keeping_a_set_is_switching_off_the_others(make_model: Callable) -> None:
    model, read = translator(make_model)
    frozen = FrozenPass(model, read)
    sizes, means = sizes_of(frozen), means_of(frozen)
    kept = [node for node in frozen.effects(OBJECTIVE).nodes if node.point in sizes][:40]
    others = [node for node in nodes_of(sizes) if node not in kept]
    torch.testing.assert_close(
        only(read, OBJECTIVE, [kept], [*sizes], means), without(read, OBJECTIVE, [others], means), atol=1e-5, rtol=1e-5
    )


def test_after_the_tokens_read_nothing_of_the_decoder_is_off(make_model: Callable) -> None:
    model, read = translator(make_model)
    sizes = sizes_of(FrozenPass(model, read))
    later = [node for node in nodes_of(sizes) if node.stack == "decoder" and node.position >= STEP]
    torch.testing.assert_close(
        only(read, OBJECTIVE, [[]], [*sizes], n_read=STEP), only(read, OBJECTIVE, [later], [*sizes]), atol=1e-5, rtol=0
    )


def test_nothing_of_one_pass_is_seen_by_another_thread(make_model: Callable) -> None:
    model, read = translator(make_model)
    expected = FrozenPass(model, read).effects(OBJECTIVE)
    node = next(node for node in expected.nodes if node.point.endswith(".hidden"))

    def measure(number: int) -> tuple[float, float]:
        if number % 2:
            return float(without(read, OBJECTIVE, [[node]])[0]), 0.0
        effects = FrozenPass(model, read).effects(OBJECTIVE)
        return effects.total, effects.of(node)

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(measure, range(64)))
    assert {tuple(round(value, 5) for value in pair) for pair in results[::2]} == {
        (round(expected.total, 5), round(expected.of(node), 5))
    }
    assert len({round(pair[0], 5) for pair in results[1::2]}) == 1
    with record("*") as seen:
        read(1)
    assert seen
