"""The attention behind one answer of the race, in the explorer."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from model.checkpoint import DamagedWeightsError
from model.tasks import Task
from model.tasks.base import Tokens
from viz.base.attention_maps import AttentionKind, exact_rows
from viz.base.link_parameters import choice_of, link_of, read_link
from viz.base.words import page_text
from viz.components.attention_explorer import ExplorerView, attention_explorer, committed_view
from viz.pages.length_generalization.names import encoding_title
from viz.pages.length_generalization.state import network, shipped
from viz.pages.length_generalization.study.race import MOST_TOKENS, Answer, TooLongToShowError, attention
from viz.shell.controls import place_for_warnings, warn_bad_links
from viz.shell.link import write_link
from viz.shell.page import theme

TEXT = page_text("pages/length_generalization/attention")
_KEY = "race-explorer"
_LAST_BESIDE = "race-explorer beside"


def show_pinned(task: Task, inputs: Tokens, answers: Mapping[str, Answer]) -> None:
    """Let one of ``answers`` be chosen, or two, and show every head while they were written."""
    warnings = place_for_warnings()
    titles = {encoding_title(encoding): encoding for encoding in answers}
    warn_bad_links(warnings, [choice_of("pin", titles), choice_of("beside", titles)])
    pinned = st.pills(TEXT["pin"], list(titles), key="pin", bind="query-params")
    if pinned is None:
        st.caption(TEXT["not pinned"])
        return
    # What is pinned now is no longer there to be put beside itself.
    if st.session_state.get("beside") == pinned:
        st.session_state["beside"] = None
    others = [title for title in titles if title != pinned]
    beside = st.pills(TEXT["beside"], others, key="beside", bind="query-params") if others else None
    try:
        kinds, other = (_recorded(task, inputs, answers, titles[title]) if title else () for title in (pinned, beside))
    except TooLongToShowError as error:
        st.warning(TEXT["too long"].format(given=error.given, most=MOST_TOKENS))
        return
    except DamagedWeightsError:
        # The race has just said so; it was there when the answer was written.
        return
    st.caption(TEXT["attention"].format(encoding=pinned))
    _write_link(_explore(kinds, other, (pinned, beside or "")))


def _recorded(task: Task, inputs: Tokens, answers: Mapping[str, Answer], encoding: str) -> tuple[AttentionKind, ...]:
    model = next(one for one in shipped(task.description.name) if one.run.encoding == encoding)
    return (attention(network(model), task, inputs, answers[encoding]),)


def _explore(
    kinds: tuple[AttentionKind, ...], other: tuple[AttentionKind, ...], names: tuple[str, str]
) -> ExplorerView:
    """Show the explorer and return what is chosen in it; a second model opens side by side with the first."""
    view = (committed_view(_KEY) or read_link(ExplorerView, st.query_params.to_dict())[0]).fitted(kinds)
    if other and st.session_state.get(_LAST_BESIDE) != names[1]:
        view = replace(view, compare="recordings")
    if not other and view.compare == "recordings":
        view = replace(view, compare="off")
    st.session_state[_LAST_BESIDE] = names[1]
    return attention_explorer(
        kinds,
        view=view,
        exact=exact_rows(kinds, view.wanted_rows(kinds)),
        other=other,
        names=names,
        text={
            **page_text("components/attention_explorer"),
            **{key: TEXT[key] for key in ("kind decoder", "kind decoder help")},
        },
        theme=theme(),
        key=_KEY,
    ).fitted(kinds)


def _write_link(view: ExplorerView) -> None:
    write_link(link_of(view))
