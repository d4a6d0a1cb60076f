"""The link of a part of a page, when another part is chosen."""

import pytest

from tests.app.running import open_source, run

PARTS = """
import streamlit as st
from viz.base.link_parameters import Choice
from viz.shell.controls import choose, select_some
from viz.shell.link import begin_part, begin_run, end_run
begin_run("page")
part = st.segmented_control("part", ("first", "second"), default="first", key="part")
begin_part(part, kept=("part",))
if part == "first" and {at_once}:
    st.stop()
choose(Choice("task", "copy", ("copy", "reverse")), "task")
select_some(Choice("seeds", "1", ("1", "2", "3")), "seeds")
if part == "first":
    choose(Choice("wear", "nope", ("nope", "path")), "wear")
end_run()
"""


SOME = """
import streamlit as st
from viz.base.link_parameters import Choice
from viz.shell.controls import select_some
st.write(select_some(Choice("seeds", "1", ("1", "2", "3")), "seeds", default=("1", "2")))
"""


def test_a_choice_of_several_that_was_emptied_is_empty_by_its_link_too() -> None:
    app = open_source(SOME)
    app.multiselect(key="seeds").set_value([])
    assert dict(run(app).query_params) == {"seeds": ""}
    again = open_source(SOME, seeds="")
    assert again.multiselect(key="seeds").value == []
    assert not again.warning
    again.multiselect(key="seeds").set_value(["1", "2"])
    assert dict(run(again).query_params) == {}


@pytest.mark.parametrize("at_once", [True, False])
def test_what_the_link_of_a_part_gives_holds_on_the_next_part_too(at_once: bool) -> None:
    app = open_source(PARTS.format(at_once=at_once), task="reverse", wear="path", seeds=["2", "3"])
    app.button_group(key="part").set_value("second")
    assert dict(run(app).query_params) == {"task": "reverse", "seeds": ["2", "3"]}
    assert app.button_group(key="task").value == "reverse"


def test_a_choice_outweighs_the_link_of_a_part_that_was_left() -> None:
    app = open_source(PARTS.format(at_once=True), task="reverse")
    app.button_group(key="part").set_value("second")
    run(app)
    app.button_group(key="task").set_value("copy")
    assert dict(run(app).query_params) == {}
    assert app.button_group(key="task").value == "copy"
