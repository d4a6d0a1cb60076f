"""The four claims: measured on the model's own encoding, and judged by nothing but the measurements."""

import math
from dataclasses import replace

import numpy as np
import pytest

from viz.pages.positional_encoding.study.claims import (
    BEYOND,
    BFLOAT16_WHOLE,
    NEW_BY,
    Bases,
    Beyond,
    Neighbours,
    Repeats,
    encode,
    study_all,
    study_bases,
    study_beyond,
    study_neighbours,
    study_repeats,
)
from viz.pages.positional_encoding.study.verdicts import VERDICTS, verdict_claims

BASE = 10000.0


def distance(k: int, d_model: int, base: float) -> float:
    """Return ‖PE(p+k) − PE(p)‖ by the formula, one pair at a time."""
    return math.sqrt(sum(4 * math.sin(k * base ** (-i / d_model) / 2) ** 2 for i in range(0, d_model, 2)))


@pytest.mark.parametrize(("d_model", "base"), [(2, BASE), (64, BASE), (64, 1.01), (256, 1e6)])
def test_every_step_is_the_formula_s(d_model: int, base: float) -> None:
    study = study_neighbours(encode(d_model, base, 300), base, (10, 100))
    assert study.expected == pytest.approx(distance(1, d_model, base))
    for k, steps in study.steps.items():
        assert len(steps) == 300 - k
        np.testing.assert_allclose(steps, distance(k, d_model, base), atol=1e-4)


def test_steps_that_reach_past_the_end_are_left_out() -> None:
    assert list(study_neighbours(encode(8, BASE, 10), BASE, (10, 100)).steps) == [1]


@pytest.mark.parametrize(
    ("steps", "verdict"),
    [([1, 1, 1], "false"), ([1, 0.7, 0.4], "true"), ([1, 0.9, 0.8], "mixed"), ([1, 3, 1], "mixed")],
)
def test_neighbours_are_judged_by_their_steps(steps: list[float], verdict: str) -> None:
    assert Neighbours({1: np.array(steps)}, expected=1).verdict == verdict


def test_distances_follow_the_base_as_the_formula_does() -> None:
    study = study_bases(64, 100.0, (1, 10))
    assert study.larger_base == 1000
    for k in (1, 10):
        assert study.before[k] == pytest.approx(distance(k, 64, 100), rel=1e-5)
        assert study.after[k] == pytest.approx(distance(k, 64, 1000), rel=1e-5)
        expected = [distance(k, 64, float(base)) for base in study.bases]
        np.testing.assert_allclose(study.distances[k], expected, rtol=1e-4)


@pytest.mark.parametrize(("d_model", "base", "verdict"), [(256, BASE, "false"), (2, BASE, "same"), (64, 1.01, "mixed")])
def test_the_verdict_on_the_base_depends_on_the_settings(d_model: int, base: float, verdict: str) -> None:
    assert study_bases(d_model, base, (1, 10, 100)).verdict == verdict


def test_a_larger_base_that_did_set_positions_apart_would_be_called_so() -> None:
    study = study_bases(256, BASE, (1, 10))
    assert replace(study, before=study.after, after=study.before).verdict == "true"
    assert isinstance(study, Bases)


def test_the_nearest_code_is_found() -> None:
    study = study_repeats(encode(2, BASE, 1000), BASE)
    assert study.closest == 710  # 113 turns, but for 0.00006 of a radian
    assert study.smallest == pytest.approx(distance(710, 2, BASE), rel=0.01)
    for width, nearest in study.nearest.items():
        assert (np.diff(nearest) <= 0).all()
        assert nearest[-1] == pytest.approx(min(distance(k, width, BASE) for k in range(1, 1000)), rel=0.02)


@pytest.mark.parametrize(("d_model", "verdict"), [(256, "true"), (8, "closer"), (2, "false")])
def test_the_verdict_on_repetition_depends_on_the_width(d_model: int, verdict: str) -> None:
    assert study_repeats(encode(d_model, BASE, 512), BASE).verdict == verdict


def test_codes_that_are_equal_are_counted_and_are_a_repetition() -> None:
    encoding = encode(64, BASE, 20)
    encoding[[7, 11]] = encoding[3]
    study = study_repeats(encoding, BASE)
    assert study.equal == {"float32": 3, "bfloat16": 3, "angle": 0}
    assert study.verdict == "false"
    assert study_repeats(encode(64, BASE, 20), BASE).equal == {"float32": 0, "bfloat16": 0, "angle": 0}


