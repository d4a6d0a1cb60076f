"""What the page says of an encoding follows from the results: other results, other sentences."""

import pandas as pd

from viz.base.claims import Names
from viz.pages.choose_encoding.study.claims import NOPE, ROPE, ahead, beyond_both, first, path_copies
from viz.pages.choose_encoding.study.evidence import by_task

PAST = {"none": (0.6, 0.7), "rotary": (0.1, 0.2), "path": (0.9, 0.95), "fox": (0.3, 0.4)}


def results(past: dict[str, tuple[float, ...]], *tasks: str, trained: float = 1.0) -> pd.DataFrame:
    """Return results in which the seeds of each encoding reach the same past training on every task."""
    return pd.DataFrame(
        {
            **{"task": task, "encoding": encoding, "seed": seed, "checkpoint": "best", "longest_trained": 20, "n": 100},
            "length": length,
            "exact_match": value if length > 20 else trained,
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
    assert named(path_copies(rows), "further") == ("fox",)
    assert not path_copies(results(PAST, "reverse", "copy_letters")).holds
