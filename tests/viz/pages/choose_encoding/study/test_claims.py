"""What the page says of an encoding follows from the results: other results, other sentences."""

import pandas as pd
import pytest

from viz.base.claims import Names
from viz.pages.choose_encoding.study.claims import (
    NOPE,
    ROPE,
    ahead,
    beyond_both,
    cost_of_first,
    default_choice,
    default_past_training,
    first,
    joining_helps,
    once,
    path_copies,
    quarter,
    rotary_translates,
    shaw_is_behind,
)
from viz.pages.choose_encoding.study.evidence import TRANSLATORS, by_task, cost

PAST = {"none": (0.6, 0.7), "rotary": (0.1, 0.2), "path": (0.9, 0.95), "fox": (0.3, 0.4)}


def results(past: dict[str, tuple[float, ...]], *tasks: str, trained: float = 1.0) -> pd.DataFrame:
    """Return results in which the seeds of each encoding reach the same past training on every task."""
    return pd.DataFrame(
        {
            **{"task": task, "encoding": encoding, "seed": seed, "checkpoint": "best", "longest_trained": 20, "n": 100},
            "length": length,
            "exact_match": value if length > 20 else trained,
            "validation_exact_match": trained,
        }
        for task in tasks
        for encoding, values in past.items()
        for seed, value in enumerate(values, start=1)
        for length in (20, 21, 40)
    )


def named(claim: object, value: str) -> tuple[str, ...]:
    names = claim.values[value]  # type: ignore[attr-defined]
    assert isinstance(names, Names)
    return names.names


def test_a_first_place_is_sure_only_where_no_other_range_meets_it() -> None:
    apart = first(by_task(results(PAST, "reverse"), "position")["reverse"])
    assert (apart.holds, named(apart, "first")) == (True, ("path",))
    near = first(by_task(results({**PAST, "path": (0.65, 0.95)}, "reverse"), "position")["reverse"])
    assert (near.holds, named(near, "others")) == (False, ("none",))


def test_who_is_ahead_turns_round_with_the_results() -> None:
    assert named(ahead(results(PAST, "copy_letters", "reverse"), NOPE, ROPE), "tasks") == ("copy_letters", "reverse")
    turned = results({**PAST, "none": (0.1, 0.2), "rotary": (0.6, 0.7)}, "copy_letters")
    assert not ahead(turned, NOPE, ROPE).holds
    assert ahead(turned, ROPE, NOPE).holds
    assert not ahead(results({**PAST, "none": (0.21, 0.21), "rotary": (0.2, 0.2)}, "copy_letters"), NOPE, ROPE).holds


def test_what_has_not_learned_a_task_beats_nobody() -> None:
    assert named(beyond_both(results(PAST, "copy_letters")), "best") == ("path",)
    assert not beyond_both(results(PAST, "copy_letters", trained=0.9)).holds


def test_path_copies_less_far_only_where_another_copies_further() -> None:
    rows = pd.concat([results(PAST, "reverse"), results({**PAST, "fox": (0.97, 0.99)}, "copy_letters")])
    claim = path_copies(rows)
    assert named(claim, "further") == ("fox",)
    assert claim.values["others"] == len(PAST) - 1
    assert (claim.values["low"], claim.values["high"]) == pytest.approx(PAST["path"])
    assert not path_copies(results(PAST, "reverse", "copy_letters")).holds


def test_rotary_of_a_quarter_is_compared_apart() -> None:
    past = {"none": (0.6, 0.7), "rotary_25": (0.1, 0.2), "rotary": (0.1, 0.2)}
    turned = {"none": (0.1, 0.2), "rotary_25": (0.6, 0.7), "rotary": (0.1, 0.2)}
    unlearned = results(past, "parity")
    is_unlearned = (unlearned.encoding == "rotary_25") & (unlearned.length <= 20)
    unlearned = unlearned.assign(exact_match=unlearned.exact_match.where(~is_unlearned, 0.5))
    claim = quarter(pd.concat([results(past, "copy_letters"), results(turned, "reverse"), unlearned]))
    assert claim.holds
    assert named(claim, "none") == ("copy_letters",)
    assert named(claim, "rotary") == ("reverse",)
    assert named(claim, "alone") == ("parity",)
    assert named(claim, "further") == ("reverse",)
    assert named(claim, "unlearned") == ("parity",)
    assert not quarter(results(past, "copy_letters", "reverse")).holds


def test_a_quarter_that_is_behind_full_rotary_somewhere_goes_no_further() -> None:
    past = {"none": (0.6, 0.7), "rotary_25": (0.1, 0.2), "rotary": (0.5, 0.6)}
    turned = {"none": (0.1, 0.2), "rotary_25": (0.6, 0.7), "rotary": (0.1, 0.2)}
    assert not quarter(pd.concat([results(past, "copy_letters"), results(turned, "reverse")])).holds


