"""Hook points: the whole list, what is seen, what is changed, and that nothing outlives its ``with``."""

import re
from collections.abc import Iterator
from itertools import groupby

import pytest
import torch
from torch import Tensor

from model.hooks import HOOKS, HookPoint, intervene, is_wanted, record
from model.positional import (
    Description,
    PositionalConfig,
    PositionalEncoding,
    Properties,
    QueryKey,
    register,
    registered,
)
from model.positional import registry as positional_registry

NAMES = [
    "encoder.embedding",
    "encoder.positional.encoding",
    "encoder.input",
    "encoder.{layer}.self_attention.residual_before",
    "encoder.{layer}.self_attention.norm_scale",
    "encoder.{layer}.self_attention.q",
    "encoder.{layer}.self_attention.k",
    "encoder.{layer}.self_attention.v",
    "encoder.{layer}.self_attention.position_bias",
    *(f"encoder.{{layer}}.self_attention.term_{term}" for term in "abcd"),
    "encoder.{layer}.self_attention.scores",
    "encoder.{layer}.self_attention.pattern",
    "encoder.{layer}.self_attention.z",
    "encoder.{layer}.self_attention.output",
    "encoder.{layer}.self_attention.residual_after",
    "encoder.{layer}.feed_forward.residual_before",
    "encoder.{layer}.feed_forward.norm_scale",
    "encoder.{layer}.feed_forward.hidden",
    "encoder.{layer}.feed_forward.output",
    "encoder.{layer}.feed_forward.residual_after",
    "encoder.norm_scale",
    "encoder.output",
    "decoder.embedding",
    "decoder.positional.encoding",
    "decoder.input",
    "decoder.{layer}.self_attention.residual_before",
    "decoder.{layer}.self_attention.norm_scale",
    "decoder.{layer}.self_attention.memory",
    "decoder.{layer}.self_attention.q",
    "decoder.{layer}.self_attention.k",
    "decoder.{layer}.self_attention.v",
    "decoder.{layer}.self_attention.position_bias",
    *(f"decoder.{{layer}}.self_attention.term_{term}" for term in "abcd"),
    "decoder.{layer}.self_attention.scores",
    "decoder.{layer}.self_attention.pattern",
    "decoder.{layer}.self_attention.z",
    "decoder.{layer}.self_attention.output",
    "decoder.{layer}.self_attention.residual_after",
    "decoder.{layer}.cross_attention.residual_before",
    "decoder.{layer}.cross_attention.norm_scale",
    "decoder.{layer}.cross_attention.q",
    "decoder.{layer}.cross_attention.k",
    "decoder.{layer}.cross_attention.v",
    "decoder.{layer}.cross_attention.scores",
    "decoder.{layer}.cross_attention.pattern",
    "decoder.{layer}.cross_attention.z",
    "decoder.{layer}.cross_attention.output",
    "decoder.{layer}.cross_attention.residual_after",
    "decoder.{layer}.feed_forward.residual_before",
    "decoder.{layer}.feed_forward.norm_scale",
    "decoder.{layer}.feed_forward.hidden",
    "decoder.{layer}.feed_forward.output",
    "decoder.{layer}.feed_forward.residual_after",
    "decoder.norm_scale",
    "decoder.output",
    "logits",
]

HAD_BY_FEW = re.compile(r"\.(position_bias|term_.|memory)$")

SOURCE = torch.tensor([[4, 5, 6, 7, 3], [8, 9, 3, 0, 0]])
TARGET = torch.tensor([[2, 5, 6, 7], [2, 9, 8, 10]])
PATTERN = "encoder.0.self_attention.pattern"


