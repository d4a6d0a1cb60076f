import pytest

from viz.figures.base import legend_below


@pytest.mark.parametrize("picture_height", [120, 300])
def test_a_legend_below_leaves_room_for_the_axis_and_its_name(picture_height: int) -> None:
    legend = legend_below(picture_height)
    assert legend["yanchor"] == "top"
    assert 42 <= -legend["y"] * picture_height <= 60
