"""The catalogue of heads is of the weights that ship, and its numbers come out again."""

import numpy as np
import pytest

from model.analysis.maps.aligning_maps import Aligner, aligning_maps
from model.analysis.maps.alignment import alignment_error_rate, links_of
from model.analysis.maps.head_roles import measured_rows, measured_sentences
from pretrained import load_translator, read_card, shipped
from pretrained.alignments import gold_pairs
from pretrained.head_catalogue import alignment_errors, head_examples, head_roles
from pretrained.publishing.head_catalogue import N_EXAMPLES, N_INPUTS, head_rows, held_out_inputs
from pretrained.zoo import load_zoo_model, shipped_zoo, zoo_heads

EVERY = pytest.mark.parametrize("name", shipped())


@EVERY
def test_it_is_of_the_weights_that_ship(name: str) -> None:
    rows = head_roles(name)
    card = read_card(name)
    config = card.config
    assert {*rows["weights"]} == {card.metrics["sha256"]["weights.safetensors"]}
    assert len(rows) == config.n_heads * (config.n_encoder_layers + 2 * config.n_decoder_layers)
    assert rows["sentences"].min() >= 500
    errors = alignment_errors(name)
    assert errors.empty or {*errors["weights"]} == {*rows["weights"]}


def test_heads_of_later_layers_align_at_the_step_that_writes_a_word() -> None:
    for name in {*shipped()} - {"translation-ja-en"}:
        rows = alignment_errors(name)
        rows = rows[(rows["part"] == "all") & (rows["weighing"] == "weights") & (rows["head"] > 0)]
        errors = rows.pivot_table(index=["layer", "head"], columns="step", values="error")
        reading = errors[errors["input"] < errors["output"]]
        assert {*reading.index.get_level_values("layer")} == {1}, name


@pytest.mark.slow
def test_alignment_measured_again_is_the_same() -> None:
    name = "translation-en-de"
    translator, rows, aligner = load_translator(name, "cpu"), alignment_errors(name), Aligner(1, 7, "weights")
    found = []
    for pair in gold_pairs():
        read = pair.encoded(translator.tokenizer)
        assert read is not None
        maps = dict(aligning_maps(translator.model, read.source, read.target))
        found.append((links_of(read.word_weights(maps[aligner], "input")), read.gold))
    is_it = (rows["layer"] == 1) & (rows["head"] == 7) & (rows["step"] == "input") & (rows["weighing"] == "weights")
    (error,) = rows[is_it & (rows["part"] == "all")]["error"]
    # A word whose two largest weights are nearly the same may go either way.
    assert alignment_error_rate(found) == pytest.approx(error, abs=0.005)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["encoder"])
def test_two_heads_measured_again_say_the_same(kind: str) -> None:
    """The encoder alone: what it reads ships, the references do not."""
    name, measure = "translation-de-en", "previous"
    translator, rows = load_translator(name, "cpu"), head_examples(name)
    by_head = [*rows[(rows["kind"] == kind) & (rows["measure"] == measure)].groupby(["layer", "head"])]
    assert len(by_head) >= 2
    for (layer, head), chosen in (by_head[0], by_head[-1]):
        assert len(chosen) == 2 * N_EXAMPLES
        pairs = [(translator.tokenizer.encode(text), [5]) for text in chosen["text"]]
        found = [
            of[("encoder", layer - 1)].values[measure][head - 1] for of in measured_sentences(translator.model, pairs)
        ]
        np.testing.assert_allclose(found, chosen["value"], atol=1e-4)


def test_the_heads_of_every_small_decoder_that_ships_are_there() -> None:
    rows, models = zoo_heads(), shipped_zoo()
    assert {*rows["weights"]} == {model.sha256 for model in models}
    assert len(rows) == sum(model.run.model.n_layers * model.run.model.n_heads for model in models)
    assert not rows.duplicated(["weights", "layer", "head"]).any()


@pytest.mark.slow
def test_the_heads_of_a_small_decoder_measured_again_say_the_same() -> None:
    model = next(model for model in shipped_zoo() if (model.run.task, model.run.encoding) == ("parity", "none"))
    again = [*head_rows(measured_rows(load_zoo_model(model), held_out_inputs("parity", N_INPUTS)))]
    rows = zoo_heads()
    rows = rows[rows["weights"] == model.sha256].sort_values(["layer", "head"])
    for measure in ("previous", "sink", "entropy"):
        np.testing.assert_allclose([one[measure] for one in again], rows[measure], atol=1e-4)
