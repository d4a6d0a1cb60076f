"""A run of the zoo: its rows, its weights, and the same numbers each time."""

import json
from dataclasses import asdict
from pathlib import Path

import pandas as pd
import pytest

from model.architectures.decoder_only import DecoderOnly
from model.checkpoint import load_weights
from model.tasks import registered
from model.training.runs import ROWS
from model.training.zoo.results import SHA256, WEIGHTS
from model.training.zoo.train import Course, fresh_model, rate_at, take_steps, train
from model.zoo.data import held_out_rows
from model.zoo.evaluate import measure
from model.zoo.plan import Recipe, Run, make_run
from tests.fixtures.zoo import train_zoo_run

SIZES = {"d_model": 16, "n_heads": 2, "d_key": 8, "d_value": 8, "d_ff": 32, "n_layers": 1}
RECIPE = Recipe(n_steps=12, n_training=100, n_test=10, evaluate_every=5)

pytestmark = pytest.mark.unchecked


def tiny(task: str = "parity", encoding: str = "none", seed: int = 1) -> Run:
    return make_run(task, encoding, seed, RECIPE, **SIZES)


def test_a_finished_run_is_one_row_for_each_snapshot_and_length(tmp_path: Path) -> None:
    train_zoo_run(tiny(), tmp_path)
    rows = pd.read_parquet(tmp_path / tiny().name / ROWS)
    assert set(rows.checkpoint) == {"during", "best"}
    assert sorted(set(rows.step)) == [5, 10, 12]
    lengths = [length for length in registered()["parity"].description.test_lengths if length > 2]
    assert rows[rows.checkpoint == "best"].length.tolist()[-len(lengths) :] == lengths
    assert (rows[rows.length > 8].n == 10).all()
    assert rows.exact_match.between(0, 1).all()
    assert (rows.first_wrong.isna() == (rows.exact_match == 1)).all()
    assert set(rows.seed) == {1}
    assert set(rows.longest_trained) == {8}
    assert all(rows.commit.str.len() >= 7)
    assert json.loads(rows.configuration[0]) == asdict(tiny())


def test_measuring_a_saved_model_again_gives_its_row(tmp_path: Path) -> None:
    run = tiny("reverse", "alibi")
    train_zoo_run(run, tmp_path)
    rows = pd.read_parquet(tmp_path / run.name / ROWS)
    model = DecoderOnly(run.model).eval()
    sums = json.loads((tmp_path / run.name / SHA256).read_text(encoding="utf-8"))
    load_weights(model, tmp_path / run.name / WEIGHTS, sha256=sums["best"])
    for row in rows[rows.checkpoint == "best"].itertuples():
        again = measure(model, held_out_rows(registered()["reverse"], row.length, 10), row.length)
        # Weights are kept in half precision, which may change a close decision.
        assert again.exact_match == pytest.approx(row.exact_match, abs=0.1)


def test_a_run_is_the_same_each_time_and_another_for_another_seed() -> None:
    first, again, other = (train(tiny("reverse", seed=seed), lambda _: None) for seed in (1, 1, 2))
    assert first.snapshots == again.snapshots or str(first.snapshots) == str(again.snapshots)  # NaN is not NaN
    assert str(first.snapshots) != str(other.snapshots)


def test_the_best_is_chosen_by_trained_lengths_alone() -> None:
    trained = train(tiny("reverse"), lambda _: None)
    assert trained.best.validation == max(snapshot.validation for snapshot in trained.snapshots)


def test_drope_trains_as_rotary_until_it_drops_it() -> None:
    rotary, drope = (
        [float(step.loss) for step in take_steps(Course(run).next_batch, fresh_model(run), RECIPE)]
        for run in (tiny("reverse", name) for name in ("rotary", "drope"))
    )
    n_before = RECIPE.n_steps - 2  # of twelve steps, a fifth is left after ten
    assert drope[:n_before] == rotary[:n_before]
    assert drope[n_before] != rotary[n_before]


def test_the_rate_rises_then_falls_to_zero() -> None:
    recipe = Recipe(n_steps=100, warmup_share=0.06, peak_rate=2.0)
    rates = [rate_at(step, recipe) for step in range(1, 101)]
    assert max(rates) == rates[5] == pytest.approx(2.0)
    assert rates[:6] == sorted(rates[:6])
    assert rates[5:] == sorted(rates[5:], reverse=True)
    assert 0 < rates[-1] < 0.05
