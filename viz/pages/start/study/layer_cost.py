"""The cost of a layer, by the paper's table 1."""

from collections.abc import Sequence

from model.analysis.costs.layer_cost import LAYER_KINDS, LayerKind, Sizes

KINDS = ("self-attention", "recurrent")
_BY_NAME: dict[str, LayerKind] = {kind.name: kind for kind in LAYER_KINDS}


def complexities(kind: str, lengths: Sequence[int], d: int) -> list[int]:
    """Return the complexity of a layer of ``kind`` for each number of tokens, with ``d`` numbers a token."""
    return [_BY_NAME[kind].complexity(Sizes(n=n, d=d, k=1, r=1)) for n in lengths]


def first_costlier(d: int) -> int:
    """Return the smallest number of tokens at which self-attention has the higher complexity of the two."""
    lengths = range(1, 2 * d + 2)
    pairs = zip(lengths, *(complexities(kind, lengths, d) for kind in KINDS), strict=True)
    crossed: int = next(n for n, attention, recurrence in pairs if attention > recurrence)
    return crossed
