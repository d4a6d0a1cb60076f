"""The strip shows every matrix by its name and shape, in one row and in two, with colours that mean the numbers."""

import re
from xml.etree.ElementTree import Element, fromstring

import numpy as np
import pytest

from viz.base.colours import PALETTES, Theme, diverging, sequential
from viz.pages.dot_product.components.computation_strip import Stage, computation_strip

EYE = np.eye(2)
SIGNED = np.array([[2.0, -1.0], [0.0, -np.inf]])
PATTERN = np.array([[1.0, 0.0], [0.25, 0.75]])
GROUPS = (
    (Stage("X", np.ones((2, 3))),),
    (Stage("Q", EYE, feeds="scores"), Stage("K", EYE, feeds="scores"), Stage("V", EYE, feeds="Z")),
    (Stage("scores", SIGNED),),
    (Stage("softmax", PATTERN, is_pattern=True),),
    (Stage("Z", EYE),),
    (Stage("output", np.ones((8, 8))),),
)
NAMES = ["X", "Q", "K", "V", "scores", "softmax", "Z", "output"]


def pictures(groups=GROUPS, theme: Theme = "light", alt: str = "All of it") -> tuple[Element, Element]:
    wide, narrow = fromstring(computation_strip(groups, theme=theme, alt=alt))
    return wide, narrow


def texts(picture: Element, kind: str) -> list[str]:
    return [text.text for text in picture.iter("text") if text.get("class") == kind]


def cells(picture: Element, number: int) -> list[Element]:
    return list(picture.findall("g")[number].iter("rect"))


def test_both_layouts_name_every_matrix_with_its_shape_and_say_what_they_show() -> None:
    for picture in pictures():
        assert picture.get("role") == "img"
        assert picture.get("aria-label") == "All of it"
        assert texts(picture, "name") == NAMES
        assert texts(picture, "shape") == ["2×3", "2×2", "2×2", "2×2", "2×2", "2×2", "2×2", "8×8"]


def middle(picture: Element, name: str) -> float:
    (text,) = (text for text in picture.iter("text") if text.text == name)
    return float(text.get("x"))


def test_queries_and_keys_lead_to_the_scores_and_values_to_the_output_of_the_head_alone() -> None:
    for picture in pictures():
        ends = [[float(x) for x in re.findall(r"[MH](-?[\d.]+)", path.get("d"))] for path in picture.findall("path")]
        assert len(ends) == len(picture.findall("polygon")) == 7
        bent = {
            (start, end)
            for path, (start, end) in zip(picture.findall("path"), ends, strict=True)
            if "V" in path.get("d")
        }
        leads = (("Q", "scores"), ("K", "scores"), ("V", "Z"))
        assert bent == {(middle(picture, source), middle(picture, target)) for source, target in leads}


def test_the_wide_one_is_low_and_the_narrow_one_has_two_rows() -> None:
    wide, narrow = pictures()
    _, _, width, height = map(float, wide.get("viewBox").split())
    assert height * 1376 / width <= 170
    rows = {round(float(text.get("y"))) for text in narrow.iter("text") if text.text in {"Q", "Z"}}
    assert len(rows) == 2
    assert float(narrow.get("viewBox").split()[2]) <= 358


@pytest.mark.parametrize("theme", list(PALETTES))
def test_colours_are_those_of_the_two_scales(theme: Theme) -> None:
    for picture in pictures(theme=theme):
        top, low, zero, strange = cells(picture, 4)
        scale = diverging(theme)
        assert [cell.get("fill") for cell in (top, low, zero)] == [scale[32][1], scale[8][1], scale[16][1]]
        assert strange.get("class") == "strange"
        assert [cell.get("fill") for cell in cells(picture, 5)] == [
            sequential(theme)[step][1] for step in (16, 0, 4, 12)
        ]


def test_a_cell_says_its_number() -> None:
    assert [cell.find("title").text for cell in cells(pictures()[0], 4)] == ["2", "−1", "0", "−∞"]


def test_nothing_leaves_the_picture() -> None:
    for picture in pictures(((Stage("X", np.ones((8, 8))),),) * 2 + GROUPS[1:]):
        _, _, width, height = map(float, picture.get("viewBox").split())
        for cell in picture.iter("rect"):
            left, top, size = (float(cell.get(name)) for name in ("x", "y", "width"))
            assert 0 <= left <= width - size
            assert 0 <= top <= height - size


def test_names_and_the_alternative_are_text() -> None:
    attack = '<script>"&'
    for picture in pictures(((Stage(attack, EYE),),), alt=attack):
        assert texts(picture, "name") == [attack]
        assert picture.get("aria-label") == attack


def test_what_is_all_zero_or_no_number_at_all_can_be_drawn() -> None:
    for values in (np.zeros((1, 1)), np.full((1, 1), np.nan)):
        assert len(pictures(((Stage("X", values),),))) == 2
