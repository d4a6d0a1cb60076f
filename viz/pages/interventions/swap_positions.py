"""Swap positions: translations with other sinusoids than those in training."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.analysis.interventions.swapped_positions import SIDES, Side, Swap, can_swap
from model.device import use_one_thread
from pretrained.swapped_positions import CHANGES, Change, swapped, swapped_path, swapped_positions
from viz.base.languages import worded
from viz.base.link_parameters import Choice, labelled
from viz.base.words import page_text
from viz.pages.interventions.figures.cost_curves import cost_curves
from viz.pages.interventions.figures.pattern_map import pattern_map
from viz.pages.interventions.lines import change_sentence, explain, show_change
from viz.pages.interventions.opening import open_translation
from viz.pages.interventions.state import asked
from viz.pages.interventions.study.ablated import AblatedTranslation, total
from viz.pages.interventions.study.maps import LabelledMap, maps_as_csv
from viz.pages.interventions.study.swapped import Cost, cost_of, mean_map, translate_swapped
from viz.shared.shipped import TranslatorInfo, cached_while_unchanged, translator
from viz.shared.translation import TranslationResult
from viz.shell.controls import choose, slider, warn_bad_links
from viz.shell.picture import File, draw_picture, with_arrays

TEXT = page_text("pages/interventions/swap_positions")
_SIDE: Choice[Side] = labelled("side", worded(("encoder", "decoder", "both"), lambda side: TEXT[f"side {side}"]))
_CHANGE: Choice[Change] = labelled("change", worded(CHANGES, lambda change: TEXT[f"change {change}"]))
_OPENING = {"base": 10, "shift": 10, "strength": 0}
_OWN = {"base": 10_000, "shift": 0, "strength": 1}
# With more, the rows of a map are too many for a screen.
_MOST_TOKENS = 40


@cached_while_unchanged(lambda name: [swapped_path(name)], max_entries=16)
def cost(name: str) -> Cost | None:
    """Return what other positions cost the translator ``name``; None where that was not measured.

    Raises:
        OSError: the file cannot be read.
        KeyError: it has not all that the page shows.
        ValueError: it is damaged.
    """
    rows = swapped_positions(name)
    return None if rows.empty else cost_of(rows)


def show() -> None:
    """Draw the page."""
    result, model, _, warnings = open_translation(lambda *_: None)
    if not can_swap(translator(model.name).model):
        warnings.warning(TEXT["no sinusoids"])
        return
    measured = _cost(model, warnings)
    with st.container(key="swapping"):
        side, change, value = _choose(warnings)
        edited = _translated(result.text, model.name, swapped(change, value, side))
        show_change(
            result.translation,
            edited,
            name=TEXT["lines"],
            before=TEXT["own"],
            after=TEXT["swapped"],
            note=TEXT["log probability"],
        )
        st.markdown(TEXT["see"])
        picture, words = st.columns([3, 2], gap="large")
    with picture:
        if measured is None:
            st.caption(TEXT["not measured"])
        else:
            _show_curves(measured, side, change, value)
    with words:
        st.markdown(_summary(result, edited, Swap(side) == swapped(change, value, side)))
        if measured is not None:
            st.markdown(_cost_told(measured))
    _show_maps(result, edited)
    explain(TEXT["what to try"], TEXT["formula"], TEXT["paper"], model=model)


def _choose(warnings: DeltaGenerator) -> tuple[Side, Change, float]:
    """Draw the choices; return where what is changed to which value."""
    values: dict[Change, Choice[float]] = {
        change: labelled(f"swap-{change}", {value: f"{value:,}" for value in of_change}, _OPENING[change])
        for change, of_change in CHANGES.items()
    }
    warn_bad_links(warnings, [_SIDE, _CHANGE, *values.values()])
    with st.container(horizontal=True, vertical_alignment="bottom", key="swap-choices"):
        side: Side = choose(_SIDE, TEXT["side"])
        change: Change = choose(_CHANGE, TEXT["change"])
        value = slider(values[change], TEXT[f"value {change}"], width=330)
    return side, change, value


def _cost(model: TranslatorInfo, warnings: DeltaGenerator) -> Cost | None:
    try:
        return cost(model.name)
    except (OSError, ValueError, KeyError):
        warnings.warning(TEXT["damaged"])
        return None


# The attention of the longest text takes about 20 megabytes.
@st.cache_resource(max_entries=32, show_spinner=False)
def _translated(text: str, model: str, swap: Swap) -> AblatedTranslation:
    use_one_thread()
    return translate_swapped(asked(text, model), swap)


def _show_curves(measured: Cost, side: Side, change: Change, value: float) -> None:
    values = CHANGES[change]
    figure = cost_curves(
        {TEXT[f"side {one}"]: measured.bleu[change, one] for one in SIDES},
        values=[_short(one) for one in values],
        own=values.index(_OWN[change]),
        chosen=(TEXT[f"side {side}"], values.index(value)),
        x_name=TEXT[f"axis {change}"],
        y_name=TEXT["axis bleu"].format(sentences=measured.sentences),
        own_name=TEXT["own value"],
    )
    alt = TEXT["alt"].format(
        change=TEXT[f"axis {change}"],
        own=f"{measured.own:.1f}",
        **{one: f"{measured.bleu[change, one].min():.1f}" for one in SIDES},
    )
    files = with_arrays(File(TEXT["download"], measured.as_csv, "swapped-positions.csv"))
    draw_picture(figure, key="cost", file_name="swapped-positions", alt=alt, files=files)


def _summary(result: TranslationResult, edited: AblatedTranslation, is_own: bool) -> str:
    if is_own:
        return TEXT["nothing"]
    return change_sentence(edited, total(result.translation), changed=TEXT["first change"], unchanged=TEXT["unchanged"])


def _cost_told(measured: Cost) -> str:
    return TEXT["cost told"].format(
        own=f"{measured.own:.1f}",
        sentences=measured.sentences,
        **{side: f"{measured.at('strength', 0, side):.1f}" for side in SIDES},
    )


def _show_maps(result: TranslationResult, edited: AblatedTranslation) -> None:
    maps = {"own": mean_map(result.translation), "swapped": mean_map(edited.translation)}
    n_tokens = max(len(side) for shown in maps.values() for side in (shown.queries, shown.keys))
    if n_tokens > _MOST_TOKENS:
        st.caption(TEXT["too long"].format(given=n_tokens, most=_MOST_TOKENS))
        return
    st.header(TEXT["maps"], anchor="maps")
    headings = ("positions", "target", "source")
    files = with_arrays(File(TEXT["download maps"], lambda: maps_as_csv(maps, headings), "cross-attention.csv"))
    for place, (name, shown) in zip(st.columns(2, gap="large"), maps.items(), strict=True):
        with place:
            _show_map(name, shown, files)


def _show_map(name: str, shown: LabelledMap, files: Sequence[File]) -> None:
    figure = pattern_map(
        shown.weights,
        title=TEXT[f"map {name}"],
        queries=shown.queries,
        keys=shown.keys,
        hover=TEXT["hover"],
        is_edited=[False] * len(shown.queries),
    )
    alt = TEXT[f"alt {name}"].format(rows=len(shown.queries), columns=len(shown.keys))
    draw_picture(figure, key=f"cross-{name}", file_name=f"cross-attention-{name}", alt=alt, files=files)


def _short(value: float) -> str:
    """Return ``value`` with k for thousands and M for millions."""
    for factor, unit in ((1_000_000, "M"), (1000, "k")):
        if value >= factor:
            return f"{value / factor:g}{unit}"
    return f"{value:g}"


if __name__ == "__main__":
    show()
