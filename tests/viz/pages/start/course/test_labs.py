"""The labs of the course: their steps, words and answers, their keys for teachers, and what students print."""

import json
import math
import re
import sys
from dataclasses import replace
from html import escape

import pytest
import torch

from pretrained.head_catalogue import alignment_errors
from tests.viz.pages.start.course.steps import answer_of, step_named
from viz.base.languages import LANGUAGES, in_language
from viz.pages.length_generalization.study import edited_models
from viz.pages.start.asking import safe
from viz.pages.start.course.__main__ import main
from viz.pages.start.course.circuit import leading_block, without_heads
from viz.pages.start.course.heads import looking, losses_alone
from viz.pages.start.course.key import key_of
from viz.pages.start.course.lab import TEXT, Lab, LabStep, labs
from viz.pages.start.course.positions import N_INPUTS, beside, copied, moved
from viz.pages.start.course.sheet import lab_sheet
from viz.pages.start.exercise_sheet import answer_text, filled
from viz.pages.start.stops import Answer
from viz.pages.start.study.findings import ANIMAL, BROTHER, NEGATION, STORED
from viz.pages.start.study.published import exact_match_by_seed
from viz.shared.shipped import DEFAULT_TRANSLATOR, translator
from viz.shared.translation import DecodingChoice, translated
from viz.shared.zoo import results

N_LABS, N_STEPS, N_QUESTIONS, MINUTES = 5, 10, 4, 50
LABS = pytest.mark.parametrize("lab", labs(), ids=lambda lab: lab.id)
STEPS = pytest.mark.parametrize("step", [step for lab in labs() for step in lab.steps], ids=lambda step: step.name)
QUESTIONS = pytest.mark.parametrize("step", [step for lab in labs() for step in lab.asked], ids=lambda step: step.name)
IN_EACH_LANGUAGE = pytest.mark.parametrize("reading", [*LANGUAGES])
ASKED = {"question", "hint", "reason", "mistakes"}


def means_of(task: str, encoding: str) -> dict[int, float]:
    lengths, by_seed = exact_match_by_seed(results(), task, encoding)
    return dict(zip(lengths, by_seed.mean(axis=0).tolist(), strict=True))


def test_the_course_has_five_labs_in_their_order() -> None:
    assert len(labs()) == N_LABS
    assert [lab.order for lab in labs()] == [*range(1, N_LABS + 1)]


@LABS
def test_a_lab_is_ten_steps_and_four_questions_of_fifty_minutes(lab: Lab) -> None:
    assert len(lab.steps) == N_STEPS
    assert len(lab.asked) == N_QUESTIONS
    assert lab.minutes == MINUTES
    assert len({step.key for step in lab.steps}) == N_STEPS


@LABS
def test_the_words_of_a_lab_are_those_of_its_steps(lab: Lab) -> None:
    steps = [f"step {step.key}" for step in lab.steps]
    assert [*lab.words] == ["title", "goals", *steps, "open question", "good answer", "sources"]
    assert all("https://" in line for line in lab.words.lines("sources"))


@STEPS
def test_a_step_has_short_words_that_are_printed_as_they_stand(step: LabStep) -> None:
    words = step.words
    assert {"title", "text", "link"} | (ASKED if step.question else set()) <= {*words}
    assert {*words} <= {"title", "text", "link", "given", "good answer"} | ASKED
    assert 30 <= len(step.text.split()) <= 90
    assert len(step.good_answer.split()) <= 90
    assert not re.search(r"[*$`{}]|\]\(", words["title"] + step.text + words["link"] + step.good_answer)


def test_a_text_without_fields_does_not_wait_for_facts() -> None:
    def fail() -> dict[str, object]:
        raise AssertionError

    assert replace(step_named("heads.edit"), facts=fail).text


@IN_EACH_LANGUAGE
@STEPS
def test_a_step_that_asks_and_does_not_grade_has_a_good_answer(step: LabStep, reading: str) -> None:
    is_asking = "?" in step.words["text"]
    with in_language(reading):
        assert not (step.good_answer and step.question)
        assert step.good_answer or step.question or not is_asking
        assert "{" not in step.text + step.good_answer


@IN_EACH_LANGUAGE
@QUESTIONS
def test_the_right_answer_is_accepted_and_no_mistake_is(step: LabStep, reading: str) -> None:
    with in_language(reading):
        answer, words = answer_of(step), step.words
        assert answer.accepts(answer.right)
        assert len(answer.mistakes) == len(words.lines("mistakes")) > 0
        for place, mistake in enumerate(answer.mistakes):
            assert not answer.accepts(mistake)
            assert answer.mistake(mistake) == place
        if answer.options:
            assert answer.right in answer.options
            assert {*answer.mistakes} <= {*answer.options}
        for part in ASKED | ({"given"} & {*words}):
            assert "{" not in filled(words[part], answer)
            assert not re.search(r"[*$`]|\]\(", words[part])


