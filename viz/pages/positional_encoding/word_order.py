"""Two studies of the page Positional encoding, on the shipped translator: the sum, and the order of the words."""

from collections.abc import Mapping
from typing import Any, Literal, get_args

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.checkpoint import DamagedWeightsError
from model.decoding.translator import Translator
from viz.base.exports import arrays_as_npz, columns_as_csv, matrix_as_csv
from viz.base.link_parameters import Number, choice_of
from viz.base.numbers import scientific
from viz.base.tokens import visible
from viz.base.words import page_text
from viz.components.table import table
from viz.figures.bars import bars
from viz.pages.positional_encoding.claims import show_claims
from viz.pages.positional_encoding.figures import aligned, heatmap
from viz.pages.positional_encoding.study.word_order import (
    EQUAL_WITHIN,
    EmbeddingSum,
    OrderStudy,
    Sentence,
    order_as_csv,
    order_as_npz,
    parse_order,
    read_sentence,
    shuffled,
    study_order,
    sum_as_trained,
    sum_unscaled,
    swapped,
)
from viz.shell.controls import choice, download, number, place_for_warnings, warn_bad_links
from viz.shell.page import plot_config, theme
from viz.shell.shipped import DEFAULT_TRANSLATOR, damage, translator

__all__ = ["show_claims", "show_order", "show_sum"]

TEXT = page_text("pages/positional_encoding/word_order")
SENTENCE = "I love to play football"
MAX_CHARACTERS = 200
MAX_TOKENS = 24

Way = Literal["reverse", "swap", "shuffle", "own"]
WAYS: tuple[Way, ...] = get_args(Way)
_FIRST = Number("order_first", 1, 1, MAX_TOKENS)
_SECOND = Number("order_second", 2, 1, MAX_TOKENS)
_SEED = Number("order_seed", 1, 0, 9999)
_FIELDS: Mapping[Way, tuple[Number, ...]] = {"swap": (_FIRST, _SECOND), "shuffle": (_SEED,)}
_ON, _OFF = "true", "false"


@st.fragment
def show_sum() -> None:
    """Show what the encoder adds up for each token, and how large each part is."""
    st.header(TEXT["sum title"], anchor="sum")
    loaded = _load()
    if loaded is None:
        return
    warnings = place_for_warnings()
    warn_bad_links(warnings, [choice_of("sum_scale", (_ON, _OFF))])
    with warnings:
        _say_cut("sum_text")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = _ask_sentence("sum_text")
        is_scaled = st.toggle(TEXT["scale"], True, key="sum_scale", bind="query-params")
    with place_for_warnings():
        sentence = _read(loaded, "sum_text", text)
    trained, unscaled = sum_as_trained(loaded, sentence), sum_unscaled(loaded, sentence)
    shown = trained if is_scaled else unscaled
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        _show_parts(sentence, shown)
        _offer_sum(sentence, shown)
    with words:
        _show_lengths(sentence, shown)
        st.markdown(TEXT[f"sum {_compare(shown)}"].format(ratio=f"{shown.ratio:.2f}", inverse=f"{1 / shown.ratio:.1f}"))
        _say_both(trained, unscaled, loaded.model.config.d_model)
        st.caption(_limits())


def _say_both(trained: EmbeddingSum, unscaled: EmbeddingSum, d_model: int) -> None:
    st.markdown(
        TEXT["sum both"].format(
            d_model=d_model,
            root=f"{d_model**0.5:.4g}",
            scaled=f"{trained.ratio:.2f}",
            unscaled=f"{unscaled.ratio:.2f}",
            scaled_cosine=f"{trained.alikeness:.2f}",
            unscaled_cosine=f"{unscaled.alikeness:.2f}",
        )
    )


def _compare(shown: EmbeddingSum) -> str:
    """Return which part is the larger one: by half or more, or neither."""
    if shown.ratio >= 1.5:
        return "embedding"
    return "encoding" if shown.ratio <= 1 / 1.5 else "balance"


