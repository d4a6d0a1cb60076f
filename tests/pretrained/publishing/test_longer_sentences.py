"""Runs on short sentences are measured on longer ones, and those that ship come back from their files."""

from pathlib import Path

import pandas as pd
import pytest
import torch

from model.checkpoint import DamagedWeightsError, load_state
from model.training.__main__ import main as train
from model.training.runs import ROWS
from pretrained import longer_sentences
from pretrained.longer_sentences import RESULTS, load_longer, longer_results
from pretrained.publishing import longer_sentences as publishing
from pretrained.publishing.longer_sentences import ship_longer_sentences
from pretrained.translators import CARD, METRICS, TOKENIZER, WEIGHTS
from tests.fixtures.translation_run import TinyCorpus


@pytest.fixture
def runs(tmp_path: Path, data, write_toml) -> Path:
    for name in ("length-1", "length-rotary-1"):
        folder = tmp_path / "runs" / name
        train([str(write_toml(seed=1, max_source_words=4)), "--folder", str(folder), *data, "--device", "cpu"])
        pd.DataFrame().to_parquet(folder / ROWS)
    return tmp_path / "runs"


def test_each_run_is_measured_once_on_what_it_has_not_trained_on(
    runs: Path, tiny_corpus: TinyCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "published" / "results.parquet"
    assert longer_results(path).empty
    assert ship_longer_sentences(run=runs, data_dir=tiny_corpus.data_dir, path=path) == f"{path}: 2 runs"
    rows = longer_results(path)
    assert set(rows.variant) == {"sinusoidal", "rotary"}
    assert set(rows.kind) == {"whole", "joined"}
    assert (rows.trained_to == 4).all()
    assert (rows[rows.kind == "joined"].shortest > 4).all()
    assert rows.loss.gt(0).all()
    assert rows.repeats.between(0, 1).all()
    monkeypatch.setattr(publishing, "measured", lambda *_: {"kind": "again", "shortest": 1})
    assert ship_longer_sentences(run=runs, data_dir=tiny_corpus.data_dir, path=path) == f"{path}: 2 runs"
    assert not (longer_results(path).kind == "again").any()
    history = runs / "length-1" / "history.json"
    history.write_text(history.read_text().replace("0" * 40, "1" * 40))
    assert ship_longer_sentences(run=runs, data_dir=tiny_corpus.data_dir, path=path) == f"{path}: 2 runs"
    assert set(longer_results(path).query("kind == 'again'").variant) == {"sinusoidal"}
    assert set(longer_results(path).query("kind != 'again'").variant) == {"rotary"}
    with pytest.raises(ValueError, match="has no finished run of joined with seed 1, which ships"):
        ship_longer_sentences(run=runs, ship=True, data_dir=tiny_corpus.data_dir, path=path, folder=tmp_path / "a")


def test_what_ships_comes_back_nearly_as_it_was(
    runs: Path, tiny_corpus: TinyCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (longer_sentences, publishing):
        monkeypatch.setattr(module, "SHIPPED", ("sinusoidal", "rotary"))
    folder = tmp_path / "shipped"
    folder.mkdir()
    (folder / CARD).write_text("by hand")
    path = folder / RESULTS.name
    ship_longer_sentences(run=runs, ship=True, data_dir=tiny_corpus.data_dir, path=path, folder=folder)
    assert set(longer_results(path).variant) == {"sinusoidal", "rotary"}
    assert (folder / CARD).read_text() == "by hand"
    weights = load_state(runs / "length-rotary-1" / "best.pt")["weights"]
    for name, tensor in load_longer("rotary", folder).model.state_dict().items():
        assert torch.allclose(tensor, weights[name], atol=float(weights[name].abs().max()) / 100)
    with pytest.raises(ValueError, match="no model of 'alibi' ships; there are sinusoidal, rotary"):
        load_longer("alibi", folder)
    for path in (folder / TOKENIZER, folder / "rotary" / WEIGHTS, folder / "rotary" / METRICS):
        path.unlink()
        with pytest.raises(DamagedWeightsError):
            load_longer("rotary", folder)
