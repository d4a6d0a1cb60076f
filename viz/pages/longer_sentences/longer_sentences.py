"""Longer sentences: translators trained on short sentences, by positional encoding and length."""

from collections.abc import Collection, Mapping, Sequence

import pandas as pd
import streamlit as st

from model.analysis.maps.words_read import mean_cross_attention, words_read
from model.checkpoint import DamagedWeightsError
from model.decoding.translator import SourceTextError, Translation
from model.positional import PositionalConfig
from pretrained.longer_sentences import HELPED, JOINED, SHIPPED, files_of, load_longer
from viz.base.colours import LineLook, coloured
from viz.base.exports import QUERY_BY_KEY, arrays_as_npz, matrix_as_csv, rows_as_csv
from viz.base.languages import worded
from viz.base.link_parameters import Lines, labelled
from viz.base.markdown import plain
from viz.base.tokens import label_alone
from viz.base.words import listed, page_text, paragraph
from viz.components.table import table
from viz.figures.base import name_above
from viz.figures.cliff import Seeds, cliff, grey_look
from viz.figures.token_map import token_map
from viz.pages.longer_sentences.study.by_length import (
    KINDS,
    LOWER_IS_BETTER,
    MEASURES,
    by_length,
    means_of,
    sets_of,
)
from viz.pages.longer_sentences.study.claims import WHAT_HOLDS
from viz.shared.encodings import encoding_title, look_number, most_used, with_meanings
from viz.shared.last_sentence import of_last
from viz.shared.measured import longer_results
from viz.shared.shipped import damage, greedy_translation
from viz.shell.computed import computed_once
from viz.shell.controls import choose, place_for_warnings, text_lines, warn_bad_links, why_cut
from viz.shell.page import theme
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/longer_sentences/longer_sentences")
_KIND = labelled("captions", worded(KINDS, lambda kind: TEXT[f"kind {kind}"]), "joined")
_MEASURE = labelled("longer-measure", worded(MEASURES, lambda name: TEXT[f"measure {name}"]), "bleu")
_SENTENCE = Lines("longer-sentence", TEXT["opening caption"], 600)
_ROW, _TITLE, _HEIGHT = 13, 20, 370
# Of every kind and measure.
_MOST_KEPT = 2 * len(KINDS) * len(MEASURES)
_by_length = computed_once(by_length, max_entries=_MOST_KEPT)
_means_of = computed_once(means_of, max_entries=_MOST_KEPT)
# Pixels of the names of the rows, and of a column whose name is not written over the next one.
_LABELS, _COLUMN = 80, 13


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    warn_bad_links(warnings, [_KIND, _MEASURE])
    cut = why_cut(_SENTENCE)
    if cut:
        warnings.warning(cut)
    try:
        results = longer_results()
    except (OSError, ValueError):
        results = pd.DataFrame()
    if results.empty:
        warnings.warning(TEXT["no results"])
    else:
        st.markdown(_claim("answer", results))
        _show_measured(results)
    st.markdown(TEXT["by each"])
    text = text_lines(_SENTENCE, TEXT["sentence"])
    results_of, trouble = of_last("longer_sentences", text, _SENTENCE.default, _translated_by_each)
    if trouble is not None:
        warnings.warning(trouble)
    for variant, column in zip(SHIPPED, st.columns(len(SHIPPED)), strict=True):
        with column:
            result = results_of[variant]
            if isinstance(result, Translation):
                _show_translation(variant, result)
            else:
                st.warning(TEXT["no model"].format(variant=_name(variant), reason=damage(result)))
    st.caption(TEXT["source"])


def _translated_by_each(text: str) -> dict[str, Translation | Exception]:
    """Return what each shipped model makes of ``text``, or why it cannot be read; raises SourceTextError."""
    results: dict[str, Translation | Exception] = {}
    for variant in SHIPPED:
        try:
            results[variant] = greedy_translation(load_longer, files_of, variant, text)
        except SourceTextError:
            raise
        except (DamagedWeightsError, OSError, ValueError) as error:
            results[variant] = error
    return results


