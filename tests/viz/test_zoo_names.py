"""Every encoding of the zoo has a name for people and a look of its own."""

from model.training.zoo.plan import ENCODINGS
from viz.colours import line_look
from viz.pages.zoo_state import encoding_look, encoding_title


def test_no_two_encodings_share_a_name_or_a_look() -> None:
    assert len({encoding_title(name) for name in ENCODINGS}) == len(ENCODINGS)
    assert len({encoding_look(name) for name in ENCODINGS}) == len(ENCODINGS)
    assert len({encoding_look(name).swatch for name in ENCODINGS}) == len(ENCODINGS)


def test_eighteen_lines_differ() -> None:
    assert len({line_look(number) for number in range(18)}) == 18
    assert line_look(18) == line_look(0)
