"""The shipped recordings: one layer never learns induction, two do, as a head of induction forms."""

import numpy as np

from viz.pages.training.study.shipped import best_head, first_known, formed, shipped_recordings


def test_one_layer_never_learns_what_two_layers_learn() -> None:
    one, two = shipped_recordings()
    assert one.held_out.max() < 0.5
    assert two.held_out[-1] >= 0.99
    assert formed(one) is None
    assert best_head(two)[-1] > 0.9


def test_the_loss_falls_where_the_head_forms() -> None:
    _, two = shipped_recordings()
    # Where the loss, smoothed over nine steps, falls fastest within twenty.
    smooth = np.convolve(two.loss, np.ones(9) / 9, "valid")
    falls = int(np.argmax(smooth[:-20] - smooth[20:])) + 4 + 10
    assert abs(falls - formed(two)) <= 10
    assert formed(two) <= first_known(two)


def test_the_runs_differ_in_their_layers_alone_and_say_what_made_them() -> None:
    one, two = shipped_recordings()
    assert vars(one.watched) | {"n_layers": 2} == vars(two.watched)
    assert one.tokens == two.tokens
    np.testing.assert_array_equal(one.steps, two.steps)
    for recording in (one, two):
        assert recording.command.startswith("python -m model.training.zoo.watch --layers")
        assert len(recording.commit) == 40
        sums = recording.patterns.sum(-1) / 255
        assert np.abs(sums - 1).max() < 0.06  # of up to 22 rounded weights


def test_with_weight_decay_the_new_pairs_follow_long_after_the_trained_ones_and_without_it_never() -> None:
    without, with_decay = shipped_recordings("grokking")
    assert vars(without.watched) | {"weight_decay": 1.0} == vars(with_decay.watched)
    known, learned = (first_known(with_decay, curve) for curve in ("accuracy", "held out"))
    assert learned >= 2 * known
    assert with_decay.held_out[-1] > 0.95
    assert first_known(without, "accuracy") is not None
    assert without.held_out.max() < 0.2
    assert without.weight_norm[-1] > 1.5 * with_decay.weight_norm[-1]


def test_the_curves_of_positions_are_those_of_their_encodings_at_the_start_and_change() -> None:
    table, t5, kerple = shipped_recordings("positions")
    assert table.distance_bias is None
    np.testing.assert_allclose(np.diagonal(table.position_similarity, axis1=1, axis2=2), 1, atol=1e-5)
    # One number a bucket, for all layers.
    np.testing.assert_array_equal(t5.distance_bias[:, 0], t5.distance_bias[:, 1])
    assert (np.diff(kerple.distance_bias, axis=-1) < 0).all()
    for run in (t5, kerple):
        assert np.abs(run.distance_bias[-1] - run.distance_bias[0]).max() > 0.1
    assert kerple.held_out[-1] > 0.99
