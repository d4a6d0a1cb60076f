"""Runs that begin with what a shipped translator learned: the one of their name, or another one."""

import dataclasses
import re
from pathlib import Path

import pytest
import torch

from model.architectures.encoder_decoder import EncoderDecoder
from model.checkpoint import load_state
from model.text.tokenizer import Tokenizer
from model.training.__main__ import main as train
from model.training.history import read_history
from model.training.translation.finished import load_finished
from pretrained import translators
from pretrained.publishing.__main__ import main as publish

# A model is called often.
pytestmark = pytest.mark.unchecked


def with_size(configuration: Path, name: str, size: int) -> Path:
    """Write another ``size`` into the ``configuration``."""
    configuration.write_text(re.sub(rf"\b{name} = \d+", f"{name} = {size}", configuration.read_text()))
    return configuration


@pytest.mark.usefixtures("own_folder")
def test_a_run_begins_where_the_shipped_model_of_its_name_stands(
    capsys, tmp_path: Path, data, write_toml, train_and_publish
) -> None:
    train_and_publish(write_toml(), tmp_path / "run")
    shipped, step = translators.load_translator("tiny-run", "cpu"), translators.read_card("tiny-run").metrics["step"]
    later, longer = tmp_path / "later", str(write_toml(n_steps=step + 3))
    capsys.readouterr()
    assert publish(["resume_from_shipped", longer, "--run", str(later), *data]) == 0
    assert f"{later} stands at step {step}; python -m model.training {longer} continues it" in capsys.readouterr().out
    begun = load_state(later / "checkpoint.pt")
    for name, weights in shipped.model.state_dict().items():
        assert torch.equal(begun["weights"][name], weights), name
    assert Tokenizer.load(later / "tokenizer.model").serialized == shipped.tokenizer.serialized
    assert train([longer, "--folder", str(later), *data, "--device", "cpu"]) == 0
    assert load_state(later / "checkpoint.pt")["progress"]["step"] == step + 3
    assert [part["from_step"] for part in read_history(later)] == [0, step]
    capsys.readouterr()
    assert publish(["resume_from_shipped", longer, "--run", str(later), *data]) == 2
    assert f"{later} has begun already" in capsys.readouterr().err


def test_a_run_of_other_sizes_cannot_begin_there(capsys, tmp_path: Path) -> None:
    shipped = Path("model/training/translation/configurations/translation-en-de.toml")
    smaller = tmp_path / shipped.name
    smaller.write_text(shipped.read_text().replace("d_ff = 512", "d_ff = 256"))
    assert publish(["resume_from_shipped", str(smaller), "--run", str(tmp_path / "run")]) == 2
    assert "translation-en-de ships with other sizes" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.usefixtures("own_folder")
def test_a_run_begins_with_the_layers_and_the_common_pieces_of_another_model(
    capsys, tmp_path: Path, data, write_toml, train_and_publish
) -> None:
    train_and_publish(write_toml(), tmp_path / "run")
    parent, child = translators.load_translator("tiny-run", "cpu"), tmp_path / "child"
    vocabulary_size = parent.tokenizer.vocabulary_size - 5
    smaller = with_size(write_toml(n_steps=3), "vocabulary_size", vocabulary_size)
    assert publish(["warm_start", "tiny-run", str(smaller), "--run", str(child), *data]) == 0
    begun, tokenizer = load_state(child / "checkpoint.pt"), Tokenizer.load(child / "tokenizer.model")
    learned, pieces = parent.model.state_dict(), parent.tokenizer.pieces(range(parent.tokenizer.vocabulary_size))
    assert begun["progress"]["step"] == 0
    for name in learned.keys() - {"embedding.weight"}:
        assert torch.equal(begun["weights"][name], learned[name]), name
    common = [piece for piece in tokenizer.pieces(range(vocabulary_size)) if piece in pieces]
    assert len(common) > 260  # the special pieces and those of the bytes, at least
    for piece in common:
        of_child, of_parent = tokenizer.ids([piece]), parent.tokenizer.ids([piece])
        assert torch.equal(begun["weights"]["embedding.weight"][of_child], learned["embedding.weight"][of_parent])
    capsys.readouterr()
    assert publish(["warm_start", "tiny-run", str(smaller), "--run", str(child), *data]) == 2
    assert f"{child} has begun already" in capsys.readouterr().err
    train_and_publish(smaller, child)
    assert "Begun with the layers of `tiny-run`" in translators.read_card("tiny-run").text


