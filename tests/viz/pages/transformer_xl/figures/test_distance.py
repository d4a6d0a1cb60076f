import numpy as np

from viz.pages.transformer_xl.figures.distance import Words, attention_by_distance, term_by_distance

WORDS = Words(
    rows=tuple(f"layer {layer}, head {head}" for layer in (1, 2) for head in (1, 2)),
    layers=("layer <1>", "layer 2"),
    x_name="characters back",
    hover="{row}, {distance} back: {value}",
)
MEANS = np.random.default_rng(0).random((2, 2, 50), dtype=np.float32)


def test_a_row_a_head_and_a_column_a_distance() -> None:
    (heatmap,) = term_by_distance(MEANS - 0.5, WORDS).data
    np.testing.assert_array_equal(heatmap.z, (MEANS - 0.5).reshape(4, 50))
    np.testing.assert_array_equal(heatmap.customdata, heatmap.z)
    assert heatmap.z.dtype == np.float32
    assert heatmap.zmin == -heatmap.zmax
    assert list(heatmap.y) == list(WORDS.rows)
    assert heatmap.hovertemplate == "%{y}, %{x} back: %{customdata:.4g}<extra></extra>"


def test_attention_is_drawn_by_its_logarithm_and_said_as_it_is() -> None:
    means = np.full((2, 2, 3), 0.1, np.float32)
    means[0, 0] = (1, 0, 1e-9)
    (heatmap,) = attention_by_distance(means, WORDS).data
    np.testing.assert_allclose(heatmap.z[:2], [[0, -4, -4], [-1, -1, -1]], atol=1e-6)
    np.testing.assert_array_equal(heatmap.customdata[0], np.array([1, 0, 1e-9], np.float32))
    assert (heatmap.zmin, heatmap.zmax) == (-4, 0)
    assert heatmap.colorbar.ticktext[-1] == "1"


def test_one_far_number_does_not_make_all_others_pale() -> None:
    means = np.ones((2, 2, 500), np.float32)
    means[0, 0, 0] = 100
    (heatmap,) = term_by_distance(means, WORDS).data
    assert heatmap.zmax == 1


def test_a_term_of_nothing_can_be_drawn() -> None:
    (heatmap,) = term_by_distance(np.zeros_like(MEANS), WORDS).data
    assert heatmap.zmax == 1


def test_layers_are_set_apart_and_their_names_are_text() -> None:
    figure = attention_by_distance(MEANS, WORDS)
    (line,) = figure.layout.shapes
    assert line.y0 == line.y1 == 1.5
    assert list(figure.layout.yaxis.ticktext) == ["layer &lt;1&gt;", "layer 2"]
    assert list(figure.layout.yaxis.tickvals) == [0.5, 2.5]
