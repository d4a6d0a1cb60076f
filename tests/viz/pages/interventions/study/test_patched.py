"""Two sentences and a shipped translator: what is asked, what cells there are, and the translation with one patched."""

import csv
import io

import pytest
import torch

from model.decoding.options import DecodingOptions
from model.decoding.translator import Translator
from model.hooks import record
from viz.pages.interventions.study.patched import VIEWS, PairError, PatchedPair, cells_of, patching_as_csv

# The same words, and so as many tokens, whose translations part after the same beginning.
CLEAN = "We know that the dog chases the cat."
CORRUPTED = "We know that the cat chases the dog."
# Each token is then the most probable one of its run.
GREEDY = DecodingOptions(beam_size=1)


@pytest.fixture(scope="module")
def pair(translator: Translator) -> PatchedPair:
    return PatchedPair(translator, translator.translate(CLEAN, GREEDY), translator.translate(CORRUPTED, GREEDY))


def test_it_asks_where_the_translations_part(pair: PatchedPair) -> None:
    step = pair.first_change
    ours, theirs = pair.target, pair.corrupted.hypotheses[0].tokens
    assert ours[: step - 1] == theirs[: step - 1]
    assert ours[step - 1] != theirs[step - 1]
    assert pair.foils(step)[0] == theirs[step - 1]
    assert ours[step - 1] not in pair.foils(step)
    question = pair.question(step, pair.foils(step)[0])
    assert (question.answer, question.foil) == (ours[step - 1], theirs[step - 1])


def test_after_the_last_layer_everything_has_come_back_and_of_the_decoders_input_nothing(pair: PatchedPair) -> None:
    step = pair.first_change
    shown = pair.patched(step, pair.foils(step)[0])
    last = pair.config.n_decoder_layers
    assert shown.effects[f"decoder.{last}.residual.{step}"] == pytest.approx(1, abs=1e-3)
    assert shown.effects[f"decoder.0.residual.{step}"] == pytest.approx(0, abs=1e-3)
    assert f"decoder.{last}.residual.{step + 1}" not in shown.effects


def test_every_cell_stands_at_a_point_of_the_model_and_has_a_code_of_its_own(
    translator: Translator, pair: PatchedPair
) -> None:
    cells = [cell for view in VIEWS for cell in cells_of(pair.config, view, len(pair.source), 3)]
    assert len({cell.code for cell in cells}) == len(cells)
    tokens = torch.tensor([translator.tokenizer.encode(CLEAN)])
    with torch.inference_mode(), record("*") as seen:
        translator.model(tokens, tokens)
    assert {cell.site.point for cell in cells} <= {*seen}


def test_a_translation_with_all_that_was_changed_patched_begins_as_the_clean_one(
    translator: Translator, pair: PatchedPair
) -> None:
    step = pair.first_change
    foil = pair.foils(step)[0]
    last = pair.config.n_decoder_layers
    (cell,) = (cell for cell in pair.cells("residual", step) if cell.code == f"decoder.{last}.residual.{step}")
    found = pair.translate(CORRUPTED, GREEDY, step, foil, cell)
    assert found.hypotheses[0].tokens[:step] == pair.target[:step]
    assert translator.translate(CORRUPTED, GREEDY).text == pair.corrupted.text


def test_sentences_that_cannot_be_compared_are_named(translator: Translator) -> None:
    clean = translator.translate(CLEAN)
    longer = CLEAN.replace("the cat", "the old cat")
    with pytest.raises(PairError) as different:
        PatchedPair(translator, clean, translator.translate(longer))
    assert different.value.key == "lengths"
    lengths = [different.value.values[name] for name in ("clean", "corrupted")]
    assert lengths == [len(translator.tokenizer.encode(text)) for text in (CLEAN, longer)]
    with pytest.raises(PairError) as same:
        PatchedPair(translator, clean, clean)
    assert same.value.key == "same"


def test_the_table_has_every_cell(pair: PatchedPair) -> None:
    step = pair.first_change
    cells = {cell.code: cell for view in VIEWS for cell in pair.cells(view, step)}
    rows = list(csv.DictReader(io.StringIO(patching_as_csv(pair.patched(step, pair.foils(step)[0]), cells))))
    assert [row["cell"] for row in rows] == list(cells)