@pytest.mark.usefixtures("own_folder")
def test_wider_layers_compute_at_first_what_the_narrower_ones_did(
    tmp_path: Path, data, write_toml, train_and_publish
) -> None:
    train_and_publish(write_toml(), tmp_path / "run")
    parent, child = translators.load_translator("tiny-run", "cpu").model, tmp_path / "child"
    narrow = parent.config.d_ff
    wider = with_size(write_toml(), "d_ff", 2 * narrow)
    assert publish(["warm_start", "tiny-run", str(wider), "--run", str(child), *data]) == 0
    model = EncoderDecoder(dataclasses.replace(parent.config, d_ff=2 * narrow)).eval()
    model.load_state_dict(load_state(child / "checkpoint.pt")["weights"])
    source, target = torch.randint(4, parent.config.vocabulary_size, (2, 3, 7))
    with torch.inference_mode():
        torch.testing.assert_close(model(source, target), parent.eval()(source, target))
    assert model.encoder.layers[0].feed_forward.W_1.weight[narrow:].unique().numel() > 1


@pytest.mark.usefixtures("own_folder")
def test_a_run_begins_with_what_another_run_learned_before_that_ships(
    capsys, tmp_path: Path, data, write_toml, train_and_publish
) -> None:
    first, second, configuration = tmp_path / "first", tmp_path / "second", str(write_toml())
    first.mkdir()
    assert publish(["warm_start", str(first), configuration, "--run", str(second), *data]) == 2
    assert f"{first} holds no run that has been validated" in capsys.readouterr().err
    assert not second.exists()
    assert train([configuration, "--folder", str(first), *data, "--device", "cpu"]) == 0
    assert publish(["warm_start", str(first), configuration, "--run", str(second), *data]) == 0
    begun, learned = load_state(second / "checkpoint.pt")["weights"], load_state(first / "best.pt")["weights"]
    for name, weights in learned.items():
        assert torch.equal(begun[name], weights), name
    (origin,) = read_history(second)
    assert (origin["parent"], origin["corpora"]) == (str(first), [read_history(first)[0]["training"]["data"]["corpus"]])
    train_and_publish(Path(configuration), second)
    assert f"Begun with the layers of `{first}`" in translators.read_card("tiny-run").text


def test_no_run_begins_with_layers_of_other_sizes(capsys, tmp_path: Path) -> None:
    captions = "model/training/translation/configurations/translation-fr-en-multi30k.toml"
    assert publish(["warm_start", "translation-en-fr", captions, "--run", str(tmp_path / "run")]) == 2
    assert "translation-en-fr has layers of other sizes" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.usefixtures("own_folder")
def test_a_shipped_model_teaches_as_the_run_that_it_was(
    capsys, tmp_path: Path, data, write_toml, train_and_publish
) -> None:
    train_and_publish(write_toml(), tmp_path / "run")
    shipped, again = translators.load_translator("tiny-run", "cpu"), tmp_path / "again"
    assert publish(["as_teacher", "tiny-run", "--run", str(again)]) == 0
    run = load_finished(again, torch.device("cpu"))
    for name, weights in shipped.model.state_dict().items():
        assert torch.equal(run.translator.model.state_dict()[name], weights), name
    assert run.training == load_finished(tmp_path / "run", torch.device("cpu")).training
    taught, configuration = tmp_path / "taught", str(write_toml(teachers=[str(again)]))
    assert train([configuration, "--folder", str(taught), *data, "--device", "cpu"]) == 0
    assert (taught / "taught" / "again.txt").is_file()
    capsys.readouterr()
    assert publish(["as_teacher", "tiny-run", "--run", str(again)]) == 2
    assert f"{again} has begun already" in capsys.readouterr().err


def test_only_what_ships_is_made_a_run_again(capsys, tmp_path: Path) -> None:
    assert publish(["as_teacher", "translation-en-xx", "--run", str(tmp_path / "run")]) == 2
    assert "no model 'translation-en-xx' ships" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
