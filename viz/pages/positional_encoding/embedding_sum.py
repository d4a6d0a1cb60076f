"""The sum of embedding and encoding: the encoder's sum for each token, and the size of each part."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from model.decoding.translator import Translator
from viz.base.exports import arrays_as_npz, columns_as_csv, matrix_as_csv
from viz.base.link_parameters import switch
from viz.base.words import listed, listed_apart, page_text
from viz.figures.bars import bars
from viz.pages.positional_encoding.figures import aligned
from viz.pages.positional_encoding.study.word_order import EmbeddingSum, Sentence, sum_as_trained, sum_unscaled
from viz.shell.controls import place_for_warnings, toggle, warn_bad_links
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/positional_encoding/embedding_sum")
_SCALE = switch("sum_scale", True)


@st.fragment
def show_sum(loaded: Translator, sentence: Sentence) -> None:
    """Show what the encoder adds up for each token, and how large each part is."""
    st.header(TEXT["sum title"], anchor="sum")
    warn_bad_links(place_for_warnings(), [_SCALE])
    is_scaled = toggle(_SCALE, TEXT["scale"])
    trained, unscaled = sum_as_trained(loaded, sentence), sum_unscaled(loaded, sentence)
    shown = trained if is_scaled else unscaled
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        _show_parts(sentence, shown)
    with words:
        _show_lengths(sentence, shown)
        st.markdown(TEXT[f"sum {_compare(shown)}"].format(ratio=f"{shown.ratio:.2f}", inverse=f"{1 / shown.ratio:.1f}"))
        _write_comparison(trained, unscaled, loaded.model.config.d_model)
        with st.expander(TEXT["why scaled"]):
            st.markdown(TEXT["about scale"])


def _write_comparison(trained: EmbeddingSum, unscaled: EmbeddingSum, d_model: int) -> None:
    st.markdown(
        TEXT["sum both"].format(
            d_model=d_model,
            root=f"{d_model**0.5:.4g}",
            scaled=f"{trained.ratio:.2f}",
            unscaled=f"{unscaled.ratio:.2f}",
            scaled_cosine=f"{trained.mean_cosine:.2f}",
            unscaled_cosine=f"{unscaled.mean_cosine:.2f}",
        )
    )


def _compare(shown: EmbeddingSum) -> str:
    """Return which part is the larger one: by half or more, or neither."""
    if shown.ratio >= 1.5:
        return "embedding"
    return "encoding" if shown.ratio <= 1 / 1.5 else "balance"


def parts_figure(sentence: Sentence, shown: EmbeddingSum) -> go.Figure:
    """Return the picture of the parts and their sum, one above the other."""
    return aligned.aligned(_parts(shown), sentence.labels, hover=TEXT["hover dimension"], column_name=TEXT["dimension"])


def lengths_figure(sentence: Sentence, shown: EmbeddingSum) -> go.Figure:
    """Return the picture of the norms of the parts and of their sum, for each token."""
    return bars(sentence.labels, _lengths(shown), y_name=TEXT["length"], height=165)


def _lengths(shown: EmbeddingSum) -> dict[str, np.ndarray]:
    return {TEXT[f"short {name}"]: np.linalg.norm(part, axis=1) for name, part in vars(shown).items()}


def _show_parts(sentence: Sentence, shown: EmbeddingSum) -> None:
    parts = _parts(shown)
    figure = parts_figure(sentence, shown)
    lengths = listed(f"{name} {np.linalg.norm(part, axis=1).mean():.1f}" for name, part in parts.items())
    alt = TEXT["alt parts"].format(tokens=len(sentence.labels), d_model=shown.total.shape[1], lengths=lengths)
    draw_picture(figure, key="sum-parts", file_name="embedding-sum", alt=alt, files=_files_of_sum(sentence, shown))


def _show_lengths(sentence: Sentence, shown: EmbeddingSum) -> None:
    lengths, figure = _lengths(shown), lengths_figure(sentence, shown)
    description = listed_apart(
        f"{name}: {listed(f'{value:.1f}' for value in values)}" for name, values in lengths.items()
    )
    alt = TEXT["alt lengths"].format(tokens=listed(sentence.labels), lengths=description)
    draw_picture(figure, key="sum-lengths", file_name="embedding-lengths", alt=alt)


def _parts(shown: EmbeddingSum) -> dict[str, np.ndarray]:
    return {TEXT[f"part {name}"]: part for name, part in vars(shown).items()}


def _files_of_sum(sentence: Sentence, shown: EmbeddingSum) -> list[File]:
    lengths = {f"{name} length": np.linalg.norm(part, axis=1) for name, part in vars(shown).items()}
    dimensions = [str(index) for index in range(shown.total.shape[1])]
    labels = [f"{name} {label}" for name in vars(shown) for label in sentence.labels]
    return [
        File(
            TEXT["download lengths"], lambda: columns_as_csv({"token": sentence.labels, **lengths}), "sum-lengths.csv"
        ),
        File(
            TEXT["download values"],
            lambda: matrix_as_csv(np.concatenate(list(vars(shown).values())), labels, dimensions),
            "sum-values.csv",
        ),
        File(
            TEXT["download all"],
            lambda: arrays_as_npz({**vars(shown), "tokens": np.array(sentence.labels, dtype=np.str_)}),
            "sum.npz",
        ),
    ]