@pytest.fixture
def biased_encoding() -> Iterator[str]:
    """An encoding with a score bias, an additive part and scores in terms, known for as long as the test runs."""

    @register
    class Biased(PositionalEncoding):
        properties = Properties("relative", ("scores",), False, "unbounded", "yes", False)
        description = Description(
            "test-biased", "Biased", "A bias.", paper="none", year=2026, formula="b", properties=properties
        )

        def __init__(self, stack: object) -> None:
            super().__init__()
            self.n_heads, self.d_model = stack.n_heads, stack.d_model

        def additive_encoding(self, positions: Tensor) -> Tensor:
            return torch.full((len(positions), self.d_model), 0.25)

        def score_bias(self, qk: QueryKey) -> Tensor:
            return -qk.distances().abs().float() * torch.arange(1, self.n_heads + 1)[:, None, None][None]

        def score_terms(self, qk: QueryKey) -> dict[str, Tensor]:
            content = qk.q @ qk.k.mT / qk.q.shape[-1] ** 0.5
            bias = self.score_bias(qk).expand_as(content)
            return {"a": content, "b": bias * 0.5, "c": torch.zeros_like(content), "d": bias * 0.5}

    yield Biased.description.name
    del positional_registry._registry[Biased.description.name]
    assert Biased.description.name not in registered()


def in_forward_order(n_encoder_layers: int, n_decoder_layers: int) -> list[HookPoint]:
    """HOOKS with ``{layer}`` replaced, each layer's points together."""
    n_layers = {"encoder": n_encoder_layers, "decoder": n_decoder_layers}
    points = []
    for (stack, is_layered), group in groupby(HOOKS, lambda point: (point.name.split(".")[0], "{" in point.name)):
        rows = list(group)
        for layer in range(n_layers[stack] if is_layered else 1):
            points += [HookPoint(row.name.format(layer=layer), row.shape, row.description) for row in rows]
    return points


def test_the_list_of_hook_points_is_this_one() -> None:
    assert [point.name for point in HOOKS] == NAMES
    assert all(point.description for point in HOOKS)


def test_a_forward_pass_fires_every_hook_point_once_with_its_shape(make_model, biased_encoding) -> None:
    model = make_model(norm="pre", d_key=6, d_value=6, positional=PositionalConfig(biased_encoding))
    with record("*") as seen:
        model(SOURCE, TARGET)
    expected = [point for point in in_forward_order(2, 3) if not point.name.endswith("memory")]
    assert list(seen) == [point.name for point in expected]
    n_source, n_target = SOURCE.shape[1], TARGET.shape[1]
    for point in expected:
        (tensor,) = seen.every(point.name)
        of_source = n_source if point.name.startswith("encoder") else n_target
        keys = n_source if "cross_attention" in point.name else of_source
        sizes = {"B": {2}, "B or 1": {1, 2}, "H": {2}, "Q": {of_source}, "K": {keys}, "P": {of_source}}
        sizes |= {"D": {16}, "E": {6}, "F": {24}, "V": {11}, "1": {1}}
        axes = point.shape.strip("[]").split(", ")
        assert tensor.ndim == len(axes), point
        assert all(size in sizes[axis] for size, axis in zip(tensor.shape, axes, strict=True)), (point, tensor.shape)


@pytest.mark.parametrize("name", ["sinusoidal", "learned"])
def test_without_a_bias_only_what_few_models_have_stays_silent(make_model, name: str) -> None:
    model = make_model(norm="pre", positional=PositionalConfig(name))
    with record("*") as seen:
        model(SOURCE, TARGET)
    every = [point.name for point in in_forward_order(2, 3)]
    assert list(seen) == [hook_name for hook_name in every if not HAD_BY_FEW.search(hook_name)]


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("seen_points", ["*", "*.pattern", "decoder.1.cross_attention.scores", "*.z"])
def test_recording_changes_no_output(make_model, norm: str, seen_points: str) -> None:
    model = make_model(norm=norm)
    plain = model(SOURCE, TARGET)
    with record(seen_points) as seen:
        recorded = model(SOURCE, TARGET)
    assert seen
    torch.testing.assert_close(recorded, plain, rtol=1e-5, atol=1e-5)


