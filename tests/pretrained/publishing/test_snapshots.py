"""From a run that kept its weights on the way to a translator as it learned, and back from its files."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from model.checkpoint import DamagedWeightsError, load_state
from model.data.loading import Pair, Split
from model.hooks import intervene
from model.training.__main__ import main as train
from model.training.kept_weights import kept_path
from pretrained.publishing.__main__ import main as publish
from pretrained.publishing.snapshots import aligned_pairs, alignment, ship_snapshots
from pretrained.snapshots import load_snapshot, read_snapshots, weights_name
from tests.fixtures.translation_run import TinyCorpus


@pytest.fixture
def shipped(tmp_path: Path, data, write_toml, tiny_corpus: TinyCorpus) -> Path:
    run = tmp_path / "run"
    train([str(write_toml(n_steps=4)), "--folder", str(run), *data, "--device", "cpu", "--keep", "1", "4"])
    [*ship_snapshots(run=run, data_dir=tiny_corpus.data_dir, folder=tmp_path / "shipped")]
    return tmp_path / "shipped"


def test_every_snapshot_comes_back_nearly_as_it_was_with_what_was_measured_of_it(shipped: Path) -> None:
    learned = read_snapshots(shipped)
    assert [one.step for one in learned.snapshots] == [1, 4]
    config = load_snapshot(4, shipped).model.config
    assert np.shape(learned.snapshots[0].alignment) == (config.n_decoder_layers, config.n_heads)
    assert all(0 <= share <= 1 for one in learned.snapshots for layer in one.alignment for share in layer)
    assert learned.metrics["history"][0]["commit"] == "0" * 40
    for step in (1, 4):
        before = load_state(kept_path(shipped.parent / "run", step))["weights"]
        for name, tensor in load_snapshot(step, shipped).model.state_dict().items():
            steps = before[name].abs().amax(-1, keepdim=True) / 127
            assert bool(((tensor - before[name]).abs() <= 0.57 * steps + 1e-3).all()), name


def test_damaged_files_and_steps_that_do_not_ship_are_refused(shipped: Path) -> None:
    with pytest.raises(DamagedWeightsError):
        load_snapshot(2, shipped)
    (shipped / weights_name(1)).write_bytes(b"other")
    with pytest.raises(DamagedWeightsError):
        load_snapshot(1, shipped)
    metrics = json.loads((shipped / "metrics.json").read_text())
    del metrics["snapshots"][0]["bleu"]
    (shipped / "metrics.json").write_text(json.dumps(metrics))
    with pytest.raises(DamagedWeightsError):
        read_snapshots(shipped)


def test_a_run_that_kept_nothing_is_refused(tmp_path: Path, capsys) -> None:
    assert publish(["snapshots", "--run", str(tmp_path)]) == 2
    assert "kept no weights" in capsys.readouterr().err


def test_a_head_whose_largest_weights_are_on_the_linked_words_finds_all_links(shipped: Path) -> None:
    translator = load_snapshot(4, shipped)
    pairs = (Pair("eins zwei", "one two"), Pair("zwei drei", "two three"), Pair("eins drei", "one three"))
    aligned = aligned_pairs(Split(pairs, ()), pairs[:1], translator.tokenizer)
    (pair,) = aligned
    assert pair.links == {(0, 0), (1, 1)}

    def edit(pattern: torch.Tensor) -> torch.Tensor:
        ideal = torch.zeros_like(pattern)
        for place, (start, end) in enumerate(pair.target_words):
            ideal[:, 0, start:end, pair.source_words[place][0]] = 1
            ideal[:, 1, start:end, pair.source_words[1 - place][0]] = 1
        return ideal

    with intervene({"decoder.0.cross_attention.pattern": edit}):
        assert alignment(translator.model, aligned)[0].tolist()[:2] == [1, 0]
