"""A chart as every host draws it: a figure, with what it shows in words and as a table."""

from collections.abc import Callable
from dataclasses import dataclass

import plotly.graph_objects as go


@dataclass(frozen=True)
class Chart:
    """A chart.

    Attributes:
        key: its name on its page.
        name: of its files, without their ending.
        figure: the picture, in tokens of the palette.
        alt: what it shows, for those who hear it.
        table: its numbers as CSV, where they are offered.
        heading: what stands over it; empty where it stands alone.
    """

    key: str
    name: str
    figure: go.Figure
    alt: str
    table: Callable[[], str] | None = None
    heading: str = ""
