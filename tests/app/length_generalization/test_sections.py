"""The league, the findings and the wear of the zoo, run by Streamlit without a browser, on made-up results."""

import csv
import re

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from tests.app.running import charts, open_source, run, saved_files, written

SCRIPT = """
import tests.app.length_generalization.test_sections as made_up
from viz.pages.length_generalization.findings import show_findings
from viz.pages.length_generalization.replication import show_compared
from viz.pages.length_generalization.ranking import show_ranking
from viz.pages.length_generalization.checkpoints import show_checkpoints
show_checkpoints(made_up.RESULTS[0], "copy_repeat")
show_ranking(made_up.RESULTS[0])
show_compared(made_up.RESULTS[0])
show_findings(made_up.RESULTS[0])
"""
LENGTHS = (10, 20, 21, 30, 32, 40)
# Exact match past training at steps 100, 200 and 300, the last of which is the best, too.
BEYOND = {
    ("copy_repeat", "none", 1): (0.2, 1.0, 0.5),
    ("copy_repeat", "none", 2): (0.2, 0.9, 0.25),
    ("copy_repeat", "alibi", 1): (0.0, 0.25, 0.75),
    ("copy_repeat", "sinusoidal", 1): (0.0, 0.0, 0.0),
    ("copy_repeat", "fire", 1): (0.0, 0.9, 1.0),
    ("sort", "none", 1): (0.0, 0.5, 0.5),
}


def made_up() -> pd.DataFrame:
    rows = [
        (task, encoding, seed, checkpoint, step, length, 26, trained if length <= top else beyond, top, trained)
        for (task, encoding, seed), by_step in BEYOND.items()
        for top, lengths in [(20, LENGTHS) if task == "copy_repeat" else (8, (4, 8, 9, 16))]
        for (step, trained), beyond in zip(((100, 0.5), (200, 1.0), (300, 1.0)), by_step, strict=True)
        for checkpoint in ("during", "best")
        for length in lengths
        if checkpoint == "during" or step == 300
    ]
    columns = ["task", "encoding", "seed", "checkpoint", "step", "length", "n", "exact_match", "longest_trained"]
    return pd.DataFrame(rows, columns=[*columns, "validation_exact_match"])


# A script has no arguments; a test puts here what it is to show.
RESULTS = [made_up()]


@pytest.fixture(autouse=True)
def _results() -> None:
    RESULTS[:] = [made_up()]


def show(**url: str) -> AppTest:
    return open_source(SCRIPT, **url)


def said(app: AppTest, start: str) -> str:
    """Return the paragraph that begins with ``start``, its links as the text that is read."""
    (found,) = [entry.value for entry in app.markdown if entry.value.startswith(start)]
    return re.sub(r"\[(.+?)\]\(.+?\)", r"\1", " ".join(found.split()))


def test_ours_and_the_paper_s_rank_stand_side_by_side_over_the_same_tasks() -> None:
    app = show()
    compared = said(app, "**Beside the paper.**")
    assert "Over 1 of the 10 tasks" in compared
    assert "among 3 encodings" in compared
    assert "Not among them: " in compared
    assert not any(name in compared.split("Not among them: ")[1] for name in ("ALiBi", "NoPE"))
    assert "here ALiBi leads with 1.00, then NoPE with 0.50" in compared
    assert "in the paper NoPE leads with 1.00" in compared
    assert "not the same" in compared
    assert "ALiBi 1.00 here, 0.50 in the paper" in charts(app)["league-compared"].alt


def test_all_encodings_are_ranked_where_all_were_measured_and_the_rest_is_named() -> None:
    app = show()
    assert "Over 1 of the 2 tasks measured, among 4 encodings." in said(app, "**All encodings.**")
    assert "FIRE leads with 1.00" in said(app, "**No encoding is clearly first.**")
    assert "Tasks: Sort symbols" in said(app, "Excluded")
    assert "FIRE" in said(app, "With one seed only")


