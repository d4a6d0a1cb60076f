"""The section on probes, run by Streamlit without a browser, on made-up scores."""

import pandas as pd
import pytest

from tests.app.running import alts, open_source, run, written

SECTION = """\
from viz.pages.length_generalization.probes import show_probes

show_probes("copy_repeat")
"""
R2 = {
    ("none", "trained"): (0.25, 0.875, 0.75),
    ("none", "untrained"): (0.25, 0.5, 0.625),
    ("none", "shuffled"): (0.0, -0.125, 0.0),
    ("sinusoidal", "trained"): (0.75, 0.8, 0.9),
    ("alibi", "trained"): (0.1, 0.2, 0.3),
}


def made_up() -> pd.DataFrame:
    rows = [
        ("copy_repeat", encoding, 1, seed, subject, region, layer, value, 10 * (1 - value), 100, "a command")
        for (encoding, subject), values in R2.items()
        for region, loss in (("trained", 0), ("beyond", 5))
        for seed in (1, 2)
        for layer, value in enumerate(value - loss for value in values)
    ]
    columns = "task encoding seed probe_seed subject region layer r2 mean_absolute_error n_tokens command"
    return pd.DataFrame(rows, columns=columns.split())


@pytest.fixture
def _probes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viz.pages.length_generalization.probes.zoo_probes", made_up)


@pytest.mark.usefixtures("_probes")
def test_it_says_where_the_position_comes_in_and_what_the_baselines_reach() -> None:
    app = open_source(SECTION)
    said = written(app)
    assert "NoPE: R² rises most with layer 1**, from 0.25 to 0.88; the best is 0.88" in said
    assert (
        "off by 1.2 tokens on average. On inputs longer than the trained ones it does not read the position well"
        in said
    )
    assert "a model of this shape that was never trained reaches 0.50" in said
    everything, one = alts(app)
    assert "NoPE: 0.25, 0.88, 0.75" in everything
    assert "untrained: 0.25, 0.50, 0.62" in one


@pytest.mark.usefixtures("_probes")
@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("sinusoidal", "Sinusoidal: the position can be read from the input.**"),
        ("alibi", "ALiBi: at no layer does a linear probe read"),
    ],
)
def test_another_encoding_gets_a_sentence_of_its_own(encoding: str, said: str) -> None:
    text = written(open_source(SECTION, probe=encoding))
    assert f"**{said}" in text
    assert "never trained reaches" not in text


@pytest.mark.usefixtures("_probes")
def test_longer_inputs_and_errors_in_tokens_are_shown() -> None:
    app = open_source(SECTION, **{"probe-at": "beyond", "probe-by": "mean_absolute_error"})
    assert "NoPE: 57.50, 51.25, 52.50" in alts(app)[0]
    assert "<td>1</td><td>\N{MINUS SIGN}4.12</td><td>51.2</td>" in written(run(app))


def test_without_probes_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viz.pages.length_generalization.probes.zoo_probes", pd.DataFrame)
    assert "There are no scores of probes for this task." in written(open_source(SECTION))


def test_a_damaged_file_gets_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged() -> pd.DataFrame:
        raise ValueError("not Parquet")

    monkeypatch.setattr("viz.pages.length_generalization.probes.zoo_probes", damaged)
    assert len(open_source(SECTION).warning) == 1
