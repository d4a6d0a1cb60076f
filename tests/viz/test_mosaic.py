import json

import numpy as np
import pytest

from viz.figures.mosaic import Tiling, cells, mosaic, shrink

WEIGHTS = np.random.default_rng(0).random((3, 5, 4, 6)).astype(np.float32)


def test_each_tile_lies_where_the_tiling_says() -> None:
    tiling = Tiling(4, 6)
    picture = cells(WEIGHTS, tiling)
    assert picture.dtype == np.uint8
    for layer, head in np.ndindex(3, 5):
        row, column = tiling.corner(layer, head)
        tile = picture[row : row + 4, column : column + 6]
        np.testing.assert_array_equal(tile, np.rint(WEIGHTS[layer, head] * 255))


def test_between_the_tiles_there_is_nothing() -> None:
    tiling = Tiling(4, 6)
    picture = cells(np.ones((2, 2, 4, 6), np.float32), tiling)
    assert (picture == 255).sum() == 2 * 2 * 4 * 6
    assert (picture[tiling.height : tiling.row_step] == 0).all()


def test_a_click_on_point_i_means_layer_and_head() -> None:
    clicks = mosaic(WEIGHTS, theme="light", opened=(0, None)).data[1]
    tiling = Tiling(4, 6)
    for index, (x, y) in enumerate(zip(clicks.x, clicks.y, strict=True)):
        layer, head = divmod(index, 5)
        assert (x, y) == tiling.centre(layer, head)
        assert clicks.text[index] == f"layer {layer + 1}, head {head + 1}"


@pytest.mark.parametrize(("head", "first", "last"), [(2, 2, 2), (None, 0, 4)])
def test_what_is_open_is_framed(head: int | None, first: int, last: int) -> None:
    frame = mosaic(WEIGHTS, theme="dark", opened=(1, head)).layout.shapes[-1]
    tiling = Tiling(4, 6)
    left, top, _, bottom = tiling.box(1, first)
    assert (frame.x0, frame.y0, frame.x1, frame.y1) == (left, top, tiling.box(1, last)[2], bottom)


def test_all_heads_are_one_picture_of_bytes() -> None:
    figure = json.loads(mosaic(WEIGHTS, theme="light", opened=(0, 0)).to_json())
    picture, _ = figure["data"]
    assert picture["z"]["dtype"] == "u1"
    assert [trace["type"] for trace in figure["data"]] == ["heatmap", "scatter"]
    assert not {"xaxis2", "yaxis2"} & figure["layout"].keys()


def test_long_texts_are_shrunk_to_their_peaks() -> None:
    weights = np.zeros((1, 1, 256, 250), np.float32)
    weights[0, 0, 100, 7] = 0.9
    small = shrink(weights)
    assert max(small.shape) <= 96
    assert small.max() == np.float32(0.9)
    np.testing.assert_array_equal(shrink(WEIGHTS), WEIGHTS)
