"""Every shipped model is complete, is the recorded one, and bears what people type."""

import hashlib
import json
import math
import shutil
from pathlib import Path

import pytest
import torch

from model.analysis.interventions.ablation import attention_points, unit_points
from model.checkpoint import DamagedWeightsError
from model.data.corpora import PARALLEL_CORPORA, kinds_of
from model.decoding.options import DecodingOptions
from model.decoding.translator import MAX_SOURCE_TOKENS, SourceTextError, Translation, Translator
from pretrained import load_head_means, load_translator, read_card, shipped, translators
from pretrained.publishing.shipping import write_metrics

TRANSLATOR, BACK = "translation-en-de", "translation-de-en"
EVERY = pytest.mark.parametrize("name", shipped())
FILES = {"weights.safetensors", "config.json", "tokenizer.model", "metrics.json", "card.md", "head_means.safetensors"}
MEGABYTE = 1_000_000


def test_the_translator_ships() -> None:
    assert TRANSLATOR in shipped()


@EVERY
def test_a_model_is_complete(name: str) -> None:
    folder = translators.FOLDER / name
    assert {path.name for path in folder.iterdir()} == FILES
    recorded = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))["sha256"]
    assert recorded.keys() == {"weights.safetensors", "config.json", "tokenizer.model"}
    for file, sha256 in recorded.items():
        assert hashlib.sha256((folder / file).read_bytes()).hexdigest() == sha256


@EVERY
def test_the_means_of_its_heads_are_of_its_weights_and_over_sentences_enough(name: str) -> None:
    means, config = load_head_means(name), load_translator(name, "cpu").model.config
    assert means is not None
    assert means.sentences >= 500
    assert {*attention_points(config), *unit_points(config)} <= means.by_point.keys()
    assert all(torch.isfinite(mean).all() for mean in means.by_point.values())


@EVERY
def test_a_model_loads_as_its_card_says(name: str) -> None:
    card, translator = read_card(name), load_translator(name, "cpu")
    assert card.name == name
    assert card.config == translator.model.config
    assert card.config.vocabulary_size == translator.tokenizer.vocabulary_size
    n_parameters = sum(parameter.numel() for parameter in translator.model.parameters())
    assert card.metrics["n_parameters"] == n_parameters
    assert card.n_bytes == (translators.FOLDER / name / "weights.safetensors").stat().st_size
    assert not translator.model.training
    assert translator.options.length_penalty == card.metrics["length_penalty"]["chosen"]


@EVERY
def test_a_card_says_where_the_model_comes_from_and_how_it_was_measured(name: str) -> None:
    card = read_card(name)
    training = card.metrics["training"]
    corpora = [PARALLEL_CORPORA[corpus] for corpus in card.corpora]
    commits = [segment["commit"] for segment in card.metrics["history"]]
    runs = (*training["augment"]["teachers"], training["loss"]["mrt_candidates"])
    for part in ("**Data.**", "**Training.**", "**Scores.**", "**Use.**", *commits, *runs):
        assert part in card.text
    for corpus in corpora:
        assert corpus.licence in card.text
        assert corpus.address in card.text
    assert card.text.startswith(f"# {name}\n")
    assert training["seed"] >= 0
    assert str(card.metrics["step"]) in card.text


@EVERY
def test_the_scores_are_finite_and_stand_beside_their_command(name: str) -> None:
    dev = read_card(name).metrics["dev"]
    for measure in ("sacrebleu", "chrf"):
        assert math.isfinite(dev[measure])
        assert 0 < dev[measure] <= 100
        assert "version:" in dev[f"{measure}_signature"]
    assert dev["sentences"] >= 500
    assert dev["beam_size"] == 4
    assert dev["command"] == f"python -m pretrained.publishing evaluate_translator {name} --beam-size 4"


def test_a_translator_is_at_most_20_megabytes_and_those_of_everyday_sentences_are_at_most_80() -> None:
    sizes = {name: sum(path.stat().st_size for path in (translators.FOLDER / name).iterdir()) for name in shipped()}
    everyday = [name for name in shipped() if "everyday" in kinds_of(read_card(name).corpora[:1])]
    assert TRANSLATOR in everyday
    assert max(sizes.values()) <= 20 * MEGABYTE
    assert sum(sizes[name] for name in everyday) <= 80 * MEGABYTE