def test_equal_work_measured_once_shows_what_a_difference_is_worth() -> None:
    costs = pd.DataFrame({"encoding": ["none", "drope", "path"], "read_milliseconds": [55.0, 66.0, 90.0]})
    claim = once(cost(costs, "read_milliseconds"))
    assert claim.holds
    assert claim.values["share"] == pytest.approx(0.2)
    assert not once(cost(costs[1:], "read_milliseconds")).holds


def longer(bleu: dict[str, tuple[float, float, float]]) -> pd.DataFrame:
    """Return results of translators trained to 12 words: ``bleu`` at 10 to 12, 13 to 18 and 19 to 24 words."""
    sets = (("whole", 10, 12), ("whole", 13, 18), ("whole", 19, 24), ("joined", 13, 18), ("joined", 19, 24))
    places = {10: 0, 13: 1, 19: 2}
    return pd.DataFrame(
        {
            **{"variant": variant, "seed": seed, "kind": kind, "shortest": low, "longest": high, "trained_to": 12},
            "bleu": values[places[low]] + 0.1 * seed + (10 if (variant, kind) == ("joined", "joined") else 0),
        }
        for variant, values in bleu.items()
        for seed in (1, 2)
        for kind, low, high in sets
    )


def test_rotary_translates_better_only_where_it_does_so_at_trained_lengths_too() -> None:
    rows = {"none": (20.0, 15.0, 10.0), "rotary": (30.0, 25.0, 20.0)}
    assert rotary_translates(longer(rows)).holds
    assert not rotary_translates(longer({**rows, "none": (31.0, 15.0, 10.0)})).holds


def test_joined_training_is_ahead_on_long_captions_from_some_length_on() -> None:
    rows = {"rotary": (30.0, 25.0, 15.0), "joined": (30.0, 24.0, 20.0)}
    claim = joining_helps(longer(rows))
    assert (claim.holds, claim.values["ahead_from"]) == (True, 19)
    assert not joining_helps(longer({**rows, "joined": (30.0, 24.0, 10.0)})).holds


def test_shaw_departs_from_the_paper_only_where_it_needs_more_bits() -> None:
    def row(name: str, mem_len: int, bits: float) -> dict[str, object]:
        reading = {"kind": "BySegments", "mem_len": mem_len}
        training = {"data": {"mem_len": mem_len}}
        own = {"name": name, "part": "test", "seed": 1, "bits_per_character": bits}
        return {**own, "reading": reading, "training": training}

    assert shaw_is_behind([row("shaw", 128, 2.0), row("no_recurrence", 0, 1.9)]).holds
    assert not shaw_is_behind([row("shaw", 128, 1.8), row("no_recurrence", 0, 1.9)]).holds


def translated(**bleu: tuple[float, ...]) -> pd.DataFrame:
    return pd.DataFrame(
        {"variant": TRANSLATORS[name], "seed": seed, "checkpoint": "best", "sacrebleu": value}
        for name, values in bleu.items()
        for seed, value in enumerate(values)
    )


def costing(**milliseconds: float) -> pd.DataFrame:
    return pd.DataFrame({"encoding": milliseconds.keys(), "read_milliseconds": milliseconds.values(), "n_tokens": 512})


def test_the_default_is_the_fastest_widely_used_encoding_among_the_best() -> None:
    bleu = {"none": (37.5, 38.0), "rotary": (37.0, 38.0), "t5": (37.0, 37.6), "sinusoidal": (30.0, 31.0)}
    times = {"none": 1.0, "sinusoidal": 2.0, "rotary": 4.0, "t5": 3.0}
    slower = default_choice(translated(**bleu), costing(**times))
    assert (named(slower, "encoding"), named(slower, "near")) == (("t5",), ("rotary", "t5"))
    assert named(default_choice(translated(**bleu), costing(**times | {"t5": 5.0})), "encoding") == ("rotary",)
    assert not default_choice(pd.DataFrame(), costing(**times)).holds
    assert not default_choice(translated(**bleu), pd.DataFrame()).holds


@pytest.mark.parametrize(("rotary", "is_worse"), [((0.1, 0.2), True), ((0.9, 0.95), False)])
def test_the_default_is_not_for_longer_inputs_only_where_it_is_worse_there(
    rotary: tuple[float, float], is_worse: bool
) -> None:
    measured = results({**PAST, "rotary": rotary}, "copy_letters", "reverse")
    past = default_past_training(translated(rotary=(37.0, 38.0)), costing(rotary=4.0), measured)
    assert past.holds == is_worse


def test_the_first_on_longer_inputs_costs_more_only_where_another_as_good_is_faster() -> None:
    measured = results({**PAST, "none": (0.9, 0.95)}, "copy_letters", "reverse")
    others = {"rotary": 1.0, "fox": 1.0}
    times = ({"none": 5.0, "path": 50.0}, {"none": 50.0, "path": 5.0})
    claims = [cost_of_first(measured, costing(**others, **own)) for own in times]
    assert sorted(claim.holds for claim in claims) == [False, True]
    held = next(claim for claim in claims if claim.holds)
    assert held.values["time"] > held.values["other_time"]
    assert not cost_of_first(measured, pd.DataFrame()).holds
