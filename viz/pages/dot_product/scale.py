"""Page on the division by √d_k: the softmax without it, and additive attention."""

import numpy as np
import streamlit as st
import torch

from model.attention.additive import additive_scores
from model.device import use_one_thread
from viz.base.exports import rows_as_csv
from viz.base.link_parameters import Choice, Number
from viz.base.numbers import rounded
from viz.base.words import page_text
from viz.components.matrix_view import matrix_style, matrix_view, matrix_views
from viz.figures.spread import spread
from viz.pages.dot_product.state import result_at_hand
from viz.pages.dot_product.study.by_hand import AttentionSteps, HeadSteps
from viz.pages.dot_product.study.score_scale import SIZES, ScaleStudy, softmax, study_scale
from viz.shell.controls import number, place_for_warnings, slider, warn_bad_links
from viz.shell.page import theme
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/dot_product/scale")
_MOST_SAMPLES = 2000
_SEED = Number("scale-seed", 1, 0, 9999)
_ADDITIVE_SEED = Number("additive-seed", 1, 0, 9999)
_SAMPLES = Choice("samples", 1000, (200, 500, 1000, _MOST_SAMPLES))
_KEYS = Choice("keys", 16, (2, 4, 8, 16, 32))
_HIDDEN = Choice("hidden", 4, (1, 2, 4, 8, 16))


@st.cache_data(max_entries=32, show_spinner=False)
def _studied(n_samples: int, n_keys: int, seed: int) -> ScaleStudy:
    use_one_thread()
    return study_scale(n_samples=n_samples, n_keys=n_keys, seed=seed)


def show() -> None:
    """Draw the page."""
    st.html(matrix_style())
    _show_scale_study()
    _show_additive(result_at_hand(st.query_params).steps)


@st.fragment
def _show_scale_study() -> None:
    """Show variance, entropy and gradient against d_k, with and without the scale."""
    warn_bad_links(place_for_warnings(), [_SAMPLES, _KEYS, _SEED])
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls"):
        samples = slider(_SAMPLES, TEXT["samples"], width=220)
        keys = slider(_KEYS, TEXT["keys"], width=220)
        seed = number(_SEED, TEXT["seed"])
    study = _studied(n_samples=samples, n_keys=keys, seed=seed)
    for column, measure in zip(st.columns(3), ("variance", "entropy", "gradient"), strict=True):
        with column:
            _show_measure(study, measure)
    at = SIZES.index(512)
    left = study.gradient[False][1, at] / study.gradient[True][1, at]
    st.markdown(TEXT["why text"].format(samples=f"{samples:,}", keys=keys, left=left))


def _show_measure(study: ScaleStudy, measure: str) -> None:
    values = getattr(study, measure)
    names = {True: TEXT["curve scaled"], False: TEXT["curve plain"]}
    expected = None
    if measure == "variance":
        expected = {names[True]: np.ones(len(SIZES)), names[False]: np.array(SIZES, dtype=float)}
    figure = spread(
        SIZES,
        {name: values[is_scaled] for is_scaled, name in names.items()},
        x_name=TEXT["axis"],
        y_name=TEXT[measure],
        logarithmic_y=measure != "entropy",
        expected=expected,
    )
    alt = TEXT[f"alt {measure}"].format(
        first=rounded(values[False][1, 0]), last=rounded(values[False][1, -1]), scaled=rounded(values[True][1, -1])
    )
    file = File(TEXT["download study"], lambda: _as_csv(study), "score-scale.csv")
    draw_picture(figure, key=f"study-{measure}", file_name=f"score-{measure}", alt=alt, files=[file], is_narrow=True)


@st.fragment
def _show_additive(all_steps: AttentionSteps) -> None:
    """Show additive attention over queries and keys of the first head, beside the dot product's pattern."""
    st.header(TEXT["additive title"], anchor=False)
    warn_bad_links(place_for_warnings(), [_HIDDEN, _ADDITIVE_SEED])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        hidden = slider(_HIDDEN, TEXT["hidden"], width=220)
        seed = number(_ADDITIVE_SEED, TEXT["additive seed"])
    steps = all_steps.heads[0]
    n, d_key = steps.q.shape
    scores = np.where(all_steps.allowed, _additive(steps, hidden, seed), -np.inf)
    views = [
        matrix_view(TEXT["shown additive"], scores),
        matrix_view(TEXT["shown additive pattern"], softmax(scores), largest=1),
        matrix_view(TEXT["shown product pattern"], steps.pattern, largest=1),
    ]
    st.html(matrix_views(views, theme=theme()))
    # q W_a and k U_a once a token, then v_a once a pair; the dot product multiplies d_k numbers a pair.
    additive, product = 2 * n * d_key * hidden + n * n * hidden, n * n * d_key
    st.markdown(TEXT["additive text"].format(head=1, hidden=hidden, additive=additive, product=product))


def _additive(steps: HeadSteps, hidden: int, seed: int) -> np.ndarray:
    generator = torch.Generator().manual_seed(seed)
    d_key = steps.q.shape[1]
    W_a, U_a = (torch.randn(d_key, hidden, generator=generator, dtype=torch.float64) for _ in range(2))
    v_a = torch.randn(hidden, generator=generator, dtype=torch.float64)
    q, k = (torch.from_numpy(matrix.astype(np.float64)) for matrix in (steps.q, steps.k))
    return additive_scores(q, k, W_a=W_a, U_a=U_a, v_a=v_a).numpy()


def _as_csv(study: ScaleStudy) -> str:
    rows = [
        (measure, is_scaled, size, *(f"{value:.6g}" for value in row))
        for measure in ("variance", "entropy", "gradient")
        for is_scaled, values in getattr(study, measure).items()
        for size, row in zip(SIZES, values.T, strict=True)
    ]
    return rows_as_csv(["measure", "scaled", "d_k", "quantile_10", "mean", "quantile_90"], rows)