def _show_parts(sentence: Sentence, shown: EmbeddingSum) -> None:
    parts = _parts(shown)
    figure = aligned.aligned(
        parts, sentence.labels, theme=theme(), hover=TEXT["hover dimension"], column_name=TEXT["dimension"]
    )
    lengths = ", ".join(f"{name} {np.linalg.norm(part, axis=1).mean():.1f}" for name, part in parts.items())
    alt = TEXT["alt parts"].format(tokens=len(sentence.labels), d_model=shown.total.shape[1], lengths=lengths)
    st.plotly_chart(figure, theme=None, key="sum-parts", config=plot_config("embedding-sum"), alt=alt)


def _show_lengths(sentence: Sentence, shown: EmbeddingSum) -> None:
    lengths = {TEXT[f"short {name}"]: np.linalg.norm(part, axis=1) for name, part in vars(shown).items()}
    figure = bars(sentence.labels, lengths, theme=theme(), y_name=TEXT["length"])
    said = "; ".join(f"{name}: {', '.join(f'{value:.1f}' for value in values)}" for name, values in lengths.items())
    alt = TEXT["alt lengths"].format(tokens=", ".join(sentence.labels), lengths=said)
    st.plotly_chart(figure, theme=None, key="sum-lengths", config=plot_config("embedding-lengths"), alt=alt)


def _parts(shown: EmbeddingSum) -> dict[str, np.ndarray]:
    return {TEXT[f"part {name}"]: part for name, part in vars(shown).items()}


def _offer_sum(sentence: Sentence, shown: EmbeddingSum) -> None:
    lengths = {f"{name} length": np.linalg.norm(part, axis=1) for name, part in vars(shown).items()}
    dimensions = [str(index) for index in range(shown.total.shape[1])]
    labels = [f"{name} {label}" for name in vars(shown) for label in sentence.labels]
    with st.container(horizontal=True):
        download(
            TEXT["download lengths"], lambda: columns_as_csv({"token": sentence.labels, **lengths}), "sum-lengths.csv"
        )
        download(
            TEXT["download values"],
            lambda: matrix_as_csv(np.concatenate(list(vars(shown).values())), labels, dimensions),
            "sum-values.csv",
        )
        download(
            TEXT["download all"],
            lambda: arrays_as_npz({**vars(shown), "tokens": np.array(sentence.labels, dtype=np.str_)}),
            "sum.npz",
        )


@st.fragment
def show_order() -> None:
    """Show what the encoder makes of the same words in another order, with the positional encoding and without."""
    st.header(TEXT["order title"], anchor="order")
    loaded = _load()
    if loaded is None:
        return
    config = loaded.model.config
    choices: dict[str, Mapping[Any, str]] = {
        "order_by": {way: TEXT[f"way {way}"] for way in WAYS},
        "order_layer": {index: str(index + 1) for index in range(config.n_encoder_layers)},
        "order_head": {index: str(index + 1) for index in range(config.n_heads)},
        "order_encoding": {name: TEXT[name] for name in ("with", "without")},
    }
    warnings = place_for_warnings()
    warn_bad_links(warnings, [choice_of(key, options.values()) for key, options in choices.items()])
    with warnings:
        _say_cut("order_text")
    row = st.container(horizontal=True, vertical_alignment="bottom")
    with row:
        text = _ask_sentence("order_text")
        way = choice("order_by", TEXT["way"], choices["order_by"])
    message = place_for_warnings()
    with message:
        sentence = _read(loaded, "order_text", text)
        warn_bad_links(warnings, _FIELDS.get(way, ()))
    with row:
        order, problem = _ask_order(way, len(sentence.words))
    if problem:
        message.warning(problem)
    study = study_order(loaded, sentence, order)
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        _show_words(study)
        _show_differences(study)
        _show_stages(study)
        _offer_order(study)
    with words:
        _say_order(study)
        st.caption(_limits())
    _show_patterns(study, choices)


