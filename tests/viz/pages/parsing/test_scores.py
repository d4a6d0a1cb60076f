"""What is told of the parser's scores, on both sides of each sentence."""

from viz.pages.parsing.study.scores import ahead_in_short, worth


def test_a_parser_that_is_ahead_everywhere_is_not_said_to_fall_behind() -> None:
    peer = {"f1_by_length": {"10": 70, "20": 60, "30": 60, "40": 50}}
    assert ahead_in_short({"f1_by_length": {"10": 80, "20": 60, "30": 60, "40": 40}}, peer).holds
    assert not ahead_in_short({"f1_by_length": {"10": 80, "20": 70, "30": 60, "40": 60}}, peer).holds


def test_what_lowers_f1_is_worth_nothing() -> None:
    scores = {"translator": {"f1": 32.0}, "nothing": {"f1": 23.0}, "tags": {"f1": 37.5}}
    assert worth(scores).values == {"encoder": "+9.0", "tags": "+5.5"}
    assert not worth(scores | {"tags": {"f1": 30.0}}).holds
