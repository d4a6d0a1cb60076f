"""Compare encodings: two to six of them in aligned columns, drawn and measured by the code that the models run."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape

import numpy as np
import streamlit as st
import torch

from model.checkpoint import DamagedWeightsError
from model.positional import PositionalConfig, registered
from model.translator import Translator
from pretrained import shipped
from viz.components.table import table
from viz.encoding_comparison import N_SAMPLES, Effect, Profile, Setting, Trained, cost, effect, trained_effects
from viz.figures.position_map import position_map
from viz.figures.spread import spread
from viz.pages.controls import Rule, choice, choice_rule, download, place_for_warnings, refused
from viz.pages.encoding_variants import FEWEST, MOST, Variant, choose_variant, link_rules
from viz.pages.shared import begin_page, plot_config, theme
from viz.pages.translation_state import EXAMPLES, MODEL, translator
from viz.text import page_text

TEXT = page_text("compare_encodings")
_LENGTHS = (8, 16, 32, 64, 128, 256)
_HEADS = (1, 2, 4, 8)
_COUNTS = tuple(range(FEWEST, MOST + 1))
_FIRST_COUNT = 4


@dataclass(frozen=True)
class Column:
    """A variant with its effect; ``problem`` says why the effect is an older one, or missing."""

    variant: Variant
    effect: Effect | None
    problem: str | None = None


@dataclass(frozen=True)
class View:
    """What all columns share: the attention, the head that is shown, and how many positions count as trained."""

    setting: Setting
    head: int
    trained: int


def show() -> None:
    """Draw the page."""
    begin_page(TEXT["question"])
    labels = {name: known.description.title for name, known in registered().items()}
    warnings = place_for_warnings()
    problems = refused([Rule("count", lambda text: text in map(str, _COUNTS), TEXT["allowed count"])])
    count = int(st.query_params["count"]) if not problems and "count" in st.query_params else _FIRST_COUNT
    for problem in [*problems, *refused([*_view_rules(), *link_rules(count, labels)])]:
        warnings.warning(TEXT["bad link"].format(given=f"{problem.key} = `{problem.given}`", allowed=problem.allowed))
    view, count, sentence = _choose_view()
    variants = []
    for slot, place in enumerate(st.columns(count), start=1):
        with place:
            variants.append(choose_variant(slot, labels))
    columns = [_column(variant, view.setting, sentence) for variant in variants]
    _row(columns, lambda column: _show_problem(column, view))
    st.markdown(TEXT["map"].format(head=view.head + 1))
    _row(columns, lambda column: _show_map(column, view))
    st.markdown(TEXT["random"].format(samples=N_SAMPLES))
    _row(columns, lambda column: _show_profile(column, view, "random"))
    st.markdown(TEXT["real"].format(head=view.head + 1))
    _row(columns, lambda column: _show_profile(column, view, "real"))
    st.markdown(TEXT["added"])
    _row(columns, _show_added)
    st.markdown(TEXT["formulas"])
    for compared in columns:
        _show_formula(compared)
    _show_properties(columns)
    _offer_cost(columns, view)
    _show_trained(view)
    for column, parts in zip(
        st.columns(3, gap="large"), (("what is seen",), ("what to try",), ("formula", "limits")), strict=True
    ):
        with column:
            for part in parts:
                st.markdown(TEXT[part].format())


def _view_rules() -> list[Rule]:
    return [
        choice_rule("length", map(str, _LENGTHS)),
        choice_rule("trained", map(str, _LENGTHS)),
        choice_rule("heads", map(str, _HEADS)),
        choice_rule("head", map(str, range(1, max(_HEADS) + 1))),
        choice_rule("causal", ("true", "false")),
    ]


def _choose_view() -> tuple[View, int, str]:
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls"):
        count = _pick("count", _COUNTS, _FIRST_COUNT)
        n_heads = _pick("heads", _HEADS, 4)
        head = choice("head", TEXT["head"], {index: str(index + 1) for index in range(n_heads)})
        length = st.select_slider(TEXT["length"], _LENGTHS, 64, key="length", bind="query-params", width=200)
        trained = st.select_slider(TEXT["trained"], _LENGTHS, 32, key="trained", bind="query-params", width=200)
        causal = st.toggle(TEXT["causal"], True, key="causal", bind="query-params")
    return View(Setting(length, n_heads, causal), head, trained), count, EXAMPLES[0]


def _pick(name: str, options: Sequence[int], default: int) -> int:
    chosen = st.segmented_control(
        TEXT[name], options, default=default, required=True, format_func=str, key=name, bind="query-params"
    )
    return default if chosen is None else chosen


@st.cache_data(max_entries=128, show_spinner=False)
def _effect(
    name: str, parameters: tuple[tuple[str, float], ...], inner: str | None, setting: Setting, sentence: str
) -> Effect:
    torch.set_num_threads(1)
    config = PositionalConfig(name, dict(parameters), None if inner is None else PositionalConfig(inner))
    return effect(config, setting, _translator(), sentence)


def _translator() -> Translator | None:
    return translator(MODEL) if _is_usable(MODEL) else None


def _is_usable(name: str) -> bool:
    try:
        translator(name)
    except (DamagedWeightsError, OSError, ValueError):
        return False
    return True


def _column(variant: Variant, setting: Setting, sentence: str) -> Column:
    config, state = variant.config, st.session_state
    inner = None if config.inner is None else config.inner.name
    key = f"last effect {variant.number}"
    try:
        found = _effect(config.name, tuple(config.parameters.items()), inner, setting, sentence)
    except ValueError as error:
        last = state.get(key)
        return Column(replace(variant, title=last[0]) if last else variant, last[1] if last else None, str(error))
    state[key] = (variant.title, found)
    return Column(variant, found)


def _row(columns: Sequence[Column], draw: Callable[[Column], None]) -> None:
    for column, place in zip(columns, st.columns(len(columns)), strict=True):
        with place:
            # Side by side the choice above names a column; stacked on a phone it would be far away.
            st.html(f'<div class="narrow-only">{escape(column.variant.title)}</div>')
            draw(column)


def _show_problem(column: Column, view: View) -> None:
    variant = column.variant
    if column.problem:
        text = "refused" if column.effect else "refused first"
        st.warning(TEXT[text].format(title=variant.title, reason=column.problem))
    if column.effect:
        _say_shift(column.effect)
        _say_beyond(column.effect, view)


def _say_shift(effect: Effect) -> None:
    made = {offset: change for offset, change in effect.shifts.items() if change is not None}
    missing = [offset for offset in effect.shifts if offset not in made]
    if not made:
        st.markdown(TEXT["measured none"])
    elif effect.is_relative:
        change = f"{max(made.values()):.1e}"
        st.markdown(TEXT["measured relative"].format(offsets=_listed(made), change=change))
    else:
        worst = max(made, key=lambda offset: made[offset])
        st.markdown(TEXT["measured absolute"].format(worst=f"{worst:,}", change=f"{made[worst]:.1%}"))
    if missing and made:
        st.caption(TEXT["no shift"].format(offsets=_listed(missing)))


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
            low=f"{low:.2f}",
            high=f"{high:.2f}",
            low_trained=f"{low_seen:.2f}",
            high_trained=f"{high_seen:.2f}",
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
    )
    alt = TEXT["alt map"].format(
        title=column.variant.title,
        head=view.head + 1,
        length=len(scores),
        low=f"{np.nanmin(scores):.2f}",
        high=f"{np.nanmax(scores):.2f}",
    )
    _chart(figure, column, "map", alt)


def _show_added(column: Column) -> None:
    if column.effect is None:
        return
    added = column.effect.added
    if added is None:
        where = ", ".join(column.variant.encoding.description.properties.acts_on) or TEXT["kind none"]
        st.caption(TEXT["nothing added"].format(where=where))
        return
    figure = position_map(
        added, theme=theme(), row_name=TEXT["position"], column_name=TEXT["dimension"], hover=TEXT["hover added"]
    )
    low, high = f"{added.min():.2f}", f"{added.max():.2f}"
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
        near=f"{middle[list(profile.distances).index(0)]:.2f}",
        far=f"{middle[-1]:.2f}",
        last=int(profile.distances[-1]),
    )
    _chart(figure, column, which, alt)


def _chart(figure, column: Column, name: str, alt: str) -> None:
    number = column.variant.number
    file_name = f"{column.variant.config.name}-{name}"
    st.plotly_chart(figure, theme=None, key=f"{name}-{number}", config=plot_config(file_name), alt=alt)


def _show_formula(column: Column) -> None:
    description = column.variant.encoding.description
    # Not in the columns, where a long one would have to scroll.
    st.markdown(f"**{description.title}**, {description.paper}: &ensp; ${description.formula}$")


def _show_properties(columns: Sequence[Column]) -> None:
    st.header(TEXT["properties"], anchor=False)
    yes_no = {True: TEXT["yes"], False: TEXT["no"]}
    rows: dict[str, list[str]] = {}
    for column in columns:
        own = column.variant.encoding.description.properties
        measured = column.effect.is_relative if column.effect else None
        values = {
            TEXT["kind"]: TEXT[f"kind {own.kind}"],
            TEXT["measured"]: TEXT["unmeasured"] if measured is None else yes_no[measured],
            TEXT["acts on"]: ", ".join(own.acts_on) or "–",
            TEXT["learned"]: yes_no[own.learned],
            TEXT["weights"]: f"{column.effect.n_parameters:,}" if column.effect else "–",
            TEXT["decay"]: TEXT[f"decay {own.decay}"],
            TEXT["extrapolates"]: TEXT[f"extrapolates {own.extrapolates}"],
            TEXT["direction"]: yes_no[own.tells_direction],
            TEXT["published"]: TEXT[f"published {own.published_for}"],
            TEXT["cache"]: yes_no[own.cache],
            TEXT["memory"]: yes_no[own.memory],
            TEXT["paper"]: column.variant.encoding.description.paper,
        }
        for name, value in values.items():
            rows.setdefault(name, []).append(value)
    headings = [TEXT["property"], *(column.variant.title for column in columns)]
    st.html(table(headings, [[name, *values] for name, values in rows.items()]))
    fresh = [column.variant.title for column in columns if column.effect and column.effect.n_parameters]
    if fresh:
        st.caption(TEXT["fresh"].format(titles=", ".join(fresh)))
    download(TEXT["download"], lambda: _as_npz(columns), "encodings.npz")


def _as_npz(columns: Sequence[Column]) -> bytes:
    arrays: dict[str, np.ndarray] = {}
    for column in columns:
        if column.effect is None:
            continue
        name = f"{column.variant.number}_{column.variant.config.name}"
        arrays[f"{name}_scores"] = column.effect.scores
        if column.effect.added is not None:
            arrays[f"{name}_added"] = column.effect.added
        for which in ("random", "real"):
            for head, profile in enumerate(getattr(column.effect, which) or ()):
                arrays[f"{name}_{which}_head_{head + 1}"] = np.vstack((profile.distances, profile.spread))
    archive = io.BytesIO()
    np.savez_compressed(archive, allow_pickle=False, **arrays)
    return archive.getvalue()


@st.fragment
def _offer_cost(columns: Sequence[Column], view: View) -> None:
    st.header(TEXT["cost title"], anchor=False)
    st.markdown(TEXT["cost text"])
    if not st.button(TEXT["measure"], key="measure-cost"):
        return
    usable = [column for column in columns if column.problem is None]
    rows = []
    bar = st.progress(0.0)
    for index, column in enumerate(usable):
        bar.progress(index / len(usable), TEXT["timing"].format(title=column.variant.title))
        with_it, without = cost(column.variant.config, view.setting)
        times = [TEXT["milliseconds"].format(value=f"{value:.2f}") for value in (with_it, without)]
        rows.append([column.variant.title, *times, f"{with_it / without:.2f}"])
    bar.empty()
    headings = [TEXT[name] for name in ("property", "with", "without", "more")]
    st.html(table(["", *headings[1:]], rows, swatches=[column.variant.colour for column in usable]))


def _show_trained(view: View) -> None:
    st.header(TEXT["trained title"], anchor=False)
    models = {name: translator(name).model for name in shipped() if _is_usable(name)}
    found = trained_effects(models, view.setting.length)
    if not found:
        st.caption(TEXT["no trained"])
        return
    for trained, place in zip(found, st.columns(len(found)), strict=True):
        with place:
            _show_one_trained(trained, view.head % len(trained.scores))


def _show_one_trained(trained: Trained, head: int) -> None:
    st.markdown(TEXT["trained one"].format(title=trained.title, place=trained.place, head=head + 1))
    shown = trained.scores[head] if trained.added is None else trained.added
    is_map = trained.added is None
    figure = position_map(
        shown,
        theme=theme(),
        row_name=TEXT["query" if is_map else "position"],
        column_name=TEXT["key" if is_map else "dimension"],
        hover=TEXT["hover map" if is_map else "hover added"],
        is_square=is_map,
    )
    low, high = f"{np.nanmin(shown):.2f}", f"{np.nanmax(shown):.2f}"
    alt = TEXT["alt trained"].format(title=trained.title, place=trained.place, low=low, high=high)
    st.plotly_chart(figure, theme=None, key=f"trained-{trained.place}", config=plot_config("trained"), alt=alt)


show()
