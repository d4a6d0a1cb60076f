"""Runs side by side in the browser: their curves, and every head's pattern at the step that is chosen."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st
from jaxtyping import Float32, Int32, UInt8

from viz.base.colours import OKABE_ITO, PALETTES, Theme, sequential
from viz.components.browser import bundle, menu_header, pack, sent, style
from viz.pages.training.components.player.header import PlayedRun, PlayerHeader, PlayerPalette

_FOLDER = Path(__file__).parent
SCRIPT = bundle(_FOLDER / "main.js")
"""All of the browser's side, as one module."""
_mount = st.components.v2.component("training_player", css=style(_FOLDER / "player.css"), js=SCRIPT)


@dataclass(frozen=True)
class PlayerRun:
    """Content of the player for one run.

    Attributes:
        name: of the run.
        steps: that have a frame; the same ones for all runs side by side.
        curves: a value for each frame, by the name of the plot; all from 0 up.
        scores: of each head in each of the last frames, by the name of the score.
        patterns: of each head in the same frames, in 255ths.
        biases: of each head in the same frames by the distance of the key, where the encoding learns such.
        similarity: of the vectors of positions in the same frames, where the encoding learns such; cosines.
    """

    name: str
    steps: Int32[np.ndarray, " frame"]
    curves: Mapping[str, Float32[np.ndarray, " frame"]]
    scores: Mapping[str, Float32[np.ndarray, "late layer head"]]
    patterns: UInt8[np.ndarray, "late layer head query key"]
    biases: Float32[np.ndarray, "late layer head distance"] | None = None
    similarity: Float32[np.ndarray, "late position position"] | None = None


def player(data: bytes, *, key: str, on_rest: Callable[[], None] | None = None) -> None:
    """Show what :func:`player_data` returned.

    Args:
        data: the runs; where they tell of steps, the page runs again when one was chosen.
        key: of the widget.
        on_rest: called before that; :func:`rested_at` tells which step it is.
    """
    _mount(key=key, data=data, on_step_change=on_rest)


def player_data(
    runs: Sequence[PlayerRun],
    *,
    tokens: Sequence[str],
    opens_at: int,
    alt: str,
    file_name: str,
    theme: Theme,
    words: Mapping[str, str],
    plays_from: int = 0,
    tells: bool = True,
    is_live: bool = False,
    last: int | None = None,
    keys: Sequence[str] = (),
    notes: Sequence[str] = (),
    is_log: bool = False,
    files: Sequence[Mapping[str, str]] = (),
) -> bytes:
    """Return what the browser shows of ``runs``, which have the same steps, curves and scores.

    Args:
        runs: one to four; all read the same ``tokens``.
        tokens: the queries of the input on which patterns are shown, a label for each.
        opens_at: the number of the frame that is shown first.
        alt: what the picture shows, for those who hear it.
        file_name: of saved pictures, without its ending.
        theme: light or dark.
        words: every other text, by the names in the scripts.
        plays_from: the number of the frame that is played first, while nobody has gone to another one.
        tells: whether a step that is chosen is reported.
        is_live: whether they are still trained: then the last frame is shown, and no other is gone to.
        last: the step at which the curves' axis ends; that of the last frame where it is None.
        keys: of cross-attention, whose maps then have labels; without any, tokens look at tokens before them.
        notes: a line for each frame, over the picture.
        is_log: whether twice as many steps are always as far along the axis; the first step is not 0 then.
        files: what its menu offers besides, as :func:`viz.components.browser.menu_header` takes them.
    """
    steps = runs[0].steps.tolist()
    header: PlayerHeader = {
        "runs": [
            PlayedRun(
                name=run.name,
                colour=colour,
                curves=[*run.curves],
                heads=(run.patterns.shape[1], run.patterns.shape[2]),
                n_distances=0 if run.biases is None else run.biases.shape[-1],
                has_similarity=run.similarity is not None,
            )
            for run, colour in zip(runs, OKABE_ITO, strict=False)
        ],
        "steps": steps,
        "last": steps[-1] if last is None else last,
        "maps_from": len(steps) - len(runs[0].patterns),
        "is_live": is_live,
        "tells": tells,
        "queries": list(tokens),
        "keys": list(keys or tokens),
        "is_cross": bool(keys),
        "scores": list(runs[0].scores),
        "notes": list(notes),
        "is_log": is_log,
        "opens_at": opens_at,
        "plays_from": plays_from,
        "alt": alt,
        "name": file_name,
        "words": dict(words),
        "menu": menu_header(files),
        "palette": PlayerPalette(**vars(PALETTES[theme]), sequential=sequential(theme)),
    }
    blocks: dict[str, np.ndarray] = {}
    for place, run in enumerate(runs):
        blocks |= {f"{name} {place}": np.asarray(values, np.float32) for name, values in run.curves.items()}
        blocks |= {f"scores {place}": np.array([*run.scores.values()], np.float32), f"patterns {place}": run.patterns}
        if run.biases is not None:
            blocks[f"biases {place}"] = run.biases
        if run.similarity is not None:
            blocks[f"similarity {place}"] = _in_255ths(run.similarity)
    return pack(header, blocks)


def _in_255ths(cosines: Float32[np.ndarray, "..."]) -> UInt8[np.ndarray, "..."]:
    """Return ``cosines`` as the maps take them, all below 0 as 0."""
    return (cosines.clip(0, 1) * 255).round().astype(np.uint8)


def rested_at(key: str) -> int | None:
    """Return the step that was chosen in the player ``key`` just now."""
    step = sent(key, "step", int)
    return step if type(step) is int else None