def test_a_cell_has_the_mean_the_spread_the_seeds_and_the_paper_s_number() -> None:
    page = written(show())
    assert "0.38<small>0.25–0.50 (2)</small><small>paper 0.99</small>" in page
    assert "<strong>1.00</strong><small>1 seed</small></td>" in page
    assert "Sort symbols<small>symbols 9–16; in the paper as a plot only</small>" in page
    assert "Reverse<small>letters 21–40</small>" in page


def test_where_ours_and_the_paper_part_is_said_with_both_numbers() -> None:
    parted = said(show(), "**Where we differ")
    assert "on 1 of the 1 tasks compared" in parted
    assert "2 of the 3 pairs" in parted
    assert "In the paper NoPE is first with 0.99 and ALiBi second with 0.29; here ALiBi is first" in parted
    assert "NoPE: 0.99 in the paper, 0.38 here (0.25–0.50, 2 seeds)." in parted


def test_where_they_agree_that_is_said() -> None:
    RESULTS[0] = RESULTS[0][RESULTS[0].encoding == "sinusoidal"]
    assert "No difference so far" in said(show(), "**Where we differ")


def test_findings_name_both_numbers_and_a_verdict() -> None:
    app = show()
    (table,) = [html.proto.body for html in app.get("html") if "Verdict" in html.proto.body]
    rows = [row.split("</td>") for row in table.split("<tr>")[2:]]
    by_claim = {row[0].removeprefix("<td>")[:30]: [cell.removeprefix("<td>") for cell in row[1:4]] for row in rows}
    assert by_claim["One repeated letter, a model wi"[:30]] == [
        "0.99 over lengths 21–40",
        "seed 1: 0.50; seed 2: 0.25",
        "does not hold (seeds: 0 of 2)",
    ]
    assert by_claim["One repeated letter, sinusoidal"[:30]][2] == "holds (seeds: 1 of 1)"
    assert by_claim["One repeated letter, learned: exact match"[:30]] == ["not measured", "–", "not measured yet"]
    assert "Hold: 1; hold for some seeds: 0; do not hold: 2; not measured yet: 3." in written(app)


def test_wear_says_what_more_training_did_seed_by_seed() -> None:
    app = show(wear="none")
    worn = said(app, "**Length generalization gets worse with more training.**")
    assert "From step 200 on" in worn
    assert "goes from 0.95 down to 0.38" in worn
    assert "seed 1 from 1.00 to 0.50, seed 2 from 0.90 to 0.25" in worn
    assert "on 26 to 26 inputs" not in written(app)
    assert "on 26 inputs" in written(app)
    assert "0.38 after step 300" in charts(app)["wear-copy_repeat-none"].alt


def test_wear_follows_the_encoding_chosen() -> None:
    app = show()
    app.selectbox(key="wear").set_value("alibi")
    assert "wear-copy_repeat-alibi" in charts(run(app))
    assert "0.25 up to 0.75" in said(app, "**Training moves the cliff out.**")


def test_without_results_the_paper_stands_alone() -> None:
    RESULTS[0] = pd.DataFrame()
    app = show()
    assert not charts(app)
    assert said(app, "No task is measured")
    assert '<td class="empty">–<small>paper 0.99</small></td>' in written(app)
    assert "not measured yet: 6" in written(app)
    assert said(app, "There are no checkpoints")


@pytest.mark.parametrize(
    ("name", "columns", "wanted"),
    [
        (
            "league.csv",
            9,
            ["Copy one repeated letter", "NoPE", "21", "40", "0.3750", "0.2500", "0.5000", "2"],
        ),
        ("league-ranks.csv", 8, ["ALiBi", "0.500", "", "0.500", "0.500", "1.000", "0.500", "0.502"]),
        ("findings.csv", 6, None),
        ("wear-copy_repeat-none.csv", 5, ["1", "200", "21", "1.0000", "1.0000"]),
    ],
)
def test_every_number_can_be_saved(
    monkeypatch: pytest.MonkeyPatch, name: str, columns: int, wanted: list[str] | None
) -> None:
    saved = saved_files(monkeypatch, "viz.shell.picture", "viz.pages.length_generalization.findings")
    show()
    rows = list(csv.reader(saved[name].splitlines()))
    assert {len(row) for row in rows} == {columns}
    assert wanted is None or any(row[: len(wanted)] == wanted for row in rows)
