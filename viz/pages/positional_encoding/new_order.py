"""The order of the words: the encoder with permuted words, with and without positional encoding."""

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import streamlit as st

from model.decoding.translator import Translator
from viz.base.languages import worded
from viz.base.link_parameters import Choice, LinkParameter, Number, Text, counted, in_link, labelled
from viz.base.numbers import scientific
from viz.base.tokens import visible
from viz.base.words import between, listed, listed_apart, page_text
from viz.components.table import table
from viz.pages.positional_encoding.figures import aligned, heatmap
from viz.pages.positional_encoding.study.word_order import (
    EQUAL_WITHIN,
    OrderStudy,
    Positions,
    Sentence,
    order_as_csv,
    order_as_npz,
    parse_order,
    shuffled,
    study_order,
    swapped,
)
from viz.shell.controls import choose, number, place_for_warnings, text_input, warn_bad_links
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/positional_encoding/new_order")
MAX_TOKENS = 24
MAX_CHARACTERS = 200

Way = Literal["reverse", "swap", "shuffle", "own"]
WAYS: tuple[Way, ...] = get_args(Way)
_WAY: Choice[Way] = labelled("order_by", worded(WAYS, lambda way: TEXT[f"way {way}"]))
_FIRST = Number("order_first", 1, 1, MAX_TOKENS)
_SECOND = Number("order_second", 2, 1, MAX_TOKENS)
_SEED = Number("order_seed", 1, 0, 9999)
_OWN = Text("order_own", "", MAX_CHARACTERS)
_ENCODING: Choice[Positions] = labelled("order_encoding", worded(("with", "without"), lambda name: TEXT[name]))
_NUMBERS: dict[Way, tuple[Number, ...]] = {"swap": (_FIRST, _SECOND), "shuffle": (_SEED,)}


@dataclass(frozen=True)
class OrderView:
    """The permutation of the words, which count from 1."""

    way: Way = in_link(_WAY)
    first: int = in_link(_FIRST)
    second: int = in_link(_SECOND)
    seed: int = in_link(_SEED)
    own: str = in_link(_OWN)

    def order(self, n_words: int) -> tuple[int, ...] | None:
        """Return the order of ``n_words`` words, counted from 0; None where they cannot be put in it."""
        if self.way == "swap":
            is_possible = max(self.first, self.second) <= n_words
            return swapped(n_words, self.first - 1, self.second - 1) if is_possible else None
        if self.way == "shuffle":
            return shuffled(n_words, self.seed)
        if self.way == "own":
            return parse_order(self.own or _example(n_words), n_words)
        return _reverse(n_words)


@st.cache_resource(max_entries=16, show_spinner=False)
def _studied(_loaded: Translator, sentence: Sentence, order: tuple[int, ...]) -> OrderStudy:
    return study_order(_loaded, sentence, order)


def write_answer(loaded: Translator, sentence: Sentence) -> None:
    """Write what becomes of the sentence's vectors, read from its end, without the encoding and with it."""
    study = _studied(loaded, sentence, _reverse(len(sentence.words)))
    with_encoding, without = study.reordered["with"], study.reordered["without"]
    if without.is_same and not with_encoding.is_same:
        percent = f"{with_encoding.relative_difference[-1].mean():.0%}"
        st.markdown(TEXT["answer"].format(percent=percent))


@st.fragment
def show_order(loaded: Translator, sentence: Sentence) -> None:
    """Show what the encoder makes of the same words in another order.

    It is shown with the positional encoding and without.
    """
    st.header(TEXT["order title"], anchor="order")
    layer = counted("order_layer", loaded.model.config.n_encoder_layers)
    head = counted("order_head", loaded.model.config.n_heads)
    warnings = place_for_warnings()
    parameters: list[LinkParameter[Any]] = [_WAY, layer, head, _ENCODING]
    warn_bad_links(warnings, parameters)
    row = st.container(horizontal=True, vertical_alignment="bottom")
    with row:
        view = OrderView(choose(_WAY, TEXT["way"]))
    message = place_for_warnings()
    warn_bad_links(warnings, _NUMBERS.get(view.way, ()))
    n_words = len(sentence.words)
    with row:
        view = _ask_order(view, n_words)
    order = view.order(n_words)
    if order is None:
        message.warning(_problem(view, n_words))
    study = _studied(loaded, sentence, order or _reverse(n_words))
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        _show_words(study)
        _show_differences(study)
        _show_stages(study)
    with words:
        st.markdown(TEXT["differences"])
        _write_outcome(study)
        with st.expander(TEXT["how it is measured"]):
            st.markdown(TEXT["measured"].format(within=scientific(EQUAL_WITHIN)))
    _show_patterns(study, layer, head)


