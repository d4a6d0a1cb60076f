"""The measurements that bear on the choice of an encoding, gathered from made-up files."""

from functools import partial

import pandas as pd
import pytest

from viz.pages.choose_encoding.study.evidence import (
    Evidence,
    by_task,
    cost,
    long_sentences,
    longer_inputs,
    past_training,
    streams,
    translation,
    unlearned_tasks,
)


def run(encoding: str, task: str, seed: int, far: float, trained: float = 1.0) -> list[dict[str, object]]:
    of_run = {"encoding": encoding, "task": task, "seed": seed, "checkpoint": "best", "validation_exact_match": trained}
    return [
        of_run | {"length": length, "exact_match": value, "n": 100, "longest_trained": 20}
        for length, value in ((20, trained), (21, far), (40, far))
    ]


def test_only_encodings_with_every_task_are_compared_by_their_lengths_past_training() -> None:
    rows = [*run("none", "reverse", 1, 0.5), *run("none", "copy_letters", 1, 0.25), *run("t5", "reverse", 1, 1.0)]
    (found,) = past_training(pd.DataFrame(rows), ["reverse", "copy_letters"]).items()
    assert found[0] == "none"
    assert {task: values.tolist() for task, values in found[1].items()} == {
        "reverse": [pytest.approx(0.5)],
        "copy_letters": [pytest.approx(0.25)],
    }


def test_a_need_for_longer_inputs_takes_families_and_marks_what_was_not_learned() -> None:
    rows = [
        row
        for encoding, far in (("none", 0.5), ("t5", 0.25), ("alibi", 0.1))
        for task in ("reverse", "copy_letters", "sort")
        for row in run(encoding, task, 1, far, 0.9 if (encoding, task) == ("none", "sort") else 1.0)
    ]
    found = longer_inputs(pd.DataFrame(rows))
    assert found.families == {"position": ("copy_letters", "reverse"), "order": ("sort",)}
    assert found.not_learned == {"none"}
    assert [row.name for row in found.judged] == ["t5", "alibi", "none"]


def test_published_forms_on_a_few_tasks_change_no_comparison() -> None:
    own = [row for task in ("reverse", "parity") for name in ("none", "path") for row in run(name, task, 1, 0.5)]
    with_published = pd.DataFrame([*own, *run("path_published", "reverse", 1, 1.0)])
    for read in (longer_inputs, unlearned_tasks, partial(by_task, family="position")):
        assert repr(read(with_published)) == repr(read(pd.DataFrame(own)))


def test_a_small_lead_of_exact_match_is_none_whatever_the_ranges() -> None:
    reached = {"none": (1.0, 1.0), "t5": (0.99, 0.99), "alibi": (0.9, 0.9)}
    rows = [
        row
        for name, far in reached.items()
        for seed, value in enumerate(far)
        for row in run(name, "reverse", seed, value)
    ]
    judged = by_task(pd.DataFrame(rows), "position")["reverse"].judged
    assert [row.may_be_best for row in judged] == [True, True, False]


def test_a_task_that_most_have_not_learned_is_left_out() -> None:
    rows = [
        row
        for encoding in ("none", "t5")
        for task in ("sort", "sum_mod_10")
        for row in run(encoding, task, 1, 0.5, 0.5 if task == "sum_mod_10" else 1.0)
    ]
    assert longer_inputs(pd.DataFrame(rows)).families == {"order": ("sort",)}
    assert unlearned_tasks(pd.DataFrame(rows)) == ("sum_mod_10",)


def reading(name: str, bits: float, *, mem_len: int, kind: str = "BySegments") -> dict[str, object]:
    trained = 128 if name == "transformer_xl" else 0
    return {
        **{"name": name, "seed": 1, "part": "test", "bits_per_character": bits},
        "training": {"data": {"mem_len": trained}},
        "reading": {"kind": kind} | ({"mem_len": mem_len} if kind == "BySegments" else {"window": 64}),
    }


def test_a_model_without_a_memory_is_read_in_segments_and_through_a_window() -> None:
    rows = [
        *(reading("transformer_xl", bits, mem_len=mem_len) for bits, mem_len in ((2.1, 0), (1.8, 128), (1.9, 512))),
        *(reading("absolute", bits, mem_len=mem_len) for bits, mem_len in ((2.0, 0), (1.5, 16))),
        reading("absolute", 1.7, mem_len=0, kind="ThroughWindow"),
        reading("another", 1.0, mem_len=0),
    ]
    assert seeds_of(streams(rows)) == {"transformer_xl": [1.8], "absolute": [2.0], "absolute window": [1.7]}


def test_long_sentences_are_joined_ones_of_up_to_twice_the_length_trained_on() -> None:
    rows = pd.DataFrame(
        {"variant": variant, "seed": seed, "kind": kind, "shortest": low, "longest": high, "bleu": bleu}
        for variant in ("shaw", "joined")
        for seed, change in ((1, 0.0), (2, 1.0))
        for kind, low, high, bleu in (
            *(("joined", 10, 12, 9.0), ("joined", 13, 15, 8.0 + change), ("joined", 19, 24, 6.0 + change)),
            *(("joined", 25, 36, 1.0), ("whole", 13, 15, 2.0)),
        )
    )
    found = long_sentences(rows.assign(trained_to=12))
    assert seeds_of(found) == {"shaw": [7.0, 8.0]}


def test_nothing_is_found_where_nothing_is_published() -> None:
    none = pd.DataFrame()
    every = (longer_inputs(none), translation(none), long_sentences(none), cost(none, "read_milliseconds"), streams([]))
    assert all(evidence.judged == () for evidence in every)
    assert past_training(none, ["reverse"]) == by_task(none, "position") == {}


def seeds_of(evidence: Evidence) -> dict[str, list[float]]:
    """Return what every seed reached of evidence on one thing."""
    return {name: next(iter(row.values())).tolist() for name, row in evidence.measured.items()}
