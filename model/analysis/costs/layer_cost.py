"""The layers compared in Vaswani et al. 2017, §4 and table 1: costs and minimal implementations."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

Layer = Callable[[Float[Tensor, "position d_model"]], Float[Tensor, "position d_model"]]


@dataclass(frozen=True)
class Sizes:
    """Sizes of a layer: n tokens, d dimensions, kernel size k, window r of restricted attention."""

    n: int
    d: int
    k: int
    r: int

    def __post_init__(self) -> None:
        """Raise ValueError if a size is below 1."""
        for name, value in vars(self).items():
            if value < 1:
                raise ValueError(f"{name} is {value}; it must be at least 1")


@dataclass(frozen=True)
class LayerKind:
    """One row of table 1.

    Attributes:
        name: the key of its words on the page.
        complexity: complexity per layer as in the table, without constant factors.
        multiplications: the exact number of multiplications of the layer that ``build`` returns.
        sequential_operations: the minimum number of operations that must run one after the other.
        maximum_path_length: layers or steps that a signal passes between the two most distant tokens, as in the table,
            without constant factors; infinite where it never arrives.
        formulas: complexity, sequential operations and maximum path length as the table writes them.
        exponents: the exponents of n and d in the complexity.
        build: returns a layer of the given sizes, which maps [n, d] to [n, d].
    """

    name: str
    complexity: Callable[[Sizes], int]
    multiplications: Callable[[Sizes], int]
    sequential_operations: Callable[[Sizes], int]
    maximum_path_length: Callable[[Sizes], float]
    formulas: tuple[str, str, str]
    exponents: tuple[int, int]
    build: Callable[[Sizes], Layer]


def _self_attention(sizes: Sizes) -> Layer:
    def attend(x: Tensor) -> Tensor:
        return torch.softmax(x @ x.T / math.sqrt(sizes.d), dim=-1) @ x

    return attend


def _restricted_attention(sizes: Sizes) -> Layer:
    before = (sizes.r - 1) // 2
    outside = F.pad(torch.zeros(sizes.n), (before, sizes.r - 1 - before), value=-math.inf).unfold(
        0, sizes.r, 1
    )  # [n, r]

    def attend(x: Tensor) -> Tensor:
        padded = F.pad(x, (0, 0, before, sizes.r - 1 - before))  # [n + r - 1, d]
        windows = padded.unfold(0, sizes.r, 1)  # [n, d, r]
        scores = (x[:, None] @ windows)[:, 0] / math.sqrt(sizes.d)  # [n, r]
        pattern = torch.softmax(scores + outside, dim=-1)
        return (windows @ pattern[..., None])[..., 0]  # [n, d]

    return attend


def _recurrent(sizes: Sizes) -> Layer:
    layer = nn.RNN(sizes.d, sizes.d, bias=False)

    def run(x: Tensor) -> Tensor:
        states: Tensor = layer(x[:, None])[0][:, 0]  # [n, d]
        return states

    return run


def _convolution(sizes: Sizes) -> Layer:
    layer = nn.Conv1d(sizes.d, sizes.d, sizes.k, bias=False)
    before = (sizes.k - 1) // 2

    def run(x: Tensor) -> Tensor:
        padded = F.pad(x.T[None], (before, sizes.k - 1 - before))  # [1, d, n + k - 1]
        mixed: Tensor = layer(padded)[0].T  # [n, d]
        return mixed

    return run


def _dilated_layers(sizes: Sizes) -> float:
    """Return the number of layers of dilation 1, k, k², … after which a token depends on all others."""
    if sizes.n <= sizes.k:
        return 1
    return math.inf if sizes.k == 1 else math.ceil(round(math.log(sizes.n, sizes.k), 9))


def _contiguous_layers(n: int, width: int) -> float:
    """Return ⌈n / width⌉: the layers of windows that mix all of ``n`` tokens grow in proportion to it.

    From one end to the other, windows of odd width take up to three times as many; one of even width reads further to
    one side, and takes more to the other.
    """
    return math.inf if width == 1 < n else math.ceil(n / width)


def _convolution_kind(name: str, path: Callable[[Sizes], float], path_formula: str) -> LayerKind:
    return LayerKind(
        name,
        complexity=lambda s: s.k * s.n * s.d**2,
        multiplications=lambda s: s.k * s.n * s.d**2,
        sequential_operations=lambda _: 1,
        maximum_path_length=path,
        formulas=("k · n · d²", "1", path_formula),
        exponents=(1, 2),
        build=_convolution,
    )


LAYER_KINDS: tuple[LayerKind, ...] = (
    LayerKind(
        "self-attention",
        complexity=lambda s: s.n**2 * s.d,
        multiplications=lambda s: 2 * s.n**2 * s.d,
        sequential_operations=lambda _: 1,
        maximum_path_length=lambda _: 1,
        formulas=("n² · d", "1", "1"),
        exponents=(2, 1),
        build=_self_attention,
    ),
    LayerKind(
        "restricted self-attention",
        complexity=lambda s: s.r * s.n * s.d,
        multiplications=lambda s: 2 * s.r * s.n * s.d,
        sequential_operations=lambda _: 1,
        maximum_path_length=lambda s: _contiguous_layers(s.n, s.r),
        formulas=("r · n · d", "1", "n / r"),
        exponents=(1, 1),
        build=_restricted_attention,
    ),
    LayerKind(
        "recurrent",
        complexity=lambda s: s.n * s.d**2,
        multiplications=lambda s: 2 * s.n * s.d**2,
        sequential_operations=lambda s: s.n,
        maximum_path_length=lambda s: s.n,
        formulas=("n · d²", "n", "n"),
        exponents=(1, 2),
        build=_recurrent,
    ),
    _convolution_kind("convolution", lambda s: _contiguous_layers(s.n, s.k), "n / k"),
    _convolution_kind("dilated convolution", _dilated_layers, "log n / log k"),
)
"""The rows of table 1 in order; the last one is the dilated convolution of §4, which needs fewer layers."""
