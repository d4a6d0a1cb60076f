"""A translation with parts off, beside the whole one."""

import math

import pytest

from model.analysis.interventions.ablation import Part, ablation, heads_of
from model.decoding.translator import Translator
from model.hooks import intervene
from viz.pages.interventions.study.ablated import (
    AblationRequest,
    effects_of,
    marked_words,
    opening_part,
    total,
    translate_ablated,
)


def everything(translator: Translator) -> list[Part]:
    return [Part(f"decoder.{layer}.cross_attention.z") for layer in range(translator.model.config.n_decoder_layers)]


def test_without_all_cross_attention_nothing_of_the_sentence_is_left(
    translator: Translator, asked: AblationRequest
) -> None:
    parts = everything(translator)
    found = translate_ablated(asked, parts, None)
    with intervene(ablation(parts)):
        other = translator.translate("The weather is nice.", translator.options)
        of_whole = float(asked.log_probabilities(asked.target).sum())
    assert found.of_whole == pytest.approx(of_whole, abs=1e-4)
    assert found.of_whole < total(asked.whole)
    assert found.translation.text == other.text
    assert found.log_probability == pytest.approx(total(found.translation))


def test_the_first_change_is_told_by_the_probabilities_of_both_tokens(
    translator: Translator, asked: AblationRequest
) -> None:
    parts = everything(translator)
    found = translate_ablated(asked, parts, None)
    change = found.first_change
    assert change is not None
    step = change.step - 1
    ours, theirs = asked.whole.hypotheses[0], found.translation.hypotheses[0]
    assert ours.tokens[:step] == theirs.tokens[:step]
    assert ours.tokens[step] != theirs.tokens[step]
    assert change.all_on[0] == pytest.approx(math.exp(ours.log_probabilities[step]), rel=1e-3)
    assert change.switched_off[1] == pytest.approx(math.exp(theirs.log_probabilities[step]), rel=1e-3)


def test_with_nothing_off_it_is_the_same_and_has_no_change(asked: AblationRequest) -> None:
    found = translate_ablated(asked, [], None)
    assert found.translation.text == asked.whole.text
    assert found.first_change is None
    assert found.of_whole == pytest.approx(total(asked.whole), abs=1e-3)


def test_what_a_head_is_worth_is_what_the_whole_translation_loses(
    translator: Translator, asked: AblationRequest
) -> None:
    parts = heads_of(translator.model.config)[-3:]
    whole = translate_ablated(asked, [], None).of_whole
    for part, effect in zip(parts, effects_of(asked, parts, None), strict=True):
        assert translate_ablated(asked, [part], None).of_whole - whole == pytest.approx(effect, abs=1e-4)


def test_the_page_opens_with_a_part_that_changes_the_translation_if_one_does(
    translator: Translator, asked: AblationRequest
) -> None:
    # Without the last, nothing of the sentence is read.
    parts = [*heads_of(translator.model.config)[:2], Part("encoder.input")]
    changed = {}
    for part in parts:
        found = translate_ablated(asked, [part], None).translation
        if found.text != asked.whole.text:
            changed[part] = float(asked.log_probabilities(found.hypotheses[0].tokens).sum())
    assert parts[-1] in changed
    assert opening_part(asked, parts, None) == min(changed, key=changed.__getitem__)
    assert opening_part(asked, parts[:1], None) == parts[0]


def test_words_are_marked_on_both_sides_where_they_differ(translator: Translator, asked: AblationRequest) -> None:
    other = translator.translate("My sister has never read the book that I gave him.", translator.options)
    ours, theirs = marked_words(asked.whole, other), marked_words(other, asked.whole)
    assert any(word.is_changed for word in ours)
    assert any(word.is_changed for word in theirs)
    assert [word.text for word in ours if not word.is_changed] == [word.text for word in theirs if not word.is_changed]
    assert "".join((" " if word.after_space else "") + word.text for word in ours) == asked.whole.text
    assert not any(word.is_changed for word in marked_words(other, other))
