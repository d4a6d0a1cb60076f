"""Publishing the zoo, loading what is published, and that what ships does what its rows say."""

import dataclasses
import random
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import torch

from model.checkpoint import DamagedWeightsError
from model.tasks import find
from model.zoo.data import held_out_rows
from model.zoo.evaluate import measure
from model.zoo.plan import Recipe, make_run
from model.zoo.scores import trained_scores
from pretrained.publishing.__main__ import main as publish
from pretrained.publishing.head_catalogue import write_zoo_heads
from pretrained.publishing.probe_zoo import probe_zoo
from pretrained.publishing.zoo import ship_zoo, zoo_card
from pretrained.zoo import (
    CIRCUITS,
    COSTS,
    CRASP,
    ZooModel,
    load_zoo_model,
    shipped_zoo,
    zoo_circuits,
    zoo_heads,
    zoo_probes,
    zoo_results,
)
from tests.fixtures.zoo import train_zoo_run

SIZES = {"d_model": 16, "n_heads": 2, "d_key": 8, "d_value": 8, "d_ff": 32, "n_layers": 1}
RECIPE = Recipe(n_steps=4, n_training=70, n_test=4, evaluate_every=2)
RUNS = (("parity", "alibi", 1), ("parity", "none", 1), ("parity", "none", 2), ("reverse", "none", 1))
SOME = random.Random(2).sample(shipped_zoo(), min(2, len(shipped_zoo())))

pytestmark = pytest.mark.unchecked


def ship(sweep: Path, **options: Any) -> list[str]:
    """Ship a sweep, and return the lines that are printed."""
    return list(ship_zoo(run=sweep, **options))


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    """A folder with four finished runs and one that was killed."""
    for task, encoding, seed in RUNS:
        train_zoo_run(make_run(task, encoding, seed, RECIPE, **SIZES), tmp_path / "sweep")
    (tmp_path / "sweep" / "parity-t5-seed1.unfinished").mkdir()
    return tmp_path / "sweep"


def test_one_seed_of_every_encoding_and_task_ships_and_the_results_of_all(sweep: Path, tmp_path: Path) -> None:
    folder = tmp_path / "zoo"
    assert ship(sweep, folder=folder) == ["3 models"]
    assert {(model.run.task, model.run.encoding, model.run.seed) for model in shipped_zoo(folder)} == {
        run for run in RUNS if run[2] == 1
    }
    assert set(zoo_results(folder).seed) == {1, 2}
    inputs = torch.tensor([[1, 3, 4, 5]])
    for model in shipped_zoo(folder):
        assert load_zoo_model(model, folder)(inputs).shape == (1, 4, model.run.model.vocabulary_size)
        assert model.step in {2, 4}


def test_tasks_ship_whole_or_not_at_all_within_the_limit(sweep: Path, tmp_path: Path) -> None:
    size = (sweep / "reverse-none-seed1" / "best.safetensors").stat().st_size
    n_models, left_out = ship(sweep, folder=tmp_path / "zoo", limit=size + 100)
    assert n_models == "1 models"
    assert left_out.endswith("MB for the models of parity")


def test_publishing_again_replaces_what_was_there(sweep: Path, tmp_path: Path) -> None:
    folder = tmp_path / "zoo"
    (folder / "juggling").mkdir(parents=True)
    (folder / COSTS).write_text("what encodings cost is no run's")
    (folder / CRASP).write_text("nor are predictions")
    ship(sweep, folder=folder)
    ship(sweep, folder=folder)
    assert sorted(path.name for path in folder.iterdir()) == [
        "card.md",
        "costs.parquet",
        "crasp.parquet",
        "index.json",
        "parity",
        "results.parquet",
        "reverse",
    ]


def test_what_was_published_of_other_runs_stays(sweep: Path, tmp_path: Path) -> None:
    folder, later = tmp_path / "zoo", tmp_path / "later"
    ship(sweep, folder=folder)
    probe_zoo(folder=folder, seeds=[1])
    write_zoo_heads(folder=folder, n=4)
    heads = zoo_heads(folder)
    pd.DataFrame({"sha256": [model.sha256 for model in shipped_zoo(folder)]}).to_parquet(folder / CIRCUITS)
    before, probes, results = shipped_zoo(folder), zoo_probes(folder), zoo_results(folder)
    (folder / "reverse" / "none.safetensors").unlink()
    train_zoo_run(make_run("parity", "alibi", 1, dataclasses.replace(RECIPE, n_steps=6), **SIZES), later)
    train_zoo_run(make_run("sort", "t5", 1, RECIPE, **SIZES), later)
    assert ship(later, folder=folder) == ["4 models"]
    after = {model.run.name: model for model in shipped_zoo(folder)}
    assert list(after) == ["reverse-none-seed1", "sort-t5-seed1", "parity-none-seed1", "parity-alibi-seed1"]
    was = {model.run.name: model for model in before}
    kept, lost = after["parity-none-seed1"], after["reverse-none-seed1"]
    assert (kept, lost) == (was[kept.run.name], was[lost.run.name])
    load_zoo_model(kept, folder)
    with pytest.raises(DamagedWeightsError, match=r"^no weights"):
        load_zoo_model(lost, folder)
    assert set(zoo_probes(folder).sha256) == set(probes.sha256) - {was["parity-alibi-seed1"].sha256}
    assert set(zoo_heads(folder).weights) == set(heads.weights) - {was["parity-alibi-seed1"].sha256}
    assert set(zoo_circuits(folder).sha256) == set(zoo_heads(folder).weights)
    again = zoo_results(folder)
    assert not again.duplicated(["task", "encoding", "seed", "checkpoint", "step", "length"]).any()
    assert set(again.task) == {"parity", "reverse", "sort"}
    assert sorted(again[again.task == "parity"].groupby("encoding").step.max()) == [4, 6]
    assert len(again[again.task == "reverse"]) == len(results[results.task == "reverse"])


