"""What all figures share: an empty canvas in the page's own colours and letters."""

from typing import Any

import plotly.graph_objects as go

from viz.colours import PALETTES, Theme

MONOSPACE = "ui-monospace, 'SF Mono', Menlo, Consolas, 'Noto Sans Mono', 'DejaVu Sans Mono', monospace"
FONT_SIZE = 12
# Of the monospace fonts above, DejaVu is the widest: 0.602 of its size.
CHARACTER_WIDTH = 0.61 * FONT_SIZE


def canvas(theme: Theme, *, width: int | None, height: int, margin: dict[str, int]) -> go.Figure:
    """Return an empty figure of that size in pixels; without a width it fills what it is put in."""
    palette = PALETTES[theme]
    return go.Figure(
        layout={
            "template": None,
            "width": width,
            "height": height,
            "margin": {"l": 0, "r": 0, "t": 0, "b": 0, "pad": 0} | margin,
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"family": MONOSPACE, "size": FONT_SIZE, "color": palette.ink},
            "hoverlabel": {
                "bgcolor": palette.surface,
                "bordercolor": palette.muted,
                "font": {"family": MONOSPACE, "size": FONT_SIZE + 1, "color": palette.ink},
            },
            "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": palette.muted, "activecolor": palette.ink},
            "dragmode": False,
            "showlegend": False,
        }
    )


def bare_axis(labels: list[str], positions: Any, **more: Any) -> dict[str, Any]:
    """Return an axis of ``labels`` at ``positions``, without line, grid or zoom."""
    bare = {
        "showgrid": False,
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "fixedrange": True,
        "ticklabelstandoff": 3,
    }
    return bare | {"tickmode": "array", "tickvals": positions, "ticktext": labels} | more
