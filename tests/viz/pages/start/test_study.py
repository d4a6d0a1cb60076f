"""What the pictures of the reading path are made of, against numbers by hand and other people's code."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sacrebleu
import torch

import viz.pages
from model.analysis.costs.layer_cost import LAYER_KINDS, Sizes
from model.training.schedule import paper_rate
from pretrained import load_translator
from viz.pages.start.stops import Answer
from viz.pages.start.study import (
    attention,
    layer_cost,
    lengths,
    position,
    published,
    recurrence,
    training,
    translator,
)
from viz.pages.start.study.records import Stack
from viz.pages.start.translation_quality import ComparedTranslation, bleu

PAGES = Path(viz.pages.__file__).parent


def test_the_softmax_of_scaled_scores_is_torch_s() -> None:
    scores = attention.random_scores(64, 10)
    expected = torch.softmax(torch.from_numpy(scores / 8), dim=0).numpy()
    np.testing.assert_allclose(attention.weights(scores / 8), expected)


@pytest.mark.parametrize("d_k", [16, 256])
def test_scores_spread_by_the_root_of_the_width(d_k: int) -> None:
    spread = attention.random_scores(d_k, 4000).std()
    assert spread == pytest.approx(math.sqrt(d_k), rel=0.35)


def test_with_the_scale_no_key_gets_nearly_all_the_weight_and_without_it_one_does_where_keys_are_wide() -> None:
    for d_k in (1, 4, 16, 64, 256, 1024):
        scores = attention.random_scores(d_k, 10)
        assert attention.weights(scores / math.sqrt(d_k)).max() < 0.6
        assert d_k < 256 or attention.weights(scores).max() > 0.9


def test_the_mask_is_the_lower_triangle_and_uniform_rows_count_their_keys() -> None:
    np.testing.assert_array_equal(attention.visible(3), [[1, 0, 0], [1, 1, 0], [1, 1, 1]])
    np.testing.assert_allclose(attention.uniform_under_mask(3), [[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3] * 3], rtol=1e-6)


def test_full_turns_by_hand() -> None:
    # Of d_model 4 the pairs turn by 1 and 0.01 a position: once round takes 6.28 and 628 positions.
    assert [position.n_full_turns(4, k) for k in (6, 7, 628, 629)] == [0, 1, 1, 2]
    expected = sum(50 * 10000 ** (-2 * pair / 64) >= 2 * math.pi for pair in range(32))
    assert position.n_full_turns(64, 50) == expected


def test_one_matrix_moves_every_position_on() -> None:
    np.testing.assert_allclose(position.move_on(2, 1), [[math.cos(1), math.sin(1)], [-math.sin(1), math.cos(1)]])
    assert position.largest_miss(16, 7, 200) < 1e-5
    assert position.angles(16, 7)[2] == pytest.approx(0.7)


@pytest.mark.parametrize("warmup", [500, 4000])
def test_the_rate_is_that_of_the_trainer(warmup: int) -> None:
    steps = np.array([1.0, 499, 500, 501, 4000, 100_000])
    expected = [paper_rate(int(step), d_model=512, warmup=warmup) for step in steps]
    np.testing.assert_allclose(training.paper_rates(steps, 512, warmup), expected)


def test_dropout_scales_what_is_left_and_a_greater_rate_drops_the_same_and_more() -> None:
    little, much = training.drop(12, 40, 0.1), training.drop(12, 40, 0.5)
    assert {*np.unique(little)} == {0, 1 / 0.9}
    assert ((little == 0) <= (much == 0)).all()
    assert (much == 0).mean() == pytest.approx(0.5, abs=0.07)


def test_the_smoothed_loss_is_torch_s() -> None:
    share, n, epsilon = 0.7, 5, 0.2
    logits = torch.tensor([share, *[(1 - share) / (n - 1)] * (n - 1)], dtype=torch.float64).log()
    expected = torch.nn.functional.cross_entropy(logits[None], torch.tensor([0]), label_smoothing=epsilon)
    assert training.losses(np.array([share]), n, epsilon)[0] == pytest.approx(float(expected))
    np.testing.assert_allclose(training.smoothed_target(5, 0.1), [0.92, 0.02, 0.02, 0.02, 0.02])
    assert training.best_share(5, 0.1) == pytest.approx(0.92, abs=0.001)


def test_bleu_is_sacrebleu_s_and_clips() -> None:
    clipped = bleu(ComparedTranslation("the the the dog", "the dog ran off"))
    assert clipped.counts[:2] == [2, 1]
    assert clipped.totals[:2] == [4, 3]
    pair = ("the dog runs in the snow today", "the dog is running in the snow")
    whole = bleu(ComparedTranslation(*pair))
    mean = math.exp(sum(math.log(precision) for precision in whole.precisions) / 4)
    assert whole.score == pytest.approx(whole.bp * mean)
    assert whole.score == pytest.approx(sacrebleu.corpus_bleu([pair[0]], [[pair[1]]]).score)
    assert bleu(ComparedTranslation("a b c", "a b c d e f")).bp == pytest.approx(math.exp(1 - 6 / 3))
    assert bleu(ComparedTranslation("", "a")).score == 0


def test_the_costs_are_those_of_table_1_and_cross_at_d() -> None:
    sizes = Sizes(n=10, d=4, k=1, r=1)
    costs = [layer_cost.complexities(kind, [10], 4)[0] for kind in layer_cost.KINDS]
    assert costs == [400, 160] == [kind.complexity(sizes) for kind in LAYER_KINDS if kind.name in layer_cost.KINDS]
    assert layer_cost.first_costlier(64) == 65


def test_the_memory_is_seen_by_all_and_sight_grows_by_a_segment_a_layer() -> None:
    np.testing.assert_array_equal(recurrence.visible_with_memory(2, 1), [[1, 1, 0], [1, 1, 1]])
    assert [recurrence.reach(layers, 4, 4) for layers in (1, 2, 3)] == [4, 8, 12]
    # A short memory still shows what its segment saw of the one before.
    assert recurrence.reach(2, 4, 1) == 5
    assert recurrence.reach(3, 4, 0) == 0


def test_only_the_last_term_depends_on_distance_alone() -> None:
    terms = recurrence.score_terms(6, 8)
    assert recurrence.terms_of_distance(terms) == ("d",)
    assert np.isnan(terms["a"][0, 1])
    np.testing.assert_array_equal(terms["c"][5, :5], terms["c"][4, :5])


def test_published_values_are_read_with_their_source() -> None:
    variations = published.published("variations")
    assert variations.base == 25.8
    assert variations.better == ("d_model 1024", "d_ff 4096", "big")
    assert "table 3" in variations.source
    assert published.mean_reciprocal_rank([1, 2, 4]) == pytest.approx(7 / 12)


def test_papers_that_other_topics_read_too_have_the_same_figures_there() -> None:
    kazemnejad = json.loads((PAGES / "length_generalization/data/kazemnejad_2023.json").read_text(encoding="utf-8"))
    names = {"NoPE": "none", "T5 bias": "t5", "ALiBi": "alibi", "rotary": "rotary_25", "sinusoidal": "sinusoidal"}
    theirs = {task: values["exact_match"] for task, values in kazemnejad["tasks"].items()}
    theirs["ranking"] = kazemnejad["mean_reciprocal_rank"]["values"]
    for column, task in {"ranking": "ranking", "true copy": "copy_letters", "repeated copy": "copy_repeat"}.items():
        found = published.published(column)
        assert found.values == {row: theirs[task][name] for row, name in names.items()}
        assert column == "ranking" or found.n_seeds == kazemnejad["n_seeds"]
    dai = json.loads((PAGES / "transformer_xl/data/dai_2019.json").read_text(encoding="utf-8"))["effective_context"]
    context = published.published("effective context")
    (group,) = (group for group in dai["groups"] if group["n_parameters"] == context.n_parameters)
    place = dai["hardest"].index(context.hardest)
    assert [*context.values.values()] == [model["lengths"][place] for model in group["models"]]


def test_wider_models_are_better_in_the_paper_and_deeper_than_its_own_are_not() -> None:
    variations = published.published("variations")
    values = variations.values
    assert values["d_model 256"] < variations.base < values["d_model 1024"]
    assert values["d_ff 1024"] < variations.base < values["d_ff 4096"]
    assert values["N 2"] < values["N 4"] < values["N 8"] < variations.base


def test_a_mean_is_taken_at_the_tested_length_that_is_nearest() -> None:
    rows = [("best", "copy", "none", seed, length, seed / length, 2) for seed in (1, 2) for length in (2, 4)]
    columns = ["checkpoint", "task", "encoding", "seed", "length", "exact_match", "longest_trained"]
    results = pd.DataFrame(rows, columns=columns)
    assert lengths.longest_trained(results, "copy") == 2
    assert lengths.means_near(results, "copy", 3.4) == {"none": (4, pytest.approx(0.375))}


def test_results_are_read_by_seed() -> None:
    rows = [("best", "copy", "none", seed, length, seed / length) for seed in (1, 2) for length in (2, 4)]
    rows += [("last", "copy", "none", 1, 2, 0.9), ("best", "sort", "none", 1, 2, 0.9)]
    results = pd.DataFrame(rows, columns=["checkpoint", "task", "encoding", "seed", "length", "exact_match"])
    tested, values = published.exact_match_by_seed(results, "copy", "none")
    assert tested == (2, 4)
    np.testing.assert_allclose(values, [[0.5, 0.25], [1, 0.5]])
    assert published.exact_match_by_seed(results, "copy", "t5")[0] == ()


@pytest.fixture(scope="module")
def shipped() -> translator.Translator:
    return load_translator("translation-en-de")


def test_the_translator_is_counted_block_by_block(shipped: translator.Translator) -> None:
    config, counts = shipped.model.config, translator.parameter_counts(shipped.model)
    assert len(counts.layers) == config.n_encoder_layers + config.n_decoder_layers
    size = 2 * config.d_model * config.d_ff + config.d_ff + config.d_model
    assert counts.layers["encoder", 0]["feed_forward"] == size
    assert translator.n_sublayers(shipped.model) == 2 * config.n_encoder_layers + 3 * config.n_decoder_layers
    assert counts.total > sum(sum(parts.values()) for parts in counts.layers.values())


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_the_stream_is_measured_from_the_input_to_the_final_norm(shipped: translator.Translator, stack: Stack) -> None:
    translation = shipped.translate("A dog is here.")
    found = translator.stream_statistics(shipped, translation, stack)
    seen = shipped.look_inside(translation, f"{stack}.input", f"{stack}.output")
    assert found.deviations[0] == pytest.approx(seen[f"{stack}.input"].std())
    assert found.means[-1] == pytest.approx(seen[f"{stack}.output"].mean())
    assert len(found.means) == len(found.blocks) + 2
    assert found.growth == pytest.approx(found.deviations[-2] / found.deviations[0])


def test_active_units_give_the_output_of_the_block(shipped: translator.Translator) -> None:
    translation = shipped.translate("A dog is here.")
    shares = translator.active_shares(shipped, translation, 1)
    assert shares.shape == (len(translation.source.pieces),)
    assert (shares > 0).all()
    assert (shares < 1).all()


def test_the_strongest_key_and_the_scores_are_those_of_the_search(shipped: translator.Translator) -> None:
    translation = shipped.translate("A dog is here.")
    name = "decoder.1.cross_attention.pattern"
    key = translator.strongest_key(translation.patterns, name, 2, 0)
    assert translation.patterns[name][2, 0, key] == translation.patterns[name][2, 0].max()
    scores = translator.scores_by_alpha(translation.hypotheses, np.array([0.0, shipped.options.length_penalty]))
    for hypothesis, (plain, own) in zip(translation.hypotheses, scores, strict=True):
        assert plain == pytest.approx(sum(hypothesis.log_probabilities))
        assert own == pytest.approx(hypothesis.score)


@pytest.mark.parametrize(
    ("answer", "given", "is_right"),
    [
        (Answer(28), 28, True),
        (Answer(28), 28.5, False),
        (Answer(0.125, within=0.02), 0.127, True),
        (Answer(0.125, within=0.02), 0.13, False),
        (Answer("a", options=("a", "b")), "a", True),
        (Answer("a", options=("a", "b")), "b", False),
    ],
)
def test_an_answer_is_graded(answer: Answer, given: float | str, is_right: bool) -> None:
    assert answer.accepts(given) == is_right