def test_a_translator_searches_with_the_length_penalty_that_was_chosen_for_it(copied: Path) -> None:
    write_metrics(copied / "metrics.json", length_penalty={"chosen": 1.4})
    translator = load_translator(TRANSLATOR, "cpu")
    assert translator.options == DecodingOptions(length_penalty=1.4)
    text = "The dog chases the cat."
    usual, asked = (translator.translate(text, options) for options in (None, DecodingOptions(length_penalty=1.4)))
    assert usual.hypotheses == asked.hypotheses
    assert usual.hypotheses != translator.translate(text, DecodingOptions(length_penalty=0.6)).hypotheses
    assert translator.search_all([text])[0].score == pytest.approx(asked.hypotheses[0].score, abs=1e-4)


def test_an_unknown_model_is_refused_with_those_there_are() -> None:
    for read in (read_card, load_translator):
        with pytest.raises(ValueError, match=f"no model 'rotten' ships; there are .*{TRANSLATOR}"):
            read("rotten")
    with pytest.raises(ValueError, match=r"no model '\.\./pretrained/translation-en-de' ships"):
        read_card(f"../pretrained/{TRANSLATOR}")


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the translator that a test may damage."""
    shutil.copytree(translators.FOLDER / TRANSLATOR, tmp_path / TRANSLATOR)
    monkeypatch.setattr(translators, "FOLDER", tmp_path)
    return tmp_path / TRANSLATOR


@pytest.mark.parametrize("name", ["weights.safetensors", "tokenizer.model"])
def test_a_damaged_file_is_refused_by_name(copied: Path, name: str) -> None:
    content = bytearray((copied / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copied / name).write_bytes(content)
    with pytest.raises(DamagedWeightsError, match=name.replace(".", r"\.")):
        load_translator(TRANSLATOR, "cpu")


@pytest.mark.parametrize("name", ["weights.safetensors", "tokenizer.model"])
def test_a_missing_file_is_refused_by_name(copied: Path, name: str) -> None:
    (copied / name).unlink()
    with pytest.raises(DamagedWeightsError, match=name.replace(".", r"\.")):
        load_translator(TRANSLATOR, "cpu")
    assert read_card(TRANSLATOR).text


def test_a_configuration_of_another_model_is_refused(copied: Path) -> None:
    config = json.loads((copied / "config.json").read_text(encoding="utf-8"))
    (copied / "config.json").write_text(json.dumps(config | {"d_ff": config["d_ff"] * 2}), encoding="utf-8")
    with pytest.raises(DamagedWeightsError, match=r"^not recorded: file .*config\.json$"):
        load_translator(TRANSLATOR, "cpu")


@pytest.mark.parametrize("text", ["", " \n\t", "\x00\x1b\x7f", "a, b. " * 2000, "x" * 10_000, "🙂" * 10_000])
def test_nothing_and_too_much_are_said(translator: Translator, text: str) -> None:
    with pytest.raises(SourceTextError):
        translator.translate(text)


HOSTILE = [
    "a" * 500,
    "a" * 250,
    "🙂👩‍👩‍👧🇩🇪",
    "مرحبا بالعالم، كيف حالك؟",
    "null\x00 bell\x07 escape\x1b[31m delete\x7f",
    "</script><script>alert(1)</script>",
    "<s> </s> <unk> <pad> <0x41>",
    "\ud800 \ufffe \u202e \u200f",
    "Z\u0351\u036b\u0343a\u0359l\u0321g\u0356o\u0344" * 5,
    "the " * 100,
    "0" * 100,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_translated_within_the_length_limit_or_refused(translator: Translator, text: str) -> None:
    options = DecodingOptions(beam_size=4)
    if len(translator.tokenizer.encode(text)) > MAX_SOURCE_TOKENS:
        with pytest.raises(SourceTextError, match="text too long"):
            translator.translate(text, options)
        return
    found = translator.translate(text, options)
    assert isinstance(found, Translation)
    assert len(found.source.pieces) <= MAX_SOURCE_TOKENS + 1
    assert len(found.tokens) <= len(found.source.pieces) + options.max_extra_length
    assert math.isfinite(found.hypotheses[0].score)
    ids = [token.id for token in found.tokens]
    runs = [tuple(ids[start : start + options.ngram_size]) for start in range(len(ids) - options.ngram_size + 1)]
    assert max(map(runs.count, runs), default=0) <= options.max_ngram_repeats
    assert all(math.isfinite(pattern.sum()) for pattern in found.patterns.values())
