"""Choose an encoding, run by Streamlit without a browser."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from model.positional import registered
from model.zoo.verdicts import LEAST_LEAD
from pretrained import ablations, zoo
from tests.app.running import charts, open_page, written
from viz.base.languages import in_language, language
from viz.base.words import page_text
from viz.pages.choose_encoding import answers
from viz.pages.choose_encoding.answers import NEEDS, NeedAnswer
from viz.pages.choose_encoding.study.claims import (
    beyond_both,
    cost_of_first,
    default_choice,
    first,
    path_copies,
)
from viz.pages.choose_encoding.study.evidence import by_task
from viz.shared.encodings import planned_title
from viz.shared.model_words import model_words, task_title

TEXT = page_text("pages/choose_encoding/choose_encoding")


def plain(app: AppTest) -> str:
    """Return what is written on the page, without the links of encodings to the glossary."""
    return re.sub(r"\[([^\]]+)\]\(glossary\?part=encodings#\S+ \"[^\"]*\"\)", r"\1", written(app))


@pytest.mark.parametrize("need", NEEDS)
def test_every_need_has_its_picture_and_its_evidence(need: str) -> None:
    app = open_page("choose_encoding", need=need)
    assert not app.warning
    pictures = charts(app)
    assert pictures or TEXT["none"] in app.info[0].value
    axis = TEXT["axis letters duel" if need == "nope or rope" else f"axis {need}"]
    assert not pictures or axis in next(iter(pictures.values())).alt
    for part in ("measured", "published", "sure"):
        assert TEXT[f"{part} {need}"] in plain(app)


def test_a_least_lead_is_said_beside_exact_match_alone() -> None:
    least = TEXT["how least"].format(least=LEAST_LEAD)
    assert least in answers.answer("content").how
    for need in ("longer", "both ways", "streams"):
        how = answers.answer(need).how
        assert how
        assert least not in how


def test_a_damaged_file_is_said_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / zoo.COSTS).write_text("no table")
    monkeypatch.setattr(zoo, "ZOO", tmp_path)
    app = open_page("choose_encoding", need="writing")
    assert [warning.value for warning in app.warning] == [TEXT["damaged"]]
    assert TEXT["none"] in app.info[0].value


def test_every_verdict_of_a_need_is_on_the_page() -> None:
    results = zoo.zoo_results(zoo.ZOO)
    app = plain(open_page("choose_encoding", need="position"))
    titles = {"encoding": planned_title, "task": task_title}
    for task, evidence in by_task(results, "position").items():
        assert task_title(task) in app
        assert first(evidence).sentence(TEXT, "claim first", titles) in app
    assert path_copies(results).sentence(TEXT, "claim path copies", titles) in app


def test_nope_or_rope_has_an_answer_and_two_pictures() -> None:
    app = open_page("choose_encoding", need="nope or rope")
    assert {*charts(app)} == {"duel-letters", "duel-sentences"}
    assert beyond_both(zoo.zoo_results(zoo.ZOO)).sentence(
        TEXT, "claim beyond both", {"encoding": planned_title, "task": task_title}
    ) in plain(app)


def test_it_opens_on_what_to_take_without_a_special_need_and_on_what_the_first_place_costs() -> None:
    app = open_page("choose_encoding", need="longer")
    costs, titles = zoo.encoding_costs(zoo.ZOO), {"encoding": planned_title}
    default = default_choice(ablations.ablation_results(), costs)
    assert plain(app).count(default.sentence(TEXT, "claim default", titles)) == 1
    assert app.markdown[0].value.startswith("**Without a special need: [")
    assert cost_of_first(zoo.zoo_results(zoo.ZOO), costs).sentence(TEXT, "claim cost", titles) in plain(app)


def test_a_name_in_a_sentence_leads_to_what_it_means() -> None:
    explained = model_words(registered()["path"].description.explanation)
    assert f'[PaTH](glossary?part=encodings#encoding-path "{explained}")' in written(
        open_page("choose_encoding", need="longer")
    )


def test_an_answer_is_computed_once_in_each_language(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []

    def measured(need: str) -> NeedAnswer:
        asked.append((need, language()))
        return NeedAnswer((), ())

    monkeypatch.setattr(answers, "_measured", measured)
    for _ in range(2):
        for name in ("en", "ko"):
            with in_language(name):
                answers.answer("a need of this test")
    assert asked == [("a need of this test", "en"), ("a need of this test", "ko")]
