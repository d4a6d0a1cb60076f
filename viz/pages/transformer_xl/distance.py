"""Means over distance, in the section on the four terms of Transformer-XL, and each term's effect."""

from collections.abc import Iterator

import numpy as np
import streamlit as st
from jaxtyping import Float32

from pretrained.language_models import LanguageModel
from viz.base.exports import rows_as_csv
from viz.base.languages import worded
from viz.base.link_parameters import labelled
from viz.base.words import listed, page_text, paragraph
from viz.components.matrix_view import written
from viz.components.table import table
from viz.pages.transformer_xl.figures.distance import Words, attention_by_distance, term_by_distance
from viz.pages.transformer_xl.state import GivenText, files_of, segment_spec
from viz.pages.transformer_xl.study.terms import TERMS, AblatedTerms, DistanceMeans, ablated_terms, distance_means
from viz.shared.shipped import cached_while_unchanged
from viz.shell.controls import choice, place_for_warnings, warn_bad_links
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/transformer_xl/distance")
_NEAR = 16
_MAX_TEXTS = 8


@st.fragment
def show_by_distance(loaded: LanguageModel, text: GivenText) -> None:
    """Show what attention and each term are on average, by the distance back, and what each term is worth."""
    st.header(TEXT["title"], anchor=False)
    warnings = place_for_warnings()
    options = worded(("attention", *TERMS), lambda what: TEXT[f"what {what}"])
    warn_bad_links(warnings, [labelled("terms-mean", options)])
    what = choice("terms-mean", TEXT["what"], options)
    means = _means(loaded, text)
    picture, words, worth = st.columns([3, 2, 2], gap="large")
    farthest = means.attention.shape[-1] - 1
    with picture:
        description = _description(means, what)
        _show_picture(means, what, description)
    with words:
        st.markdown(description)
        st.markdown(TEXT["about attention" if what == "attention" else "about term"])
        st.caption(TEXT["n"].format(n=means.n_positions, farthest=farthest))
    with worth:
        st.markdown(f"**{TEXT['worth title']}**")
        with st.spinner(TEXT["reading"]):
            ablated = _ablated(loaded, text)
        _show_ablated(ablated)


def _same(loaded: LanguageModel, text: GivenText) -> tuple[str, str]:
    return loaded.name, text.text


@cached_while_unchanged(files_of, max_entries=_MAX_TEXTS, key=_same)
def _means(loaded: LanguageModel, text: GivenText) -> DistanceMeans:
    return distance_means(loaded.model, text.ids, segment_spec(loaded))


@cached_while_unchanged(files_of, max_entries=_MAX_TEXTS, key=_same)
def _ablated(loaded: LanguageModel, text: GivenText) -> AblatedTerms:
    return ablated_terms(loaded.model, text.ids, segment_spec(loaded))


def _show_picture(means: DistanceMeans, what: str, description: str) -> None:
    n_layers, n_heads, n_distances = means.attention.shape
    words = Words(
        rows=[TEXT["row"].format(layer=one + 1, head=head + 1) for one, head in np.ndindex(n_layers, n_heads)],
        layers=[TEXT["layer"].format(layer=one + 1) for one in range(n_layers)],
        x_name=TEXT["x"],
        hover=TEXT["hover"],
    )
    if what == "attention":
        figure = attention_by_distance(means.attention, words)
    else:
        figure = term_by_distance(means.centred[TERMS.index(what)], words)
    key = "alt attention" if what == "attention" else "alt term"
    alt = TEXT[key].format(
        farthest=n_distances - 1, heads=n_layers * n_heads, term=TEXT[f"what {what}"], said=description
    )
    file = File(TEXT["download"], lambda: _as_csv(means), "attention-by-distance.csv")
    draw_picture(figure, key=f"by-distance-{what}", file_name=f"by-distance-{what}", alt=alt, files=[file])


def _description(means: DistanceMeans, what: str) -> str:
    if what != "attention":
        spreads = means.terms.std(axis=-1).mean(axis=(1, 2))  # [4]
        spreads = (
            TEXT["spread"].format(term=term, value=written(float(value)))
            for term, value in zip(TERMS, spreads, strict=True)
        )
        return TEXT["said term"].format(spreads=listed(spreads))
    near, far = means.attention[..., :_NEAR].sum(-1), means.attention[..., _NEAR:].sum(-1)
    sentences = [TEXT["said near"].format(near=near.mean(), last=_NEAR)]
    farthest = means.attention.shape[-1] - 1
    if farthest >= _NEAR:
        layer, head = np.unravel_index(far.argmax(), far.shape)
        sentences.append(TEXT["said far"].format(far=far.max(), farthest=farthest, layer=layer + 1, head=head + 1))
    return paragraph(sentences)


def _show_ablated(ablated: AblatedTerms) -> None:
    rows = [[TEXT["nothing"], f"{ablated.as_trained:.3f}", ""]]
    costs = {term: bits - ablated.as_trained for term, bits in ablated.without.items()}
    rows += [[TEXT[f"what {term}"], f"{ablated.without[term]:.3f}", _cost(cost)] for term, cost in costs.items()]
    st.html(table([TEXT["left out"], TEXT["bits"], TEXT["more"]], rows))
    order = sorted(costs, key=costs.__getitem__)
    most, least = order[-1], order[0]
    shown = {"most": most, "cost": _cost(costs[most]), "least": least, "least_cost": _cost(costs[least])}
    st.markdown(TEXT["worth order"].format(**shown))
    st.caption(TEXT["worth"].format(n=ablated.n_characters))


def _cost(bits: float) -> str:
    return f"{bits:+z.3f}".replace("-", "\N{MINUS SIGN}")


def _as_csv(means: DistanceMeans) -> str:
    names = [TEXT[f"csv {name}"] for name in ("layer", "head", "distance", "attention")]
    return rows_as_csv([*names, *(TEXT["csv term"].format(term=term) for term in TERMS)], _csv_rows(means))


def _csv_rows(means: DistanceMeans) -> Iterator[list[object]]:
    for layer, head, distance in np.ndindex(*means.attention.shape):
        values: Float32[np.ndarray, " 5"] = np.array(
            [means.attention[layer, head, distance], *means.terms[:, layer, head, distance]]
        )
        yield [layer + 1, head + 1, distance, *(f"{value:.6g}" for value in values)]
