"""The labs on circuits and on induction: what their words say is what ships."""

import re
from collections.abc import Sequence

import pandas as pd
import pytest

from model.decoding.translator import Translator
from model.zoo.recording import TrainingRecording
from tests.viz.pages.start.course.steps import answer_of, number, step_named, values_of
from viz.base.attention_maps import BLOCKS
from viz.pages.start.course.circuit import without_heads
from viz.pages.start.course.circuit.traced import TracedWord, WriterSplit
from viz.pages.start.course.lab import head_name
from viz.pages.training.study.curves import curves_of
from viz.pages.training.study.shipped import shipped_recordings


def test_links_open_the_head_that_patching_finds() -> None:
    strongest = answer_of(step_named("circuit.heads")).right

    def of_link(name: str, parameter: str) -> str:
        stack, layer, head, *_ = step_named(name).query[parameter].replace(".head", "").split(".")
        return head_name(next(kind for kind in BLOCKS if kind == stack), int(layer), int(head))

    assert of_link("circuit.share", "cell") == of_link("circuit.cause", "node") == strongest
    assert of_link("circuit.heads", "cell") != strongest
    assert [str(without_heads()[name])[:5] for name in ("best", "second")] == ["Cross", "Cross"]


def test_patching_and_direct_attribution_say_what_the_words_of_the_lab_do() -> None:
    pair, direct = values_of("circuit.pair"), values_of("circuit.direct")
    assert number(pair["noun"]) > 0.8
    assert number(pair["end"]) - number(pair["before"]) > 0.5
    assert direct["both"]
    assert abs(number(direct["adds"])) < 0.05 * number(direct["whole"])
    cause = values_of("circuit.cause")
    assert all(number(cause[f"{name}_one"]) < 0.9 * number(cause[name]) for name in ("clean", "corrupted"))


def test_no_single_cell_makes_the_score() -> None:
    values = values_of("circuit.circuit")
    largest = re.findall(r": (\S?[\d.]+)", str(values["cells"]))[0]
    assert abs(number(largest)) < number(values["score"]) / 5
    split = WriterSplit(6.0, {("a", "x"): 4.0, ("a", "y"): -1.0, ("b", "x"): -3.0, ("b", "y"): 6.0})
    assert split.strongest(0, 1) == ["a"]
    assert split.strongest(1, 2) == ["y", "x"]


def test_a_head_that_the_picture_is_wrong_about_stands_at_the_place_asked_for(translator: Translator) -> None:
    clean, other = (translator.translate(f"The {noun} sleeps on the chair") for noun in ("dog", "cat"))
    traced = TracedWord(translator, clean, other.hypotheses[0].tokens[0])
    head, held, lost = traced.refuted(30, 1)
    assert head[0] == "encoder"
    assert abs(lost - held) > held / 2
    assert traced.refuted(30, 0) != (head, held, lost)
    with pytest.raises(ValueError, match="none of the 30"):
        traced.refuted(30, len(clean.source.pieces) - 1)


def test_the_head_of_gender_is_that_of_other_rows_that_need_a_gender(mean_circuits: pd.DataFrame) -> None:
    values = values_of("circuit.phenomena")
    heads = mean_circuits[(mean_circuits.measure == "part") & (mean_circuits["head"] >= 0)]
    for name in ("gender", "relative", "distance"):
        rows = heads[heads.template == name]
        assert number(values[name]) == pytest.approx(100 * rows.share.max(), abs=0.5)
    assert all(abs(number(values[name])) < 10 for name in ("negation", "tense"))


def test_the_induction_head_forms_where_the_loss_falls_most(layer_recordings: Sequence[TrainingRecording]) -> None:
    _, two = layer_recordings
    loss = curves_of(two)["loss"]
    steepest = int(two.steps[1:-1][(loss[2:] - loss[:-2]).argmin()])
    assert abs(steepest - int(str(values_of("induction.start")["formed"]))) <= 2 * int(two.steps[1])


def test_no_line_stands_in_a_map_before_the_jump(layer_recordings: Sequence[TrainingRecording]) -> None:
    _, two = layer_recordings
    frame = [*two.steps].index(int(step_named("induction.before").query["step"]))
    assert two.previous[0, 0].max() < two.previous[frame, 0].max() < 0.3
    assert max(two.previous[frame].max(), two.induction[frame].max()) < 0.5


def test_recordings_of_induction_say_what_the_words_of_the_lab_do() -> None:
    learned = values_of("induction.positions")
    assert number(learned["table"]) > max(number(learned[name]) for name in ("kerple", "t5"))
    assert number(learned["t5_right"]) < 50
    guessing = answer_of(step_named("induction.predict"))
    assert max(number(guessing.values[name]) for name in ("with", "without")) < float(guessing.right)
    norms = values_of("induction.norm")
    assert number(norms["lowest"]) == number(step_named("induction.norm").query["grokking-step"])
    assert number(norms["with"]) < number(norms["without"])


def test_new_pairs_are_still_to_come_where_the_trained_ones_are_known() -> None:
    _, run = shipped_recordings("grokking")
    frame = [*run.steps].index(int(step_named("induction.later").query["grokking-step"]))
    assert curves_of(run)["accuracy"][frame] > 0.99
    assert run.held_out[frame] < 0.1


def test_a_norm_that_rises_is_no_sure_sign_of_a_rule() -> None:
    without, run = shipped_recordings("grokking")
    assert without.weight_norm[-1] > without.weight_norm[0]
    assert without.held_out.max() < 0.05
    assert run.weight_norm.argmin() < (run.held_out > 0.5).argmax()


def test_attention_aligns_before_the_translation_can_be_read() -> None:
    values = values_of("induction.translator")
    aligned, bleu = (number(values[f"then_{name}"]) / number(values[f"last_{name}"]) for name in ("aligned", "bleu"))
    assert aligned > 2 * bleu
    assert values["then"] != values["last"]
