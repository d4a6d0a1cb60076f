"""Every encoding of the zoo has a name for people and a look of its own."""

from model.zoo.plan import ENCODINGS
from viz.base.colours import line_look
from viz.pages.length_generalization.names import encoding_look, encoding_title, in_order


def test_no_two_encodings_share_a_name_or_a_look() -> None:
    titles = {encoding_title(name) for name in ENCODINGS}
    assert not titles & set(ENCODINGS)
    assert len(titles) == len(ENCODINGS)
    assert len({encoding_look(name) for name in ENCODINGS}) == len(ENCODINGS)
    assert len({encoding_look(name).swatch for name in ENCODINGS}) == len(ENCODINGS)


def test_thirty_lines_differ() -> None:
    assert len({line_look(number) for number in range(30)}) == 30
    assert line_look(30) == line_look(0)


def test_an_encoding_that_is_no_longer_planned_keeps_its_name_and_has_a_look() -> None:
    assert encoding_title("gone") == "gone"
    assert encoding_look("gone") == line_look(len(ENCODINGS))


def test_encodings_come_in_the_plan_s_order_after_those_asked_for_first() -> None:
    assert in_order({"gone", "fire", "none", "t5"}, first=("t5", "alibi")) == ("t5", "none", "fire", "gone")
