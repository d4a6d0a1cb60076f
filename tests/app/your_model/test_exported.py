"""Your model opens a translator of ours that was exported: the same maps, the same translation."""

from pathlib import Path

import numpy as np
import pytest

from model.decoding.options import GREEDY
from pretrained import load_translator
from pretrained.huggingface.shipped import as_fast_tokenizer, as_pegasus
from tests.app.your_model.reading import read_text
from viz.base.attention_maps import hook_name
from viz.base.tokens import CONTINUATION

NAME, TEXT = "translation-en-de", "The dog chases the cat."


def test_an_exported_translator_shows_our_own_maps_and_translation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = load_translator(NAME)
    as_pegasus(ours.model).save_pretrained(tmp_path / NAME)
    as_fast_tokenizer(ours.tokenizer.serialized).save_pretrained(tmp_path / NAME)
    app = read_text(TEXT, tmp_path, monkeypatch)
    kinds = {kind.name: kind for kind in app.session_state["viz.pages.your_model.state.Recordings"].whole.kinds}
    wanted = ours.translate(TEXT, GREEDY)
    for name, kind in kinds.items():
        expected = [wanted.patterns[hook_name(name, layer)] for layer in range(ours.model.config.n_decoder_layers)]
        np.testing.assert_allclose(kind.weights, np.stack(expected), atol=1e-4)
    # A row is a written token, the last one the end mark; a dot marks a piece that goes on with a word.
    *rows, _ = kinds["cross"].queries.labels
    assert "".join(rows).replace(CONTINUATION, "") == wanted.text.replace(" ", "")
