"""The catalogue of heads is of the weights that ship, and its numbers come out again."""

import numpy as np
import pytest

from model.analysis.head_roles import measured_sentences
from pretrained import load_translator, read_card, shipped
from pretrained.head_catalogue import alignment_errors, head_examples, head_roles

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


@pytest.mark.parametrize("kind", ["encoder"])
def test_two_heads_measured_again_say_the_same(kind: str) -> None:
    """The encoder alone: what it reads ships, the references do not."""
    name, measure = "translation-de-en", "previous"
    translator, rows = load_translator(name, "cpu"), head_examples(name)
    for layer, head in ((2, 8), (3, 7)):
        chosen = rows[
            (rows["kind"] == kind) & (rows["layer"] == layer) & (rows["head"] == head) & (rows["measure"] == measure)
        ]
        assert len(chosen) == 6
        pairs = [(translator.tokenizer.encode(text), [5]) for text in chosen["text"]]
        found = [
            of[("encoder", layer - 1)].values[measure][head - 1] for of in measured_sentences(translator.model, pairs)
        ]
        np.testing.assert_allclose(found, chosen["value"], atol=1e-4)
