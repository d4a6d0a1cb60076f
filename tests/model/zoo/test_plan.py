"""The plan of the zoo: what it covers, and how it is narrowed."""

from model.tasks import length_tasks
from model.zoo.plan import Run, planned


def test_the_plan_covers_what_the_comparison_needs() -> None:
    runs = planned()
    assert len({run.name for run in runs}) == len(runs)
    for seed in (1, 2, 3):
        complete = [
            task
            for task in length_tasks()
            if len({run.encoding for run in runs if run.task == task and run.seed == seed}) >= 10
        ]
        assert len(complete) >= 8
    assert {run.task for run in runs} == set(length_tasks())
    assert Run.from_json(runs[0].to_json()) == runs[0]


def test_changes_of_the_recipe_reach_every_run() -> None:
    assert {run.recipe.n_steps for run in planned(n_steps=7)} == {7}
    assert len({run.recipe.n_steps for run in planned()}) > 1


def test_the_plan_can_be_narrowed_and_widened_by_name() -> None:
    names = [run.name for run in planned(["parity_scratchpad"], ["cope", "fire"], [2])]
    assert sorted(names) == ["parity_scratchpad-cope-seed2", "parity_scratchpad-fire-seed2"]
    assert [run.name for run in planned(["reverse_coupled"], ["t5"], [7])] == ["reverse_coupled-t5-seed7"]
