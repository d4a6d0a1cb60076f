"""Building blocks of a diagram, as SVG; every text is escaped."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Literal, Protocol

Point = tuple[float, float]
Side = Literal["above", "below", "left", "right", "above from", "below from", "below to"]

_ARROW = 7
_RADIUS = 5
# Of a mark's label: how far from the mark, and which of its points is there.
_LABELS: dict[Side, tuple[float, float, str]] = {
    "above": (0, -10, "middle"),
    "below": (0, 20, "middle"),
    "left": (-10, 4.5, "end"),
    "right": (10, 4.5, "start"),
    "above from": (-_RADIUS, -10, "start"),
    "below from": (-_RADIUS, 20, "start"),
    "below to": (_RADIUS, 20, "end"),
}


class Shape(Protocol):
    """A part of a drawing."""

    def svg(self) -> str:
        """Return its SVG."""


@dataclass(frozen=True)
class TitledFrame:
    """A rectangle around other shapes, with a title at its top left."""

    x: float
    y: float
    width: float
    height: float
    title: str = ""

    def svg(self) -> str:
        """Return a rounded rectangle and the title inside it."""
        title = _text("title", self.x + 10, self.y + 20, self.title)
        return _rect("frame", self.x, self.y, self.width, self.height) + title


@dataclass(frozen=True)
class OperationBox:
    """An operation: a box with its name in the middle, on top of the lines that lead through it."""

    x: float
    y: float
    width: float
    height: float
    label: str

    def svg(self) -> str:
        """Return a filled rectangle and the name."""
        middle = self.x + self.width / 2, self.y + self.height / 2 + 4.5
        return _rect("part", self.x, self.y, self.width, self.height) + _text("middle", *middle, self.label)


@dataclass(frozen=True)
class Sum:
    """A plus sign in a circle."""

    x: float
    y: float

    def svg(self) -> str:
        """Return the circle with its plus."""
        plus = f"M{self.x - 5} {self.y}h10M{self.x} {self.y - 5}v10"
        return f'<circle class="part" cx="{self.x}" cy="{self.y}" r="9"/><path class="line" d="{plus}"/>'


@dataclass(frozen=True)
class Line:
    """A line through ``points``."""

    points: tuple[Point, ...]

    def svg(self) -> str:
        """Return the path."""
        return f'<path class="line" d="{_path(self.points)}"/>'


@dataclass(frozen=True)
class Arrow:
    """A line through ``points`` with a head at the last one; its last piece is horizontal or vertical."""

    points: tuple[Point, ...]

    def svg(self) -> str:
        """Return the path and its head."""
        (before_x, before_y), (x, y) = self.points[-2:]
        step_x, step_y = _sign(x - before_x), _sign(y - before_y)
        foot_x, foot_y = x - _ARROW * step_x, y - _ARROW * step_y
        corners = [(x, y), (foot_x + 4 * step_y, foot_y + 4 * step_x), (foot_x - 4 * step_y, foot_y - 4 * step_x)]
        head = " ".join(f"{corner_x},{corner_y}" for corner_x, corner_y in corners)
        return f'<path class="line" d="{_path((*self.points[:-1], (foot_x, foot_y)))}"/><polygon points="{head}"/>'


@dataclass(frozen=True)
class Note:
    """Text that explains; ``kind`` is how it looks."""

    x: float
    y: float
    text: str
    kind: Literal["note", "heading", "middle"] = "note"

    def svg(self) -> str:
        """Return the text."""
        return _text(self.kind, self.x, self.y, self.text)


@dataclass(frozen=True)
class Mark:
    """A point with a label beside it that can be chosen.

    Attributes:
        code: what is sent when it is chosen.
        label: what stands beside it.
        tooltip: its text, in lines.
        x: of the point.
        y: of the point.
        side: where the label stands.
        address: where it leads; nothing where the page handles the choice.
    """

    code: str
    label: str
    tooltip: str
    x: float
    y: float
    side: Side
    address: str = ""

    def svg(self) -> str:
        """Return the point with its label, as a link or as a button."""
        across, down, anchor = _LABELS[self.side]
        label = " ".join(self.tooltip.splitlines())
        opening = f'<a href="{escape(self.address)}"' if self.address else '<g role="button"'
        closing = "</a>" if self.address else "</g>"
        return (
            f'{opening} class="mark" tabindex="-1" data-code="{escape(self.code)}" '
            f'data-tooltip="{escape(self.tooltip)}" aria-label="{escape(label)}">'
            f'<circle cx="{self.x}" cy="{self.y}" r="{_RADIUS}"/>'
            f'<text x="{self.x + across}" y="{self.y + down}" text-anchor="{anchor}">{escape(self.label)}</text>'
            f"{closing}"
        )


@dataclass(frozen=True)
class Group:
    """Shapes moved to where ``x`` and ``y`` are their origin."""

    x: float
    y: float
    shapes: tuple[Shape, ...]

    def svg(self) -> str:
        """Return all of them in one group."""
        return f'<g transform="translate({self.x} {self.y})">{_joined(self.shapes)}</g>'


@dataclass(frozen=True)
class Drawing:
    """A whole drawing of that many pixels."""

    width: float
    height: float
    shapes: tuple[Shape, ...]

    def svg(self, alt: str) -> str:
        """Return it as one SVG that says what it shows."""
        return (
            f'<svg role="group" aria-label="{escape(alt)}" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}">{_joined(self.shapes)}</svg>'
        )


def _joined(shapes: Iterable[Shape]) -> str:
    return "".join(shape.svg() for shape in shapes)


def _rect(kind: str, x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>'


def _text(kind: str, x: float, y: float, text: str) -> str:
    return f'<text class="{kind}" x="{x}" y="{y}">{escape(text)}</text>' if text else ""


def _path(points: Iterable[Point]) -> str:
    return "M" + "L".join(f"{x} {y}" for x, y in points)


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
