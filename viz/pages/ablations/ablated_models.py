"""Ablated models: two rows of the paper's table 3 translate one sentence, their maps side by side."""

from statistics import fmean

import streamlit as st

from model.checkpoint import DamagedWeightsError
from model.decoding.translator import Translation
from pretrained.ablated_models import ROWS, files_of, load_ablated
from viz.base.exports import QUERY_BY_KEY, arrays_as_npz, matrix_as_csv
from viz.base.languages import worded
from viz.base.link_parameters import Text, counted, labelled
from viz.base.markdown import plain
from viz.base.words import page_text
from viz.figures.base import name_above
from viz.figures.token_map import token_map
from viz.pages.ablations.study.claims import one_head
from viz.pages.ablations.study.side_by_side import LayerMap, layer_map
from viz.pages.ablations.study.table_3 import finished_runs
from viz.shared.last_sentence import of_last
from viz.shared.measured import ablation_results
from viz.shared.shipped import damage, greedy_translation
from viz.shell.controls import choose, place_for_warnings, select, text_input, warn_bad_links
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/ablations/ablated_models")
_NAMES = worded(ROWS, lambda row: TEXT[f"name {row}"])
_LEFT, _RIGHT = labelled("left", _NAMES, "base"), labelled("right", _NAMES, "unscaled")
_LAYER = counted("map-layer", 4, 3)
_SENTENCE = Text("caption", TEXT["opening caption"], 300)
_ROW, _TITLE = 22, 26


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    warn_bad_links(warnings, [_LEFT, _RIGHT, _LAYER, _SENTENCE])
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        st.markdown(TEXT["see"])
        maps = st.container()
        with st.container(horizontal=True, vertical_alignment="bottom", key="ablated-choices"):
            rows = select(_LEFT, TEXT["left"], width=200), select(_RIGHT, TEXT["right"], width=200)
            layer = choose(_LAYER, TEXT["layer"])
        text = text_input(_SENTENCE, TEXT["sentence"])
    try:
        translations, trouble = of_last(
            "ablated_models",
            text,
            _SENTENCE.default,
            lambda text: [greedy_translation(load_ablated, files_of, row, text) for row in rows],
        )
    except (DamagedWeightsError, OSError, ValueError) as error:
        warnings.warning(TEXT["no model"].format(reason=damage(error)))
        return
    if trouble is not None:
        warnings.warning(trouble)
    layer_maps = [layer_map(translation, layer) for translation in translations]
    for side, column, row, one in zip(("left", "right"), maps.columns(2), rows, layer_maps, strict=True):
        with column:
            _draw(side, row, one)
    with words:
        st.markdown(_summary(rows, translations, layer_maps, layer))
        st.markdown(TEXT["what to try"].format(one_head=_one_head()))
        st.markdown(TEXT["explained"])


def _draw(side: str, row: str, of_layer: LayerMap) -> None:
    description = TEXT["alt one"].format(
        row=_NAMES[row], entropy=f"{of_layer.entropy:.2f}", largest=f"{of_layer.largest:.0%}"
    )
    draw_picture(
        token_map(
            of_layer.weights,
            rows=of_layer.written,
            columns=of_layer.read,
            hover=TEXT["hover"],
            row_height=_ROW,
            title_height=_TITLE,
            **name_above(_NAMES[row], has_legend=False),
        ),
        key=f"ablated-{side}",
        file_name=f"map-{row}",
        alt=TEXT["alt"].format(layer=of_layer.layer + 1, said=description),
        files=[
            File(
                TEXT["csv"],
                lambda: matrix_as_csv(of_layer.weights, of_layer.written, of_layer.read, axes=QUERY_BY_KEY),
                f"map-{row}.csv",
            ),
            File(TEXT["npz"], lambda: arrays_as_npz({"weights": of_layer.weights}), f"map-{row}.npz"),
        ],
    )


def _one_head() -> str:
    """Say that one head is enough, where the results can be read and it is."""
    try:
        return one_head(finished_runs(ablation_results())).sentence(TEXT, "claim one head")
    except (OSError, ValueError, KeyError):
        return ""


def _summary(rows: tuple[str, str], translations: list[Translation], layer_maps: list[LayerMap], layer: int) -> str:
    scores = _scores()
    return "\n\n".join(
        TEXT["told" if one.layer == layer else "told of last"].format(
            row=_NAMES[row],
            text=plain(translation.text) or TEXT["nothing"],
            entropy=f"{one.entropy:.2f}",
            largest=f"{one.largest:.0%}",
            bleu=scores.get(row, TEXT["not measured"]),
            layer=one.layer + 1,
        )
        for row, translation, one in zip(rows, translations, layer_maps, strict=True)
    )


def _scores() -> dict[str, str]:
    """Return each row's BLEU, the mean over its seeds; none where the results cannot be read."""
    try:
        runs = finished_runs(ablation_results())
    except (OSError, ValueError, KeyError):
        return {}
    return {row: f"{fmean(run.sacrebleu for run in by_seed.values()):.1f}" for row, by_seed in runs.items()}