@IN_EACH_LANGUAGE
@LABS
def test_the_key_has_what_the_grading_says(lab: Lab, reading: str) -> None:
    with in_language(reading):
        key = key_of(lab)
        for step in lab.steps:
            assert step.words["title"] in key
            assert f"<{step.address}>" in key
        for step in lab.asked:
            answer = answer_of(step)
            assert f"**{answer_text(answer.right)}**" in key
            assert safe(step.words["reason"], answer) in key
            assert all(answer_text(mistake) in key for mistake in answer.mistakes)
        assert all(step.good_answer in key for step in lab.steps)
        assert lab.words["open question"] in key
        assert lab.words["good answer"] in key


@IN_EACH_LANGUAGE
@LABS
def test_a_printed_lab_has_its_questions_and_no_answer(lab: Lab, reading: str) -> None:
    with in_language(reading):
        sheet = lab_sheet(lab, lab.order, "http://host/read-along")
        assert f'href="http://host/read-along?part=labs&amp;lab={lab.id}&amp;lab-step=' in sheet
        assert sheet.count('href="http://host/') == N_STEPS + N_QUESTIONS
        assert not re.search(r"[{}]", re.sub(r"<style>.*</style>", "", sheet, flags=re.DOTALL))
        assert all(f": read-along?part=labs&amp;lab={lab.id}&amp;lab-step={n}</div>" in sheet for n in range(1, 11))
        for step in lab.asked:
            answer = answer_of(step)
            assert filled(step.words["reason"], answer) not in sheet
            assert filled(step.words["hint"], answer) not in sheet
        n_open = sum(bool(step.good_answer) for step in lab.steps) + 1
        assert len(re.findall(r"(?:<p class=\"line\"></p>)+", sheet)) == n_open
        unasked = [step.good_answer for step in lab.steps if step.good_answer]
        assert not any(escape(good) in sheet for good in [*unasked, lab.words["good answer"]])


def test_the_first_head_looks_at_one_word_as_the_words_say() -> None:
    translation = translated(BROTHER, DecodingChoice()).translation
    query, key = (
        side.pieces.index(word)
        for side, word in zip((translation.target, translation.source), ("▁Bruder", "▁brother"), strict=True)
    )
    assert translation.patterns["decoder.1.cross_attention.pattern"][0, query, key] > 0.9


def test_words_move_as_the_words_say() -> None:
    shares = moved()
    assert shares["end"] < 0.5 * shares["middle"] < shares["middle"] < shares["high"]
    assert shares["end"] < shares["low"]
    # No map has a line without positions.
    usual, without = (beside(edits) for edits in ({}, {"encoder.positional.encoding": torch.zeros_like}))
    for side in ("before", "after"):
        assert max(float(of_heads.max()) for of_heads in without.values()) < 0.6 * float(usual[side].max())


def test_encodings_reach_as_far_as_the_words_say() -> None:
    copying, recalling = (
        {name: means_of(task, name) for name in ("none", "rotary")} for task in ("copy_letters", "recall")
    )
    beyond = [length for length in copying["none"] if length > 20]
    assert all(copying["none"][length] >= copying["rotary"][length] for length in beyond)
    assert all(recalling["rotary"][length] >= recalling["none"][length] for length in recalling["none"] if length > 8)
    assert copying["none"][24] > copying["rotary"][24] + 0.1
    assert answer_of(step_named("positions.recall")).right == "Rotary"
    assert copying["rotary"][20] > 0.95
    assert 0.5 <= copying["rotary"][21] < copying["rotary"][20] - 0.05


def test_a_probe_reads_what_the_words_say() -> None:
    values = {name: float(str(value)) for name, value in step_named("positions.probe").facts().items()}
    assert values["r2"] > 0.9
    assert 0.1 < values["untrained"] < values["r2"] - 0.2
    assert 0.1 < values["beyond"] < values["r2"] - 0.1


def test_a_stretched_model_does_what_the_words_say() -> None:
    assert N_INPUTS == edited_models.N_INPUTS
    ntk, pi = "rotary_ntk", "rotary_interpolation"
    values = step_named("positions.stretch").facts()
    past, trained = int(str(values["past"])), int(str(values["trained"]))
    assert copied(ntk, past) > copied("", past) + 0.5
    assert copied(pi, trained) < 0.5 < copied("", trained)
    for length in (5, 10, 15, 20):
        assert abs(copied(ntk, length) - copied("", length)) < edited_models.MIN_CHANGE
    for length in (30, 40):
        assert max(copied("", length), copied(ntk, length)) < 0.1


def test_weight_on_start_and_end_does_not_make_a_head_idle() -> None:
    values = step_named("heads.sink").facts()
    assert float(str(values["cost"])) >= float(str(values["all"]))


def test_the_mean_of_a_layer_aligns_better_than_each_head() -> None:
    rates = alignment_errors(DEFAULT_TRANSLATOR).query("part == 'all' and step == 'output' and weighing == 'weights'")
    is_mean = rates["head"] == 0
    assert rates[is_mean].error.min() < rates[~is_mean].error.min() < 0.5


