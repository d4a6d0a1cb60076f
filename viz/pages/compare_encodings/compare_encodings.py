"""Compare encodings: two to six in aligned columns, drawn and measured by the models' own code."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from model.decoding.translator import Translator
from model.device import use_one_thread
from model.positional import PositionalConfig, registered
from viz.base.languages import worded
from viz.base.link_parameters import Choice, LinkParameter, in_link, labelled, parameters_of, switch
from viz.base.numbers import scientific, signed
from viz.base.words import listed, page_text
from viz.figures.position_map import largest, position_map
from viz.figures.spread import spread
from viz.pages.compare_encodings.facts import (
    is_usable,
    name_tag,
    offer_cost,
    show_formulas,
    show_properties,
)
from viz.pages.compare_encodings.study.comparison import (
    D_HEAD,
    N_SAMPLES,
    SHIFT_TOLERANCE,
    Effect,
    Profile,
    Setting,
    effect,
)
from viz.pages.compare_encodings.trained import show_trained, task_choice
from viz.pages.compare_encodings.variants import (
    MAX_VARIANTS,
    MIN_VARIANTS,
    Column,
    Variant,
    choose_variant,
    link_parameters,
)
from viz.shared.encodings import encoding_refusal, encoding_title
from viz.shared.model_words import model_words
from viz.shared.shipped import DEFAULT_TRANSLATOR, examples, translator
from viz.shell.controls import choose, place_for_warnings, select, slider, toggle, warn_bad_links
from viz.shell.picture import draw_picture
from viz.shell.state import keep_in_session, kept, linked_value

TEXT = page_text("pages/compare_encodings/compare_encodings")
_LENGTHS = (8, 16, 32, 64, 128, 256)
_COUNT = Choice("count", 4, tuple(range(MIN_VARIANTS, MAX_VARIANTS + 1)), TEXT["allowed count"])
_HEADS = Choice("heads", 4, (1, 2, 4, 8))
_HEAD = Choice("head", 1, tuple(range(1, 9)))
_LENGTH = Choice("compared-length", 64, _LENGTHS)
_TRAINED = Choice("trained", 32, _LENGTHS)
_CAUSAL = switch("causal", True)
_COMMON = switch("common", True)
_SHOW = labelled(
    "show", worded(("maps", "distance", "properties", "cost", "trained"), lambda name: TEXT[f"show {name}"])
)
# They are of no use where the zoo's models are shown; they stay where they are, or their links would be lost.
_NO_VARIANTS = "<style>:is(.st-key-variants, .st-key-count) { display: none; }</style>"
# Up to so many maps side by side have room for their full height.
_MAX_TALL_MAPS = 4
_EXAMPLES = examples("English", "everyday")
_SENTENCES = " ".join(_EXAMPLES)


@dataclass(frozen=True)
class View:
    """State of the page, shared by all columns: count, attention, head, trained positions, colours."""

    show: str = in_link(_SHOW)
    count: int = in_link(_COUNT)
    n_heads: int = in_link(_HEADS)
    head: int = in_link(_HEAD)
    length: int = in_link(_LENGTH)
    trained: int = in_link(_TRAINED)
    is_causal: bool = in_link(_CAUSAL)
    is_common: bool = in_link(_COMMON)

    @property
    def setting(self) -> Setting:
        """The attention that the encodings are compared in."""
        return Setting(self.length, self.n_heads, self.is_causal)

    @property
    def head_index(self) -> int:
        """The head shown, counted from 0."""
        return self.head - 1


def show() -> None:
    """Draw the page."""
    labels = worded(registered(), lambda name: model_words(registered()[name].description.title))
    warnings = place_for_warnings()
    tasks = task_choice()
    warn_bad_links(warnings, [tasks, *_view_parameters(), *link_parameters(linked_value(_COUNT), labels)])
    view = _choose_view()
    with st.container(key="variants"):
        places = st.columns(view.count)
    variants = []
    for slot, place in enumerate(places, start=1):
        with place:
            mark = st.container()
            variants.append(choose_variant(slot, labels))
            mark.html(f'<div class="variant-mark" style="background:{variants[-1].look.swatch}"></div>')
    if view.show == "trained":
        st.html(_NO_VARIANTS)
        show_trained(select(tasks, TEXT["task"], width=320), view.length, view.head_index, is_common=view.is_common)
        return
    columns = [_column(variant, view.setting) for variant in variants]
    for column, place in zip(columns, places, strict=True):
        if column.problem:
            place.warning(column.problem)
    if view.show == "maps":
        _show_maps(columns, view)
    elif view.show == "distance":
        _show_profiles(columns, view)
    elif view.show == "properties":
        show_properties(columns, select(tasks, TEXT["task"], width=320))
    else:
        offer_cost(columns, view.setting)


def _show_maps(columns: Sequence[Column], view: View) -> None:
    deepest = largest(column.effect.scores[view.head_index] for column in columns if column.effect)
    scale = TEXT["range common" if view.is_common else "range own"].format(deepest=signed(deepest))
    st.markdown(TEXT["map"].format(head=view.head, scale=scale))
    _row(columns, lambda column: _show_map(column, view, deepest if view.is_common else None))
    show_formulas(columns)
    if any(column.effect and column.effect.added is not None for column in columns):
        st.markdown(TEXT["added"])
        _row(columns, _show_added)
    _show_words()


def _show_profiles(columns: Sequence[Column], view: View) -> None:
    st.markdown(TEXT["random"].format(samples=N_SAMPLES, head=view.head))
    _row(columns, lambda column: _show_profile(column, view, "random"))
    st.markdown(TEXT["real"].format(sentences=len(_EXAMPLES), tokens=view.length, head=view.head))
    _row(columns, lambda column: _show_profile(column, view, "real"))


def _show_words() -> None:
    places = st.columns(3, gap="large")
    for place, part in zip(places, ("what is seen", "what to try", "limits"), strict=True):
        place.markdown(TEXT[part].format(tolerance=SHIFT_TOLERANCE, longest=_LENGTHS[-1], d_head=D_HEAD))


def _view_parameters() -> list[LinkParameter[Any]]:
    parameters = parameters_of(View) | {"head": _heads_of(linked_value(_HEADS))}
    return list(parameters.values())


def _heads_of(n_heads: int) -> Choice[int]:
    return replace(_HEAD, options=_HEAD.options[:n_heads])


def _choose_view() -> View:
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls"):
        show = choose(_SHOW, TEXT["show"], wrap=False)
        count = choose(_COUNT, TEXT["count"], wrap=False)
        length = slider(_LENGTH, TEXT["length"], width=160)
        with st.popover(TEXT["more"]):
            n_heads = choose(_HEADS, TEXT["heads"], wrap=False)
            head = choose(_heads_of(n_heads), TEXT["head"])
            trained = slider(_TRAINED, TEXT["trained"])
            return View(
                show,
                count,
                n_heads,
                head,
                length,
                trained,
                toggle(_CAUSAL, TEXT["causal"]),
                toggle(_COMMON, TEXT["common"]),
            )


@st.cache_data(max_entries=128, show_spinner=False)
def _effect(
    name: str, parameters: tuple[tuple[str, float], ...], inner: str | None, setting: Setting, sentence: str
) -> Effect:
    use_one_thread()
    config = PositionalConfig(name, dict(parameters), None if inner is None else PositionalConfig(inner))
    return effect(config, setting, _translator(), sentence)


def _translator() -> Translator | None:
    return translator(DEFAULT_TRANSLATOR) if is_usable(DEFAULT_TRANSLATOR) else None


def _column(variant: Variant, setting: Setting) -> Column:
    config = variant.config
    inner = None if config.inner is None else config.inner.name
    try:
        column = Column(variant, _effect(config.name, tuple(config.parameters.items()), inner, setting, _SENTENCES))
    except ValueError as error:
        refused = {"title": encoding_title(replace(config, parameters={})), "reason": encoding_refusal(error)}
        last = kept(Column, variant.number)
        # An older effect is of the heads chosen then, and may lack the one that is shown now.
        if last is None or last.effect is None or len(last.effect.scores) != setting.n_heads:
            return Column(variant, None, TEXT["refused first"].format(**refused))
        return replace(last, problem=TEXT["refused"].format(**refused))
    keep_in_session(column, variant.number)
    return column


def _row(columns: Sequence[Column], draw: Callable[[Column], None]) -> None:
    for column, place in zip(columns, st.columns(len(columns)), strict=True):
        with place:
            # Side by side the choice above names a column; stacked on a phone it would be far away.
            st.html(name_tag(column, "narrow-only"))
            draw(column)


def _write_shift(effect: Effect) -> None:
    made = {offset: change for offset, change in effect.shifts.items() if change is not None}
    missing = [offset for offset in effect.shifts if offset not in made]
    worst = max(made, key=lambda offset: made[offset], default=None)
    if effect.is_nothing:
        st.markdown(TEXT["measured nothing"])
    elif worst is None:
        st.markdown(TEXT["measured none"])
    elif effect.counts_keys:
        st.markdown(TEXT["measured keys"].format(offsets=_listed(made)))
    elif made[worst] == 0:
        st.markdown(TEXT["measured exact"].format(offsets=_listed(made)))
    elif effect.is_relative:
        st.markdown(TEXT["measured relative"].format(offsets=_listed(made), change=scientific(made[worst])))
    else:
        st.markdown(TEXT["measured absolute"].format(worst=f"{worst:,}", change=f"{made[worst]:.1%}"))
    if missing and made:
        st.caption(TEXT["no shift"].format(offsets=_listed(missing)))


def _write_weights(effect: Effect) -> None:
    if effect.n_parameters:
        st.caption(TEXT["fresh"].format(weights=f"{effect.n_parameters:,}"))


def _write_beyond(effect: Effect, view: View) -> None:
    scores, trained = effect.scores[view.head_index], view.trained
    if trained >= len(scores):
        st.caption(TEXT["beyond all"])
        return
    within = scores[:trained, :trained]
    low, high, low_within, high_within = (
        float(limit(part)) for part in (scores, within) for limit in (np.nanmin, np.nanmax)
    )
    margin = 1e-4 + 0.01 * (high_within - low_within)
    text = "beyond same" if low >= low_within - margin and high <= high_within + margin else "beyond new"
    st.caption(
        TEXT[text].format(
            trained=trained,
            low=signed(low),
            high=signed(high),
            low_trained=signed(low_within),
            high_trained=signed(high_within),
        )
    )


def _listed(offsets: Iterable[int]) -> str:
    return listed(f"{offset:,}" for offset in offsets)


def _show_map(column: Column, view: View, deepest: float | None) -> None:
    if column.effect is None:
        return
    scores = column.effect.scores[view.head_index]
    figure = position_map(
        scores,
        row_name=TEXT["query"],
        column_name=TEXT["key"],
        hover=TEXT["hover map"],
        trained=view.trained,
        is_square=True,
        height=250 if view.count <= _MAX_TALL_MAPS else 190,
        deepest=deepest,
    )
    alt = TEXT["alt map"].format(
        title=column.variant.title,
        head=view.head,
        length=len(scores),
        low=signed(np.nanmin(scores)),
        high=signed(np.nanmax(scores)),
    )
    _chart(figure, column, "map", alt)
    _write_shift(column.effect)
    if not column.effect.is_nothing:
        _write_beyond(column.effect, view)
    _write_weights(column.effect)


def _show_added(column: Column) -> None:
    if column.effect is None:
        return
    added = column.effect.added
    if added is None:
        where = listed(map(model_words, column.variant.encoding.description.properties.acts_on)) or TEXT["nothing"]
        st.caption(TEXT["nothing added"].format(where=where))
        return
    figure = position_map(added, row_name=TEXT["position"], column_name=TEXT["dimension"], hover=TEXT["hover added"])
    low, high = signed(added.min()), signed(added.max())
    alt = TEXT["alt added"].format(title=column.variant.title, length=len(added), low=low, high=high)
    _chart(figure, column, "added", alt)


def _show_profile(column: Column, view: View, which: str) -> None:
    profiles: tuple[Profile, ...] | None = getattr(column.effect, which) if column.effect else None
    if not profiles:
        return
    # The shipped model may have more heads than are compared, or fewer.
    profile = profiles[view.head_index % len(profiles)]
    figure = spread(
        profile.distances.tolist(),
        {column.variant.title: profile.spread.astype(np.float64)},
        colours={column.variant.title: column.variant.look.colour},
        x_name=TEXT["distance"],
        y_name=TEXT["score"],
        logarithmic_x=False,
        here=view.trained - 1 if view.trained < view.length else None,
        height=220,
    )
    middle = profile.spread[1]
    alt = TEXT[f"alt {which}"].format(
        title=column.variant.title,
        near=signed(middle[list(profile.distances).index(0)]),
        far=signed(middle[-1]),
        last=int(profile.distances[-1]),
    )
    _chart(figure, column, which, alt)


def _chart(figure: go.Figure, column: Column, name: str, alt: str) -> None:
    number = column.variant.number
    file_name = f"{column.variant.config.name}-{name}"
    draw_picture(figure, key=f"{name}-{number}", file_name=file_name, alt=alt)


if __name__ == "__main__":
    show()