def test_runs_of_other_seeds_add_their_results_and_leave_the_weights(sweep: Path, tmp_path: Path) -> None:
    folder, later = tmp_path / "zoo", tmp_path / "later"
    ship(sweep, folder=folder)
    before = shipped_zoo(folder)
    train_zoo_run(make_run("reverse", "none", 3, RECIPE, **SIZES), later)
    assert ship(later, folder=folder) == ["3 models"]
    assert shipped_zoo(folder) == before
    assert set(zoo_results(folder).seed) == {1, 2, 3}
    for model in before:
        load_zoo_model(model, folder)
    with pytest.raises(FileNotFoundError, match="no finished run of seed 1"):
        ship(later, folder=tmp_path / "none")


def test_the_card_tells_what_ships_by_which_code_and_what_did_not_learn(sweep: Path, tmp_path: Path) -> None:
    folder = tmp_path / "zoo"
    ship(sweep, folder=folder)
    card, results = (folder / "card.md").read_text(encoding="utf-8"), zoo_results(folder)
    best = results[(results.checkpoint == "best") & (results.seed == 1)].drop_duplicates(["task", "encoding"])
    assert card.count("\n| ") == 1 + best.task.nunique()
    scores = trained_scores(results)
    for task, encoding in zip(best.task, best.encoding, strict=True):
        value = scores[task, encoding, 1]
        (line,) = [line for line in card.splitlines() if line.startswith(f"| {find(task).description.title} |")]
        assert (f"{encoding} ({value:.3f})" in line) == (value < 0.95)
    assert all(f"`{commit}`" in card for commit in set(best.commit))
    with pytest.raises(ValueError, match=r"^there are no models"):
        zoo_card((), results)


def test_a_lost_or_changed_weights_file_names_the_command_that_trains_it(sweep: Path, tmp_path: Path) -> None:
    folder = tmp_path / "zoo"
    ship(sweep, folder=folder)
    model = shipped_zoo(folder)[0]
    command = f"python -m model.training.zoo --tasks {model.run.task} --encodings {model.run.encoding} --seeds 1"
    (folder / model.file).write_bytes(b"other")
    with pytest.raises(DamagedWeightsError, match=rf"^other checksum: .*, command {command}, then python"):
        load_zoo_model(model, folder)
    (folder / model.file).unlink()
    with pytest.raises(DamagedWeightsError, match=rf"^no weights: .*, command {command}"):
        load_zoo_model(model, folder)


def test_where_nothing_was_published_there_is_nothing(tmp_path: Path) -> None:
    assert shipped_zoo(tmp_path) == ()
    assert zoo_results(tmp_path).empty


def test_a_damaged_index_is_refused(tmp_path: Path) -> None:
    (tmp_path / "index.json").write_text('[{"run": 3}]')
    with pytest.raises(DamagedWeightsError, match=r"^damaged index: file zoo/index\.json$"):
        shipped_zoo(tmp_path)


def test_no_finished_run_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert publish(["zoo", "--run", str(tmp_path)]) == 2
    assert "has no finished run of seed 1; python -m model.training.zoo trains some" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("shipped", SOME, ids=lambda model: model.run.name)
def test_a_shipped_model_measured_again_gives_its_rows(shipped: ZooModel) -> None:
    network, run = load_zoo_model(shipped), shipped.run
    rows: pd.DataFrame = zoo_results()
    rows = rows[(rows.task == run.task) & (rows.encoding == run.encoding) & (rows.seed == run.seed)]
    for row in rows[rows.checkpoint == "best"].iloc[::4].itertuples():
        again = measure(network, held_out_rows(find(run.task), row.length, run.recipe.n_test), row.length)
        # The examples are the same; half precision may change a close decision.
        assert again.n == row.n
        assert again.exact_match == pytest.approx(row.exact_match, abs=0.03 + 1 / row.n)