def test_one_verb_replaces_the_lost_words_and_the_negation() -> None:
    values = answer_of(step_named("heads.off")).values
    whole, without = (re.findall(r"\w+", str(values[name])) for name in ("whole", "without"))
    assert len({*without} - {*whole}) == 1
    assert [bool(NEGATION.search(str(values[name]))) for name in ("whole", "without")] == [True, False]


def test_order_decides_how_many_heads_can_go() -> None:
    values = {name: int(str(value)) for name, value in step_named("heads.idle").facts().items()}
    assert 0 < values["left"] < values["right"] <= values["all"]
    assert losses_alone("zero")["encoder", 2].max() > 1


def test_few_heads_matter_much() -> None:
    losses = losses_alone("zero")
    assert (losses > 1).sum() < len(losses) / 3
    assert (losses <= 0).sum() < len(losses) / 2


def test_a_mean_helps_some_heads_and_not_most() -> None:
    zero, mean = losses_alone("zero"), losses_alone("mean")
    assert (mean != zero).all()
    assert abs(zero.mean() - mean.mean()) < 0.1 * zero.mean()


def test_a_token_needs_another_word_than_attention_says_as_the_finding_has_it() -> None:
    answer, step = answer_of(step_named("heads.explain")), 9
    finding = json.loads(STORED.read_text(encoding="utf-8"))["misleads"]["values"]
    assert [answer.values["token"], answer.values["attended"], answer.right] == ["das", "that", "book"]
    assert [finding[name] for name in ("token", "seen", "needed")] == ["das", "that", "book"]
    # The change is that of the log-probability itself: above zero for a rise.
    loaded, translation = translator(DEFAULT_TRANSLATOR), translated(BROTHER, DecodingChoice()).translation
    source, target = loaded.tokenizer.ids(translation.source.pieces), translation.hypotheses[0].tokens
    without = [token for token, piece in zip(source, translation.source.pieces, strict=True) if piece != "▁that"]
    read = torch.tensor([[loaded.model.config.bos_id, *target[: step - 1]]])
    with torch.inference_mode():
        whole, left = (
            float(loaded.model(torch.tensor([ids]), read)[0, -1].log_softmax(-1)[target[step - 1]])
            for ids in (source, without)
        )
    assert math.isclose(float(str(answer.values["of_attended"])), left - whole, abs_tol=0.006)
    assert str(answer.values["of_attended"]).startswith("+")


def test_where_a_head_looks_decides_for_some_tokens() -> None:
    whole, alike = translated(ANIMAL, DecodingChoice()).translation, looking(None)
    assert alike.text == whole.text
    after, before = (sum(translation.hypotheses[0].log_probabilities) for translation in (alike, whole))
    assert after < before
    values = step_named("heads.edit").facts()
    assert 0 < int(str(values["lost"])) < int(str(values["tokens"]))


@IN_EACH_LANGUAGE
@LABS
def test_the_key_promises_no_good_answer_where_there_is_none(lab: Lab, reading: str) -> None:
    with in_language(reading):
        promise = TEXT["key good"].format(answer="").strip()
        assert promise not in [line.strip() for line in key_of(lab).splitlines()]


@STEPS
def test_heads_have_the_names_of_the_reader_s_language(step: LabStep) -> None:
    shown = step.text + step.good_answer
    with in_language("ja"):
        assert not re.search(r"(Encoder|Decoder|Cross) \d", step.text + step.good_answer), shown


def test_the_words_name_the_block_after_which_the_article_leads() -> None:
    assert leading_block()[1] == "feed_forward"


def test_a_circuit_is_traced_as_its_words_claim() -> None:
    values = answer_of(next(step for step in labs()[3].steps if step.key == "trust")).values
    # Needed in the whole, though this word just stays; and not enough.
    assert values["off_word"] == without_heads()["clean_word"]
    assert values["only_word"] != values["off_word"]
    left = [without_heads()[f"{name}_{end}"] for name in ("clean", "corrupted") for end in ("one", "two")]
    assert not any(str(value).startswith("\N{MINUS SIGN}") for value in left)


def test_a_step_of_the_printed_lab_does_not_answer_an_earlier_one() -> None:
    block, _ = leading_block()
    assert f"FFN {block}" not in lab_sheet(labs()[3], 4, "http://host/read-along")


def test_an_answer_that_is_a_known_mistake_says_which() -> None:
    answer = Answer(4.0, within=0.01, mistakes=(16, 2))
    assert answer.accepts(4.03)
    assert [answer.mistake(given) for given in (16.1, 2, 5)] == [0, 1, None]
    words = Answer("b", options=("a", "b"), mistakes=("a",))
    assert words.mistake("a") == 0


def test_the_command_writes_the_key_of_one_lab_in_a_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["course", "key", "by-hand", "--language", "ja"])
    main()
    written = capsys.readouterr().out
    with in_language("ja"):
        assert written == key_of(labs()[0])


def test_the_command_names_the_labs_where_there_is_no_such_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["course", "key", "by-foot"])
    with pytest.raises(SystemExit):
        main()
    assert "by-hand" in capsys.readouterr().err
