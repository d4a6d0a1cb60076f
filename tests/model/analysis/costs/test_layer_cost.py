"""Table 1: its formulas against counted multiplications, and its layers against what they should compute."""

import json
import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch.utils.flop_counter import FlopCounterMode

from model.analysis.costs.layer_cost import LAYER_KINDS, LayerKind, Sizes
from model.analysis.costs.layer_timing import STEPS, TIMED, fitted_exponent, main, measure

BY_NAME = {kind.name: kind for kind in LAYER_KINDS}


@pytest.mark.parametrize("kind", LAYER_KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize(
    "sizes", [Sizes(16, 8, 3, 4), Sizes(33, 5, 4, 7), Sizes(9, 16, 1, 1), Sizes(5, 4, 3, 11)], ids=str
)
def test_the_multiplications_are_those_that_pytorch_counts(kind: LayerKind, sizes: Sizes) -> None:
    layer = kind.build(sizes)
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        out = layer(torch.randn(sizes.n, sizes.d))
    assert out.shape == (sizes.n, sizes.d)
    # The counter counts a multiplication and its addition as two.
    assert counter.get_total_flops() == 2 * kind.multiplications(sizes)


@pytest.mark.parametrize("kind", LAYER_KINDS, ids=lambda kind: kind.name)
def test_the_cost_grows_as_its_exponents_say(kind: LayerKind) -> None:
    small = Sizes(256, 128, 3, 16)
    for cost in (kind.complexity, kind.multiplications):
        assert cost(Sizes(512, 128, 3, 16)) == cost(small) * 2 ** kind.exponents[0]
        assert cost(Sizes(256, 256, 3, 16)) == cost(small) * 2 ** kind.exponents[1]


def test_costs_steps_and_paths_are_those_of_the_paper() -> None:
    sizes = Sizes(n=81, d=4, k=3, r=9)
    table = {
        kind.name: (kind.complexity(sizes), kind.sequential_operations(sizes), kind.maximum_path_length(sizes))
        for kind in LAYER_KINDS
    }
    assert table == {
        "self-attention": (81 * 81 * 4, 1, 1),
        "restricted self-attention": (9 * 81 * 4, 1, 9),
        "recurrent": (81 * 16, 81, 81),
        "convolution": (3 * 81 * 16, 1, 27),
        "dilated convolution": (3 * 81 * 16, 1, 4),
    }


def test_a_kernel_of_one_token_connects_no_two_however_many_layers() -> None:
    for kind in ("convolution", "dilated convolution", "restricted self-attention"):
        path = BY_NAME[kind].maximum_path_length
        assert path(Sizes(64, 1, 1, 1)) == math.inf
        assert path(Sizes(1, 1, 1, 1)) == 1
        assert path(Sizes(64, 1, 2, 2)) == (6 if kind == "dilated convolution" else 32)


@pytest.mark.parametrize("width", [3, 5, 9])
@pytest.mark.parametrize("n", [9, 24, 64])
@pytest.mark.parametrize("name", ["convolution", "restricted self-attention"])
def test_layers_from_one_end_to_the_other_are_a_few_times_the_formula(name: str, n: int, width: int) -> None:
    sizes = Sizes(n, 2, width, width)
    layer, x = BY_NAME[name].build(sizes), torch.randn(n, 2)
    (reached,) = torch.autograd.functional.jacobian(lambda given: layer(given).sum(1), x).abs().sum(-1)[None]  # [Q, K]
    is_read = (reached > 0).double()
    passed, n_layers = is_read, 1
    while not (passed[0, -1] and passed[-1, 0]) and n_layers < n:
        passed, n_layers = (passed @ is_read).clamp(max=1), n_layers + 1
    formula = BY_NAME[name].maximum_path_length(sizes)
    assert formula <= n_layers <= 3 * formula


def test_a_window_wider_than_the_text_costs_as_its_formula_says() -> None:
    kind, sizes = BY_NAME["restricted self-attention"], Sizes(4, 2, 1, 100)
    assert kind.complexity(sizes) == 100 * 4 * 2
    assert kind.multiplications(sizes) == 2 * kind.complexity(sizes)


@pytest.mark.parametrize("r", [1, 2, 5, 8])
def test_restricted_attention_is_attention_under_a_band(r: int) -> None:
    n, d = 12, 6
    x = torch.randn(n, d, generator=torch.Generator().manual_seed(r))
    offset = torch.arange(n)[None, :] - torch.arange(n)[:, None]
    before = (r - 1) // 2
    band = (-before <= offset) & (offset <= r - 1 - before)
    expected = F.scaled_dot_product_attention(x, x, x, attn_mask=band)
    torch.testing.assert_close(BY_NAME["restricted self-attention"].build(Sizes(n, d, 1, r))(x), expected)


def test_self_attention_and_convolution_are_pytorch_s() -> None:
    x = torch.randn(10, 4)
    sizes = Sizes(10, 4, 3, 1)
    torch.testing.assert_close(BY_NAME["self-attention"].build(sizes)(x), F.scaled_dot_product_attention(x, x, x))
    convolve = BY_NAME["convolution"].build(sizes)
    moved = torch.zeros(10, 4)
    moved[5] = 1
    with torch.no_grad():
        reached = convolve(moved).abs().sum(dim=1) > 0
    assert reached.nonzero().flatten().tolist() == [4, 5, 6]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 9, 10, 27, 28, 1000])
def test_so_many_dilated_layers_reach_every_token(n: int) -> None:
    layers = BY_NAME["dilated convolution"].maximum_path_length(Sizes(n, 1, 3, 1))
    assert 3**layers >= n
    assert layers == 1 or 3 ** (layers - 1) < n


def test_a_power_law_is_found_again() -> None:
    sizes = [2**power for power in range(3, 10)]
    assert fitted_exponent(sizes, [3e-4 * size**1.7 for size in sizes]) == pytest.approx(1.7)
    assert fitted_exponent(sizes, [5 + 1e-3 * size**2 for size in sizes]) > 1.5
    with pytest.raises(ValueError, match="at least 2 sizes"):
        fitted_exponent([4], [1.0])


def test_a_timing_is_of_the_layer_asked_for() -> None:
    timing = measure(TIMED[0], Sizes(8, 4, 3, 2), repetitions=3)
    assert (timing.kind, timing.n, timing.d, timing.repetitions) == ("self-attention", 8, 4, 3)
    assert timing.milliseconds > 0


def test_the_command_writes_a_line_for_every_layer_and_size(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STEPS, "n", (4, 8))
    threads = torch.get_num_threads()
    assert main(["--vary", "n", "--d", "4", "--repetitions", "1", "--out", str(tmp_path / "times.jsonl")]) == 0
    torch.set_num_threads(threads)
    first, *rest = map(json.loads, (tmp_path / "times.jsonl").read_text().splitlines())
    assert "1 thread," in first["machine"]
    assert [(entry["kind"], entry["n"]) for entry in rest] == [(kind.name, n) for n in (4, 8) for kind in TIMED]
    assert np.isfinite([entry["milliseconds"] for entry in rest]).all()


def test_impossible_sizes_are_refused_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--d", "0"]) == 2
    assert capsys.readouterr().err == "d is 0; it must be at least 1\n"