def test_angles_in_bfloat16_make_positions_alike_that_it_cannot_write() -> None:
    assert study_repeats(encode(64, BASE, BFLOAT16_WHOLE + 1), BASE).equal["angle"] == 0
    assert study_repeats(encode(64, BASE, BFLOAT16_WHOLE + 2), BASE).equal == {"float32": 0, "bfloat16": 0, "angle": 2}


def test_what_is_out_of_the_trained_range_is_counted() -> None:
    length, d_model = 32, 16
    encoding = encode(d_model, BASE, BEYOND * length)
    study = study_beyond(encoding, BASE, length)
    trained = encoding[:length]
    outside = [
        [not trained[:, i].min() - NEW_BY <= row[i] <= trained[:, i].max() + NEW_BY for i in range(d_model)]
        for row in encoding
    ]
    np.testing.assert_allclose(study.share_outside, np.mean(outside, axis=1))
    assert study.share_of_dimensions_outside == np.mean(np.any(outside, axis=0))
    assert study.n_slow_pairs == sum(BASE ** (-i / d_model) * (length - 1) < 2 * math.pi for i in range(0, d_model, 2))


def test_the_nearest_trained_code_is_the_nearest_of_all() -> None:
    length = 32
    encoding = encode(16, BASE, BEYOND * length)
    study = study_beyond(encoding, BASE, length)
    expected = [np.linalg.norm(encoding[:length] - row, axis=1).min() for row in encoding[length:]]
    np.testing.assert_allclose(study.nearest_trained, expected, atol=1e-4)


@pytest.mark.parametrize(
    ("d_model", "base", "length", "verdict"),
    [(256, BASE, 512, "false"), (64, 1.01, 1000, "partly"), (2, BASE, 512, "true")],
)
def test_the_verdict_on_extrapolation_depends_on_the_settings(
    d_model: int, base: float, length: int, verdict: str
) -> None:
    assert study_beyond(encode(d_model, base, BEYOND * length), base, length).verdict == verdict


def test_verdicts_read_nothing_but_the_numbers() -> None:
    beyond = study_beyond(encode(256, BASE, BEYOND * 64), BASE, 64)
    assert isinstance(beyond, Beyond)
    assert replace(beyond, share_of_dimensions_outside=0.0).verdict == "partly"
    assert replace(beyond, share_of_dimensions_outside=0.0, nearest_trained=np.zeros(3)).verdict == "true"
    repeats = study_repeats(encode(256, BASE, 64), BASE)
    assert isinstance(repeats, Repeats)
    assert replace(repeats, distances=repeats.distances[::-1]).verdict == "closer"
    assert replace(repeats, distances=np.array([1.0, 0.0])).verdict == "false"


@pytest.mark.parametrize(("d_model", "base", "message"), [(7, BASE, "dimension = 7"), (8, 1.0, "base is 1;")])
def test_what_is_no_encoding_is_refused(d_model: int, base: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        encode(d_model, base, 8)


@pytest.mark.parametrize(("d_model", "base", "length"), [(128, 10000.0, 256), (2, 10000.0, 512), (64, 1.01, 1000)])
def test_of_each_claim_one_verdict_holds(d_model: int, base: float, length: int) -> None:
    held = [name for name, claim in verdict_claims(study_all(d_model, base, length), 5).items() if claim.holds]
    verdicts = [name for name in held if name != "neighbours alike"]
    assert [name.split()[0] for name in verdicts] == [*VERDICTS]


def test_neighbours_are_called_alike_only_where_they_are_nearer_than_an_encoding_is_long() -> None:
    studies = study_all(64, 10000.0, 64)
    assert verdict_claims(studies, 5)["neighbours alike"].holds
    far = replace(studies, neighbours=replace(studies.neighbours, steps={1: np.full(63, 10.0)}))
    fading = replace(studies, neighbours=replace(studies.neighbours, steps={1: np.linspace(3, 0.1, 63)}))
    assert not any(verdict_claims(other, 5)["neighbours alike"].holds for other in (far, fading))