def _ask_order(view: OrderView, n_words: int) -> OrderView:
    """Draw what this way of ordering needs, and return the view with it."""
    if view.way == "swap":
        return replace(view, first=number(_FIRST, TEXT["first"]), second=number(_SECOND, TEXT["second"]))
    if view.way == "shuffle":
        return replace(view, seed=number(_SEED, TEXT["seed"]))
    if view.way == "own":
        return replace(view, own=text_input(_OWN, TEXT["own"], width=380, placeholder=_example(n_words)))
    return view


def _problem(view: OrderView, n_words: int) -> str:
    if view.way == "swap":
        return TEXT["no such word"].format(given=max(view.first, view.second), words=n_words)
    return TEXT["no order"].format(words=n_words, example=_example(n_words))


def _reverse(n_words: int) -> tuple[int, ...]:
    return tuple(reversed(range(n_words)))


def _example(n_words: int) -> str:
    """Return an order as a visitor would type it: every word one place to the left."""
    return " ".join(str(index % n_words + 1) for index in range(1, n_words + 1))


def _show_words(study: OrderStudy) -> None:
    words = [visible(word.text) for word in study.sentence.words]
    st.text(TEXT["new order"].format(before=" ".join(words), after=" ".join(words[index] for index in study.order)))
    if study.order == tuple(range(len(words))):
        st.caption(TEXT["nothing moved"])


def _show_differences(study: OrderStudy) -> None:
    labels, stages = study.sentence.labels, _stage_names(study)
    differences = {TEXT[f"panel {name}"]: reordered.relative_difference for name, reordered in study.reordered.items()}
    figure = aligned.aligned(differences, stages, hover=TEXT["hover difference"], columns=labels)
    ranges = listed_apart(
        f"{name}: {between(scientific(values.min()), scientific(values.max()))}" for name, values in differences.items()
    )
    alt = TEXT["alt differences"].format(stages=len(stages), tokens=len(labels), ranges=ranges)
    draw_picture(
        figure,
        key="order-chart",
        file_name="order-differences",
        alt=alt,
        files=_files_of_order(study),
        narrowest=aligned.narrowest(labels, stages),
    )


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
        headings += [TEXT[f"{measure} heading"].format(encoding=TEXT[name]) for measure in ("largest", "cosine")]
    rows = zip(_stage_names(study), *columns, strict=True)
    with st.expander(TEXT["stages"]):
        st.html(table(headings, rows, code_columns=range(1, len(headings))))


def _write_outcome(study: OrderStudy) -> None:
    for name, reordered in study.reordered.items():
        outcome = "same" if reordered.is_same else "differs"
        st.markdown(
            TEXT[f"order {name} {outcome}"].format(
                largest=scientific(reordered.largest_difference.max()),
                percent=f"{reordered.relative_difference[-1].mean():.0%}",
                pattern=scientific(reordered.pattern_difference.max()),
            )
        )


# Inside another fragment, so that a choice of head draws two matrices again and not all of the study.
@st.fragment
def _show_patterns(study: OrderStudy, layers: Choice[int], heads: Choice[int]) -> None:
    pictures, words = st.columns([2, 1], gap="large")
    with pictures:
        st.markdown(TEXT["patterns"])
        with st.container(horizontal=True, vertical_alignment="bottom"):
            layer, head = choose(layers, TEXT["layer"]), choose(heads, TEXT["head"])
            encoding = choose(_ENCODING, TEXT["encoding"])
    reordered = study.reordered[encoding]
    labels = study.sentence.labels
    passes = {
        "original": (reordered.original, labels),
        "permuted": (reordered.permuted, tuple(labels[index] for index in reordered.order)),
    }
    for column, (name, (encoder_pass, tokens)) in zip(pictures.columns(2), passes.items(), strict=True):
        weights = encoder_pass.patterns[layer, head]
        alt = TEXT["alt pattern"].format(
            name=TEXT[name], layer=layer + 1, head=head + 1, encoding=TEXT[encoding], tokens=listed(tokens)
        )
        with column:
            figure = heatmap.heatmap(weights, tokens, tokens, width=560, hover=TEXT["hover"], title=TEXT[name])
            draw_picture(
                figure,
                key=f"order-map-{name}",
                file_name=f"pattern-{name}",
                alt=alt,
                width="content",
                narrowest=heatmap.narrowest(len(tokens), tokens),
            )
    difference = scientific(reordered.pattern_difference[layer, head])
    with words:
        st.markdown(TEXT["order text"])
        st.markdown(TEXT["pattern difference"].format(difference=difference))


def _files_of_order(study: OrderStudy) -> list[File]:
    return [
        File(TEXT["download differences"], lambda: order_as_csv(study, _stage_names(study)), "order-differences.csv"),
        File(TEXT["download all"], lambda: order_as_npz(study), "order.npz"),
    ]


def _stage_names(study: OrderStudy) -> tuple[str, ...]:
    n_layers = len(study.reordered["with"].original.stages) - 2
    return (
        TEXT["stage input"],
        *(TEXT["stage layer"].format(layer=layer + 1) for layer in range(n_layers)),
        TEXT["stage output"],
    )
