"""The page of results says what its claims say of what ships, and names files that are there."""

import re
from pathlib import Path

import pytest

from benchmarks.results import DOCUMENT, RESULTS, Result, document
from model.training.plan import read_plan
from model.zoo.plan import AS_PUBLISHED
from pretrained.zoo import zoo_results

ROOT = Path(__file__).parents[2]


def test_the_page_is_what_the_command_writes() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document()


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.title)
def test_a_result_holds_and_names_its_files(result: Result) -> None:
    assert all((ROOT / name).is_file() for name in (*result.data, result.source))
    assert next(iter(result.claims.values()))().holds
    assert "glossary#" not in result.sentences()


def test_the_commands_named_train_every_run_that_is_compared_with_path() -> None:
    plans = [ROOT / name for command in RESULTS[0].commands for name in re.findall(r"\S+[.]toml", command)]
    results = zoo_results()
    on_its_tasks = results[results.task.isin(results[results.encoding == "path"].task)]
    compared = on_its_tasks[~on_its_tasks.encoding.isin(AS_PUBLISHED)]
    trained = {(run.task, run.encoding, run.seed) for plan in plans for run in read_plan(plan).runs}
    columns = ["task", "encoding", "seed"]
    assert {tuple(row) for row in compared[columns].drop_duplicates().itertuples(index=False)} <= trained
