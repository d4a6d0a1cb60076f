"""Train it yourself: a visitor chooses models and a task, and sees them learn."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.zoo.recording import TrainingRecording
from model.zoo.watched_runs import WatchedRun
from viz.base.markdown import safe_as_code
from viz.base.words import listed_apart, page_text, paragraph
from viz.pages.training.choices import (
    QUESTIONS,
    all_parameters,
    choose_common,
    choose_for,
    choose_model,
    names_of,
    question_of,
    rate_parameter,
)
from viz.pages.training.components.player import player, player_data
from viz.pages.training.live import LEASE, MOST_SECONDS, LiveRuns, State, begin, commands_of
from viz.pages.training.playing import files_of, played, player_words, plots_of
from viz.pages.training.ready import READY_SECONDS, Visitor, trainer
from viz.pages.training.study.answers import of_layers
from viz.pages.training.study.shipped import files, shipped_recordings, shipped_weights
from viz.shared.shipped import cached_while_unchanged
from viz.shell.controls import place_for_warnings, slider, warn_bad_links
from viz.shell.heavy import QueueFullError, full_text, waiting_text
from viz.shell.page import theme
from viz.shell.picture import offered
from viz.shell.state import keep_in_session, kept

TEXT = page_text("pages/training/train_yourself")
_ANSWERS = page_text("pages/training/train")
_PLAYER, _BEFORE, _ASKED = "live-player", "before", "train asked"
# So many frames may come between two looks; the player shows one after another.
_LATE = 6
# Seconds from look to look; what is over is not looked at again.
_PERIODS: dict[State, float | None] = {"waiting": 0.2, "training": 0.1, "paused": 1.0, "over": None}
# What takes longer is looked at less often: a browser may be slow.
_SHORT_SECONDS, _LATER_PERIOD = 10.0, 0.3


@cached_while_unchanged(files, max_entries=1)
def _shipped() -> tuple[TrainingRecording, ...]:
    return shipped_recordings()


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    warn_bad_links(warnings, all_parameters())
    with st.container(key="train-yourself"):
        with st.container(horizontal=True, key="example"):
            for name, answering in QUESTIONS.items():
                st.button(TEXT[f"ask {name}"], key=f"ask-{name}", on_click=_ask, args=(answering,))
        with st.container(horizontal=True, vertical_alignment="bottom", key="train-common"):
            common = choose_common()
        with st.container(key="train-settings"):
            runs = tuple(choose_model(slot, common) for slot in range(1, common.n_models + 1))
        with st.container(horizontal=True, vertical_alignment="bottom", key="train-actions"):
            live = _act(runs, warnings)
        state, period = _pace(live)
        st.fragment(_show_runs, run_every=period)(runs, live, state, period)
    _explain(runs, live)
    if state == "over":
        st.fragment(_stay_ready, run_every=READY_SECONDS)()


def _act(runs: tuple[WatchedRun, ...], warnings: DeltaGenerator) -> LiveRuns | None:
    """Draw what begins, rests and ends runs; return those that were begun last."""
    live = kept(LiveRuns)
    is_asked = st.button(TEXT["train"], key="train-now") or st.session_state.pop(_ASKED, False)
    places = [st.container(width="content") for _ in range(2)]
    factor = slider(rate_parameter(), TEXT["rate"], width=260)
    if is_asked:
        live = _begin(runs, factor, live, warnings)
    is_running = live is not None and live.is_running
    is_paused = live is not None and is_running and live.wish.is_paused
    pause = TEXT["go on" if is_paused else "pause"]
    places[0].button(pause, key="train-pause", on_click=_rest, args=(not is_paused,), disabled=not is_running)
    places[1].button(TEXT["stop"], key="train-stop", on_click=_stop, disabled=not is_running)
    if live is not None and is_running and live.wish.rate_factor != factor:
        live.change(replace(live.wish, rate_factor=factor))
    return live


def _begin(
    runs: tuple[WatchedRun, ...], factor: float, before: LiveRuns | None, warnings: DeltaGenerator
) -> LiveRuns | None:
    if before is not None:
        before.stop()
        if before.n_frames:
            keep_in_session(before, _BEFORE)
    try:
        live = begin(runs, factor)
    except QueueFullError as error:
        warnings.warning(full_text(error))
        return before
    keep_in_session(live)
    return live


def _ask(runs: tuple[WatchedRun, ...]) -> None:
    choose_for(runs)
    st.session_state[_ASKED] = True


def _rest(is_paused: bool) -> None:
    # A state, and no change of one: Streamlit may replay a press in a run that takes the place of another.
    if live := kept(LiveRuns):
        live.change(replace(live.wish, is_paused=is_paused))


def _stop() -> None:
    if live := kept(LiveRuns):
        live.stop()


def _stay_ready() -> None:
    """Have a process ready that has imported everything, for as long as the page is open."""
    visitor = kept(Visitor) or Visitor()
    keep_in_session(visitor)
    trainer().keep_ready(visitor)


def _pace(live: LiveRuns | None) -> tuple[State, float | None]:
    """Return what ``live`` does, and after how many seconds it is to be looked at again."""
    state: State = live.state if live else "over"
    is_long = live is not None and state == "training" and live.seconds > _SHORT_SECONDS
    return state, _LATER_PERIOD if is_long else _PERIODS[state]


def _show_runs(runs: tuple[WatchedRun, ...], live: LiveRuns | None, state: State, period: float | None) -> None:
    """Draw the frames of ``live`` so far, and before the first one what was seen before."""
    if live is not None:
        live.place.renew()
        if _pace(live) != (state, period):
            st.rerun()
    seen = live if live is not None and live.n_frames else kept(LiveRuns, _BEFORE)
    try:
        recordings = seen.recordings() if seen else _shipped()
    except ValueError:
        st.warning(TEXT["damaged"])
        return
    if live is None:
        st.caption(TEXT["recorded"])
    else:
        _say(runs, live, state, recordings if seen is live else ())
    _play(
        recordings,
        seen.weights if seen else shipped_weights(),
        is_live=seen is live and state == "training",
        is_over=seen is not live or state == "over",
    )


def _play(recordings: Sequence[TrainingRecording], weights: Sequence[bytes], *, is_live: bool, is_over: bool) -> None:
    names = names_of([recording.watched for recording in recordings])
    first, plots = recordings[0], plots_of(recordings)
    ends = listed_apart(
        TEXT["alt run"].format(name=name, right=run.held_out[-1]) for name, run in zip(names, recordings, strict=True)
    )
    late = -_LATE if is_live else 0
    place = st.container()
    offers = offered([] if is_live else files_of(recordings, weights), _PLAYER)
    with place:
        data = player_data(
            [played(run, name, plots, late=late) for run, name in zip(recordings, names, strict=True)],
            tokens=first.tokens,
            opens_at=len(first.steps) - 1,
            # Who hears the page is not to hear every picture.
            alt=TEXT["alt live"] if is_live else TEXT["alt"].format(n=first.steps[-1], ends=ends),
            file_name="training",
            theme=theme(),
            words=player_words(),
            tells=False,
            is_live=is_live,
            last=None if is_over else first.watched.n_steps,
            files=offers,
        )
        player(data, key=_PLAYER)


def _say(runs: tuple[WatchedRun, ...], live: LiveRuns, state: State, recordings: Sequence[TrainingRecording]) -> None:
    """Draw how ``live``, with its ``recordings``, stands: in a line, or a warning where it went wrong."""
    step = int(recordings[0].steps[-1]) if recordings else 0
    values = {"step": f"{step:,}", "n": f"{live.asked[0].n_steps:,}", "seconds": f"{live.seconds:.1f}"}
    values |= {"minutes": f"{MOST_SECONDS / 60:g}", "lease": f"{LEASE:g}"}
    if n_ahead := live.place.n_ahead if state == "waiting" else 0:
        st.caption(waiting_text(n_ahead))
    elif live.refusal is not None:
        st.warning(TEXT["refused"].format(reason=safe_as_code(live.refusal)))
    elif live.has_failed:
        st.warning(TEXT["failed"].format(**values))
    else:
        text = TEXT[f"end {live.end}"] if live.end else TEXT[f"state {state}"]
        question = question_of(live.asked)
        sentences = [text.format(**values), *([_answer(question, live.asked, recordings)] if question else [])]
        st.caption(paragraph([*sentences, TEXT["another"]] if state == "over" and runs != live.asked else sentences))


def _answer(question: str, asked: Sequence[WatchedRun], recordings: Sequence[TrainingRecording]) -> str:
    """Return what ``recordings`` show about ``question``, and before they show it, what to look for."""
    if question == "layers" and recordings and (shown := of_layers(recordings)).holds:
        return shown.sentence(_ANSWERS, "claim layers")
    # With label smoothing, with the confidence that is asked for.
    return TEXT[f"answer {question}"].format(confidence=1 - asked[-1].label_smoothing)


def _explain(runs: tuple[WatchedRun, ...], live: LiveRuns | None) -> None:
    to_try, python = st.columns(2, gap="large")
    with to_try:
        st.markdown(TEXT["what is seen"])
    with python:
        st.markdown(TEXT["in python"])
        is_seen = live is not None and live.state == "over" and live.n_frames
        st.code("\n".join(live.commands() if live and is_seen else commands_of(runs)), language="sh", wrap_lines=True)
        st.caption(TEXT["limits"].format(minutes=f"{MOST_SECONDS / 60:g}", lease=f"{LEASE:g}"))
