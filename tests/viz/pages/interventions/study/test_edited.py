"""A shipped translator with one head edited."""

import csv
import io
import re

import numpy as np
import pytest
from torch import Tensor

from model.analysis.interventions.pattern_edits import HeadEdit
from model.decoding.translator import Translator
from model.hooks import intervene
from viz.base.words import page_text
from viz.pages.interventions.study.ablated import AblationRequest
from viz.pages.interventions.study.edited import block_of, heads, map_of, translate_with
from viz.pages.interventions.study.maps import maps_as_csv
from viz.pages.interventions.study.parts import switches_of


def test_the_translation_is_that_of_intervene_by_hand(asked: AblationRequest) -> None:
    def uniform(pattern: Tensor) -> Tensor:
        pattern = pattern.clone()
        pattern[:, 0] = 1 / pattern.shape[-1]
        return pattern

    found = translate_with(asked, HeadEdit("decoder.1.cross_attention", 0, "uniform"))
    with intervene({"decoder.1.cross_attention.pattern": uniform}):
        assert found.translation.text == asked.translator.translate(asked.text, asked.options).text
        assert found.of_whole == pytest.approx(float(asked.log_probabilities(asked.target).sum()), abs=1e-4)


def test_the_map_after_is_the_one_that_was_asked_for(asked: AblationRequest) -> None:
    for code in ("encoder.2.3", "decoder.2.3", "cross.2.3"):
        head = heads(switches_of(asked.translator.model))[code]
        found = translate_with(asked, HeadEdit(block_of(head), head.head - 1, "same"))
        shown = map_of(head, found.translation)
        n_queries, n_keys = shown.weights.shape
        assert (len(shown.queries), len(shown.keys)) == (n_queries, n_keys)
        targets = np.minimum(np.arange(n_queries), n_keys - 1)
        assert shown.weights.argmax(1).tolist() == targets.tolist()
        assert shown.weights.max(1).tolist() == pytest.approx([1.0] * n_queries)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("She sold the old house.", "das alte Haus"),
        ("The child was very tired.", "Das Kind"),
        ("He closed the window.", "das Fenster"),
    ],
)
def test_with_one_head_turned_round_articles_change_as_the_words_say(
    translator: Translator, text: str, phrase: str
) -> None:
    (named,) = re.findall(r"\*Cross (\d\.\d)\*", page_text("pages/interventions/edit_pattern")["what to try"])
    head = heads(switches_of(translator.model))[f"cross.{named}"]
    asked = AblationRequest(translator, text, translator.options, translator.translate(text))
    written = translate_with(asked, HeadEdit(block_of(head), head.head - 1, scale=-1)).translation.text
    assert phrase in asked.whole.text
    assert phrase not in written
    assert phrase.rsplit(maxsplit=1)[-1] in written


def test_the_table_has_both_patterns(asked: AblationRequest) -> None:
    head = heads(switches_of(asked.translator.model))["cross.1.1"]
    before = map_of(head, asked.whole)
    headings, *rows = csv.reader(
        io.StringIO(maps_as_csv({"before": before, "after": before}, ("pattern", "query", "key")))
    )
    assert headings == ["pattern", "row", "query", "column", "key", "weight"]
    assert len(rows) == 2 * before.weights.size
    weights = np.array([row[-1] for row in rows if row[0] == "before"], dtype=np.float32)
    np.testing.assert_array_equal(weights, before.weights.ravel())


def test_heads_alone_can_be_edited(asked: AblationRequest) -> None:
    config = asked.translator.model.config
    assert len(heads(switches_of(asked.translator.model))) == config.n_heads * 9
