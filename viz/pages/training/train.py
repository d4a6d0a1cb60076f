"""Train: what the heads of small models do while they learn, step by step."""

from functools import partial

import numpy as np
import streamlit as st

from model.zoo.recording import Recording
from viz.base.exports import rows_as_csv
from viz.base.link_parameters import Choice
from viz.base.words import page_text
from viz.pages.training.components.player import Played, player, rested_at
from viz.pages.training.study.shipped import FILES, best_head, first_above, formed, shipped_recordings
from viz.shell.controls import place_for_warnings, warn_bad_links
from viz.shell.page import theme
from viz.shell.picture import File, offered
from viz.shell.shipped import cached_while_unchanged
from viz.shell.state import linked_value, set_link

TEXT = page_text("pages/training/train")
_PLAYER = "training-player"
_WORDS = (
    *("play", "pause", "slider", "step", "title", "layer", "head", "cell", "masked"),
    *("loss", "held out", "induction", "score previous", "score induction"),
)


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
        [_played(run) for run in runs],
        tokens=runs[-1].tokens,
        opens_at=field.options.index(linked_value(field)),
        alt=TEXT["alt"].format(n=runs[-1].steps[-1], ends=ends),
        file_name="training",
        theme=theme(),
        words={name: TEXT[name] for name in _WORDS},
        key=_PLAYER,
        on_rest=partial(_rest, field),
        files=offered([File(TEXT["download"], lambda: _as_csv(runs), "training.csv")], _PLAYER),
    )


def _rest(field: Choice[int]) -> None:
    step = rested_at(_PLAYER)
    if step in field.options:
        set_link(field, step)


def _name(run: Recording) -> str:
    return TEXT["layers"].splitlines()[run.watched.n_layers - 1]


def _played(run: Recording) -> Played:
    # The loss of a frame is the mean over the steps since the one before, of the first frame that of the first step.
    means = [run.loss[max(start, 0) : end].mean() for start, end in zip(run.steps, run.steps[1:], strict=False)]
    curves = {
        "loss": np.array([run.loss[0], *means], np.float32),
        "held out": run.held_out,
        "induction": best_head(run),
    }
    return Played(_name(run), run.steps, curves, np.stack([run.previous, run.induction]), run.patterns)


def _as_csv(runs: tuple[Recording, ...]) -> str:
    headings = ("layers", "step", "held_out", "longer", "layer", "head", "previous_token", "induction")
    rows = [
        [
            *(run.watched.n_layers, int(step), f"{run.held_out[frame]:.4f}", f"{run.longer[frame]:.4f}"),
            *(
                layer + 1,
                head + 1,
                f"{run.previous[frame, layer, head]:.4f}",
                f"{run.induction[frame, layer, head]:.4f}",
            ),
        ]
        for run in runs
        for frame, step in enumerate(run.steps)
        for layer, head in np.ndindex(run.induction.shape[1:])
    ]
    return rows_as_csv(headings, rows)


def _explain(runs: tuple[Recording, ...]) -> None:
    one, two = runs[0], runs[-1]
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
