"""All heads of one kind of attention in one picture: layers from top to bottom, heads from left to right."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float32, UInt8

from viz.colours import PALETTES, Theme, sequential
from viz.figures.base import bare_axis, canvas
from viz.tokens import escape_plotly

_LARGEST_TILE = 96
_SHORTEST, _TALLEST = 44, 72
_WIDTH = 440
_GAP = 0.08


@dataclass(frozen=True)
class Tiling:
    """Where tile (layer, head) lies, in cells: each tile is ``height`` by ``width``, with a gap after it."""

    height: int
    width: int

    @property
    def row_step(self) -> int:
        """Cells from one tile's top to the next one's."""
        return self.height + max(1, round(_GAP * self.height))

    @property
    def column_step(self) -> int:
        """Cells from one tile's left edge to the next one's."""
        return self.width + max(1, round(_GAP * self.width))

    def corner(self, layer: int, head: int) -> tuple[int, int]:
        """Return the row and column of the tile's first cell."""
        return layer * self.row_step, head * self.column_step

    def box(self, layer: int, head: int) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom of the tile in axis coordinates, where cell i runs from i−½ to i+½."""
        row, column = self.corner(layer, head)
        return column - 0.5, row - 0.5, column + self.width - 0.5, row + self.height - 0.5

    def centre(self, layer: int, head: int) -> tuple[float, float]:
        """Return x and y of the tile's middle."""
        left, top, right, bottom = self.box(layer, head)
        return (left + right) / 2, (top + bottom) / 2


def mosaic(
    weights: Float32[np.ndarray, "layer head query key"],
    *,
    theme: Theme,
    opened: tuple[int, int | None],
    tile_name: str = "layer {layer}, head {head}",
    layer_name: str = "layer",
    head_name: str = "head",
) -> go.Figure:
    """Return a figure whose first trace is the picture and whose second takes the clicks.

    Point i of the second trace stands for layer i // H, head i % H.

    Args:
        weights: attention weights, each from 0 to 1.
        theme: light or dark.
        opened: the layer and head to frame, counted from 0; the whole layer where the head is None.
        tile_name: shown where the pointer rests, with ``{layer}`` and ``{head}`` counted from 1.
        layer_name: title of the rows.
        head_name: title of the columns.
    """
    shown = shrink(weights)
    n_layers, n_heads = weights.shape[:2]
    tiling = Tiling(*shown.shape[2:])
    figure = canvas(
        theme, width=None, height=44 + n_layers * _tile_pixels(weights), margin={"l": 40, "t": 40, "r": 4, "b": 4}
    )
    figure.add_trace(_picture(shown, tiling, theme))
    figure.add_trace(_clicks(n_layers, n_heads, tiling, tile_name))
    figure.add_shape(_frames(n_layers, n_heads, tiling, theme))
    figure.add_shape(_opened_frame(opened, n_heads, tiling, theme))
    _label(figure, n_layers, n_heads, tiling, (escape_plotly(layer_name), escape_plotly(head_name)))
    figure.update_layout(hovermode="closest", hoverdistance=-1, clickmode="event+select")
    return figure


def shrink(weights: Float32[np.ndarray, "*maps query key"]) -> Float32[np.ndarray, "*maps row column"]:
    """Return maps of at most 96 cells a side, each the largest weight of those it stands for.

    A tile has no more pixels than that, and the maps of a long text would take megabytes.
    """
    for axis in (-2, -1):
        step = -(-weights.shape[axis] // _LARGEST_TILE)
        weights = np.maximum.reduceat(weights, np.arange(0, weights.shape[axis], step), axis=axis)
    return weights


def cells(weights: Float32[np.ndarray, "layer head query key"], tiling: Tiling) -> UInt8[np.ndarray, "row column"]:
    """Return all tiles in one array of one byte a weight, 255 for 1, with zeros between them."""
    n_layers, n_heads = weights.shape[:2]
    bottom, right = tiling.corner(n_layers - 1, n_heads - 1)
    picture = np.zeros((bottom + tiling.height, right + tiling.width), dtype=np.uint8)
    for layer, head in np.ndindex(n_layers, n_heads):
        row, column = tiling.corner(layer, head)
        picture[row : row + tiling.height, column : column + tiling.width] = np.rint(weights[layer, head] * 255)
    return picture


def _tile_pixels(weights: Float32[np.ndarray, "layer head query key"]) -> int:
    _, n_heads, n_queries, n_keys = weights.shape
    return int(min(max(_WIDTH * n_queries // (n_heads * n_keys), _SHORTEST), _TALLEST))


def _picture(weights: Float32[np.ndarray, "layer head query key"], tiling: Tiling, theme: Theme) -> go.Heatmap:
    return go.Heatmap(
        z=cells(weights, tiling), zmin=0, zmax=255, colorscale=sequential(theme), showscale=False, hoverinfo="skip"
    )


def _clicks(n_layers: int, n_heads: int, tiling: Tiling, tile_name: str) -> go.Scatter:
    tiles = list(np.ndindex(n_layers, n_heads))
    centres = np.array([tiling.centre(layer, head) for layer, head in tiles], dtype=np.float32)
    names = [escape_plotly(tile_name.format(layer=layer + 1, head=head + 1)) for layer, head in tiles]
    invisible = {"marker": {"opacity": 0}}
    return go.Scatter(
        x=centres[:, 0],
        y=centres[:, 1],
        mode="markers",
        marker={"opacity": 0, "size": 1},
        selected=invisible,
        unselected=invisible,
        text=names,
        hovertemplate="%{text}<extra></extra>",
    )


def _frames(n_layers: int, n_heads: int, tiling: Tiling, theme: Theme) -> dict[str, object]:
    """Return the outlines of all tiles as one shape: one element on the page however many heads there are."""
    boxes = (tiling.box(layer, head) for layer, head in np.ndindex(n_layers, n_heads))
    path = " ".join(
        f"M{left},{top} L{right},{top} L{right},{bottom} L{left},{bottom} Z" for left, top, right, bottom in boxes
    )
    return {"type": "path", "path": path, "line": {"width": 1, "color": PALETTES[theme].line}}


def _opened_frame(opened: tuple[int, int | None], n_heads: int, tiling: Tiling, theme: Theme) -> dict[str, object]:
    layer, head = opened
    left, top, _, bottom = tiling.box(layer, 0 if head is None else head)
    _, _, right, _ = tiling.box(layer, n_heads - 1 if head is None else head)
    line = {"width": 2.5, "color": PALETTES[theme].ink}
    return {"type": "rect", "x0": left, "x1": right, "y0": top, "y1": bottom, "line": line}


def _label(figure: go.Figure, n_layers: int, n_heads: int, tiling: Tiling, titles: tuple[str, str]) -> None:
    layer_title, head_title = titles
    columns = np.array([tiling.centre(0, head)[0] for head in range(n_heads)])
    rows = np.array([tiling.centre(layer, 0)[1] for layer in range(n_layers)])
    _, _, right, bottom = tiling.box(n_layers - 1, n_heads - 1)
    heads, layers = ([str(index + 1) for index in range(count)] for count in (n_heads, n_layers))
    # A tile's frame lies half outside of it.
    figure.update_xaxes(
        bare_axis(heads, columns, side="top", range=[-0.7, right + 0.2], title={"text": head_title, "standoff": 4})
    )
    figure.update_yaxes(bare_axis(layers, rows, range=[bottom + 0.2, -0.7], title={"text": layer_title, "standoff": 6}))
