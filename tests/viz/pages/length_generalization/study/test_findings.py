import pandas as pd
import pytest

from viz.pages.length_generalization.study.findings import CheckedClaim, findings

Run = tuple[str, str, int]


def found(runs: dict[Run, dict[int, float]], name: str, *, trained: float = 1.0) -> CheckedClaim:
    """Return the finding ``name`` of ``runs``, which reach these exact matches past training and ``trained`` in it."""
    rows = [
        (*run, "best", length, 26, value, 20)
        for run, values in runs.items()
        for length, value in {10: trained, 20: trained, **values}.items()
    ]
    columns = ["task", "encoding", "seed", "checkpoint", "length", "n", "exact_match", "longest_trained"]
    results = pd.DataFrame(rows, columns=columns).assign(validation_exact_match=trained)
    return next(entry for entry in findings(results) if entry.name == name)


def repeat(encoding: str, *seeds: dict[int, float]) -> dict[Run, dict[int, float]]:
    return {("copy_repeat", encoding, number): values for number, values in enumerate(seeds, 1)}


def test_without_results_nothing_is_measured_and_the_paper_s_numbers_are_there() -> None:
    claims = findings(pd.DataFrame())
    assert {claim.verdict for claim in claims} == {"not measured"}
    assert next(claim for claim in claims if claim.name == "repeat none").published == {"none": 0.986}
    assert next(claim for claim in claims if claim.name == "repeat learned").published == {}


@pytest.mark.parametrize(
    ("at_40", "verdict"),
    [((0.95, 0.9), "holds"), ((0.95, 0.6), "holds in part"), ((0.5, 0.6), "does not hold")],
)
def test_none_repeats_a_letter_forty_times_if_every_seed_does(at_40: tuple[float, ...], verdict: str) -> None:
    claim = found(repeat("none", *({40: value} for value in at_40)), "repeat none")
    assert claim.verdict == verdict
    assert [seen.value for seen in claim.seeds.values()] == list(at_40)


def test_the_best_length_past_training_tells_whether_an_encoding_answers_nothing_there() -> None:
    assert found(repeat("learned", {21: 0.0, 40: 0.04}), "repeat learned").verdict == "holds"
    claim = found(repeat("learned", {21: 0.3, 40: 0.0}), "repeat learned")
    assert (claim.verdict, claim.seeds[1].value) == ("does not hold", 0.3)


def test_alibi_has_fallen_where_it_is_below_one_half() -> None:
    assert found(repeat("alibi", {21: 1.0, 32: 0.4}), "repeat alibi").verdict == "holds"
    assert found(repeat("alibi", {21: 1.0, 32: 0.5}), "repeat alibi").verdict == "does not hold"


def test_reverse_falls_for_all_only_if_the_best_encoding_falls() -> None:
    runs = {("reverse", "none", 1): {30: 0.1}, ("reverse", "t5", 1): {30: 0.4}}
    claim = found(runs, "reverse all")
    assert (claim.verdict, claim.seeds[1].encoding, claim.seeds[1].n_encodings) == ("holds", "t5", 2)
    assert found({**runs, ("reverse", "alibi", 1): {30: 0.6}}, "reverse all").verdict == "does not hold"
    # An encoding that the paper did not compare decides nothing.
    assert found({**runs, ("reverse", "path", 1): {30: 0.9}}, "reverse all").verdict == "holds"


def test_copying_is_led_by_none_unless_another_one_of_the_paper_s_does_better() -> None:
    def copies(**values: float) -> dict[Run, dict[int, float]]:
        return {("copy_letters", name, 1): {21: value, 40: value} for name, value in values.items()}

    claim = found(copies(none=0.3, t5=0.4, alibi=0.2), "copy none")
    assert (claim.verdict, claim.seeds[1].rival) == ("holds", "t5")
    assert found(copies(none=0.3, t5=0.3), "copy none").verdict == "does not hold"
    # An encoding that the paper did not compare decides nothing, and without a rival nothing is decided.
    assert found(copies(none=0.3, fire=0.9), "copy none").verdict == "not measured"


def test_a_run_that_did_not_learn_its_task_shows_nothing() -> None:
    assert found(repeat("alibi", {32: 0.0}), "repeat alibi", trained=0.9).verdict == "not measured"
