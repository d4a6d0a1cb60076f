import numpy as np
import pandas as pd
import pytest

from viz.pages.length_generalization.study.checkpoints import checkpoints_of, encodings_with_checkpoints, most_changed

LENGTHS = (20, 21, 40)


def snapshots(by_seed: dict[int, dict[int, tuple[float, float]]], encoding: str = "none") -> pd.DataFrame:
    """Return rows of "reverse": by seed and step, exact match at trained lengths and at all past them."""
    rows = [
        ("reverse", encoding, seed, checkpoint, step, 20, length, length, trained if length <= 20 else beyond, trained)
        for seed, by_step in by_seed.items()
        for step, (trained, beyond) in by_step.items()
        for checkpoint in ("during", "last")
        for length in LENGTHS
    ]
    columns = ["task", "encoding", "seed", "checkpoint", "step", "longest_trained", "length", "n", "exact_match"]
    return pd.DataFrame(rows, columns=[*columns, "validation_exact_match"])


FALLING = {1: {100: (0.5, 0.1), 200: (1.0, 0.6), 300: (1.0, 0.2)}, 2: {100: (0.4, 0.1), 200: (0.99, 0.4), 300: (1, 0)}}


def test_every_snapshot_of_every_seed_is_there() -> None:
    found = checkpoints_of(snapshots(FALLING), "reverse", "none")
    assert (found.steps, found.lengths, found.seeds) == ((100, 200, 300), LENGTHS, (1, 2))
    np.testing.assert_allclose(found.exact_match[1, 1], [0.99, 0.4, 0.4])
    np.testing.assert_allclose(found.trained, [[0.5, 1, 1], [0.4, 0.99, 1]])
    assert found.n_inputs == (20, 40)
    np.testing.assert_allclose(found.beyond, [[0.1, 0.6, 0.2], [0.1, 0.4, 0]])


@pytest.mark.parametrize(("last", "change"), [(0.2, "falls"), (0.62, "stays"), (0.9, "rises")])
def test_the_change_is_counted_from_the_first_snapshot_that_learned(last: float, change: str) -> None:
    found = checkpoints_of(snapshots({1: {100: (0.5, 0.0), 200: (1, 0.6), 300: (1, last)}}), "reverse", "none")
    assert found.learned == (1, 2)
    assert found.change == change


def test_a_snapshot_before_a_relapse_does_not_count_as_learned() -> None:
    found = checkpoints_of(snapshots({1: {100: (1, 0.9), 200: (0.5, 0.5), 300: (1, 0.1)}}), "reverse", "none")
    assert found.learned == (2,)
    assert found.change is None


def test_only_steps_that_all_seeds_have_are_compared() -> None:
    uneven = {1: {100: (1.0, 1.0), 200: (1.0, 1.0)}, 2: {200: (1.0, 1.0)}}
    assert checkpoints_of(snapshots(uneven), "reverse", "none").steps == (200,)
    with pytest.raises(ValueError, match="in common"):
        checkpoints_of(snapshots({1: {100: (1, 1)}, 2: {200: (1, 1)}}), "reverse", "none")


def test_encodings_are_those_with_snapshots_on_the_task() -> None:
    table = pd.concat([snapshots(FALLING), snapshots(FALLING, "alibi")])
    assert encodings_with_checkpoints(table, "reverse") == ("alibi", "none")
    assert encodings_with_checkpoints(table, "parity") == encodings_with_checkpoints(pd.DataFrame(), "reverse") == ()


def test_the_one_that_changes_most_is_found_among_those_that_can_be_compared() -> None:
    too_few = {1: {100: (0.5, 0.0), 200: (1, 0.9)}}
    small = {1: {100: (1, 0.5), 200: (1, 0.6)}}
    falling = {1: FALLING[1]}
    by_name = {"few": too_few, "small": small, "falling": falling}
    found = {name: checkpoints_of(snapshots(rows), "reverse", "none") for name, rows in by_name.items()}
    assert most_changed(found) == "falling"
    assert most_changed({"few": found["few"]}) == "few"
    two_seeds = checkpoints_of(snapshots({1: small[1], 2: small[1]}), "reverse", "none")
    assert most_changed({"falling": found["falling"], "two seeds": two_seeds}) == "two seeds"
