"""A translation beside another one: the numbers belong to the labels, and what cannot be compared says why."""

import csv
import io
import math

import numpy as np
import pytest

from model.analysis.interventions.contrast import contrast as contrast_of
from model.decoding.options import DecodingOptions
from model.decoding.translator import Translation, Translator
from viz.base.attention_maps import token_row
from viz.base.words import page_text
from viz.pages.translate.contrast import times_as_probable
from viz.pages.translate.study.contrast import MOST_SOURCE_TOKENS, OtherTargetError, shown_contrast

TEXT = "The dog chases the cat."
WORDS = page_text("pages/translate/contrast")


@pytest.fixture(scope="module")
def found(translator: Translator) -> Translation:
    return translator.translate(TEXT, DecodingOptions(beam_size=4, n_best=4))


def test_two_hypotheses_differ_by_what_the_search_gave_them(translator: Translator, found: Translation) -> None:
    first, second = found.hypotheses[:2]
    contrast = shown_contrast(translator, found, translator.tokenizer.decode(second.tokens))
    assert contrast.this.total == pytest.approx(sum(first.log_probabilities), abs=1e-3)
    assert contrast.other.total == pytest.approx(sum(second.log_probabilities), abs=1e-3)
    assert contrast.difference == pytest.approx(contrast.this.total - contrast.other.total)
    assert len(contrast.source) == len(contrast.gradient) == len(contrast.left_out) == len(found.source.pieces)
    at = contrast.n_shared
    assert contrast.this.labels[:at] == contrast.other.labels[:at]
    assert contrast.this.labels[at] != contrast.other.labels[at]


def test_numbers_stand_beside_the_source_token_that_they_are_of(translator: Translator, found: Translation) -> None:
    shown = shown_contrast(translator, found, "Die Katze jagt den Hund.")
    assert shown.difference > 0
    tokenizer, eos = translator.tokenizer, translator.model.config.eos_id
    targets = [found.hypotheses[0].tokens, (*tokenizer.encode("Die Katze jagt den Hund."), eos)]
    expected = contrast_of(translator.model, tokenizer.ids(found.source.pieces), *targets)
    assert shown.source == token_row(found.source).labels
    np.testing.assert_allclose(shown.gradient, expected.gradient, atol=1e-5)
    np.testing.assert_allclose(shown.left_out, expected.left_out, atol=1e-5)


def test_the_table_holds_every_number(translator: Translator, found: Translation) -> None:
    contrast = shown_contrast(translator, found, "Die Katze jagt den Hund.")
    rows = list(csv.DictReader(io.StringIO(contrast.as_csv())))
    assert [row["token"] for row in rows] == [*contrast.source, *contrast.this.labels, *contrast.other.labels]
    this = sum(float(row["log-probability"]) for row in rows if row["row"] == "this")
    assert this == pytest.approx(contrast.this.total, abs=1e-3)


@pytest.mark.parametrize(
    ("other", "said"), [("", "nothing to compare"), ("  \n", "nothing to compare"), ("Hund " * 400, "at most 256")]
)
def test_what_cannot_be_compared_says_why(translator: Translator, found: Translation, other: str, said: str) -> None:
    with pytest.raises(OtherTargetError) as refused:
        shown_contrast(translator, found, other)
    assert said in refused.value.sentence(WORDS)


def test_a_source_that_would_take_minutes_is_refused_before_it_does(translator: Translator) -> None:
    found = translator.translate("The dog chases the cat. " * 30, DecodingOptions(beam_size=1))
    with pytest.raises(OtherTargetError) as refused:
        shown_contrast(translator, found, "Der Hund jagt die Katze.")
    assert f"at most {MOST_SOURCE_TOKENS}" in refused.value.sentence(WORDS)


def test_the_translation_itself_is_no_other(translator: Translator, found: Translation) -> None:
    with pytest.raises(OtherTargetError) as refused:
        shown_contrast(translator, found, found.text)
    assert "itself" in refused.value.sentence(WORDS)


@pytest.mark.parametrize("other", ["日本語", "😀", "</script>", "a" * 200])
def test_any_other_text_can_be_weighed(translator: Translator, found: Translation, other: str) -> None:
    contrast = shown_contrast(translator, found, other)
    assert math.isfinite(contrast.difference)
    assert contrast.difference > 0


def test_ratios_are_short() -> None:
    written = [times_as_probable(math.log(ratio)) for ratio in (1, 1.234, 56.7, 999, 26_437, 999_900)]
    assert written == ["1", "1.23", "56.7", "999", "26,400", "1,000,000"]
    written = [times_as_probable(difference) for difference in (math.log(2.64e6), math.log(9.97e6), 900)]
    assert [text.replace("\N{NO-BREAK SPACE}", " ") for text in written] == ["2.6 × 10⁶", "1.0 × 10⁷", "7.3 × 10³⁹⁰"]
