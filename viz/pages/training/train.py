"""Train: what the heads of small models do while they learn, step by step."""

from functools import partial

import streamlit as st

from model.zoo.recording import Recording
from viz.base.link_parameters import Choice
from viz.base.words import page_text
from viz.pages.training.components.player import player, rested_at
from viz.pages.training.playing import files_of, played, player_words
from viz.pages.training.study.curves import best_head
from viz.pages.training.study.shipped import FILES, first_above, formed, shipped_recordings, shipped_weights
from viz.shell.controls import place_for_warnings, warn_bad_links
from viz.shell.navigation import page_at
from viz.shell.page import theme
from viz.shell.picture import offered
from viz.shell.shipped import cached_while_unchanged
from viz.shell.state import linked_value, set_link

TEXT = page_text("pages/training/train")
_PLAYER = "training-player"
_PLOTS = ("loss", "held out", "induction")


@cached_while_unchanged(lambda: FILES, max_entries=1)
def _recordings() -> tuple[Recording, ...]:
    return shipped_recordings()


def show() -> None:
    """Draw the page."""
    try:
        runs = _recordings()
    except ValueError:
        st.warning(TEXT["damaged"])
        return
    steps = tuple(map(int, runs[-1].steps))
    opens_at = formed(runs[-1])
    field = Choice("step", steps[-1] if opens_at is None else opens_at, steps, f"{steps[0]}, {steps[1]}, … {steps[-1]}")
    warn_bad_links(place_for_warnings(), [field])
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        st.markdown(TEXT["see"])
        _show_player(runs, field)
    with words:
        _explain(runs)


def _show_player(runs: tuple[Recording, ...], field: Choice[int]) -> None:
    ends = "; ".join(
        TEXT["alt run"].format(name=_name(run), right=run.held_out[-1], score=best_head(run)[-1]) for run in runs
    )
    player(
        [played(run, _name(run), _PLOTS) for run in runs],
        tokens=runs[-1].tokens,
        opens_at=field.options.index(linked_value(field)),
        alt=TEXT["alt"].format(n=runs[-1].steps[-1], ends=ends),
        file_name="training",
        theme=theme(),
        words=player_words(),
        key=_PLAYER,
        on_rest=partial(_rest, field),
        files=offered(files_of(runs, shipped_weights()), _PLAYER),
    )


def _rest(field: Choice[int]) -> None:
    step = rested_at(_PLAYER)
    if step in field.options:
        set_link(field, step)


def _name(run: Recording) -> str:
    return TEXT["layers"].splitlines()[run.watched.n_layers - 1]


def _explain(runs: tuple[Recording, ...]) -> None:
    one, two = runs[0], runs[-1]
    st.page_link(page_at("train-yourself").path, label=TEXT["train yourself"])
    st.markdown(
        TEXT["measured"].format(
            one=one.held_out.max(), two=two.held_out[-1], learned=first_above(two, 0.99), formed=formed(two)
        )
    )
    st.markdown(TEXT["what is seen"])
    st.markdown(TEXT["what to try"])
    st.markdown(TEXT["formula"])
    st.markdown(TEXT["paper"])
    commands = "\n".join(run.command for run in runs)
    st.caption(TEXT["made by"].format(commit=two.commit[:10], seed=two.watched.seed))
    st.code(commands, language="sh", wrap_lines=True)


if __name__ == "__main__":
    show()