@st.fragment
def _show_measured(results: pd.DataFrame) -> None:
    """Draw what was measured, with what holds of it; a choice in it draws nothing else again."""
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        st.markdown(TEXT["see"].format(n=results.variant.nunique(), trained=int(results.trained_to.max())))
        drawn = st.container()
        with st.container(horizontal=True, vertical_alignment="bottom", key="longer-choices"):
            kind, measure = choose(_KIND, TEXT["kind"]), choose(_MEASURE, TEXT["measure"])
        below = st.container()
    with words:
        st.markdown(TEXT["what holds"])
        st.markdown(_what_holds(results, kind))
        st.markdown(TEXT["what is seen"])
        st.markdown(TEXT["what to try"])
    by_variant = _by_length(results, kind, measure)
    numbers = _look_numbers(by_variant)
    trained = int(results.trained_to.max())
    sets, means = list(sets_of(results, kind)), _means_of(results, kind, measure)
    shortest, longest = sets[-1]
    at_end = _ranked(means[shortest], measure)
    drawn_as = {
        variant: Seeds(by_variant[variant].words, by_variant[variant].values, number)
        for variant, number in numbers.items()
    }
    best = next(name for name, _ in at_end if name not in HELPED)
    quiet = {*by_variant} - {*most_used(by_variant), best, JOINED}
    figure = cliff(
        {_name(variant): seeds for variant, seeds in drawn_as.items()},
        quiet={*map(_name, quiet)},
        others=TEXT["others"].format(n=len(quiet)),
        longest_trained=trained,
        x_name=TEXT["words of the source"],
        y_name=_MEASURE.label(measure),
        marked=TEXT["trained to"].format(words=trained),
        y_range=None,
        height=_HEIGHT,
    )
    alt = TEXT["alt"].format(
        measure=_MEASURE.label(measure),
        trained=trained,
        shortest=shortest,
        longest=longest,
        values=listed(f"{_name(name)} {value:.2f}" for name, value in at_end),
    )
    with drawn:
        file = File(TEXT["download"], lambda: _as_csv(results), "longer-sentences.csv")
        draw_picture(figure, key="longer", file_name=f"longer-{measure}", alt=alt, files=[file])
    with below:
        looks = {name: grey_look() if name in quiet else seeds.look for name, seeds in drawn_as.items()}
        _show_table(sets, means, measure, looks)


def _what_holds(results: pd.DataFrame, kind: str) -> str:
    """Return what holds on test sentences of ``kind``, of the encodings alone and of joined training."""
    encodings = paragraph((_claim(f"lost {kind}", results), _claim(f"best {kind}", results)))
    lines = (encodings, _claim(f"helps {kind}", results))
    return "\n".join([*(f"- {line}" for line in lines if line), "", _claim("seeds", results)])


def _claim(name: str, results: pd.DataFrame) -> str:
    heading = f"claim {name}"
    return with_meanings(WHAT_HOLDS[heading](results).sentence(TEXT, heading, {"encoding": _name}))


def _show_table(
    sets: Sequence[tuple[int, int]],
    means: Mapping[int, dict[str, float]],
    measure: str,
    looks: Mapping[str, LineLook],
) -> None:
    columns = [means[shortest] for shortest, _ in sets]
    order = [name for name, _ in _ranked(columns[-1], measure)]
    rows = [[_name(name), *(f"{values[name]:.2f}" for values in columns)] for name in order]
    headings = [TEXT["encoding"], *(TEXT["words"].format(shortest=low, longest=high) for low, high in sets)]
    swatches = [coloured(looks[name].swatch, theme()) for name in order]
    st.html(table(headings, rows, swatches=swatches, name=TEXT["table"]))


def _show_translation(variant: str, translation: Translation) -> None:
    read = words_read(translation)
    mean = mean_cross_attention(translation)
    rows, columns = (tuple(map(label_alone, side.pieces)) for side in (translation.target, translation.source))
    name = _name(variant)
    counts = {"written": len(translation.text.split()), "read": read.read, "all": read.all}
    text = translation.text or TEXT["nothing"]
    draw_picture(
        token_map(
            mean,
            rows=rows,
            columns=columns,
            hover=TEXT["hover"],
            row_height=_ROW,
            title_height=_TITLE,
            **name_above(name, has_legend=False),
        ),
        key=f"longer-{variant}",
        file_name=f"map-{variant}",
        alt=TEXT["alt map"].format(name=name, text=text, **counts),
        files=[
            File(TEXT["csv"], lambda: matrix_as_csv(mean, rows, columns, axes=QUERY_BY_KEY), f"map-{variant}.csv"),
            File(TEXT["npz"], lambda: arrays_as_npz(translation.patterns), f"map-{variant}.npz"),
        ],
        narrowest=_LABELS + _COLUMN * len(columns),
        # The end of the sentence, where the models fail.
        opens_at=[len(columns) - 1],
        is_narrow=True,
    )
    st.markdown(TEXT["told"].format(text=plain(text), **counts))


def _look_numbers(variants: Collection[str]) -> dict[str, int]:
    """Return the numbers of the looks of ``variants``, in order.

    Encodings have their own, what is helped the next.
    """
    of_encodings = {variant: look_number(PositionalConfig(variant)) for variant in variants if variant not in HELPED}
    first = 1 + max(of_encodings.values(), default=-1)
    of_helped = {variant: first + number for number, variant in enumerate(HELPED) if variant in variants}
    return dict(sorted(of_encodings.items(), key=lambda one: one[1])) | of_helped


def _name(variant: str) -> str:
    return TEXT[f"name {variant}"] if variant in HELPED else encoding_title(PositionalConfig(variant))


def _ranked(means: dict[str, float], measure: str) -> list[tuple[str, float]]:
    """Return the variants with their values, the best first; of ratios that is the one nearest to 1."""

    def badness(one: tuple[str, float]) -> float:
        value = one[1]
        if measure == "length_ratio":
            return abs(value - 1)
        return value if measure in LOWER_IS_BETTER else -value

    return sorted(means.items(), key=badness)


def _as_csv(results: pd.DataFrame) -> str:
    keys = ("variant", "seed", "kind", "shortest", "longest", "words", "n", *MEASURES)
    return rows_as_csv(list(keys), results[list(keys)].itertuples(index=False))


if __name__ == "__main__":
    show()
