"""A diagram is SVG in which every text is text, every mark can be chosen, and what leads somewhere is a link."""

from xml.etree.ElementTree import fromstring

from viz.components.diagram import Arrow, Drawing, Group, Line, Mark, Note, OperationBox, Sum, TitledFrame

ATTACK = '<script>"&'


def test_marks_are_buttons_or_links_and_say_what_they_are() -> None:
    marks = (Mark("a", "A", "first\nline", 5, 5, "right"), Mark("b", "B", "second", 5, 25, "left", address="#b"))
    button, link = fromstring(Drawing(100, 50, marks).svg("Two")).findall("*")
    assert (button.get("role"), button.get("data-code"), button.get("aria-label")) == ("button", "a", "first line")
    assert (link.tag, link.get("href"), link.get("data-tooltip")) == ("a", "#b", "second")


def test_every_text_is_escaped() -> None:
    mark = Mark(ATTACK, ATTACK, ATTACK, 5, 5, "above", address=ATTACK)
    shapes = (TitledFrame(0, 0, 9, 9, ATTACK), OperationBox(0, 0, 9, 9, ATTACK), Note(0, 0, ATTACK), mark)
    drawn = fromstring(Drawing(100, 50, shapes).svg(ATTACK))
    assert drawn.get("aria-label") == ATTACK
    assert [text.text for text in drawn.iter("text")] == [ATTACK] * 4


def test_a_group_moves_its_shapes_and_an_arrow_ends_where_it_points() -> None:
    arrow = Arrow(((0, 0), (0, 30), (20, 30)))
    (group,) = fromstring(Drawing(100, 50, (Group(3, 4, (arrow, Line(((0, 0), (1, 1))), Sum(5, 5))),)).svg("One"))
    assert group.get("transform") == "translate(3 4)"
    assert group.find("polygon").get("points").split()[0] == "20,30"