def test_a_bias_acts_alike_on_the_fast_and_the_recorded_path(make_model, biased_encoding) -> None:
    model = make_model(positional=PositionalConfig(biased_encoding))
    plain = model(SOURCE, TARGET)
    with record("*") as seen:
        recorded = model(SOURCE, TARGET)
    torch.testing.assert_close(recorded, plain, rtol=1e-5, atol=1e-5)
    for block in ("encoder.0.self_attention", "decoder.2.self_attention"):
        q, k = seen[f"{block}.q"], seen[f"{block}.k"]
        expected = q @ k.mT / q.shape[-1] ** 0.5 + seen[f"{block}.position_bias"]
        allowed = ~seen[f"{block}.scores"].isinf()
        torch.testing.assert_close(seen[f"{block}.scores"][allowed], expected[allowed])


def test_only_what_is_asked_for_is_computed(make_model, monkeypatch: pytest.MonkeyPatch) -> None:
    model = make_model()
    fast = []
    original = torch.nn.functional.scaled_dot_product_attention

    def counted(*arguments: Tensor, **options: Tensor) -> Tensor:
        fast.append(1)
        return original(*arguments, **options)

    monkeypatch.setattr(torch.nn.functional, "scaled_dot_product_attention", counted)
    model(SOURCE, TARGET)
    n_blocks = len(fast)
    with record(PATTERN, "*.q", "logits"):
        model(SOURCE, TARGET)
    assert n_blocks == 2 + 2 * 3
    assert len(fast) == n_blocks + n_blocks - 1


def test_globs_and_names_select(make_model) -> None:
    with record("decoder.*.cross_attention.pattern", "logits") as seen:
        make_model()(SOURCE, TARGET)
    assert list(seen) == [*(f"decoder.{layer}.cross_attention.pattern" for layer in range(3)), "logits"]
    assert len(seen) == 4
    assert seen.every("encoder.output") == ()
    with pytest.raises(KeyError):
        seen["encoder.output"]


def test_of_a_point_passed_several_times_every_tensor_is_kept(make_model) -> None:
    model = make_model()
    memory, mask = model.encode(SOURCE)
    cache = model.new_cache()
    with record("decoder.0.self_attention.pattern") as seen:
        for step in range(TARGET.shape[1]):
            model.decode(TARGET[:, step : step + 1], memory, mask, cache)
    shapes = [tuple(pattern.shape) for pattern in seen.every("decoder.0.self_attention.pattern")]
    assert shapes == [(2, 2, 1, 1), (2, 2, 1, 2), (2, 2, 1, 3), (2, 2, 1, 4)]
    assert seen["decoder.0.self_attention.pattern"].shape == (2, 2, 1, 4)


def without_head_0(pattern: Tensor) -> Tensor:
    return torch.cat((torch.zeros_like(pattern[:, :1]), pattern[:, 1:]), dim=1)


def test_an_intervention_changes_exactly_what_follows_from_it(make_model) -> None:
    model = make_model()
    with record("*") as plain:
        model(SOURCE, TARGET)
    with intervene({PATTERN: without_head_0}), record("*") as edited:
        model(SOURCE, TARGET)
    z = without_head_0(plain[PATTERN]) @ plain["encoder.0.self_attention.v"]
    output = z.transpose(1, 2).flatten(2) @ model.encoder.layers[0].self_attention.W_O.weight.T
    torch.testing.assert_close(edited["encoder.0.self_attention.output"], output)
    torch.testing.assert_close(edited["encoder.0.self_attention.v"], plain["encoder.0.self_attention.v"])
    assert not torch.allclose(edited["logits"], plain["logits"], atol=1e-3)


@pytest.mark.parametrize("name", [name.format(layer=0) for name in NAMES if not HAD_BY_FEW.search(name)])
def test_every_hook_point_can_be_intervened_at(make_model, name: str) -> None:
    model = make_model(norm="pre")
    plain = model(SOURCE, TARGET)
    with intervene({name: lambda tensor: tensor + torch.randn_like(tensor)}):
        edited = model(SOURCE, TARGET)
    assert not torch.allclose(edited, plain, atol=1e-4)


