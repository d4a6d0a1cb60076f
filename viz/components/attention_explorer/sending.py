"""Selection of a recording's maps for the browser: all in full, or reduced ones beside the shown ones."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, get_args

import numpy as np
from jaxtyping import Float32, UInt8

from viz.base.attention_maps import AttentionKind, TokenRow, scales_of
from viz.base.colours import OKABE_ITO
from viz.base.reduced_maps import Measure, starts
from viz.components.attention_explorer.header import WholeMap
from viz.components.attention_explorer.view import Combine, ExplorerView, Head

MAX_APART = len(OKABE_ITO) + 1
"""Up to so many heads, each is drawn in a colour of its own; more are joined to one map."""

_MEASURES: tuple[Measure, ...] = get_args(Measure)

Named = Mapping[str, AttentionKind]
"""Kinds of attention, by the number of their recording and their name."""
Blocks = dict[str, np.ndarray]


def quantised(
    weights: Float32[np.ndarray, "layer head query key"], scales: Float32[np.ndarray, "layer head"]
) -> UInt8[np.ndarray, "layer head query key"]:
    """Return ``weights`` as bytes, 255 for a map's scale: off by at most 1/510 of that scale."""
    quantised_maps = np.empty(weights.shape, dtype=np.uint8)
    shares = np.empty(weights.shape[2:], dtype=np.float32)
    # Map by map, because one map stays in the processor's cache.
    for place in np.ndindex(*scales.shape):
        np.multiply(weights[place], np.float32(255) / scales[place], out=shares)
        np.add(shares, np.float32(0.5), out=shares)
        quantised_maps[place] = shares
    return quantised_maps


class Sending(Protocol):
    """A way to send recordings."""

    def starts(self, row: TokenRow) -> Sequence[int] | None:
        """Return where the squares of reduced maps begin, or None for maps that are not reduced."""

    def maps(self, kinds: Named) -> Blocks:
        """Return what is the same whatever is chosen: it tells recordings apart."""

    def chosen(self, kinds: Named, *, in_full: bool) -> tuple[list[WholeMap] | None, Blocks]:
        """Return the chosen maps in full among reduced ones, and their blocks; as floats if ``in_full``."""


@dataclass(frozen=True)
class SendAll:
    """Every map of every head."""

    def starts(self, _: TokenRow) -> None:
        """Return None: no map is reduced."""

    def maps(self, kinds: Named) -> Blocks:
        """Return scales [layer, head] and bytes [layer, head, query, key]."""
        blocks = {}
        for name, kind in kinds.items():
            blocks[f"scales {name}"] = kind.scales
            blocks[f"weights {name}"] = quantised(kind.weights, kind.scales)
        return blocks

    def chosen(self, kinds: Named, *, in_full: bool) -> tuple[None, Blocks]:
        """Return the weights once more where they are wanted in full precision."""
        return None, {f"numbers {name}": kind.weights for name, kind in kinds.items()} if in_full else {}


@dataclass(frozen=True)
class SendReduced:
    """Every map reduced, and whole those that ``view`` shows."""

    view: ExplorerView

    def starts(self, row: TokenRow) -> Sequence[int]:
        """Return where the squares of reduced maps begin."""
        return starts(len(row), row.special)

    def maps(self, kinds: Named) -> Blocks:
        """Return the blocks of reduced maps: scales, tile maxima and one measure.

        The maxima are the largest weight of each tile, as bytes [layer, head, row, column].
        """
        blocks = {}
        for name, kind in kinds.items():
            blocks[f"scales {name}"] = kind.scales
            blocks[f"overview {name}"] = quantised(kind.reduced.largest, kind.scales)
            blocks[f"pointed {name}"] = kind.reduced.measure("pointed")
        return blocks

    def chosen(self, kinds: Named, *, in_full: bool) -> tuple[list[WholeMap], Blocks]:
        """Return the maps of the chosen heads as bytes, and the measure that orders them."""
        whole: list[WholeMap] = []
        blocks: Blocks = {}
        for name, heads in self._on_the_screen(kinds):
            weights = joined(kinds[name].weights, heads, self.view.combine)
            scale = scales_of(weights.max()[None])  # [1]
            blocks[f"whole {len(whole)}"] = quantised(weights[None, None], scale[None])[0, 0]
            if in_full:
                blocks[f"numbers {len(whole)}"] = weights
            whole.append(WholeMap(name, heads, self.view.combine, float(scale[0])))
        # Not all orders are measures of the maps.
        for order in _MEASURES:
            if order == self.view.sort:
                blocks |= {f"{order} {name}": kind.reduced.measure(order) for name, kind in kinds.items()}
        return whole, blocks

    def _on_the_screen(self, kinds: Named) -> Iterator[tuple[str, tuple[Head, ...]]]:
        """Return the heads that are shown as one map, for each kind that is on the screen."""
        for name, kind in kinds.items():
            is_other = not name.startswith("0 ")
            if self.view.kind not in (kind.name, "all") or (is_other and self.view.compare != "recordings"):
                continue
            n_layers, n_heads = kind.weights.shape[:2]
            present = tuple((layer, head) for layer, head in self.view.heads if layer < n_layers and head < n_heads)
            apart = present[:2] if self.view.compare == "heads" else present
            if len(apart) <= MAX_APART:
                yield from ((name, (head,)) for head in apart)
            if len(present) > MAX_APART:
                yield name, present


def joined(
    weights: Float32[np.ndarray, "layer head query key"], heads: tuple[Head, ...], combine: Combine
) -> Float32[np.ndarray, "query key"]:
    """Return the mean or the largest of the maps of ``heads``, as ``combine`` says."""
    first, *others = heads
    combined = weights[first]
    for head in others:
        combined = combined + weights[head] if combine == "mean" else np.maximum(combined, weights[head])
    return combined / np.float32(len(heads)) if combine == "mean" and others else combined
