"""Choose an encoding, run by Streamlit without a browser."""

from pathlib import Path

import pytest

from pretrained import zoo
from tests.app.running import charts, open_page, written
from viz.base.words import page_text
from viz.pages.choose_encoding.choose_encoding import NEEDS
from viz.pages.choose_encoding.study.evidence import past_training

TEXT = page_text("pages/choose_encoding/choose_encoding")


@pytest.mark.parametrize("need", NEEDS)
def test_every_need_has_its_picture_and_its_evidence(need: str) -> None:
    app = open_page("choose_encoding", need=TEXT[f"need {need}"])
    assert not app.warning
    assert charts(app)["judged"].alt.startswith(TEXT[f"axis {need}"])
    for part in ("measured", "published", "sure"):
        assert TEXT[f"{part} {need}"] in written(app)


def test_a_damaged_file_is_said_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / zoo.COSTS).write_text("no table")
    monkeypatch.setattr(zoo, "ZOO", tmp_path)
    app = open_page("choose_encoding", need=TEXT["need writing"])
    assert [warning.value for warning in app.warning] == [TEXT["damaged"]]
    assert TEXT["none"] in app.info[0].value


def test_path_reverses_far_and_copies_hardly_further_as_the_text_says() -> None:
    results = zoo.zoo_results(zoo.ZOO)
    reverse, copy = (
        {name: values[0].mean() for name, values in past_training(results, [task]).items()}
        for task in ("reverse", "copy_letters")
    )
    assert reverse["path"] > max(value for name, value in reverse.items() if name != "path") + 0.3
    assert copy["path"] < max(value for name, value in copy.items() if name != "path") + 0.1
