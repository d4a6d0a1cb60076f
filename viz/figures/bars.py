"""Bars side by side: a few quantities of every token."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from viz.base.colours import OKABE_ITO
from viz.base.tokens import escape_plotly
from viz.figures.base import bare_axis, canvas, label_pixels, labels_of, name_above, number_axis

# So small that the numbers of a dozen groups stand side by side on a phone.
_NUMBER_SIZE = 11


def bars(
    groups: Sequence[str],
    heights: Mapping[str, Float[np.ndarray, " group"]],
    *,
    y_name: str,
    height: int = 240,
    written: Collection[str] = (),
) -> go.Figure:
    """Return bars for each of ``groups``, one for each of ``heights``, in the palette's order.

    Args:
        groups: a label for each group, any text, also twice the same.
        heights: values by what they are, any text.
        y_name: what the bars measure.
        height: of the figure, in pixels.
        written: those of ``heights`` whose bars have their number above them.
    """
    figure = canvas(
        width=None,
        height=height,
        margin={"l": 36, "r": 4, "t": 48, "b": label_pixels(groups)},
        xaxis=bare_axis(labels_of(groups), np.arange(len(groups)), tickangle=-90),
        yaxis=number_axis() | {"automargin": "left"},
        barmode="group",
        bargap=0.25,
        **name_above(y_name, has_legend=True),
    )
    for (name, values), colour in zip(heights.items(), OKABE_ITO, strict=False):
        figure.add_bar(
            y=np.asarray(values, dtype=np.float32),
            name=escape_plotly(name),
            marker={"color": colour, "line": {"width": 0}},
            texttemplate="%{y:.3g}" if name in written else None,
            textposition="outside" if name in written else "none",
            textfont={"size": _NUMBER_SIZE},
            textangle=0,
            constraintext="none",
            cliponaxis=False,
            hovertemplate=f"%{{x}}, {escape_plotly(name)}: %{{y:.3g}}<extra></extra>",
        )
    return figure
