"""The page Race, run by Streamlit without a browser, on a made-up zoo."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.running import ROOT, open_in_app, open_page, open_script, open_source, page_file, run, written
from tests.fixtures.zoo import publish_zoo

PAGE, FIELD = "race", "race-copy_repeat"
TASK = "copy_repeat"


def open_race(**link: str) -> AppTest:
    return open_page(PAGE, task=TASK, **link)


def typed(app: AppTest, text: str) -> AppTest:
    app.text_input(key=FIELD).set_value(text)
    return run(app)


def n_answers(app: AppTest) -> int:
    return written(app).count("wrong from token") + written(app).count("all 31 right")


@pytest.mark.usefixtures("zoo")
def test_it_opens_on_an_input_beyond_training_that_every_model_answered() -> None:
    app = open_race()
    assert "Length of this input: 30 letters; training ended at 20" in written(app)
    assert n_answers(app) == 2
    assert "of 2 encodings" in written(app)
    assert "models of [seed](" in written(app)


@pytest.mark.usefixtures("zoo")
def test_a_typed_input_is_answered_and_put_into_the_link() -> None:
    app = typed(open_race(), "kk kk")
    assert "Length of this input: 4 letters" in written(app)
    assert app.query_params["input"] in ("kkkk", ["kkkk"])
    assert not app.warning
    again = open_race(input="kkkk")
    assert "Length of this input: 4 letters" in written(again)


def pressed_draw(app: AppTest) -> AppTest:
    next(button for button in app.button if button.label == "Draw an input").click()
    return run(app)


@pytest.mark.usefixtures("zoo")
def test_each_press_draws_another_input_of_the_length_asked_for() -> None:
    app = open_race()
    drawn = [app.text_input(key=FIELD).value]
    app.number_input(key=f"{FIELD}-length").set_value(60)
    drawn.append(run(app).text_input(key=FIELD).value)
    for _ in range(3):
        drawn.append(pressed_draw(app).text_input(key=FIELD).value)
    assert len(set(drawn)) == len(drawn)
    assert {len(text) for text in drawn[1:]} == {60}
    assert "Length of this input: 60 letters" in written(app)


@pytest.mark.usefixtures("zoo")
def test_a_seed_always_draws_the_same_input() -> None:
    app = pressed_draw(open_race())
    drawn = app.text_input(key=FIELD).value
    seed = app.number_input(key=f"{FIELD}-seed").value
    pressed_draw(app)
    app.number_input(key=f"{FIELD}-seed").set_value(seed)
    assert run(app).text_input(key=FIELD).value == drawn


@pytest.mark.usefixtures("zoo")
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "Nothing was given"),
        ("aa\N{LATIN SMALL LETTER E WITH ACUTE}", "is not for Copy one repeated letter; it takes the letters a to z"),
        ("[a](http://b)", r"\["),
        ("a" * 10_000, "10,000 letters were given; Copy one repeated letter takes at most 100"),
        ("ab", "one letter, repeated"),
    ],
)
def test_a_mistake_gets_one_sentence_and_the_last_answers_stay(given: str, said: str) -> None:
    app = typed(typed(open_race(), "kkkk"), given)
    (warning,) = app.warning
    assert said in warning.value
    assert "Length of this input: 4 letters" in written(app)
    assert app.query_params["input"] in ("kkkk", ["kkkk"])


@pytest.mark.usefixtures("zoo")
def test_a_link_with_a_bad_input_gets_one_sentence_and_a_drawn_input() -> None:
    app = open_race(input="<script>")
    assert len(app.warning) == 1
    assert "Length of this input: 30 letters" in written(app)


def test_a_lost_weights_file_names_the_command_and_the_others_answer(zoo: Path) -> None:
    app = open_race()
    (zoo / "copy_repeat" / "alibi.safetensors").unlink()
    run(app)
    assert n_answers(app) == 1
    assert "no answer" in written(app)
    assert r"\-\-tasks copy\_repeat \-\-encodings alibi" in written(app)


@pytest.mark.usefixtures("zoo")
def test_another_task_asks_for_its_own_input(tmp_path: Path) -> None:
    publish_zoo(tmp_path, task="reverse")
    app = typed(open_race(), "kkkk")
    app.selectbox(key="task").set_value("reverse")
    run(app)
    assert not app.warning
    assert app.text_input(key="race-reverse").value


@pytest.mark.usefixtures("zoo")
@pytest.mark.parametrize("other", ["sum_mod_10", "reverse"])
def test_an_input_stays_that_of_its_task(tmp_path: Path, other: str) -> None:
    publish_zoo(tmp_path, task=other)
    opening = open_page(PAGE, task=other).text_input(key=f"race-{other}").value
    for app in (typed(open_in_app(PAGE, task=TASK), "kkkk"), open_in_app(PAGE, task=TASK, input="kkkk")):
        app.selectbox(key="task").set_value(other)
        run(app)
        assert not app.warning
        assert app.text_input(key=f"race-{other}").value == opening
        assert "input" not in app.query_params


@pytest.mark.usefixtures("zoo")
def test_a_pinned_answer_shows_its_attention_inside_and_outside_training() -> None:
    for given in ("kkkk", "k" * 100):
        app = open_race(pin="alibi", input=given)
        assert "Every head of ALiBi" in written(app)
        assert not app.warning


@pytest.mark.usefixtures("zoo")
def test_attention_too_large_to_show_gets_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viz.pages.length_generalization.study.race.MAX_TOKENS", 20)
    (warning,) = open_race(pin="alibi").warning
    assert "tokens together, and attention is shown for at most" in warning.value


@pytest.mark.usefixtures("zoo")
def test_a_second_model_stands_beside_the_first_and_never_beside_itself() -> None:
    app = open_race(pin="alibi", beside="none", input="kkkk")
    assert not app.warning
    assert app.query_params["compare"] in ("recordings", ["recordings"])
    app.session_state["pin"] = "NoPE"
    run(app)
    assert not app.warning
    assert app.session_state["beside"] is None
    assert "compare" not in app.query_params


@pytest.mark.usefixtures("zoo")
def test_heads_of_a_link_are_shown_and_what_names_none_gets_a_sentence() -> None:
    shown = open_race(pin="alibi", input="kkkk", heads="1.1")
    assert not shown.warning
    assert "1.1" in shown.query_params["heads"]
    for given in ("<b>", "9.9"):
        (warning,) = open_race(pin="alibi", input="kkkk", heads=given).warning
        assert f"`{given}` as heads. It takes: 1.1 – 2.2." in warning.value


@pytest.mark.usefixtures("zoo")
def test_what_was_typed_is_still_there_after_a_visit_to_another_page() -> None:
    app = open_script(ROOT / "app.py")

    def visit(name: str, **link: str) -> None:
        app.switch_page(str(page_file(name).relative_to(ROOT)))
        for key, value in link.items():
            app.query_params[key] = value
        run(app)

    visit("cliff", part="race", task=TASK)
    app.number_input(key=f"{FIELD}-seed").set_value(7)
    run(app)
    app.number_input(key=f"{FIELD}-length").set_value(25)
    drawn = run(app).text_input(key=FIELD).value
    visit("models")
    visit("cliff", part="race")
    assert app.text_input(key=FIELD).value == drawn
    assert (app.number_input(key=f"{FIELD}-length").value, app.number_input(key=f"{FIELD}-seed").value) == (25, 7)
    assert "Length of this input: 25 letters" in written(app)


@pytest.mark.usefixtures("zoo")
def test_the_next_input_that_is_drawn_has_the_length_that_was_asked_for_elsewhere() -> None:
    app = open_source(
        "from viz.pages.length_generalization.race import give_drawn, show\n\nimport streamlit as st\n\n"
        f'st.button("give", on_click=give_drawn, args=("{TASK}", 40))\nshow()\n',
        task=TASK,
    )
    next(button for button in app.button if button.label == "give").click()
    assert len(run(app).text_input(key=FIELD).value) == 40
    assert app.number_input(key=f"{FIELD}-length").value == 40
    assert len(pressed_draw(app).text_input(key=FIELD).value) == 40
