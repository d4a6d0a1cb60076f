"""The benefit of a longer memory, and of each part of the model."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from viz.base.exports import rows_as_csv
from viz.base.link_parameters import switch
from viz.base.words import listed, listed_apart, page_text
from viz.components.table import table
from viz.figures.cliff import Seeds, cliff
from viz.pages.transformer_xl.ablation import show_ablation
from viz.pages.transformer_xl.measured import read_or_warn, show_part
from viz.pages.transformer_xl.names import in_order, model_number, model_title
from viz.pages.transformer_xl.state import MAIN
from viz.pages.transformer_xl.study.results import (
    Evaluation,
    best_length,
    bits_by_memory,
    evaluations,
    memory_saves,
)
from viz.shared.measured import language_model_results
from viz.shell.controls import place_for_warnings, toggle, warn_bad_links
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/transformer_xl/results")
_HEIGHT = 440
_CLOSE_UP = switch("close-up", False)


@st.fragment
def show() -> None:
    """Draw what was measured of all models, or say what measures it.

    A choice in it draws nothing else again.
    """
    none: tuple[Evaluation, ...] = ()
    evaluated = read_or_warn(lambda: evaluations(language_model_results()), none)
    if evaluated:
        st.markdown(memory_saves(language_model_results()).sentence(TEXT, "claim memory"))
    st.markdown(TEXT["intro"])
    show_part(
        "memory",
        TEXT["memory title"],
        TEXT["memory command"],
        lambda: _show_memory(evaluated),
        is_there=bool(evaluated),
    )
    show_part(
        "ablation",
        TEXT["ablation title"],
        TEXT["ablation command"],
        lambda: show_ablation(language_model_results()),
        is_there=bool(evaluated),
    )


def _show_memory(entries: tuple[Evaluation, ...]) -> None:
    curves = bits_by_memory(entries)
    warn_bad_links(place_for_warnings(), [_CLOSE_UP])
    is_close = toggle(_CLOSE_UP, TEXT["close up"])
    drawn = {name: _with_memory(seeds) for name, seeds in curves.items()} if is_close else curves
    named = {model_title(name): _seeds(drawn[name], model_number(name)) for name in in_order(drawn) if drawn[name]}
    trained = {one.name: one.trained_mem_len for one in entries}
    marked = trained.get(MAIN)
    figure = cliff(
        named,
        longest_trained=marked,
        x_name=TEXT["memory axis"],
        y_name=TEXT["bits axis"],
        marked=TEXT["trained with"].format(n=marked),
        y_range=None,
        height=_HEIGHT,
    )
    best = _best(curves)
    description = listed_apart(TEXT["best"].format(model=model, bits=bits, mem_len=n) for model, bits, n, _ in best)
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        alt = TEXT["memory alt"].format(models=listed(named), said=description)
        rows = [[model_title(one.name), one.seed, one.mem_len, f"{one.bits:.4f}", one.n_counted] for one in entries]
        headings = [TEXT[name] for name in ("model", "seed", "memory axis", "bits axis", "counted")]
        file = File(TEXT["download memory"], lambda: rows_as_csv(headings, rows), "bits-by-memory.csv")
        draw_picture(figure, key="curves-memory", file_name="bits-by-memory", alt=alt, files=[file])
        with st.expander(TEXT["numbers"]):
            st.html(table([TEXT[key] for key in ("model", "fewest", "read with", "spread of seeds")], best))
            st.caption(TEXT["read with more"])
            _show_longer(_longer(curves, trained))
    with words:
        st.markdown(TEXT["memory seen"])


def _with_memory(by_seed: Mapping[int, Mapping[int, float]]) -> dict[int, dict[int, float]]:
    """Return what was measured with any memory at all."""
    by_length = {seed: {mem_len: value for mem_len, value in bits.items() if mem_len} for seed, bits in by_seed.items()}
    return {seed: bits for seed, bits in by_length.items() if bits}


def _seeds(by_seed: Mapping[int, Mapping[int, float]], number: int) -> Seeds:
    memories = sorted({mem_len for bits in by_seed.values() for mem_len in bits})
    values = [[bits.get(mem_len, np.nan) for mem_len in memories] for bits in by_seed.values()]
    return Seeds(memories, np.array(values, dtype=np.float64), number)


def _best(curves: Mapping[str, Mapping[int, Mapping[int, float]]]) -> list[list[str]]:
    """Return a row for each model: its fewest bits, as a mean, the memory it is read with, its seeds."""
    rows = []
    for name in in_order(curves):
        mem_len = best_length(curves[name])
        values = np.array([bits[mem_len] for bits in curves[name].values() if mem_len in bits])
        rows.append([model_title(name), f"{values.mean():.3f}", str(mem_len), _spread(values)])
    return rows


def _longer(
    curves: Mapping[str, Mapping[int, Mapping[int, float]]], trained: Mapping[str, int]
) -> dict[str, dict[float, float]]:
    """Return, by model, the mean bits with the memory of training and with each longer one.

    Each stands under the number of characters of its memory.

    Lengths are compared over the same seeds, where one was read with all of them.
    """
    rows = {}
    for name in in_order(curves):
        seeds = _seeds(curves[name], 0)
        whole = seeds.values[~np.isnan(seeds.values).any(axis=1)]
        means = whole.mean(axis=0) if len(whole) else np.nanmean(seeds.values, axis=0)
        by_memory = dict(zip(seeds.lengths, means.tolist(), strict=True))
        if trained[name] in by_memory and max(by_memory) > trained[name]:
            rows[name] = {mem_len: bits for mem_len, bits in by_memory.items() if mem_len >= trained[name]}
    return rows


def _show_longer(rows: Mapping[str, Mapping[float, float]]) -> None:
    if not rows:
        return
    memories = sorted({mem_len for row in rows.values() for mem_len in row})
    body = [[model_title(name), *(f"{row[n]:.4f}" if n in row else "" for n in memories)] for name, row in rows.items()]
    st.markdown(TEXT["past training"])
    st.html(table([TEXT["model"], *(f"{n:,}" for n in memories)], body))


def _spread(values: np.ndarray) -> str:
    if len(values) < 2:
        return TEXT["one seed"]
    return TEXT["spread"].format(low=f"{values.min():.3f}", high=f"{values.max():.3f}", n=len(values))


if __name__ == "__main__":
    show()
