"""One layer of the encoder and one of the decoder, with every hook point where it is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from viz.components.diagram import Arrow, Drawing, Group, Line, Mark, Note, OperationBox, Shape, Sum, TitledFrame
from viz.components.diagram.shapes import Side

WIDTHS = (1358, 706, 358)
"""Pixels that the drawing is arranged for: both stacks in a row each, layers in several rows, and a phone."""

# Pixels, from the top of a tile: the residual stream, and what is under it.
_STREAM, _HEIGHT = 224, 252
_GAP = 12
_HEADING = 30


@dataclass(frozen=True)
class _Tile:
    """A piece of a stack that the residual stream runs through; above ``top`` it is empty."""

    width: float
    shapes: tuple[Shape, ...]
    top: float = 0
    has_frame: bool = True
    title: str = ""

    @property
    def height(self) -> float:
        return _HEIGHT - self.top

    def placed(self, x: float, bottom: float) -> Group:
        frame = (TitledFrame(0, self.top, self.width, self.height, self.title),) if self.has_frame else ()
        return Group(x, bottom - _HEIGHT, (*frame, *self.shapes))


@dataclass(frozen=True)
class _Marks:
    """Makes the marks of the hook points whose names begin with ``block``."""

    tooltips: Mapping[str, str]
    block: str = ""

    def __call__(self, name: str, x: float, y: float, side: Side, label: str = "") -> Mark:
        code = f"{self.block}.{name}".lstrip(".")
        return Mark(code, label or name, self.tooltips[code], x, y, side)

    def of(self, block: str) -> "_Marks":
        return _Marks(self.tooltips, block)


@dataclass
class _Rows:
    """Tiles in rows as wide as there is room, one stack under the other."""

    width: float
    shapes: list[Shape] = field(default_factory=list)
    height: float = 0

    def add(self, heading: str, tiles: tuple[_Tile, ...]) -> None:
        """Add a stack under ``heading``."""
        self.shapes.append(Note(0, self.height + 20, heading, "heading"))
        self.height += 0 if self.width == WIDTHS[0] else _HEADING
        row: list[_Tile] = []
        for tile in tiles:
            if row and sum(one.width + _GAP for one in row) + tile.width > self.width - 2:
                self._close(row)
                row = []
            row.append(tile)
        self._close(row)

    def _close(self, row: list[_Tile]) -> None:
        bottom = self.height + max(tile.height for tile in row)
        x = 0.0
        for number, tile in enumerate(row):
            if number:
                self.shapes.append(Line(((x - _GAP, bottom - _HEIGHT + _STREAM), (x, bottom - _HEIGHT + _STREAM))))
            self.shapes.append(tile.placed(x, bottom))
            x += tile.width + _GAP
        self.height = bottom + _GAP


def hook_drawings(tooltips: Mapping[str, str], words: Mapping[str, str]) -> tuple[Drawing, ...]:
    """Return the drawing for each of :data:`WIDTHS`.

    Args:
        tooltips: the tooltip of every hook point, by its name.
        words: what stands in the drawing, by its names.
    """
    marks = _Marks(tooltips)
    drawings = []
    for width in WIDTHS:
        rows = _Rows(width)
        for stack in ("encoder", "decoder"):
            rows.add(words[stack], _stack(stack, marks, words))
        drawings.append(Drawing(width, rows.height, (Group(1, 1, tuple(rows.shapes)),)))
    return tuple(drawings)


def _stack(stack: str, marks: _Marks, words: Mapping[str, str]) -> tuple[_Tile, ...]:
    attention = f"{stack}.{{layer}}.self_attention"
    feed_forward = f"{stack}.{{layer}}.feed_forward"
    if stack == "encoder":
        first = _self_attention(marks.of(attention), words["self attention"], has_memory=False)
        return _input(marks.of(stack)), first, _feed_forward(marks.of(feed_forward), words), _end(marks.of(stack))
    return (
        _input(marks.of(stack)),
        _self_attention(marks.of(attention), words["masked self attention"], has_memory=True),
        _cross_attention(marks.of(f"{stack}.{{layer}}.cross_attention"), words),
        _feed_forward(marks.of(feed_forward), words),
        _logits(marks),
    )


def _input(mark: _Marks) -> _Tile:
    shapes: tuple[Shape, ...] = (
        Arrow(((16, _STREAM), (81, _STREAM))),
        Line(((90, _STREAM), (176, _STREAM))),
        Arrow(((90, 166), (90, _STREAM - 9))),
        Sum(90, _STREAM),
        mark("embedding", 16, _STREAM, "below from"),
        mark("positional.encoding", 90, 166, "above"),
        mark("input", 146, _STREAM, "below"),
    )
    return _Tile(176, shapes, top=140, has_frame=False)


def _block(mark: _Marks, width: float, output: float) -> tuple[Shape, ...]:
    """Return the residual stream under a block, with its input at the left and its output at the right."""
    return (
        Line(((0, _STREAM), (width, _STREAM))),
        Arrow(((output, _STREAM - 30), (output, _STREAM - 9))),
        OperationBox(12, _STREAM - 44, 44, 22, "norm"),
        Sum(output, _STREAM),
        mark("residual_before", 12, _STREAM, "below from"),
        # Beside its box, whose name it would cover.
        Line(((56, _STREAM - 33), (62, _STREAM - 33))),
        mark("norm_scale", 62, _STREAM - 33, "right"),
        mark("output", output, _STREAM - 32, "left"),
        mark("residual_after", width - 12, _STREAM, "below to"),
    )


def _attention(mark: _Marks) -> tuple[Shape, ...]:
    """Return an attention block, but for what keys and values are made of and what is added to the scores."""
    return (
        Line(((34, _STREAM), (34, 90), (128, 90), (128, 105))),
        Line(((90, 120), (128, 120), (128, 105))),
        Arrow(((128, 105), (160, 105))),
        Arrow(((166, 105), (232, 105))),
        Note(206, 97, "softmax", "middle"),
        Line(((90, 150), (286, 150))),
        Arrow(((238, 105), (286, 105), (286, 144))),
        Line(((286, 150), (286, _STREAM - 32))),
        *_block(mark, 340, 286),
        mark("q", 90, 90, "above"),
        mark("k", 90, 120, "above"),
        mark("v", 90, 150, "above"),
        mark("scores", 166, 105, "below"),
        mark("pattern", 238, 105, "below"),
        mark("z", 286, 150, "right"),
    )


def _self_attention(mark: _Marks, title: str, *, has_memory: bool) -> _Tile:
    terms = {"term_a": 138, "term_b": 168, "term_c": 198, "term_d": 228}
    remembered = (Line(((76, 170), (76, 120))), mark("memory", 76, 170, "right")) if has_memory else ()
    shapes: tuple[Shape, ...] = (
        Line(((34, 120), (90, 120))),
        Line(((34, 150), (90, 150))),
        *(Line(((x, 42), (x, 54))) for x in terms.values()),
        Line(((138, 54), (228, 54))),
        Arrow(((166, 54), (166, 99))),
        Note(96, 47, "term_"),
        *(mark(name, x, 42, "right", name[-1]) for name, x in terms.items()),
        mark("position_bias", 166, 76, "right"),
        *_attention(mark),
        *remembered,
    )
    return _Tile(340, shapes, title=title)


def _cross_attention(mark: _Marks, words: Mapping[str, str]) -> _Tile:
    shapes: tuple[Shape, ...] = (
        Line(((66, 172), (66, 120), (90, 120))),
        Line(((66, 150), (90, 150))),
        Line(((66, 172), (74, 172))),
        Note(78, 176, "encoder.output"),
        *_attention(mark),
    )
    return _Tile(340, shapes, top=44, title=words["cross attention"])


def _feed_forward(mark: _Marks, words: Mapping[str, str]) -> _Tile:
    output, across = 218, 154
    shapes: tuple[Shape, ...] = (
        Line(((34, _STREAM), (34, across), (output, across), (output, _STREAM - 32))),
        OperationBox(44, across - 12, 84, 24, "W_1 · ReLU"),
        # Over the boxes, between which its name has no room.
        Line(((146, across), (146, across - 22))),
        mark("hidden", 146, across - 22, "above"),
        OperationBox(164, across - 12, 36, 24, "W_2"),
        *_block(mark, 250, output),
    )
    return _Tile(250, shapes, top=84, title=words["feed forward"])


def _end(mark: _Marks, side: Side = "above") -> _Tile:
    shapes: tuple[Shape, ...] = (
        Line(((0, _STREAM), (68, _STREAM))),
        OperationBox(6, _STREAM - 11, 44, 22, "norm"),
        Line(((28, _STREAM - 11), (28, _STREAM - 26))),
        mark("norm_scale", 28, _STREAM - 26, side),
        mark("output", 68, _STREAM, "below"),
    )
    return _Tile(94, shapes, top=160, has_frame=False)


def _logits(mark: _Marks) -> _Tile:
    shapes: tuple[Shape, ...] = (
        # First in its row, where a name in the middle would begin left of the picture.
        *_end(mark.of("decoder"), "above from").shapes,
        Arrow(((68, _STREAM), (102, _STREAM))),
        Line(((102, _STREAM), (178, _STREAM))),
        OperationBox(102, _STREAM - 11, 44, 22, "W_U"),
        mark("logits", 178, _STREAM, "below"),
    )
    return _Tile(202, shapes, top=160, has_frame=False)
