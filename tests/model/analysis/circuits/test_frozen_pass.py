"""The effects of nodes are what a network with everything held loses without them; inputs and biases sum to all."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from model.analysis.circuits.edges import edges_between
from model.analysis.circuits.frozen_pass import FrozenPass, Node, Reader, is_input, logit_difference
from model.positional.registry import registered
from tests.model.analysis.circuits.held import FOIL, STEP, TOKEN, Held, decoder, translator

OBJECTIVE = logit_difference(STEP, TOKEN, FOIL)
INPUTS = ("embedding", "positional.encoding")
KINDS = ["translator", "sinusoidal", "rotary", "alibi", "learned"]


@pytest.fixture(params=KINDS)
def pair(request: pytest.FixtureRequest, make_model: Callable) -> tuple[nn.Module, Reader]:
    return translator(make_model) if request.param == "translator" else decoder(request.param)


def alone(nodes: tuple[Node, ...]) -> list[tuple[Node]]:
    return [(node,) for node in nodes]


def zeroed(node: Node) -> Callable[[Tensor], Tensor]:
    def edit(x: Tensor) -> Tensor:
        x = x.clone()
        x[node.place if node.point.endswith("encoding") else (0, *node.place)] = 0
        return x

    return edit


@pytest.mark.parametrize("kind", ["translator", *registered()])
def test_tokens_positions_and_biases_sum_to_the_difference_of_the_logits(make_model: Callable, kind: str) -> None:
    model, read = translator(make_model) if kind == "translator" else decoder(kind)
    effects = FrozenPass(model, read).effects(OBJECTIVE)
    with torch.no_grad():
        logits = read(1)[0, STEP]
    assert effects.total == pytest.approx(float(logits[TOKEN] - logits[FOIL]), abs=1e-5)
    assert effects.of_inputs + effects.biases == pytest.approx(effects.total, abs=1e-5)


def test_the_effect_of_a_node_is_what_the_held_network_loses_without_it(pair: tuple[nn.Module, Reader]) -> None:
    model, read = pair
    effects, held = FrozenPass(model, read).effects(OBJECTIVE), Held(model, read)
    nodes = effects.nodes
    assert {node.point.rpartition(".")[2] for node in nodes} >= {"embedding", "z", "hidden"}
    for node in (*nodes[:20], *nodes[20::9]):
        logits, _ = held({node.point: zeroed(node)})
        lost = OBJECTIVE(held.logits[None]) - OBJECTIVE(logits[None])
        assert effects.of(node) == pytest.approx(float(lost), abs=1e-5), node


def test_nodes_come_by_the_strength_of_their_effect(pair: tuple[nn.Module, Reader]) -> None:
    effects = FrozenPass(*pair).effects(OBJECTIVE)
    strengths = [abs(effects.of(node)) for node in effects.nodes]
    assert strengths == sorted(strengths, reverse=True)
    assert strengths[-1] > 0
    assert len({*effects.nodes}) == len(strengths) == sum(int((one != 0).sum()) for one in effects.effects.values())


def test_edges_out_of_a_node_sum_to_its_effect(pair: tuple[nn.Module, Reader]) -> None:
    frozen = FrozenPass(*pair)
    effects = frozen.effects(OBJECTIVE)
    edges = edges_between(frozen, effects, OBJECTIVE, alone(effects.nodes))
    for node in effects.nodes:
        out = sum(edge.effect for edge in edges if edge.source == (node,))
        assert out == pytest.approx(effects.of(node), abs=1e-5), node


def test_an_edge_is_what_a_node_loses_whose_block_does_not_read_the_other(pair: tuple[nn.Module, Reader]) -> None:
    model, read = pair
    frozen, held = FrozenPass(model, read), Held(model, read)
    effects = frozen.effects(OBJECTIVE)
    edges = edges_between(frozen, effects, OBJECTIVE, alone(effects.nodes[:60]))
    to_nodes = [edge for edge in edges if edge.target is not None and "cross" not in edge.target[0].point]
    assert len(to_nodes) > 100
    for edge in sorted(to_nodes, key=lambda edge: -abs(edge.effect))[:40]:
        assert edge.target is not None
        (source,), (target,) = edge.source, edge.target
        written = frozen.written(source)

        def unread(x: Tensor, at: int = source.position, gone: Tensor = written) -> Tensor:
            x = x.clone()
            x[0, at] -= gone
            return x

        _, seen = held({f"{target.block}.residual_before": unread})
        # What is computed of a stream that lacks the source; hidden units before their recorded gate.
        value = seen[target.point][0] if target.point.endswith(".z") else held.hidden_of(target.point, seen)
        lost = (held.seen[target.point][0] - value)[target.place] * effects.slopes[target.point][target.place]
        assert edge.effect == pytest.approx(float(lost.sum()), abs=1e-5), edge


def test_edges_into_a_node_and_the_biases_of_the_way_sum_to_its_effect(make_model: Callable) -> None:
    model, read = translator(make_model)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith("bias"):
                parameter.zero_()
    frozen = FrozenPass(model, read)
    effects = frozen.effects(OBJECTIVE)
    edges = edges_between(frozen, effects, OBJECTIVE, alone(effects.nodes))
    for node in effects.nodes:
        if not is_input(node.point):
            into = sum(edge.effect for edge in edges if edge.target == (node,))
            assert into == pytest.approx(effects.of(node), abs=1e-5), node


def test_the_edges_of_a_group_are_those_of_its_nodes_together(make_model: Callable) -> None:
    frozen = FrozenPass(*translator(make_model))
    effects = frozen.effects(OBJECTIVE)
    units = tuple(
        node for node in effects.nodes if node.point == "decoder.0.feed_forward.hidden" and node.position == STEP
    )
    head, inputs = Node("decoder.1.self_attention.z", STEP, 0), tuple(Node(f"decoder.{name}", STEP) for name in INPUTS)
    assert len(units) > 3
    together = edges_between(frozen, effects, OBJECTIVE, [inputs, units, (head,)])
    apart = edges_between(frozen, effects, OBJECTIVE, alone((*inputs, *units, head)))
    ends = [(inputs, units), (inputs, (head,)), (units, (head,)), (units, None), ((head,), None)]
    for source, target in ends:
        (effect,) = [edge.effect for edge in together if (edge.source, edge.target) == (source, target)]
        targets = [None] if target is None else alone(target)
        parts = [edge.effect for edge in apart if edge.source[0] in source and edge.target in targets]
        assert effect == pytest.approx(sum(parts), abs=1e-5)


def test_nothing_of_it_stays_in_the_model(make_model: Callable) -> None:
    model, read = translator(make_model)
    FrozenPass(model, read).effects(OBJECTIVE)
    assert all(parameter.grad is None for parameter in model.parameters())
