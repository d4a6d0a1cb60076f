"""Ablation of Transformer-XL: our models beside the paper's results; a part of the curves."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Any

import streamlit as st

from viz.base.exports import rows_as_csv
from viz.base.words import listed, listed_apart, page_text, paragraph
from viz.components.table import table
from viz.pages.transformer_xl.names import model_title
from viz.pages.transformer_xl.study.paper import PublishedAblation, paper
from viz.pages.transformer_xl.study.results import best_length, bits_by_memory, bits_through_windows, blind, evaluations
from viz.shared.model_words import model_words
from viz.shell.controls import download

TEXT = page_text("pages/transformer_xl/ablation")


Bits = Mapping[str, Mapping[int, Mapping[int, float]]]


def show_ablation(results: Sequence[Mapping[str, Any]]) -> None:
    """Draw the table of all language models that were measured."""
    curves, windows = bits_by_memory(evaluations(results)), bits_through_windows(results)
    headings = [TEXT[name] for name in ("recurrence", "encoding", "loss", "perplexity", "bits", "window bits")]
    rows = [_row(published, curves, windows) for published in paper().ablation]
    measured, words = st.columns([2, 1], gap="large")
    with measured:
        st.html(table(headings, rows, name=TEXT["name"]))
    with words:
        st.markdown(blind(results).sentence(TEXT, "claim blind"))
        st.markdown(_order(curves))
        with st.expander(TEXT["about"]):
            st.markdown(TEXT["intro"])
            st.markdown(TEXT["source"].format(paper=paper().paper, source=model_words(paper().ablation_source)))
        download(TEXT["download"], lambda: rows_as_csv(headings, rows), "ablation.csv")


def _row(published: PublishedAblation, curves: Bits, windows: Bits) -> list[str]:
    perplexity = TEXT["not in paper"]
    if published.perplexity is not None:
        perplexity = TEXT["with attention"].format(value=published.perplexity, length=published.attention_length)
    return [
        TEXT["with" if published.recurrence else "without"],
        published.encoding,
        TEXT[f"{published.loss} loss"],
        perplexity,
        _bits(curves[published.name], "with memory") if published.name in curves else TEXT["not trained"],
        _bits(windows[published.name], "through window") if published.name in windows else TEXT["no window"],
    ]


def _bits(by_seed: Mapping[int, Mapping[int, float]], read: str) -> str:
    length = best_length(by_seed)
    values = listed(f"{bits[length]:.3f}" for _, bits in sorted(by_seed.items()) if length in bits)
    return TEXT[read if length else "no memory"].format(values=values, length=length)


def _order(curves: Bits) -> str:
    """Say how many pairs of models come in the paper's order, and name those that do not."""
    compared = [row for row in paper().ablation if row.perplexity is not None and row.name in curves]
    pairs = list(combinations(compared, 2))
    if not pairs:
        return TEXT["nothing to compare"]
    least = {row.name: _least(curves[row.name]) for row in compared}
    other = [
        TEXT["pair"].format(worse=model_title(worse.name), better=model_title(better.name))
        for better, worse in pairs
        if least[better.name] >= least[worse.name]
    ]
    agreement = TEXT["agree"].format(n=len(pairs), same=len(pairs) - len(other))
    return paragraph([agreement, TEXT["differ"].format(pairs=listed_apart(other)) if other else ""])


def _least(by_seed: Mapping[int, Mapping[int, float]]) -> float:
    mem_len = best_length(by_seed)
    return fmean(bits[mem_len] for bits in by_seed.values() if mem_len in bits)
