"""The commands that publish and measure a model: what they write, and what they say when something is missing."""

import dataclasses
from pathlib import Path

import pytest
import torch

from model.analysis.interventions.ablation import attention_points
from model.checkpoint import DamagedWeightsError
from model.data.corpora import PARALLEL_CORPORA
from model.data.loading import DATA_DIR_VARIABLE
from model.training.__main__ import main as train
from pretrained import translators
from pretrained.publishing.__main__ import main as publish
from pretrained.publishing.models_table import table
from pretrained.publishing.shipping import read_metrics, write_metrics
from pretrained.publishing.translator_measures import MEASURES, chosen
from tests.fixtures.system import error_line

# A model is called often.
pytestmark = pytest.mark.unchecked


def test_an_unknown_model_gets_one_line(capsys) -> None:
    assert publish(["evaluate_translator", "rotten", "--device", "cpu"]) == 2
    assert "no model 'rotten' ships" in error_line(capsys)


def test_a_missing_corpus_gets_one_line(capsys, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.delenv(DATA_DIR_VARIABLE, raising=False)
    assert publish(["evaluate_translator", "translation-en-de", "--device", "cpu"]) == 2
    assert "--data-dir" in error_line(capsys)
    assert publish(["evaluate_translator", "translation-en-de", "--device", "cpu", "--data-dir", str(tmp_path)]) == 2
    assert str(tmp_path / "tatoeba/deu-eng/train.eng") in error_line(capsys)


def test_how_sure_a_model_is_cannot_be_measured_without_its_corpus(capsys, monkeypatch) -> None:
    monkeypatch.delenv(DATA_DIR_VARIABLE, raising=False)
    assert publish(["familiarity", "translation-en-de", "--device", "cpu"]) == 2
    assert "--data-dir" in error_line(capsys)


def test_another_length_penalty_than_the_usual_must_gain_half_a_point() -> None:
    assert chosen({0.6: 30.0, 1.0: 30.4, 1.4: 30.2}) == 0.6
    assert chosen({0.6: 30.0, 1.0: 30.6, 1.4: 30.9, 1.6: 29.0}) == 1.4


def test_a_run_that_is_not_there_cannot_be_published(capsys, tmp_path: Path) -> None:
    configuration = "model/training/translation/configurations/translation-en-de.toml"
    assert publish(["translator", configuration, "--run", str(tmp_path)]) == 2
    assert f"{tmp_path} holds no run" in error_line(capsys)


@pytest.mark.usefixtures("own_folder")
def test_the_card_of_a_model_with_a_dev_corpus_does_not_say_that_its_sentences_were_kept_apart(
    capsys, tmp_path: Path, tiny_corpus, write_toml
) -> None:
    configuration, run = str(write_toml(dev_corpus="tiny", n_steps=2)), str(tmp_path / "run")
    data = ["--data-dir", str(tiny_corpus.data_dir), "--device", "cpu"]
    assert train([configuration, "--folder", run, *data]) == 0
    assert publish(["translator", configuration, "--run", run, *data]) == 0
    card = capsys.readouterr().out
    assert "on 2 other dev sentences, of Tiny," in card
    assert "in no training pair" not in card


@pytest.mark.usefixtures("own_folder")
def test_the_card_names_what_was_learned_from_earlier_and_after_going_on_as_well(
    capsys, monkeypatch, tmp_path: Path, tiny_corpus, write_toml
) -> None:
    other = dataclasses.replace(PARALLEL_CORPORA[tiny_corpus.name], name="other", title="Another one")
    monkeypatch.setitem(PARALLEL_CORPORA, "other", other)
    run, later, data = str(tmp_path / "run"), str(tmp_path / "later"), ["--data-dir", str(tiny_corpus.data_dir)]
    publishing = ["--device", "cpu", *data]
    for changes in ({"n_steps": 2, "more_corpora": ["other"]}, {"n_steps": 4}):
        assert train([str(write_toml(**changes)), "--folder", run, *publishing]) == 0
    assert publish(["translator", str(write_toml(n_steps=4)), "--run", run, *publishing]) == 0
    assert publish(["resume_from_shipped", str(write_toml(n_steps=6)), "--run", later, *data]) == 0
    assert train([str(write_toml(n_steps=6)), "--folder", later, *publishing]) == 0
    capsys.readouterr()
    assert publish(["translator", str(write_toml(n_steps=6)), "--run", later, *publishing]) == 0
    card = capsys.readouterr().out
    assert card.count("Tiny,") == card.count("Another one,") == 1


@pytest.mark.usefixtures("own_folder")
def test_where_words_have_no_spaces_between_them_characters_count_and_card_and_table_say_so(
    tmp_path: Path, tiny_corpus, write_toml
) -> None:
    configuration, run = str(write_toml(target_language="Japanese", n_steps=2)), str(tmp_path / "run")
    data = ["--data-dir", str(tiny_corpus.data_dir), "--device", "cpu"]
    assert train([configuration, "--folder", run, *data]) == 0
    assert publish(["translator", configuration, "--run", run, *data]) == 0
    card = translators.read_card("tiny-run")
    scores = card.metrics["dev"]
    assert "tok:char" in scores["sacrebleu_signature"]
    assert f"sacreBLEU {scores['sacrebleu']} (of characters) and chrF" in card.text
    assert f"| {scores['sacrebleu']} (of characters) |" in table([card])


@pytest.mark.usefixtures("own_folder")
def test_a_trained_run_is_published_with_the_scores_that_evaluate_prints(
    capsys, tmp_path: Path, tiny_corpus, write_toml, monkeypatch: pytest.MonkeyPatch
) -> None:
    configuration, run, data = str(write_toml()), str(tmp_path / "run"), ["--data-dir", str(tiny_corpus.data_dir)]
    assert train([configuration, "--folder", run, *data, "--device", "cpu"]) == 0
    assert publish(["translator", configuration, "--run", run, *data, "--device", "cpu"]) == 0
    card = translators.read_card("tiny-run")
    scores = card.metrics["dev"]
    assert card.text == capsys.readouterr().out
    assert f"sacreBLEU {scores['sacrebleu']} and chrF {scores['chrf']} on 2 other dev sentences" in card.text
    familiar = card.metrics["familiarity"]
    assert familiar["sentences"] == 2
    assert list(familiar["confidence"].values()) == sorted(familiar["confidence"].values())
    assert all(0 <= share <= 1 for share in familiar["noticed"].values())
    assert publish(["familiarity", "tiny-run", *data, "--device", "cpu"]) == 0
    assert translators.read_card("tiny-run").metrics["familiarity"] == familiar
    weighed = card.metrics["length_penalty"]
    assert weighed["command"] == "python -m pretrained.publishing length_penalty tiny-run"
    assert f"beam 4, length penalty {weighed['chosen']}, one reference" in card.text
    assert publish(["length_penalty", "tiny-run", *data, "--device", "cpu"]) == 0
    assert translators.read_card("tiny-run").metrics["length_penalty"] == weighed
    monkeypatch.setitem(MEASURES, "length_penalty", lambda *_, **__: {"chosen": 9.0})
    assert publish(["length_penalty", "tiny-run", *data, "--device", "cpu"]) == 2
    assert "ship it again" in capsys.readouterr().err
    assert translators.read_card("tiny-run").metrics["length_penalty"] == weighed
    capsys.readouterr()
    assert publish(["evaluate_translator", "tiny-run", *data, "--device", "cpu"]) == 0
    printed = capsys.readouterr().out
    assert f"sacrebleu: {scores['sacrebleu']}\n" in printed
    assert f"chrf: {scores['chrf']}\n" in printed


@pytest.mark.usefixtures("own_folder")
def test_the_means_of_a_published_model_ship_beside_its_weights_and_only_with_them(
    tmp_path: Path, write_toml, data, train_and_publish
) -> None:
    train_and_publish(write_toml(n_steps=2), tmp_path / "run")
    means, model = translators.load_head_means("tiny-run"), translators.load_translator("tiny-run", "cpu").model
    assert means is not None
    assert means.sentences > 0
    assert {*attention_points(model.config)} < means.by_point.keys()
    assert publish(["head_means", "tiny-run", *data, "--device", "cpu"]) == 0
    again = translators.load_head_means("tiny-run")
    assert again is not None
    for point, mean in means.by_point.items():
        torch.testing.assert_close(again.by_point[point], mean)
    metrics = translators.FOLDER / "tiny-run" / translators.METRICS
    measured = read_metrics(metrics)["head_means"]
    write_metrics(metrics, head_means=measured | {"weights": "of another model"})
    assert translators.load_head_means("tiny-run") is None
    write_metrics(metrics, head_means=measured)
    (translators.FOLDER / "tiny-run" / translators.MEANS).write_bytes(b"")
    with pytest.raises(DamagedWeightsError):
        translators.load_head_means("tiny-run")
