import pytest

from viz.figures.base import legend_below, upright_axis, upright_pixels


@pytest.mark.parametrize("picture_height", [120, 300])
def test_a_legend_below_leaves_room_for_the_axis_and_its_name(picture_height: int) -> None:
    legend = legend_below(picture_height)
    assert legend["yanchor"] == "top"
    assert 42 <= -legend["y"] * picture_height <= 60


def test_east_asian_labels_stand_letter_under_letter_and_others_are_turned() -> None:
    latin, japanese = upright_axis(["dog", "⟨end⟩"], [0, 1]), upright_axis(["トークン", "FFN 3", "<b"], [0, 1, 2])
    assert (latin["ticktext"], latin["tickangle"]) == (["dog", "⟨end⟩"], -90)
    assert (japanese["ticktext"][:2], japanese["tickangle"]) == (["ト<br>\uff5c<br>ク<br>ン", "FFN<br>3"], 0)
    assert "<b>" not in "".join(japanese["ticktext"]).replace("<br>", "")
    # A stack of long Latin words would be as high as the picture.
    assert upright_axis(["猫", "representation"], [0, 1])["tickangle"] == -90
    assert upright_pixels(["トークン", "FFN 3"]) >= 4 * 13 > upright_pixels(["dog"])
