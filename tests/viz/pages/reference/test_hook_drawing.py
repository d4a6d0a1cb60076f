"""Every hook point has one mark in each arrangement of the drawing, and no two of them are in one place."""

from itertools import combinations
from xml.etree.ElementTree import Element, fromstring

import pytest

from model.hooks import HOOKS
from viz.base.words import page_text
from viz.pages.reference.hook_drawing import WIDTHS, hook_drawings
from viz.pages.reference.hooks import matching


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


def test_a_chosen_hook_point_is_the_only_one_that_its_name_finds() -> None:
    for point in HOOKS:
        assert matching(point.name) == [point]
