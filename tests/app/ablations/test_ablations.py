"""Table 3, run by Streamlit without a browser, on made-up results."""

import io
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from pretrained import ablations
from tests.app.running import charts, open_page, run, written
from tests.fixtures.ablations import SOME, ablation_rows, every_row


def show(
    rows: pd.DataFrame, path: Path, monkeypatch: pytest.MonkeyPatch, longer: pd.DataFrame | None = None, **url: str
) -> AppTest:
    if not rows.empty:
        rows.to_parquet(path)
    if longer is not None:
        longer.to_parquet(path.with_name("longer.parquet"))
    monkeypatch.setattr(ablations, "RESULTS", path)
    monkeypatch.setattr(ablations, "LONGER", path.with_name("longer.parquet"))
    return open_page("ablations", **url)


@pytest.fixture
def shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def make(rows=SOME, /, **url: str) -> AppTest:
        return show(ablation_rows(rows), tmp_path / "results.parquet", monkeypatch, **url)

    return make


def said(app: AppTest, start: str) -> str:
    (found,) = [entry.value for entry in app.markdown if entry.value.startswith(start)]
    return " ".join(found.split())


def test_what_is_missing_is_said_in_one_sentence(shown) -> None:
    assert "So far 10 of 84 runs are finished: of 28 models with the base, 6 have a seed and 0 have all 3." in said(
        shown(), "Table 3"
    )


def test_all_runs_are_said_to_be_there(shown) -> None:
    assert "All 84 runs are finished: 28 models with the base, 3 seeds each." in said(shown(every_row()), "Table 3")


def test_without_results_the_paper_s_figures_stand_alone(shown) -> None:
    app = shown({})
    assert "So far 0 of 84 runs" in said(app, "Table 3")
    assert said(app, "**The base is not trained yet**")
    assert "1 head none here, −0.9 in the paper" in charts(app)["ablations"].alt
    assert "pretrained.publishing ablations" in app.code[0].value


def test_a_damaged_file_gets_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "results.parquet").write_bytes(b"no parquet")
    (warning,) = show(pd.DataFrame(), tmp_path / "results.parquet", monkeypatch).warning
    assert warning.value.startswith("The file of results cannot be read")


def test_rows_are_held_against_all_seeds_of_the_base(shown) -> None:
    others = said(shown(), "**Same direction?**")
    assert "Of 3 rows that can be compared, in 1 all seeds lie beyond all seeds of our base, the paper's way" in others
    assert "cannot be told from the base: d_model 256." in others
    assert "The other way go: d_ff 512." in others
    assert others.endswith("difference for d_ff 512.")


def test_the_paper_s_words_stand_beside_ours(shown) -> None:
    claims = said(shown(), "**What the paper says of it**")
    assert "One head is worse: −0.9 in the paper, here −0.75 (−1.00 to −0.50)." in claims
    assert "Too many heads are worse in the paper (32: −0.4). Here they are not: – (– to –)." in claims


def test_the_table_has_every_row_and_can_be_sorted_and_filtered(shown) -> None:
    app = shown()
    assert written(app).count("<tr>") == 1 + 28
    assert "<td>A</td><td>1 head</td><td>−0.75</td><td>−1.00 to −0.50</td><td>2</td><td>−0.9</td><td>same</td>" in (
        written(app)
    )
    app.selectbox(key="sort").set_value("ours")
    page = written(run(app))
    assert page.index("no residuals</td>") < page.index("1 head</td>") < page.index("16 heads</td>")
    app.selectbox(key="rows").set_value("B")
    assert written(run(app)).count("<tr>") == 1 + 1 + 2


def test_a_link_chooses_row_order_and_measure(shown) -> None:
    app = shown(sort="ours", row="h1", bleu="tokenized_bleu", curve="dev_loss")
    assert not app.warning
    assert "1 head ends at 2.00" in charts(app)["ablations-curve"].alt
    assert "<td>30.25</td>" in written(app)
    assert len(shown(row="<b>").warning) == 1


def test_a_row_without_a_run_has_no_curve(shown) -> None:
    app = shown(row="h32")
    assert said(app, "No seed of this row is finished yet: 32 heads.")
    assert charts(app)["ablations-curve"].alt.count("ends at") == 1


def test_rows_that_were_trained_longer_are_held_against_the_shorter_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    longer = ablation_rows({"base": (36.0,), "h1": (35.9,), "dmodel256": (30.0,)}).replace({"step": {750: 3000}})
    app = show(ablation_rows(SOME), tmp_path / "results.parquet", monkeypatch, longer)
    assert "1 head −0.75, then −0.10" in charts(app)["ablations-longer"].alt
    assert "3,000 steps instead of 750; number of seeds: 1. The base reaches sacreBLEU 36.0 instead of 30.0" in said(
        app, "Some of these models"
    )
    lines = said(app, "- **At most half of the difference is left**")
    assert lines.startswith(
        "- **At most half of the difference is left**, so most of it was the speed of learning: 1 head."
    )
    assert lines.endswith("**Cannot be told**, with these seeds: d_model 256.")


def test_the_files_have_numbers_that_programs_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = {}
    monkeypatch.setattr("viz.shell.picture.download", lambda _, content, file, **_of: saved.update({file: content()}))
    longer = ablation_rows({"base": (36.0,), "h1": (35.9,)}).replace({"step": {750: 3000}})
    show(ablation_rows(SOME), tmp_path / "results.parquet", monkeypatch, longer)
    table, of_longer = (pd.read_csv(io.StringIO(saved[name])) for name in ("table-3.csv", "longer.csv"))
    numbers = ["BLEU, difference from the base", "Worst seed", "Best seed", "the paper", "Perplexity"]
    assert table.dtypes[numbers].map(pd.api.types.is_float_dtype).all()
    assert table.set_index("Row").loc["1 head", numbers[0]] == -0.75
    assert of_longer.to_numpy().tolist() == [["1 head", -0.75, -0.1, -0.1, -0.1, 1]]


def test_without_longer_trainings_nothing_is_said_of_them(shown) -> None:
    assert "ablations-longer" not in charts(shown())


def test_a_damaged_file_of_longer_trainings_leaves_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "longer.parquet").write_bytes(b"no parquet")
    app = show(ablation_rows(SOME), tmp_path / "results.parquet", monkeypatch)
    (warning,) = app.warning
    assert warning.value.startswith("The file of the longer trainings cannot be read")
    assert "1 head −0.75 here" in charts(app)["ablations"].alt
