"""Compare encodings: two to six of them in aligned columns, drawn and measured by the code that the models run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from model.decoding.translator import Translator
from model.device import use_one_thread
from model.positional import PositionalConfig, registered
from viz.base.colours import OKABE_ITO
from viz.base.link_parameters import Choice, LinkParameter, choice_of
from viz.base.numbers import scientific, signed
from viz.base.words import page_text
from viz.figures.spread import spread
from viz.pages.compare_encodings.facts import (
    is_usable,
    name_tag,
    offer_cost,
    show_formulas,
    show_properties,
    show_trained,
)
from viz.pages.compare_encodings.figures.position_map import position_map
from viz.pages.compare_encodings.study.comparison import (
    D_HEAD,
    N_SAMPLES,
    SHIFT_TOLERANCE,
    Effect,
    Profile,
    Setting,
    effect,
)
from viz.pages.compare_encodings.variants import FEWEST, MOST, Column, Variant, choose_variant, link_rules
from viz.shell.controls import choice, place_for_warnings, warn_bad_links
from viz.shell.encodings import encoding_refusal
from viz.shell.page import plot_config, theme
from viz.shell.shipped import DEFAULT_TRANSLATOR, examples, translator
from viz.shell.state import linked_value

TEXT = page_text("pages/compare_encodings/compare_encodings")
_LENGTHS = (8, 16, 32, 64, 128, 256)
_HEADS = (1, 2, 4, 8)
_COUNTS = tuple(range(FEWEST, MOST + 1))
_FIRST_COUNT, _FIRST_HEADS = 4, 4
# So many maps side by side have room for their full height.
_ROOMY = 4
_EXAMPLES = examples("English", "everyday")
_SENTENCES = " ".join(_EXAMPLES)


@dataclass(frozen=True)
class View:
    """What all columns share: the attention, the head shown, how many positions count as trained; and their count."""

    setting: Setting
    head: int
    trained: int
    count: int


def show() -> None:
    """Draw the page."""
    labels = {name: known.description.title for name, known in registered().items()}
    warnings = place_for_warnings()
    asked = Choice("count", str(_FIRST_COUNT), tuple(map(str, _COUNTS)), TEXT["allowed count"])
    count = int(linked_value(asked))
    warn_bad_links(warnings, [asked, *_view_rules(), *link_rules(count, labels)])
    view = _choose_view()
    places = st.columns(view.count)
    variants = []
    for slot, place in enumerate(places, start=1):
        with place:
            st.html(f'<div class="variant-mark" style="background:{OKABE_ITO[slot - 1]}"></div>')
            variants.append(choose_variant(slot, labels))
    columns = [_column(variant, view.setting) for variant in variants]
    for column, place in zip(columns, places, strict=True):
        with place:
            _show_problem(column)
    st.markdown(TEXT["map"].format(head=view.head + 1))
    _row(columns, lambda column: _show_map(column, view))
    st.markdown(TEXT["random"].format(samples=N_SAMPLES, head=view.head + 1))
    _row(columns, lambda column: _show_profile(column, view, "random"))
    st.markdown(TEXT["real"].format(sentences=len(_EXAMPLES), tokens=view.setting.length, head=view.head + 1))
    _row(columns, lambda column: _show_profile(column, view, "real"))
    st.markdown(TEXT["added"])
    _row(columns, _show_added)
    _show_words()
    show_formulas(columns)
    show_properties(columns)
    offer_cost(columns, view.setting)
    show_trained(view.setting.length, view.head)


def _show_words() -> None:
    places = st.columns(3, gap="large")
    for place, part in zip(places, ("what is seen", "what to try", "limits"), strict=True):
        place.markdown(TEXT[part].format(tolerance=SHIFT_TOLERANCE, longest=_LENGTHS[-1], d_head=D_HEAD))


def _view_rules() -> list[LinkParameter]:
    heads = Choice("heads", str(_FIRST_HEADS), tuple(map(str, _HEADS)))
    n_heads = int(linked_value(heads))
    return [
        choice_of("length", map(str, _LENGTHS)),
        choice_of("trained", map(str, _LENGTHS)),
        heads,
        choice_of("head", map(str, range(1, n_heads + 1))),
        choice_of("causal", ("true", "false")),
    ]


def _choose_view() -> View:
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls"):
        count = _pick("count", _COUNTS, _FIRST_COUNT)
        n_heads = _pick("heads", _HEADS, _FIRST_HEADS)
        head = choice("head", TEXT["head"], {index: str(index + 1) for index in range(n_heads)})
        length = st.select_slider(TEXT["length"], _LENGTHS, 64, key="length", bind="query-params", width=200)
        trained = st.select_slider(TEXT["trained"], _LENGTHS, 32, key="trained", bind="query-params", width=200)
        causal = st.toggle(TEXT["causal"], True, key="causal", bind="query-params")
    return View(Setting(length, n_heads, causal), head, trained, count)


def _pick(name: str, options: Sequence[int], default: int) -> int:
    chosen = st.segmented_control(
        TEXT[name], options, default=default, required=True, format_func=str, key=name, bind="query-params"
    )
    return default if chosen is None else chosen


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
    config, state = variant.config, st.session_state
    inner = None if config.inner is None else config.inner.name
    key = f"last effect {variant.number}"
    try:
        found = _effect(config.name, tuple(config.parameters.items()), inner, setting, _SENTENCES)
    except ValueError as error:
        last = state.get(key)
        return Column(
            replace(variant, title=last[0]) if last else variant, last[1] if last else None, encoding_refusal(error)
        )
    state[key] = (variant.title, found)
    return Column(variant, found)


def _row(columns: Sequence[Column], draw: Callable[[Column], None]) -> None:
    for column, place in zip(columns, st.columns(len(columns)), strict=True):
        with place:
            # Side by side the choice above names a column; stacked on a phone it would be far away.
            st.html(name_tag(column, "narrow-only"))
            draw(column)


def _show_problem(column: Column) -> None:
    if column.problem:
        text = "refused" if column.effect else "refused first"
        st.warning(TEXT[text].format(title=column.variant.title, reason=column.problem))


def _say_shift(effect: Effect) -> None:
    made = {offset: change for offset, change in effect.shifts.items() if change is not None}
    missing = [offset for offset in effect.shifts if offset not in made]
    worst = max(made, key=lambda offset: made[offset], default=None)
    if effect.is_nothing:
        st.markdown(TEXT["measured nothing"])
    elif worst is None:
        st.markdown(TEXT["measured none"])
    elif made[worst] == 0:
        st.markdown(TEXT["measured exact"].format(offsets=_listed(made)))
    elif effect.is_relative:
        st.markdown(TEXT["measured relative"].format(offsets=_listed(made), change=scientific(made[worst])))
    else:
        st.markdown(TEXT["measured absolute"].format(worst=f"{worst:,}", change=f"{made[worst]:.1%}"))
    if missing and made:
        st.caption(TEXT["no shift"].format(offsets=_listed(missing)))


def _say_weights(effect: Effect) -> None:
    if effect.n_parameters:
        st.caption(TEXT["fresh"].format(weights=f"{effect.n_parameters:,}"))


def _say_beyond(effect: Effect, view: View) -> None:
    scores, trained = effect.scores[view.head], view.trained
    if trained >= len(scores):
        st.caption(TEXT["beyond all"])
        return
    seen = scores[:trained, :trained]
    low, high, low_seen, high_seen = (float(limit(part)) for part in (scores, seen) for limit in (np.nanmin, np.nanmax))
    margin = 1e-4 + 0.01 * (high_seen - low_seen)
    text = "beyond same" if low >= low_seen - margin and high <= high_seen + margin else "beyond new"
    st.caption(
        TEXT[text].format(
            trained=trained,
            low=signed(low),
            high=signed(high),
            low_trained=signed(low_seen),
            high_trained=signed(high_seen),
        )
    )


def _listed(offsets) -> str:
    return ", ".join(f"{offset:,}" for offset in offsets)


def _show_map(column: Column, view: View) -> None:
    if column.effect is None:
        return
    scores = column.effect.scores[view.head]
    figure = position_map(
        scores,
        theme=theme(),
        row_name=TEXT["query"],
        column_name=TEXT["key"],
        hover=TEXT["hover map"],
        trained=view.trained,
        is_square=True,
        height=250 if view.count <= _ROOMY else 190,
    )
    alt = TEXT["alt map"].format(
        title=column.variant.title,
        head=view.head + 1,
        length=len(scores),
        low=signed(np.nanmin(scores)),
        high=signed(np.nanmax(scores)),
    )
    _chart(figure, column, "map", alt)
    _say_shift(column.effect)
    if not column.effect.is_nothing:
        _say_beyond(column.effect, view)
    _say_weights(column.effect)


def _show_added(column: Column) -> None:
    if column.effect is None:
        return
    added = column.effect.added
    if added is None:
        where = ", ".join(column.variant.encoding.description.properties.acts_on) or TEXT["nothing"]
        st.caption(TEXT["nothing added"].format(where=where))
        return
    figure = position_map(
        added, theme=theme(), row_name=TEXT["position"], column_name=TEXT["dimension"], hover=TEXT["hover added"]
    )
    low, high = signed(added.min()), signed(added.max())
    alt = TEXT["alt added"].format(title=column.variant.title, length=len(added), low=low, high=high)
    _chart(figure, column, "added", alt)


def _show_profile(column: Column, view: View, which: str) -> None:
    profiles: tuple[Profile, ...] | None = getattr(column.effect, which) if column.effect else None
    if not profiles:
        return
    # The shipped model may have more heads than are compared, or fewer.
    profile = profiles[view.head % len(profiles)]
    figure = spread(
        profile.distances.tolist(),
        {column.variant.title: profile.spread.astype(np.float64)},
        colours={column.variant.title: column.variant.colour},
        theme=theme(),
        x_name=TEXT["distance"],
        y_name=TEXT["score"],
        logarithmic_x=False,
        here=view.trained - 1 if view.trained < view.setting.length else None,
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


def _chart(figure, column: Column, name: str, alt: str) -> None:
    number = column.variant.number
    file_name = f"{column.variant.config.name}-{name}"
    st.plotly_chart(figure, theme=None, key=f"{name}-{number}", config=plot_config(file_name), alt=alt)


show()
