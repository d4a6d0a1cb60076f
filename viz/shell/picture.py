"""Every picture of a page: the chart, and at its top right Save, a menu of files, and Full screen."""

import re
from collections.abc import Callable, Collection, Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from html import escape
from typing import Literal

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.base.exports import table_as_npz
from viz.components.picture_bar import picture_bar
from viz.figures.base import in_theme
from viz.shell.controls import download, key_class
from viz.shell.page import theme

_SENTENCE_END = re.compile(r"\. |。")

BAR_HEIGHT = 32
"""Pixels over a chart that has no title, whose row would have room for Save and Full screen."""


@dataclass(frozen=True)
class File:
    """A file that a picture's menu offers besides the picture itself.

    Attributes:
        label: what the menu calls it.
        content: makes it when it is asked for.
        name: what it is saved as.
    """

    label: str
    content: Callable[[], str | bytes]
    name: str


def with_arrays(table: File) -> tuple[File, File]:
    """Return ``table``, a CSV file, and beside it its columns as arrays, an NPZ file."""

    def arrays() -> bytes:
        content = table.content()
        return table_as_npz(content if isinstance(content, str) else content.decode())

    return table, File(table.label.replace("CSV", "NPZ"), arrays, table.name.replace(".csv", ".npz"))


def draw_picture(
    figure: go.Figure,
    *,
    key: str,
    file_name: str,
    alt: str,
    files: Iterable[File] = (),
    width: Literal["stretch", "content"] = "stretch",
    narrowest: int = 0,
    opens_at: Collection[int] = (),
    is_narrow: bool = False,
) -> None:
    """Draw ``figure`` in the page's theme, and at its top right Save and Full screen.

    Args:
        figure: made by :func:`viz.figures.base.canvas`; nothing but its title is at the top right.
        key: of the chart.
        file_name: of the saved picture, without its ending.
        alt: what it shows, for those who hear it.
        files: tables and arrays that the menu offers too.
        width: whether the chart fills its place or is as wide as it says.
        is_narrow: whether it is one of three in a row, where its title needs the place beside the two.
        narrowest: pixels that it is wide at least; where there is less room, it scrolls under what is at its top right
            and, on a phone, beside the names of its rows.
        opens_at: columns from 0 that are in sight from the first where it scrolls; the first ones where there are none.
    """
    figure = in_theme(figure, theme())
    kind = "bare" if not figure.layout.title.text else "narrow" if is_narrow else "titled"
    if kind == "bare":
        figure.update_layout(height=figure.layout.height + BAR_HEIGHT, margin_t=figure.layout.margin.t + BAR_HEIGHT)
    place = f"picture-{key}"
    with st.container(key=place, gap=None, width=width):
        picture_bar(
            key_class(place),
            _SENTENCE_END.split(alt, maxsplit=1)[0],
            files=offered(files, key),
            key=f"bar-{kind}-{key}",
        )
        config = {"displaylogo": False, "displayNotifier": False, "toImageButtonOptions": {"filename": file_name}}
        with _scrolling(key, narrowest) if narrowest else nullcontext():
            if narrowest:
                _stay_in_sight(figure, opens_at)
            st.plotly_chart(figure, theme=None, width=width, key=key, config=config, alt=alt)


def offered(files: Iterable[File], key: str) -> list[dict[str, str]]:
    """Draw buttons for ``files`` out of sight.

    Return what the menu of the picture ``key`` needs to press them.
    """
    return [
        {"label": file.label, "button": download(file.label, file.content, file.name, menu_of=key)} for file in files
    ]


def _scrolling(key: str, min_width: int) -> DeltaGenerator:
    place = key_class(f"scrolling-{key}")
    frame = f".{place} [data-testid='stElementContainer'], .{place} [data-testid='stFullScreenFrame']"
    st.html(f"<style>.{place} {{ overflow: auto hidden }} {frame} {{ min-width: {min_width}px }}</style>")
    return st.container(key=f"scrolling-{key}")


def _stay_in_sight(figure: go.Figure, opens_at: Collection[int]) -> None:
    """Draw the names of the rows apart, which do not scroll, and mark the columns to be seen first."""
    margin, axes = figure.layout.margin, (figure.layout.xaxis, figure.layout.yaxis)
    n_columns, n_rows = (len(axis.ticktext or ()) for axis in axes)
    drawn = ""
    if n_columns and opens_at:
        left, right = min(opens_at) / n_columns, (n_columns - max(opens_at) - 1) / n_columns
        inner = f"(100% - {margin.l + margin.r}px)"
        # Wider by the names, under which the left edge of the picture lies.
        place = f"left:calc({left:.4f} * {inner});right:calc({margin.r}px + {right:.4f} * {inner})"
        drawn += f'<i class="opens-at" style="{place}"></i>'
    if n_rows:
        row = (figure.layout.height - margin.t - margin.b) / n_rows
        names = "".join(f'<span style="height:{row:.2f}px">{name}</span>' for name in figure.layout.yaxis.ticktext)
        colours = f"color:{figure.layout.font.color};background:{figure.layout.paper_bgcolor}"
        size = (
            f"width:{margin.l}px;padding-top:{margin.t}px;font:{figure.layout.font.size}px {figure.layout.font.family}"
        )
        drawn += f'<div class="row-names" aria-hidden="true" style="{escape(f"{size};{colours}")}">{names}</div>'
    if drawn:
        st.html(f'<div class="in-sight">{drawn}</div>')
