"""Why a token of a shipped translator's translation was written, in the rows of the picture."""

import csv
import io

import numpy as np
import pytest

from model.decoding.translator import Translation, Translator
from viz.pages.interventions.study.attributed import Attribution, attribution_as_csv


@pytest.fixture(scope="module")
def attributed(translator: Translator, translation: Translation) -> Attribution:
    return Attribution(translator, translation)


def test_the_rows_sum_to_the_difference_of_the_logits_at_every_step(attributed: Attribution) -> None:
    for step in range(1, len(attributed.target) + 1):
        for foil in attributed.foils(step, 2):
            shown = attributed.shown(step, foil)
            assert shown.total == pytest.approx(shown.difference, abs=1e-4)
            probability, other = shown.probabilities
            assert np.log(probability / other) == pytest.approx(shown.difference, abs=1e-4)
            for row in shown.rows:
                assert not row.heads or sum(head.contribution for head in row.heads) == pytest.approx(row.total)


def test_foils_are_the_most_probable_tokens_but_for_the_one_written(
    attributed: Attribution, translation: Translation
) -> None:
    for step, token in enumerate(translation.tokens, start=1):
        best = [one.id for one in token.alternatives if one.id != token.id]
        assert list(attributed.foils(step, len(best))) == best
        assert token.id not in attributed.foils(step)


def test_a_head_reads_where_its_pattern_is_largest(attributed: Attribution, translation: Translation) -> None:
    step = 3
    shown = attributed.shown(step, attributed.foils(step)[0])
    (row,) = (row for row in shown.rows if (row.writer, row.layer) == ("cross", 2))
    pattern = translation.patterns["decoder.1.cross_attention.pattern"][:, step - 1]
    for head, weights in zip(row.heads, pattern, strict=True):
        assert head.weight == pytest.approx(weights.max())
        assert translation.source.pieces[weights.argmax()].endswith(head.reads.strip("⟨⟩")) or "⟨" in head.reads


def test_it_opens_where_one_head_says_most(attributed: Attribution) -> None:
    def most(step: int) -> float:
        shown = attributed.shown(step, attributed.foils(step, 1)[0])
        row, number = shown.strongest()
        return row.heads[number - 1].contribution

    steps = range(1, len(attributed.target) + 1)
    assert most(attributed.opening_step) == pytest.approx(max(map(most, steps)))


def test_the_table_has_every_part_and_sums(attributed: Attribution) -> None:
    shown = attributed.shown(2, attributed.foils(2)[0])
    *parts, total, difference = csv.reader(io.StringIO(attribution_as_csv(shown)))
    values = [float(row[3]) for row in parts[1:]]
    assert len(values) == 2 + 3 * (8 + 8 + 1) + 1
    assert sum(values) == pytest.approx(float(total[3]), abs=1e-4)
    assert float(total[3]) == pytest.approx(float(difference[3]), abs=1e-4)
