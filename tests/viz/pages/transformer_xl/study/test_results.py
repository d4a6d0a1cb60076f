"""Results are read as they were measured, lengths follow from losses, and the paper's numbers are whole."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from model.analysis.losses.effective_context import effective_contexts
from pretrained.language_models import effective_context_losses, language_model_results
from tests.fixtures.language_models import publish_measurements
from viz.pages.transformer_xl.names import in_order, model_number, model_title
from viz.pages.transformer_xl.study.context import (
    ContextLosses,
    by_step,
    context_losses,
    context_pays,
    lengths,
    seeds_apart,
)
from viz.pages.transformer_xl.study.paper import paper
from viz.pages.transformer_xl.study.results import (
    bits_by_memory,
    bits_by_position,
    bits_through_windows,
    blind,
    evaluations,
    faster_with_memory,
    memory_saves,
    worth_at_beginning,
)


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    publish_measurements(tmp_path)
    return tmp_path


def test_what_was_read_through_a_window_is_kept_apart(measured: Path) -> None:
    results = language_model_results(measured)
    plain = results[0]
    windowed = [
        {**plain, "reading": {"kind": "ThroughWindow", "window": 5}, "n_counted": n, "bits_per_character": bits}
        for n, bits in ((20, 1.5), (10, 9.0))
    ]
    assert bits_through_windows([plain, *windowed]) == {plain["name"]: {plain["seed"]: {5: 1.5}}}
    assert evaluations([*results, *windowed]) == evaluations(results)


@pytest.mark.parametrize(("through_window", "holds"), [(1.8, True), (2.2, False)])
def test_beginning_blind_costs_most_only_where_a_window_brings_most_back(
    measured: Path, through_window: float, holds: bool
) -> None:
    results = language_model_results(measured)
    plain = next(one for one in results if one["name"] == "no_recurrence")
    windowed = {**plain, "reading": {"kind": "ThroughWindow", "window": 5}, "bits_per_character": through_window}
    assert blind([*results, windowed]).holds == holds
    assert not blind(results).holds


def test_the_longer_reading_counts(measured: Path) -> None:
    plain = language_model_results(measured)[0]
    (found,) = evaluations([plain, {**plain, "n_counted": 10, "bits_per_character": 9.0}])
    assert found.bits == plain["bits_per_character"]


def test_positions_are_means_over_the_seeds(measured: Path) -> None:
    found = evaluations(language_model_results(measured))
    bits = bits_by_position(found, "transformer_xl", 0)
    assert bits is not None
    rows = [one.by_position for one in found if (one.name, one.mem_len) == ("transformer_xl", 0)]
    np.testing.assert_allclose(bits, (np.array(rows[0]) + np.array(rows[1])) / 2)
    assert bits_by_position(found, "transformer_xl", 7) is None
    assert bits_by_memory(found)["no_recurrence"] == {1: {0: pytest.approx(2.3)}}


def test_lengths_are_those_of_the_model_s_own_code(measured: Path) -> None:
    found = context_losses(effective_context_losses(measured)[0])
    assert found.runs == (("no_recurrence", 1), ("transformer_xl", 1), ("transformer_xl", 2))
    assert found.contexts == (8, 16, 24, 32)
    assert found.steps == (8, 16, 24)
    wanted = effective_contexts(found.losses, found.contexts, hardest=0.5)
    assert list(lengths(found, hardest=0.5, step=8).values()) == list(wanted)
    assert found.taken_by(16) == (8, 24)
    coarse = effective_contexts(found.losses[[0, 2]], (8, 24), hardest=0.5)
    assert list(lengths(found, hardest=0.5, step=16).values()) == list(coarse)


def test_losses_stand_where_the_table_says(measured: Path) -> None:
    table = effective_context_losses(measured)[0].sample(frac=1, random_state=0)
    found: ContextLosses = context_losses(table)
    row = table.iloc[0]
    run = found.runs.index((row["name"], row["seed"]))
    assert found.losses[found.contexts.index(row["context"]), run, row["place"]] == pytest.approx(row["loss"])


def test_small_steps_are_taken_where_they_were_measured_and_others_where_most_runs_were() -> None:
    fine = ContextLosses((8, 16, 24, 32), (("a", 1),), np.zeros((4, 1, 5)))
    coarse = ContextLosses((16, 32, 48), (("a", 1), ("b", 1)), np.zeros((3, 2, 5)))
    assert list(by_step([coarse, fine]).items()) == [(8, fine), (16, coarse), (32, coarse)]
    assert list(by_step([coarse])) == [16, 32]
    assert not by_step([])


def test_seeds_that_reach_the_same_length_are_not_said_to_differ() -> None:
    losses = np.linspace(3, 1, 3)[:, None, None] * np.ones((3, 2, 4))
    assert not seeds_apart(ContextLosses((64, 128, 192), (("a", 1), ("a", 2)), losses)).holds


def test_losses_with_a_gap_are_refused(measured: Path) -> None:
    (table,) = effective_context_losses(measured)
    with pytest.raises(ValueError, match="every run at every context"):
        context_losses(table.iloc[1:])
    with pytest.raises(ValueError, match="every run at every context"):
        context_losses(table[table["context"] == 8])
    with pytest.raises(KeyError):
        context_losses(pd.DataFrame({"loss": [1.0]}))


def test_the_paper_s_counterparts_are_ours() -> None:
    models = paper().models
    ours = [one for one in models if one.name in {"transformer_xl", "shaw", "no_recurrence", "absolute"}]
    assert len(ours) == 5
    assert all(list(one.lengths) == [0.1, 0.5, 1.0] for one in models)
    assert all(sorted(one.lengths.values(), reverse=True) == list(one.lengths.values()) for one in models)
    assert sorted(paper().slowdown) == list(paper().slowdown)


def test_names_keep_their_look() -> None:
    assert model_number("transformer_xl") == 0
    assert model_title("no_recurrence") == "Trained without memory"
    assert model_title("mine") == "mine"
    assert in_order({"mine", "absolute", "transformer_xl"}) == ["transformer_xl", "absolute", "mine"]


def test_what_memory_saves_is_counted_from_the_model_trained_without(measured: Path) -> None:
    results = language_model_results(measured)
    saves = memory_saves(results)
    assert saves.holds
    assert saves.values["saved"] == pytest.approx(2.3 - 1.693, abs=1e-3)
    worse = [one | {"bits_per_character": 5.0} if one["name"] == "transformer_xl" else one for one in results]
    assert saves.values["emptied"] == pytest.approx(
        np.mean([one.bits for one in evaluations(results) if (one.name, one.mem_len) == ("transformer_xl", 0)])
    )
    assert not memory_saves(worse).holds
    assert not memory_saves([one for one in results if one["name"] == "transformer_xl"]).holds


def test_a_memory_is_compared_at_the_longest_context_and_only_where_it_is_faster() -> None:
    times = {"memory": 1.0, "window": 40.0, "window_absolute": 8.0}
    rows = [{"context": 512, **times}, {"context": 256, **times, "window": 20.0}]
    assert faster_with_memory({"milliseconds_per_character": rows}).values == {"context": 512, "times": 8, "same": 40}
    assert not faster_with_memory({"milliseconds_per_character": [rows[0] | {"window_absolute": 0.5}]}).holds
    assert not faster_with_memory({}).holds


def test_context_pays_further_with_a_memory_only_where_it_does() -> None:
    runs = (("no_recurrence", 1), ("transformer_xl", 1))
    flat, falling = np.ones((3, 8)), np.array([1.0, 0.7, 0.5])[:, None].repeat(8, axis=1)
    found = ContextLosses((8, 16, 24), runs, np.stack([flat, falling], axis=1))
    assert context_pays(found).holds
    assert not context_pays(ContextLosses((8, 16, 24), runs, np.stack([falling, flat], axis=1))).holds
    assert not context_pays(ContextLosses((8, 16, 24), runs[:1], flat[:, None])).holds


@pytest.mark.parametrize(("without", "holds"), [((3.0, 2.0), True), ((2.0, 3.0), False)])
def test_a_memory_is_worth_most_at_the_beginning_where_its_lead_is_largest_there(
    measured: Path, without: tuple[float, float], holds: bool
) -> None:
    plain = evaluations(language_model_results(measured))[0]
    of_memory = replace(plain, name="transformer_xl", mem_len=5, trained_mem_len=5, by_position=(1.5, 1.5))
    of_none = replace(plain, name="no_recurrence", mem_len=0, by_position=without)
    claim = worth_at_beginning((of_memory, of_none))
    assert claim.holds == holds
    assert (claim.values["with_memory"], claim.values["without"], claim.values["n"]) == (1.5, without[0], 2)
    assert not worth_at_beginning((of_memory,)).holds
