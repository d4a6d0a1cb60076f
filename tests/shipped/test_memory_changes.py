"""The change that the page How far heads look back opens on, on the shipped model."""

import pytest

from model.analysis.interventions.memory_influence import read_to
from model.attention import SegmentSpec
from pretrained.language_models import load_language_model
from pretrained.translators import WEIGHTS
from viz.pages.transformer_xl.state import sample_text
from viz.pages.transformer_xl.study.memory_changes import memory_changes
from viz.pages.transformer_xl.study.microscope import change, default_character, measured


def test_it_does_what_was_measured() -> None:
    """Retrained weights need ``python -m benchmarks.memory_changes`` again; without, the page opens on a name."""
    loaded, found, text = load_language_model("transformer_xl"), memory_changes(), sample_text()
    if loaded.metrics["sha256"][WEIGHTS] != found.sha256:
        pytest.skip("measured on other weights")
    spec = SegmentSpec(loaded.segment_length, loaded.mem_len)
    vocabulary = loaded.vocabulary
    ids = vocabulary.encode(text).ids
    becomes = int(vocabulary.encode(default_character(vocabulary, text[found.source])).ids[0])
    before = read_to(loaded.model, ids, found.place, spec, source=found.source)
    did = change(loaded.model, ids, before, place=found.place, source=found.source, becomes=becomes, spec=spec)
    assert measured(did).total == pytest.approx(found.bits, rel=0.01)
