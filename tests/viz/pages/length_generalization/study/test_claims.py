"""What the page of one task says of its trained length follows from the results."""

import pandas as pd
import pytest

from viz.base.claims import Names
from viz.pages.length_generalization.accuracy import measured
from viz.pages.length_generalization.cliff import past_sentence
from viz.pages.length_generalization.study.claims import first_by_family, past_training
from viz.pages.length_generalization.study.ranking import Score


def results(trained: dict[str, float], past: dict[str, float], task: str = "reverse") -> pd.DataFrame:
    """Return results of two seeds of each encoding at its trained length of 20, and at 38 and 80."""
    return pd.DataFrame(
        {
            **{"task": task, "encoding": encoding, "seed": seed, "checkpoint": "best", "longest_trained": 20, "n": 200},
            "length": length,
            "exact_match": value,
            "validation_exact_match": trained.get(encoding, 1.0),
        }
        for encoding in past
        for seed in (1, 2)
        for length, value in ((20, trained.get(encoding, 1.0)), (38, past[encoding]), (80, 0.0))
    )


def test_the_best_and_who_fails_are_counted_near_twice_the_trained_length() -> None:
    past = {"none": 0.9, "rotary": 0.1, "alibi": 0.4, "t5": 0.95}
    claim = past_training(results({"t5": 0.2}, past), "reverse")
    assert claim.values["best"] == Names("encoding", ("none",))
    counts = {key: claim.values[key] for key in ("length", "fallen", "n", "most")}
    assert counts == {"length": 38, "fallen": 2, "n": 3, "most": pytest.approx(0.9)}
    assert claim.holds


def test_where_most_hold_on_it_says_so_and_names_all_that_tie() -> None:
    claim = past_training(results({}, {"none": 1.0, "rotary": 0.1, "alibi": 1.0}), "reverse")
    assert not claim.holds
    assert claim.values["best"] == Names("encoding", ("none", "alibi"))


def test_what_guessing_gets_is_no_success() -> None:
    claim = past_training(results({}, {"none": 0.7, "rotary": 0.5}, "parity"), "parity")
    assert (claim.holds, claim.values["least"]) == (True, 0.75)


@pytest.mark.parametrize(
    ("trained", "words"),
    [
        ({"none": 0.2}, "T5 bias learned the task"),
        ({"none": 0.2, "t5": 0.9}, "No encoding learned the task"),
        ({}, "2 of 2 encodings learned the task"),
    ],
)
def test_what_too_few_learned_is_not_said_as_a_comparison(trained: dict[str, float], words: str) -> None:
    sentence = past_sentence(past_training(results(trained, {"none": 0.5, "t5": 0.6}), "reverse"))
    assert words in sentence
    assert "up to 20 letters" in sentence


@pytest.mark.parametrize(("trained", "drawn"), [({}, 3), ({"t5": 0.2}, 2), ({"t5": 0.2, "none": 0.2}, 3)])
def test_where_fewer_than_two_learned_all_are_drawn(trained: dict[str, float], drawn: int) -> None:
    of_task = measured(results(trained, {"none": 0.9, "rotary": 0.9, "t5": 0.9}), "reverse")
    assert len(of_task.compared) == drawn


def test_a_lead_that_is_shared_is_no_lead_of_its_own() -> None:
    first, second = Score({1: 0.9, 2: 0.9}), Score({1: 0.1, 2: 0.1})
    alone, shared = {"path": first, "fox": second}, {"path": first, "fox": first}
    claim = first_by_family({"reverse": alone, "sort": shared})
    assert not claim.holds
    assert claim.values["led"] == Names("family", ("position",))
    assert claim.values["leaders"] == Names("encoding", ("path", "fox"))
    assert first_by_family({"reverse": alone, "sort": alone}).holds
