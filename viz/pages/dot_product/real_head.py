"""Dot product by hand, with the queries, keys and values of a head of the shipped model."""

import math
from collections.abc import Iterable, Mapping

import numpy as np
import streamlit as st

from model.checkpoint import DamagedWeightsError
from model.decoding.translator import SourceTextError
from viz.base.attention_maps import BLOCKS, BlockName, attention_kind
from viz.base.link_parameters import Choice, number_from_one, query_of, read_link
from viz.base.markdown import plain
from viz.base.words import between, page_text
from viz.components.matrix_view import matrix_view, matrix_views, product_view
from viz.pages.dot_product.study.by_hand import AttentionOptions, HeadSteps, head_steps
from viz.pages.dot_product.study.real_head import MAX_TOKENS, RealHead, TokensError, real_head
from viz.shared.shipped import damage, translator
from viz.shared.translation import (
    SEED,
    TEMPERATURE,
    TOP_K,
    TOP_P,
    Beginning,
    DecodingChoice,
    TranslationResult,
    translated,
    why_untranslated,
)
from viz.shared.translators import KEY, TEXT_KEY
from viz.shell.controls import place_for_warnings, select_some
from viz.shell.page import link_to, theme

TEXT = page_text("pages/dot_product/real_head")
_OPENING_TOKENS = 6


class LinkError(ValueError):
    """A link to a head that is not there; the message says why."""


def show_head() -> str | None:
    """Draw the head that the link names, or return the problem with the link and draw nothing."""
    try:
        result, kind, layer, head = _read_link()
    except SourceTextError as error:
        return TEXT["bad link"].format(reason=why_untranslated(error))
    except (LinkError, DamagedWeightsError, OSError, ValueError) as error:
        return TEXT["bad link"].format(reason=plain(damage(error)))
    shown = attention_kind(result.translation, kind)
    sides = {"queries": shown.queries.labels, "keys": shown.keys.labels}
    warnings = place_for_warnings()
    queries, keys = (_choose_tokens(name, labels) for name, labels in sides.items())
    loaded = translator(result.choice.model)
    try:
        real = real_head(loaded, result.translation, kind, layer=layer, head=head, queries=queries, keys=keys)
    except TokensError as error:
        warnings.warning(TEXT["no tokens"].format(reason=error.sentence(TEXT)))
        queries, keys = map(_first, sides.values())
        real = real_head(loaded, result.translation, kind, layer=layer, head=head, queries=queries, keys=keys)
    st.markdown(
        TEXT["which"].format(
            layer=layer + 1,
            head=head + 1,
            kind=TEXT[f"kind {kind}"],
            text=plain(st.query_params["sentence"]),
            d_key=real.q.shape[1],
        )
    )
    _show_steps(real)
    _offer_ways_on(_on_translate(result, kind, layer, head))
    return None


def _read_link() -> tuple[TranslationResult, BlockName, int, int]:
    link = st.query_params
    kind = next((kind for kind in BLOCKS if kind == link["kind"]), None)
    if kind is None:
        raise LinkError(TEXT["no kind"].format(kind=link["kind"]))
    beginning, bad = read_link(Beginning, link.to_dict())
    if bad:
        raise LinkError(TEXT["bad beginning"])
    choice, _ = read_link(DecodingChoice, link.to_dict())
    result = translated(link.get("sentence", ""), choice, beginning.tokens)
    layers, heads = attention_kind(result.translation, kind).weights.shape[:2]
    layer, head = link.get("layer", "1"), link.get("head", "1")
    if layer not in map(str, range(1, layers + 1)) or head not in map(str, range(1, heads + 1)):
        raise LinkError(TEXT["no layer"].format(layer=layer, head=head, layers=layers, heads=heads))
    return result, kind, int(layer) - 1, int(head) - 1


def _choose_tokens(name: str, labels: tuple[str, ...]) -> tuple[int, ...]:
    numbered = {index: f"{index + 1}\N{NO-BREAK SPACE}{label}" for index, label in enumerate(labels)}
    field = Choice(f"head-{name}", 0, tuple(numbered), labels=numbered, id=number_from_one)
    label = TEXT[name].format(most=MAX_TOKENS)
    return select_some(field, label, default=_first(labels), max_selections=MAX_TOKENS)


def _first(labels: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(range(min(_OPENING_TOKENS, len(labels))))


def _show_steps(real: RealHead) -> None:
    steps = head_steps(real.q, real.k, real.v, real.allowed, AttentionOptions())
    d_key = real.q.shape[1]
    st.markdown(TEXT["products"].format(d_key=d_key))
    _views(
        [
            product_view(
                ("Q", steps.q),
                ("Kᵀ", steps.k.T),
                ("Q Kᵀ", steps.products),
                left_rows=real.queries,
                right_columns=real.keys,
            )
        ]
    )
    st.markdown(TEXT["scale"].format(d_key=d_key, root=f"{math.sqrt(d_key):.3f}"))
    _views([matrix_view(TEXT["shown scaled"], steps.scaled, rows=real.queries)])
    number = 3
    if not real.allowed.all():
        st.markdown(TEXT["mask"])
        _views([matrix_view(TEXT["shown scores"], steps.scores, rows=real.queries)])
        number += 1
    _show_patterns(real, steps, number)
    st.markdown(TEXT["mix"].format(number=number + 1))
    pattern = (TEXT["shown pattern"], steps.pattern)
    _views(
        [
            product_view(
                pattern,
                ("V", steps.v),
                ("Z", steps.z),
                largest_left=1,
                left_rows=real.queries,
                right_rows=real.keys,
            )
        ]
    )


def _show_patterns(real: RealHead, steps: HeadSteps, number: int) -> None:
    kept = real.pattern.sum(axis=1, keepdims=True)
    difference = np.abs(real.pattern / kept - steps.pattern).max()
    share = between(f"{kept.min():.0%}", f"{kept.max():.0%}")
    st.markdown(TEXT["softmax"].format(number=number, share=share, difference=f"{difference:.0e}"))
    _views(
        [
            matrix_view(TEXT["shown pattern"], steps.pattern, largest=1, rows=real.queries),
            matrix_view(TEXT["shown model"], real.pattern, largest=1, rows=real.queries),
        ]
    )


def _views(views: Iterable[str]) -> None:
    st.html(matrix_views(views, theme=theme()))


def _offer_ways_on(on_translate: Mapping[str, str]) -> None:
    with st.container(horizontal=True):
        link_to("translate", TEXT["translate"], on_translate)
        link_to("dot-product", TEXT["back"])


def _on_translate(result: TranslationResult, kind: BlockName, layer: int, head: int) -> dict[str, str]:
    """Return what a link to Translate carries for this very head.

    It says what is as by default, too: what it left out would be as it was last chosen there.
    """
    choice = result.choice
    numbers = ((TEMPERATURE, choice.temperature), (TOP_K, choice.top_k), (TOP_P, choice.top_p), (SEED, choice.seed))
    return {
        TEXT_KEY: result.text,
        KEY: choice.model,
        "search": choice.search,
        **({field.key: field.write(value) for field, value in numbers} if choice.search == "sample" else {}),
        **query_of(Beginning(result.begin)),
        "kind": kind,
        "heads": f"{layer + 1}.{head + 1}",
    }
