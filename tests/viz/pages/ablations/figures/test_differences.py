import numpy as np

from viz.pages.ablations.figures.differences import Differences, differences

ROWS = [
    Differences("<b>one", {1: -1.0, 2: -0.5}, -0.9),
    Differences("two", {}, 0.4),
    Differences("far", {1: -30.0}, None),
]


def draw(rows=ROWS):
    return differences(rows, x_name="BLEU", legend=("seed", "mean", "paper"))


def test_each_row_has_its_seeds_their_mean_and_the_paper_s() -> None:
    seeds, means, theirs, _ = draw().data
    np.testing.assert_allclose(seeds.x, [-1.0, -0.5])
    np.testing.assert_allclose(means.x, [-0.75])
    np.testing.assert_allclose(theirs.x, [-0.9, 0.4], rtol=1e-6)
    assert (list(seeds.y), list(means.y), list(theirs.y)) == ([0, 0], [0], [0, 1])
    assert [trace.name for trace in (seeds, means, theirs)] == ["seed", "mean", "paper"]


def test_a_value_far_below_all_others_stands_at_the_edge_with_its_number() -> None:
    figure = draw()
    far = figure.data[-1]
    low, high = figure.layout.xaxis.range
    assert (far.text, list(far.y)) == (("−30.0",), [2])
    assert low < far.x[0] < -1.0 < 0.4 < high


def test_a_single_seed_beyond_the_edge_stands_there_too() -> None:
    figure = draw(rows=[Differences("one", {1: -4.3, 2: -3.6, 3: -6.1}, None)])
    assert len(figure.data[0].x) == 2
    assert (figure.data[-1].text, list(figure.data[-1].y)) == (("−6.1",), [0])


def test_the_scale_has_no_tick_where_arrows_stand() -> None:
    rows = [Differences("near", {1: -4.3, 2: -5.1}, None), Differences("far", {1: -6.4}, None)]
    figure = draw(rows=rows)
    ticks = list(figure.layout.xaxis.tickvals)
    np.testing.assert_allclose(figure.data[0].x, [-4.3, -5.1], rtol=1e-6)
    assert -5.1 <= min(ticks) < max(ticks) <= figure.layout.xaxis.range[1]
    assert figure.data[-1].x[0] < min(ticks)


def test_nothing_measured_is_no_mistake() -> None:
    assert len(draw(rows=[Differences("one", {}, -0.9)]).data[0].x) == 0


def test_a_band_lies_behind_all_rows() -> None:
    figure = differences(ROWS, x_name="BLEU", legend=("seed", "mean", "paper"), band=(-0.2, 0.5))
    band, *_ = figure.layout.shapes
    assert (band.x0, band.x1, band.layer) == (-0.2, 0.5, "below")


def test_what_counts_as_far_below_can_be_chosen() -> None:
    figure = differences(ROWS, x_name="BLEU", legend=("seed", "mean", "paper"), lowest=-100)
    assert len(figure.data[0].x) == 3
    assert len(figure.data[-1].x) == 0
    assert figure.layout.xaxis.range[0] < -30


def test_a_single_row_leaves_room_for_the_legend() -> None:
    heights = [draw(rows=ROWS[:1] * n).layout.height for n in (1, 7, 8)]
    assert heights[0] == heights[1] < heights[2]