def _ask_order(way: Way, n_words: int) -> tuple[tuple[int, ...], str | None]:
    """Draw what this way of ordering needs; return the order, and why it is the reversed one if it stands in."""
    reverse = tuple(reversed(range(n_words)))
    if way == "swap":
        first, second = number(_FIRST, TEXT["first"]), number(_SECOND, TEXT["second"])
        if max(first, second) > n_words:
            return reverse, TEXT["no such word"].format(given=max(first, second), words=n_words)
        return swapped(n_words, first - 1, second - 1), None
    if way == "shuffle":
        return shuffled(n_words, number(_SEED, TEXT["seed"])), None
    if way == "own":
        example = " ".join(str(index % n_words + 1) for index in range(1, n_words + 1))
        given = st.text_input(
            TEXT["own"], key="order_own", bind="query-params", max_chars=MAX_CHARACTERS, placeholder=example, width=220
        )
        order = parse_order(given or example, n_words)
        if order is None:
            return reverse, TEXT["no order"].format(words=n_words, example=example)
        return order, None
    return reverse, None


def _show_words(study: OrderStudy) -> None:
    words = [visible(word.text) for word in study.sentence.words]
    st.text(TEXT["new order"].format(before=" ".join(words), after=" ".join(words[index] for index in study.order)))
    if study.order == tuple(range(len(words))):
        st.caption(TEXT["nothing moved"])


def _show_differences(study: OrderStudy) -> None:
    labels, stages = study.sentence.labels, _stage_names(study)
    differences = {TEXT[f"panel {name}"]: reordered.relative_difference for name, reordered in study.reordered.items()}
    st.markdown(TEXT["differences"])
    figure = aligned.aligned(differences, stages, theme=theme(), hover=TEXT["hover difference"], columns=labels)
    said = "; ".join(
        f"{name}: {scientific(values.min())} – {scientific(values.max())}" for name, values in differences.items()
    )
    alt = TEXT["alt differences"].format(stages=len(stages), tokens=len(labels), said=said)
    with _scrolling("order-differences", aligned.narrowest(labels, stages)):
        st.plotly_chart(figure, theme=None, key="order-chart", config=plot_config("order-differences"), alt=alt)


def _show_stages(study: OrderStudy) -> None:
    """Show a row for each stage: how far tokens differ from themselves, with and without the encoding."""
    columns = [
        column
        for reordered in study.reordered.values()
        for column in (
            [scientific(value) for value in reordered.largest_difference],
            [f"{value:.4f}" for value in reordered.cosine.min(axis=1)],
        )
    ]
    headings = [TEXT["stage"]]
    for name in study.reordered:
        headings += [TEXT[f"{what} heading"].format(encoding=TEXT[name]) for what in ("largest", "cosine")]
    rows = zip(_stage_names(study), *columns, strict=True)
    st.html(table(headings, rows, code_columns=range(1, len(headings))))


def _say_order(study: OrderStudy) -> None:
    for name, reordered in study.reordered.items():
        outcome = "same" if reordered.is_same else "differs"
        st.markdown(
            TEXT[f"order {name} {outcome}"].format(
                largest=scientific(reordered.largest_difference.max()),
                percent=f"{reordered.relative_difference[-1].mean():.0%}",
                pattern=scientific(reordered.pattern_difference.max()),
            )
        )
    st.markdown(TEXT["order text"].format(within=scientific(EQUAL_WITHIN)))


