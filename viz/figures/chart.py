"""A chart as every host draws it: in either theme, with what it shows in words and as a table."""

from collections.abc import Callable
from dataclasses import dataclass

import plotly.graph_objects as go

from viz.base.colours import Theme


@dataclass(frozen=True)
class Chart:
    """A chart.

    Attributes:
        key: its name on its page.
        name: of its files, without their ending.
        figure: draws it in a theme.
        alt: what it shows, for those who hear it.
        table: its numbers as CSV, where they are offered.
        heading: what stands over it; empty where it stands alone.
    """

    key: str
    name: str
    figure: Callable[[Theme], go.Figure]
    alt: str
    table: Callable[[], str] | None = None
    heading: str = ""
