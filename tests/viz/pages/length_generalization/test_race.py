"""The sentences of the race: what a visitor reads about an input that a task refuses."""

import re

import pytest

from model.tasks import Task, TaskInputError, registered
from viz.pages.length_generalization.race import refusal


@pytest.fixture(params=registered().values(), ids=lambda task: task.description.name)
def task(request: pytest.FixtureRequest) -> Task:
    return request.param


def sentence(task: Task, text: str) -> str:
    with pytest.raises(TaskInputError) as caught:
        task.parse(text)
    return refusal(task, caught.value)


def test_nothing_is_refused_with_what_to_give(task: Task) -> None:
    assert re.search(r"^Nothing was given; .* takes .*, for example .+$", sentence(task, " \n"))


@pytest.mark.parametrize("symbol", ["é", "<eos>", "§", "\u200b"])
def test_what_is_outside_the_alphabet_is_refused_by_name(task: Task, symbol: str) -> None:
    text = sentence(task, f"{symbol} {task.description.example}")
    assert re.search(r"^'.+' is not for .*; it takes .*, for example .+$", text)


def test_ten_thousand_symbols_get_one_short_sentence(task: Task) -> None:
    for token in task.description.alphabet[:2]:
        text = sentence(task, task.join((token,) * 10_000))
        assert re.search(r"were given; .* takes at most \d+: leave some out$|is no input; .* takes ", text)
        assert len(text) < 400
        assert "\n" not in text


def test_every_other_mistake_has_its_sentence() -> None:
    pcfg = registered()["pcfg"]
    assert (
        sentence(pcfg, "repeat repeat repeat repeat A B C D")
        == "The answer would have 64 letters; PCFG takes what gives at most 40: leave some out"
    )
    assert refusal(pcfg, TaskInputError("no such length", length=0)) == "PCFG has no input of 0 functions"
    assert (
        sentence(registered()["copy_repeat"], "aab")
        == "'aab' is no input; Copy one repeated letter takes one letter, repeated, for example aaaa"
    )