# Inside another fragment, so that a choice of head draws two matrices anew and not all of the study.
@st.fragment
def _show_patterns(study: OrderStudy, choices: Mapping[str, Mapping[Any, str]]) -> None:
    st.markdown(TEXT["patterns"])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        layer = choice("order_layer", TEXT["layer"], choices["order_layer"])
        head = choice("order_head", TEXT["head"], choices["order_head"])
        key = choice("order_encoding", TEXT["encoding"], choices["order_encoding"])
    reordered = study.reordered[key]
    labels = study.sentence.labels
    passes = {
        "original": (reordered.original, labels),
        "permuted": (reordered.permuted, tuple(labels[index] for index in reordered.order)),
    }
    for column, (name, (seen, shown)) in zip(st.columns(2), passes.items(), strict=True):
        weights = seen.patterns[layer, head]
        alt = TEXT["alt pattern"].format(
            name=TEXT[name], layer=layer + 1, head=head + 1, encoding=TEXT[key], tokens=", ".join(shown)
        )
        with column, _scrolling(f"order-{name}", heatmap.narrowest(len(shown), shown)):
            st.markdown(f"**{TEXT[name]}**")
            figure = heatmap.heatmap(weights, shown, shown, theme=theme(), width=560, hover=TEXT["hover"])
            config = plot_config(f"pattern-{name}")
            st.plotly_chart(figure, theme=None, width="content", key=f"order-map-{name}", config=config, alt=alt)
    difference = scientific(reordered.pattern_difference[layer, head])
    st.markdown(TEXT["pattern difference"].format(difference=difference))


def _offer_order(study: OrderStudy) -> None:
    with st.container(horizontal=True):
        download(
            TEXT["download differences"], lambda: order_as_csv(study, _stage_names(study)), "order-differences.csv"
        )
        download(TEXT["download all"], lambda: order_as_npz(study), "order.npz")


def _stage_names(study: OrderStudy) -> tuple[str, ...]:
    n_layers = len(study.reordered["with"].original.stages) - 2
    return (
        TEXT["stage input"],
        *(TEXT["stage layer"].format(layer=layer + 1) for layer in range(n_layers)),
        TEXT["stage output"],
    )


def _load() -> Translator | None:
    try:
        with st.spinner(TEXT["loading"]):
            return translator(DEFAULT_TRANSLATOR)
    except (DamagedWeightsError, OSError, ValueError) as error:
        st.warning(TEXT["no model"].format(reason=damage(error)))
        return None


def _say_cut(key: str) -> None:
    linked = len(st.query_params.get(key, ""))
    if linked > MAX_CHARACTERS:
        st.warning(TEXT["link cut"].format(key=key, given=f"{linked:,}", most=MAX_CHARACTERS))


def _ask_sentence(key: str) -> str:
    text = st.text_input(TEXT["sentence"], SENTENCE, max_chars=MAX_CHARACTERS, key=key, bind="query-params", width=420)
    return text or ""


def _read(loaded: Translator, key: str, text: str) -> Sentence:
    """Return the sentence to show: ``text``, or else the last good one under a word on why."""
    sentence = read_sentence(loaded, text)
    n_tokens = len(sentence.ids) - 1
    if 0 < n_tokens <= MAX_TOKENS:
        st.session_state[f"{key} good"] = text
        return sentence
    problem = TEXT["too long"].format(given=n_tokens, most=MAX_TOKENS) if n_tokens else TEXT["no words"]
    last_good = st.session_state.get(f"{key} good")
    below = TEXT["example shown"] if last_good is None else TEXT["last shown"]
    st.warning(f"{problem} {below}")
    return read_sentence(loaded, last_good or SENTENCE)


def _scrolling(key: str, least: int) -> DeltaGenerator:
    """Return a box in which a chart stays ``least`` pixels wide, and scrolls where the screen is narrower."""
    frame = f".st-key-{key} [data-testid='stElementContainer'], .st-key-{key} [data-testid='stFullScreenFrame']"
    st.html(f"<style>.st-key-{key} {{ overflow: auto hidden }} {frame} {{ min-width: {least}px }}</style>")
    return st.container(key=key)


def _limits() -> str:
    return TEXT["limits"].format(tokens=MAX_TOKENS, characters=MAX_CHARACTERS)
