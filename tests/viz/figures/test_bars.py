import numpy as np

from viz.base.colours import OKABE_ITO
from viz.figures.bars import bars

HEIGHTS = {"embedding": np.array([1.0, 2.0]), "<b>": np.array([3.0, 4.0])}


def test_each_group_has_a_bar_of_every_kind() -> None:
    figure = bars(["the", "the"], HEIGHTS, y_name="length")
    assert figure.layout.barmode == "group"
    assert figure.layout.xaxis.ticktext == ("the", "the")
    for trace, values, colour in zip(figure.data, HEIGHTS.values(), OKABE_ITO, strict=False):
        np.testing.assert_array_equal(trace.y, values)
        assert trace.marker.color == colour


def test_labels_are_text() -> None:
    figure = bars(["</script>", "&"], HEIGHTS, y_name="length")
    assert figure.layout.xaxis.ticktext == ("&lt;/script&gt;", "&amp;")
    assert figure.data[1].name == "&lt;b&gt;"


def test_wide_numbers_beside_the_axis_make_their_room() -> None:
    assert "left" in bars(["the", "the"], HEIGHTS, y_name="share").layout.yaxis.automargin


def test_bars_have_their_number_where_it_is_asked_for() -> None:
    figure = bars(["the", "the"], HEIGHTS, y_name="share", written=["<b>"])
    assert [bool(trace.texttemplate) for trace in figure.data] == [False, True]
