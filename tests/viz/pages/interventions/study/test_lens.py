"""The lens on a translation, as it is shown and as a table."""

import csv
import io

import numpy as np
import pytest

from model.decoding.translator import Translation, Translator
from viz.pages.interventions.study.lens import N_SHOWN, ShownLens, lens_as_csv, shown_lens


@pytest.fixture(scope="module")
def lens(translator: Translator, translation: Translation) -> ShownLens:
    found = shown_lens(translator, translation)
    probabilities = [token.probability for token in translation.tokens]
    np.testing.assert_allclose(found.of_written[-1], probabilities, rtol=1e-2)
    return found


def test_the_last_depth_is_the_model_itself(lens: ShownLens) -> None:
    assert (lens.probabilities[-1, :, 0] >= lens.of_written[-1] - 1e-6).all()
    leads = np.isclose(lens.probabilities[-1, :, 0], lens.of_written[-1])
    assert (lens.is_written[-1] == leads).all()


def test_a_token_has_one_label_in_the_text_and_alone(translator: Translator) -> None:
    lens = shown_lens(translator, translator.translate("The young engineer's pursuit didn't succeed."))
    assert any(label.startswith("·") for label in lens.written)
    for point, step in np.argwhere(lens.is_written):
        assert lens.labels[point][step][0] == lens.written[step]


def test_where_a_token_settles_it_leads_from_there_on(lens: ShownLens) -> None:
    n_points = len(lens.points)
    for step, first in enumerate(lens.settled()):
        assert lens.is_written[first:, step].all()
        assert first == 0 or not lens.is_written[first - 1, step]
        assert (first == n_points) == (not lens.is_written[-1, step])


def test_some_points_and_steps_are_the_same_as_in_all(lens: ShownLens) -> None:
    part = lens.at([0, 9], 4)
    assert part.points == (lens.points[0], lens.points[9])
    assert part.written == lens.written[:4]
    np.testing.assert_array_equal(part.of_written, lens.of_written[[0, 9], :4])
    assert part.labels[1] == lens.labels[9][:4]


def test_the_table_has_every_residual_and_step(lens: ShownLens) -> None:
    rows = list(csv.DictReader(io.StringIO(lens_as_csv(lens))))
    assert len(rows) == len(lens.points) * len(lens.written) * N_SHOWN
    assert {row["point"] for row in rows} == {*lens.points}
