"""Effective context lengths by a command: losses of all models at the same characters, and lengths that follow."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

from model.analysis.losses.effective_context import effective_contexts
from model.data.loading import load_text, split_text
from model.training.language_model.run import load_run
from pretrained.publishing.__main__ import main as publish
from tests.fixtures.system import error_line

pytestmark = pytest.mark.unchecked


@pytest.fixture
def folders(train_language_model, run_values) -> list[str]:
    absolute = run_values["model"] | {"positional": {"name": "sinusoidal"}}
    return [
        str(train_language_model("recurrent")),
        str(train_language_model("absolute", mem_len=0, model=absolute, seed=2)),
    ]


def test_the_lengths_printed_follow_from_the_losses_kept(folders, tmp_path: Path, text_file: Path, capsys) -> None:
    results = tmp_path / "losses.parquet"
    sizes = ["--step", "12", "--longest", "36", "--n-places", "20", "--hardest", "0.5"]
    assert publish(["effective_context", *folders, *sizes, "--results", str(results), "--device", "cpu"]) == 0
    table = pd.read_parquet(results)
    assert set(table["name"]) == {"recurrent", "absolute"}
    assert set(table["seed"]) == {1, 2}
    assert table[["commit", "command", "trained_by"]].notna().all(axis=None)
    by_model = [table[table["name"] == name] for name in ("recurrent", "absolute")]
    losses = np.stack([one.pivot(index="context", columns="place", values="loss").to_numpy() for one in by_model], 1)
    assert losses.shape == (3, 2, 20)
    lengths = effective_contexts(losses, [12, 24, 36], hardest=0.5)
    printed = capsys.readouterr().out
    for name, one in zip(("recurrent-1", "absolute-2"), lengths, strict=True):
        assert f"r = 0.5: {name} {one.length if one.is_reached else f'at least {one.length}'}\n" in printed
    check_losses(table, Path(folders[1]), text_file)


def check_losses(table: pd.DataFrame, folder: Path, text_file: Path) -> None:
    """A loss of the model without memory is the one after so many characters, as far as a segment of training goes."""
    run = load_run(folder)
    ids = run.vocabulary.encode(split_text(load_text(str(text_file))).test).ids
    rows = table[table["name"] == "absolute"].sample(5, random_state=0)
    assert rows["context"].max() > run.training.data.segment_length
    for context, place, loss in zip(rows["context"], rows["place"], rows["loss"], strict=True):
        read = min(context, run.training.data.segment_length)
        with torch.no_grad():
            logits = run.model(ids[None, place - read : place])[0, -1]
        assert loss == pytest.approx(-float(logits.log_softmax(-1)[ids[place]]), abs=1e-4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--longest", "500"], "20 places after 500 characters were asked of a text of "),
        (["--step", "0"], "rising in equal steps"),
        (["--hardest", "2"], "hardest is 2.0, of 20 positions"),
    ],
    ids=str,
)
def test_what_cannot_be_measured_gets_one_line(folders, tmp_path: Path, capsys, arguments, message) -> None:
    results = tmp_path / "losses.parquet"
    sizes = ["--step", "12", "--longest", "36", "--n-places", "20"]
    capsys.readouterr()
    assert (
        publish(["effective_context", *folders, *sizes, "--results", str(results), "--device", "cpu", *arguments]) == 2
    )
    assert message in error_line(capsys)
    assert not results.exists()


def test_models_of_different_texts_are_not_compared(train_language_model, tmp_path: Path, capsys) -> None:
    other = tmp_path / "other.txt"
    other.write_text("Что такое? " * 300, encoding="utf-8")
    one, two = train_language_model("one"), train_language_model("two", corpus=str(other))
    capsys.readouterr()
    assert (
        publish(
            ["effective_context", str(one), str(two), "--results", str(tmp_path / "losses.parquet"), "--device", "cpu"]
        )
        == 2
    )
    assert f"{two} was trained on another text than {one}" in error_line(capsys)
