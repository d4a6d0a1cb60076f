"""The page of lengths says what was measured, and calls nothing best that the seeds cannot tell from another."""

from pathlib import Path

import pandas as pd
import pytest

from model.tasks import find
from model.zoo.plan import tasks_in_order
from pretrained.publishing.__main__ import main as publish
from pretrained.publishing.zoo_table import DOCUMENT, FACTORS, document
from pretrained.zoo import crasp_results, zoo_results

TRAINED = 8


def results(reached: dict[str, tuple[float, ...]], task: str = "sort") -> pd.DataFrame:
    """Return results of one task that all have learned, in which each seed reaches the same at every longer length."""
    return pd.DataFrame(
        {
            "task": task,
            "encoding": encoding,
            "seed": seed,
            "checkpoint": "best",
            "length": round(TRAINED * factor),
            "longest_trained": TRAINED,
            "n": 100,
            "exact_match": value if factor > 1 else 1.0,
            "validation_exact_match": 1.0,
        }
        for encoding, values in reached.items()
        for seed, value in enumerate(values, start=1)
        for factor in FACTORS
    )


def cells(text: str, encoding: str) -> list[str]:
    (line,) = [line for line in text.splitlines() if line.startswith(f"| {encoding} |")]
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


def test_the_page_is_what_the_command_writes() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(zoo_results(), crasp_results())


def test_it_gives_mean_and_range_of_all_seeds() -> None:
    measured = zoo_results()
    (section,) = [part for part in document(measured).split("\n## ") if part.startswith(find("sort").description.title)]
    rows = measured.query("task == 'sort' and encoding == 'rotary' and checkpoint == 'best' and length == 16")
    value = rows.exact_match
    expected = f"{value.mean():.2f} ({value.min():.2f} to {value.max():.2f})"
    assert cells(section, "rotary")[3].replace("*", "") == expected


def test_what_the_seeds_cannot_tell_apart_is_bold_together() -> None:
    text = document(results({"rotary": (0.9, 0.8, 0.7), "alibi": (0.6, 0.8, 0.9), "none": (0.1, 0.2, 0.1)}))
    assert cells(text, "rotary")[2].startswith("**0.80**")
    assert cells(text, "alibi")[2].startswith("**0.77**")
    assert cells(text, "none")[2] == "0.13 (0.10 to 0.20)"


def test_one_seed_is_never_bold_nor_is_what_hardly_anything_gets_right() -> None:
    assert "**0" not in document(results({"rotary": (0.0, 0.0), "alibi": (0.0, 0.0)}))
    assert "**0" not in document(results({"rotary": (0.12, 0.06), "alibi": (0.0, 0.0)}))
    beside = document(results({"rotary": (0.9, 0.0), "alibi": (0.05, 0.05)}))
    assert cells(beside, "rotary")[2].startswith("**0.45**")
    assert cells(beside, "alibi")[2].startswith("0.05")


def test_what_has_not_learned_the_task_is_marked_and_never_bold() -> None:
    rows = results({"rotary": (0.9, 0.8), "alibi": (0.5, 0.4)})
    is_unlearned = (rows.encoding == "rotary") & (rows.seed == 2) & (rows.length == TRAINED)
    text = document(rows.assign(exact_match=rows.exact_match.where(~is_unlearned, 0.9)))
    assert cells(text, "rotary ○")[2] == "0.85 (0.80 to 0.90)"
    assert cells(text, "alibi")[2] == "**0.45** (0.40 to 0.50)"


def test_seeds_that_part_at_guessing_are_counted() -> None:
    text = document(results({"rotary": (1.0, 1.0, 0.55), "alibi": (0.5, 0.5, 0.5)}, task="parity"))
    assert cells(text, "rotary")[2] == "**0.85** (0.55 to 1.00; 1 of 3 at guessing)"
    assert cells(text, "alibi")[2] == "0.50 (0.50 to 0.50)"
    assert "**0" not in document(results({"rotary": (0.56, 0.6), "alibi": (0.5, 0.5)}, task="parity"))
    assert cells(document(results({"rotary": (0.9,), "alibi": (0.1, 0.2)})), "rotary") == ["1", "1.00", *["0.90"] * 3]


@pytest.mark.parametrize(
    ("factors", "listed", "first"),
    [((1.0,), "8 symbols", "alibi"), ((1.0, 1.5), "8 symbols, 12 symbols", "rotary"), ((), "none", "alibi")],
)
def test_lengths_that_were_not_measured_are_left_out_of_the_table(
    factors: tuple[float, ...], listed: str, first: str
) -> None:
    rows = results({"rotary": (0.9, 0.9), "alibi": (0.1, 0.1)})
    kept = rows[rows.length.isin([round(TRAINED * factor) for factor in factors])]
    others = rows[rows.length == TRAINED].assign(length=TRAINED // 2)
    text = document(pd.concat([kept, others]))
    assert f"\n\nOf the four lengths measured: {listed}.\n\n| encoding | seeds |" in text
    assert len(cells(text, "rotary")) == 1 + len(factors)
    (*_, head, _, line, _) = text.splitlines()
    assert head.startswith("| encoding")
    assert line.startswith(f"| {first} |")


def test_a_length_nearby_stands_for_a_multiple_that_was_not_measured() -> None:
    rows = results({"rotary": (0.9, 0.9), "alibi": (0.1, 0.1)})
    rows = rows.assign(length=rows.length * 25 // TRAINED, longest_trained=25)
    text = document(rows.replace({"length": {round(25 * 1.5): 36, 37: 36, 50: 48}}))
    assert "| 25 symbols | 36 symbols | 48 symbols | 125 symbols |" in text


def test_every_task_of_the_zoo_has_its_table() -> None:
    rows = [
        results({"rotary": (0.9, 0.8), "alibi": (0.6, 0.8)}, task=task)
        .query("length == @TRAINED")
        .assign(length=length)
        for task in tasks_in_order()
        for length in find(task).description.test_lengths
    ]
    longest = {task: find(task).description.train_lengths[1] for task in tasks_in_order()}
    measured = pd.concat(rows, ignore_index=True)
    text = document(measured.assign(longest_trained=measured.task.map(longest)))
    assert text.count("\n## ") == len(longest)


@pytest.mark.parametrize("there", [pd.DataFrame(), results({"rotary": (1.0,)})], ids=["nothing", "one encoding"])
def test_without_two_encodings_it_says_so(
    there: pd.DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if not there.empty:
        there.to_parquet(tmp_path / "results.parquet")
    assert publish(["zoo_table", "--zoo", str(tmp_path), "--file", str(tmp_path / "length.md")]) == 2
    assert "no results" in capsys.readouterr().err
    assert not (tmp_path / "length.md").exists()
