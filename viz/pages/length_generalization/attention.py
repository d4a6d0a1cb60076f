"""The attention behind one answer of the race, in the explorer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.checkpoint import DamagedWeightsError
from model.tasks import Task
from model.tasks.base import Tokens
from pretrained.zoo import ZooModel
from viz.base.attention_maps import AttentionKind, exact_rows
from viz.base.link_parameters import BadLink, Choice, link_of, parameters_of, read_link
from viz.base.words import page_text
from viz.components.attention_explorer import ExplorerView, attention_explorer, committed_view, read_of
from viz.pages.length_generalization.names import encoding_title
from viz.pages.length_generalization.study.race import (
    MAX_TOKENS,
    TooLongToShowError,
    WrittenAnswer,
    attention,
    telling_head,
)
from viz.shared.shipped import cached_while_unchanged
from viz.shared.zoo import network, shipped, weights_file
from viz.shell.controls import linked, place_for_warnings, warn_bad_links, warn_of
from viz.shell.link import write_link
from viz.shell.page import theme
from viz.shell.state import keep_in_session, kept, page_link

TEXT = page_text("pages/length_generalization/attention")
_KEY = "race-explorer"
_MAX_RECORDINGS = 16
_HEADS = parameters_of(ExplorerView)["heads"]


@dataclass(frozen=True)
class _Comparison:
    """The encodings whose attention was shown last: ``pinned``, and ``beside`` it another one or nothing."""

    pinned: str
    beside: str = ""


def show_pinned(task: Task, inputs: Tokens, answers: Mapping[str, WrittenAnswer]) -> None:
    """Let one of ``answers`` be chosen, or two, and show every head while they were written."""
    warnings = place_for_warnings()
    names = tuple(answers)
    pin, beside_it = (
        Choice[str | None](key, None, names, labels={name: encoding_title(name) for name in names})
        for key in ("pin", "beside")
    )
    warn_bad_links(warnings, [pin, beside_it])
    pinned = _pills(pin)
    if pinned is None:
        st.caption(TEXT["not pinned"])
        return
    # What is pinned now is no longer there to be put beside itself.
    if st.session_state.get("beside") == pinned:
        st.session_state["beside"] = None
    others = tuple(encoding for encoding in answers if encoding != pinned)
    beside = _pills(replace(beside_it, options=others)) if others else None
    models = {model.run.encoding: model for model in shipped(task.description.name)}
    shown = [name for name in (pinned, beside) if name]
    try:
        recordings = [_recorded(models[name], task, inputs, answers[name]) for name in shown]
    except TooLongToShowError as error:
        st.warning(TEXT["too long"].format(given=error.n_tokens, most=MAX_TOKENS))
        return
    except DamagedWeightsError:
        # The file was there when the answer was written; the race has just warned of it.
        return
    st.caption(TEXT["attention"].format(encoding=encoding_title(pinned)))
    _write_link(_explore(recordings[:1], recordings[1:], _Comparison(pinned, beside or ""), warnings))


def _pills(field: Choice[str | None]) -> str | None:
    return linked(field, TEXT[field.key], partial(st.pills, options=field.options, format_func=field.label))


@cached_while_unchanged(
    lambda model, *_: [weights_file(model)],
    max_entries=_MAX_RECORDINGS,
    key=lambda model, task, inputs, answer: (model.sha256, task.description.name, inputs, answer.written),
)
def _recorded(model: ZooModel, task: Task, inputs: Tokens, answer: WrittenAnswer) -> AttentionKind:
    return attention(network(model), task, inputs, answer)


def _explore(
    kinds: list[AttentionKind], other: list[AttentionKind], compared: _Comparison, warnings: DeltaGenerator
) -> ExplorerView:
    """Show the explorer and return what is chosen in it; a second model opens side by side with the first."""
    last = kept(_Comparison)
    is_new = bool(other) and (last is None or last.beside != compared.beside)
    # Where the input has become shorter, the link still says what was pinned before.
    linked, bad = read_link(ExplorerView, page_link()) if last else read_of(page_link(), kinds[:1])
    if committed_view(_KEY) is None:
        warn_of(warnings, bad)
    view = (committed_view(_KEY) or _opening(kinds[0], linked, bad)).fitted(kinds)
    view = view.comparing(is_new=is_new, has_other=bool(other))
    keep_in_session(compared)
    return attention_explorer(
        kinds,
        view=view,
        exact=exact_rows(kinds, view.wanted_rows(kinds)),
        other=other,
        names=(encoding_title(compared.pinned), encoding_title(compared.beside) if compared.beside else ""),
        text={
            **page_text("components/attention_explorer"),
            **{key: TEXT[key] for key in ("kind decoder", "kind decoder help")},
        },
        theme=theme(),
        key=_KEY,
    ).fitted(kinds)


def _opening(kind: AttentionKind, linked: ExplorerView, bad: Sequence[BadLink]) -> ExplorerView:
    """Return the ``linked`` view; without valid heads in the link, the most informative head."""
    is_named = _HEADS.key in page_link() and _HEADS.key not in {one.key for one in bad}
    return linked if is_named else replace(linked, heads=(telling_head(kind),))


def _write_link(view: ExplorerView) -> None:
    # The first head is written too: without one the page would open on another.
    write_link(link_of(view) | {_HEADS.key: _HEADS.write(view.heads)})
