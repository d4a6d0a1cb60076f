"""Every hook point has one mark in each arrangement of the drawing, and no two of them are in one place."""

from itertools import combinations
from xml.etree.ElementTree import Element, fromstring

import pytest

from model.hooks import HOOKS
from viz.base.words import page_text
from viz.pages.reference.hook_drawing import WIDTHS, hook_drawings
from viz.pages.reference.hooks import matching

# Of names, in pixels: each character of the monospaced font, and what is above and below the line they stand on.
CHARACTER, ASCENT, DESCENT = 7.9, 9, 3
Box = tuple[float, float, float, float]
"""Left, top, width and height."""


def placed(node: Element, x: float = 0, y: float = 0) -> dict[str, tuple[float, float]]:
    """Return where the mark of each hook point is, from the corner of the drawing."""
    _, _, moved = node.get("transform", "").partition("(")
    if moved:
        across, down = map(float, moved.rstrip(")").split())
        x, y = x + across, y + down
    if node.get("data-code"):
        circle = node.find("circle")
        return {node.get("data-code"): (x + float(circle.get("cx")), y + float(circle.get("cy")))}
    return {code: place for child in node for code, place in placed(child, x, y).items()}


def boxes_of(node: Element, x: float = 0, y: float = 0) -> tuple[list[Box], list[Box]]:
    """Return where names are, of marks and notes, and where the boxes of operations are."""
    _, _, moved = node.get("transform", "").partition("(")
    if moved:
        across, down = map(float, moved.rstrip(")").split())
        x, y = x + across, y + down
    names, boxes = [], []
    if node.tag == "text" and node.get("class") in (None, "note"):
        width = CHARACTER * len(node.text)
        left = x + float(node.get("x")) - width * {"middle": 0.5, "end": 1}.get(node.get("text-anchor"), 0)
        names.append((left, y + float(node.get("y")) - ASCENT, width, ASCENT + DESCENT))
    if node.tag == "rect" and node.get("class") == "part":
        boxes.append((x + float(node.get("x")), y + float(node.get("y")), *map(float, size_of(node))))
    for child in node:
        of_child = boxes_of(child, x, y)
        names += of_child[0]
        boxes += of_child[1]
    return names, boxes


def size_of(node: Element) -> tuple[str, str]:
    return node.get("width"), node.get("height")


def meet(one: Box, other: Box) -> bool:
    return all(max(one[i], other[i]) < min(one[i] + one[i + 2], other[i] + other[i + 2]) for i in (0, 1))


@pytest.mark.parametrize("number", range(len(WIDTHS)))
def test_every_hook_point_has_a_place_of_its_own_in_every_arrangement(number: int) -> None:
    told = {point.name: point.shape for point in HOOKS}
    drawing = hook_drawings(told, page_text("pages/reference/hooks"))[number]
    root = fromstring(drawing.svg("All of them"))
    assert len([node for node in root.iter() if node.get("data-code")]) == len(HOOKS)
    places = placed(root)
    assert places.keys() == told.keys()
    for x, y in places.values():
        assert 5 <= x <= WIDTHS[number] - 5
        assert 5 <= y <= drawing.height - 5
    for (x, y), (other_x, other_y) in combinations(places.values(), 2):
        assert max(abs(x - other_x), abs(y - other_y)) >= 20


@pytest.mark.parametrize("number", range(len(WIDTHS)))
def test_no_name_lies_on_another_name_or_on_a_box(number: int) -> None:
    told = {point.name: point.shape for point in HOOKS}
    drawing = hook_drawings(told, page_text("pages/reference/hooks"))[number]
    names, boxes = boxes_of(fromstring(drawing.svg("All of them")))
    assert len(names) > len(HOOKS)
    assert [(one, other) for one, other in combinations(names, 2) if meet(one, other)] == []
    assert [(one, other) for one in names for other in boxes if meet(one, other)] == []


def test_a_chosen_hook_point_is_the_only_one_that_its_name_finds() -> None:
    for point in HOOKS:
        assert matching(point.name) == [point]
