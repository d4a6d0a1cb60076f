"""The maps of runs as a moving picture: a frame for each recorded step."""

import io
from collections.abc import Sequence
from functools import cache

import numpy as np
from jaxtyping import Int32, UInt8
from PIL import Image, ImageDraw, ImageFont

from viz.base.colours import PALETTES, Theme, mixed

_N_COLOURS = 253
_LINE, _INK = 254, 255
_SIDE, _GAP, _CAPTION, _FONT = 150, 12, 26, 15
_MOST_FRAMES = 120
_WHOLE, _SHORTEST, _LONGEST = 7000, 90, 900


def maps_as_gif(
    patterns: Sequence[UInt8[np.ndarray, "frame layer head query key"]],
    steps: Int32[np.ndarray, " frame"],
    *,
    theme: Theme,
    caption: str,
) -> bytes:
    """Return a GIF of the ``patterns``, in 255ths, side by side: a row for each layer, heads as columns.

    At most 120 of the frames are in it, the first and the last among them. Over them stands ``caption``, whose field
    ``step`` is the frame's of ``steps``.
    """
    shown = np.unique(np.linspace(0, len(steps) - 1, min(len(steps), _MOST_FRAMES)).round().astype(int))
    first, *others = [_frame([run[at] for run in patterns], caption.format(step=int(steps[at]))) for at in shown]
    colours = [*mixed(theme, _N_COLOURS), (0, 0, 0), *(_rgb(theme, name) for name in ("line", "ink"))]
    for image in (first, *others):
        image.putpalette([part for colour in colours for part in colour])
    file = io.BytesIO()
    pace = min(max(_WHOLE // len(shown), _SHORTEST), _LONGEST)
    # The last one stays for a while.
    durations = [*[pace] * len(others), _WHOLE // 3]
    first.save(file, "GIF", save_all=True, append_images=others, duration=durations, loop=0, optimize=False)
    return file.getvalue()


def _frame(runs: Sequence[UInt8[np.ndarray, "layer head query key"]], caption: str) -> Image.Image:
    blocks = [_block(run) for run in runs]
    height = max(len(block) for block in blocks)
    padded = [np.pad(block, ((0, height - len(block)), (0, 2 * _GAP))) for block in blocks]
    cells = np.pad(np.hstack(padded)[:, : -2 * _GAP], ((_CAPTION, _GAP), (_GAP, _GAP)))
    image = Image.fromarray(cells, "P")
    ImageDraw.Draw(image).text((_GAP, 4), caption, fill=_INK, font=_font())
    return image


def _block(maps: UInt8[np.ndarray, "layer head query key"]) -> UInt8[np.ndarray, "y x"]:
    """Return the maps of one run as numbers of colours, each map in a frame."""
    factor = max(1, _SIDE // max(maps.shape[2:]))
    numbers = np.round(maps.astype(np.float32) * ((_N_COLOURS - 1) / 255)).astype(np.uint8)
    large = numbers.repeat(factor, 2).repeat(factor, 3)
    framed = np.pad(large, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=_LINE)
    apart = np.pad(framed, ((0, 0), (0, 0), (0, _GAP), (0, _GAP)))
    n_layers, n_heads, height, width = apart.shape
    return apart.transpose(0, 2, 1, 3).reshape(n_layers * height, n_heads * width)[:-_GAP, :-_GAP]


@cache
def _font() -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(_FONT)


def _rgb(theme: Theme, name: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(getattr(PALETTES[theme], name).removeprefix("#")))