def test_a_glob_intervenes_in_every_layer(make_model) -> None:
    with intervene({"*.pattern": torch.zeros_like}), record("*.z") as seen:
        make_model()(SOURCE, TARGET)
    assert len(seen) == 2 + 2 * 3
    assert all(not z.any() for z in seen.values())


def test_a_record_sees_edited_values_whichever_is_outside(make_model) -> None:
    model = make_model()
    with intervene({PATTERN: without_head_0}), record(PATTERN) as inside:
        model(SOURCE, TARGET)
    with record(PATTERN) as outside, intervene({PATTERN: without_head_0}):
        model(SOURCE, TARGET)
    for seen in (inside, outside):
        assert not seen[PATTERN][:, 0].any()
        assert seen[PATTERN][:, 1].any()
    torch.testing.assert_close(inside[PATTERN], outside[PATTERN])


def test_the_later_of_two_edits_gets_what_the_earlier_one_returned(make_model) -> None:
    def added(x: Tensor) -> Tensor:
        return x + 1

    model = make_model()
    seen = []
    for outer, inner in ((torch.zeros_like, added), (added, torch.zeros_like)):
        with intervene({PATTERN: outer}), intervene({PATTERN: inner}), record(PATTERN) as nested:
            model(SOURCE, TARGET)
        with intervene({PATTERN: outer, PATTERN[:-1] + "*": inner}), record(PATTERN) as listed:
            model(SOURCE, TARGET)
        seen += [float(one[PATTERN].max()) for one in (nested, listed)]
    assert seen == [1, 1, 0, 0]


def test_records_nest(make_model) -> None:
    model = make_model()
    with record("logits") as outer:
        with record(PATTERN) as inner:
            model(SOURCE, TARGET)
        model(SOURCE, TARGET)
    assert len(inner.every(PATTERN)) == 1
    assert len(outer.every("logits")) == 2
    assert list(outer) == ["logits"]


def test_an_edit_that_changes_the_shape_is_refused_by_name(make_model) -> None:
    model = make_model()
    with (
        intervene({PATTERN: lambda pattern: pattern[:, :1]}),
        pytest.raises(ValueError, match=rf"{re.escape(PATTERN)} .*\[2, 1, 5, 5\].*\[2, 2, 5, 5\]"),
    ):
        model(SOURCE, TARGET)


@pytest.mark.parametrize(
    "name", ["encoder.0.self_attention.patern", "pattern", "encoder.pattern", "decoder.x.self_attention.pattern", ""]
)
def test_a_name_that_no_hook_point_has_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(name))), record(name):
        pass
    with pytest.raises(ValueError, match=re.escape(repr(name))), intervene({name: torch.zeros_like}):
        pass


@pytest.mark.parametrize("name", ["encoder.11.self_attention.pattern", "decoder.[12].*.pattern", "encoder.?.*", "*"])
def test_a_name_that_some_layer_has_is_accepted(name: str) -> None:
    with record(name), intervene({name: torch.zeros_like}):
        assert is_wanted("encoder.11.self_attention.pattern", "decoder.1.self_attention.pattern", "encoder.0.x")


def test_no_listener_outlives_its_block(make_model) -> None:
    model = make_model()
    plain = model(SOURCE, TARGET)
    with record("*") as seen, intervene({PATTERN: without_head_0}):
        model(SOURCE, TARGET)
    torch.testing.assert_close(model(SOURCE, TARGET), plain)
    assert len(seen.every("logits")) == 1
    assert not is_wanted(PATTERN)


def test_no_listener_outlives_an_exception(make_model) -> None:
    model = make_model()

    def fail(pattern: Tensor) -> Tensor:
        del pattern
        raise RuntimeError("in an edit")

    with pytest.raises(RuntimeError, match="in an edit"), record("*") as seen, intervene({PATTERN: fail}):
        model(SOURCE, TARGET)
    assert "encoder.input" in seen
    assert not is_wanted(PATTERN)
    n_heard = len(seen)
    model(SOURCE, TARGET)
    assert len(seen) == n_heard
