"""Pictures of what is read inside a visitor's own model."""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pretrained.huggingface.inside import ForeignAttribution, ForeignLens, ForeignScores
from pretrained.huggingface.recorded import BlockName, Head
from viz.base.languages import worded
from viz.base.link_parameters import Choice, labelled
from viz.base.markdown import plain
from viz.base.numbers import signed
from viz.base.words import page_text
from viz.figures.attribution_grid import attribution_grid
from viz.figures.lens_grid import lens_grid
from viz.figures.measure_grid import measure_grid, narrowest_measures
from viz.pages.your_model.names import head_name
from viz.pages.your_model.study.inside_example import attribution_as_csv, lens_as_csv, scores_as_csv
from viz.shared.choices import choose_token
from viz.shell.controls import choose, warn_bad_links
from viz.shell.picture import File, draw_picture, with_arrays
from viz.shell.state import linked_value

TEXT = page_text("pages/your_model/inside_model")
_MOST_PLACES = 40
# Pixels of all columns, and of one in which a short token can be read.
_PICTURE, _COLUMN = 900, 64
# Layers above which what is no head has one row for all of them.
_MOST_ROWS_OF_LAYERS = 16


def draw_scores(name: str, scores: ForeignScores, warnings: DeltaGenerator, *, of: str) -> None:
    """Draw both scores of every head, on the text or on random tokens.

    Where they stand beside other scores, ``of`` tells their pictures apart, and one choice holds for both.
    """
    at = 0
    if scores.n_random and of:
        at = ("text", "random").index(linked_value(_scored_on()))
    elif scores.n_random:
        field = _scored_on()
        warn_bad_links(warnings, [field])
        at = ("text", "random").index(choose(field, TEXT["on"]))
    measures = {"previous": scores.previous[at], "induction": scores.induction[at]}
    shown = [measure for measure, values in measures.items() if np.isfinite(values).any()]
    if not shown:
        st.info(TEXT["one token"].format(name=plain(name)))
        return
    names = {measure: _strongest(scores, values) for measure, values in measures.items()}
    words = TEXT["see scores" if "induction" in shown else "see scores without induction"]
    numbers = {f"{measure}_{key}": value for measure, entries in names.items() for key, value in entries.items()}
    st.markdown(words.format(name=plain(name), n=scores.n_random, **numbers))
    for place, measure in zip(st.columns(len(shown), gap="large"), shown, strict=True):
        with place:
            st.markdown(TEXT[f"heading {measure}"])
            _draw_score(measure, measures[measure], scores, of)


def _scored_on() -> Choice[str]:
    return labelled("scored-on", worded(("random", "text"), lambda kind: TEXT[f"on {kind}"]))


def _draw_score(measure: str, values: np.ndarray, scores: ForeignScores, of: str) -> None:
    hovers = [
        [
            TEXT["hover score"].format(row=row, head=head + 1, value=f"{value:.3f}") if np.isfinite(value) else ""
            for head, value in enumerate(of_row)
        ]
        for row, of_row in zip(_layers(scores), values.tolist(), strict=True)
    ]
    layer, head = np.unravel_index(int(np.nanargmax(values)), values.shape)
    figure = measure_grid(values, rows=_layers(scores), hovers=hovers, marked=(int(layer), int(head)), highest=1.0)
    strongest = _strongest(scores, values)
    alt = TEXT[f"alt {measure}"].format(n_layers=values.shape[0], n_heads=values.shape[1], **strongest)
    files = with_arrays(File(TEXT["save"], lambda: scores_as_csv(scores), "scores.csv"))
    narrowest = narrowest_measures(_layers(scores), values.shape[1])
    draw_picture(figure, key=f"{measure}-scores{of}", file_name=measure, alt=alt, files=files, narrowest=narrowest)


def _strongest(scores: ForeignScores, values: np.ndarray) -> dict[str, str]:
    if not np.isfinite(values).any():
        return {"head": "", "value": ""}
    layer, head = np.unravel_index(int(np.nanargmax(values)), values.shape)
    return {"head": _head_name(scores, int(layer), int(head)), "value": f"{values[layer, head]:.2f}"}


def _head_name(of: ForeignScores | ForeignAttribution, row: int, head: int) -> str:
    """Return how the head of a row is written."""
    block: BlockName = of.blocks[row] if of.blocks else "self"
    return head_name(Head(block, of.layers[row], head))


def _layers(scores: ForeignScores) -> list[str]:
    """Return a label for each row."""
    if not scores.blocks:
        return [TEXT["layer"].format(layer=number + 1) for number in scores.layers]
    rows = zip(scores.blocks, scores.layers, strict=True)
    return [TEXT[f"layer of {block}"].format(layer=number + 1) for block, number in rows]


def draw_lens(name: str, lens: ForeignLens, *, of: str) -> None:
    """Draw what is likeliest at each depth, after each token of the text."""
    n = min(len(lens.tokens), _MOST_PLACES)
    columns = [TEXT["input"], *(TEXT["layer short"].format(layer=depth) for depth in range(1, len(lens.labels)))]
    settled = int(lens.is_final[-2, :n].sum())
    st.markdown(TEXT["see lens"].format(name=plain(name), n=n, n_settled=settled))
    figure = lens_grid(
        np.ascontiguousarray(lens.of_final[:, :n].T),
        [[labels[place][0] for labels in lens.labels] for place in range(n)],
        [[_tooltip(lens, depth, place, column) for depth, column in enumerate(columns)] for place in range(n)],
        is_marked=lens.is_final[:, :n].T,
        steps=lens.tokens[:n],
        columns=columns,
        column_width=max(_PICTURE // len(columns), _COLUMN),
    )
    alt = TEXT["alt lens"].format(n=n, n_columns=len(columns), n_settled=settled)
    files = with_arrays(File(TEXT["save"], lambda: lens_as_csv(lens), "lens.csv"))
    narrowest = _COLUMN * len(columns)
    draw_picture(figure, key=f"own-lens{of}", file_name="lens", alt=alt, files=files, narrowest=narrowest)
    if n < len(lens.tokens):
        st.caption(TEXT["cut"].format(shown=n, n=len(lens.tokens)))


def _tooltip(lens: ForeignLens, depth: int, place: int, column: str) -> str:
    best = zip(lens.labels[depth][place], lens.probabilities[depth, place].tolist(), strict=True)
    return TEXT["hover lens"].format(
        point=column,
        token=lens.tokens[place],
        best="\n".join(f"{label}  {share:.1%}" for label, share in best),
        share=f"{lens.of_final[depth, place]:.1%}",
    )


def draw_attribution(name: str, attribution: ForeignAttribution, warnings: DeltaGenerator, *, of: str) -> None:
    """Draw what each part adds to the logit of one candidate above that of another."""
    labels = dict(enumerate(attribution.candidates))
    # Whoever asks for two words compares these; of one, the likeliest other.
    first, second, *_ = dict.fromkeys((*attribution.asked, 0, 1))
    with st.container(horizontal=True, key=f"inside-candidates{of}"):
        token, foil = (
            choose_token(key, TEXT[label], labels, default, about=(name, *attribution.candidates), warnings=warnings)
            for key, label, default in (
                (f"inside-token{of}", "token", first),
                (f"inside-against{of}", "against", second),
            )
        )
    heads, rest = (values[..., token] - values[..., foil] for values in (attribution.heads, attribution.rest))
    start, bias, logit = (
        float(values[token] - values[foil]) for values in (attribution.start, attribution.bias, attribution.logits)
    )
    rows = _rows(attribution, heads, rest, start, bias)
    names, of_heads, totals = zip(*rows, strict=True)
    layer, head = np.unravel_index(int(np.nanargmax(np.abs(heads))), heads.shape)
    strongest = {"head": _head_name(attribution, int(layer), int(head)), "value": signed(float(heads[layer, head]))}
    of_heads_together = signed(float(np.nansum(heads)))
    words = {
        "token": plain(attribution.candidates[token]),
        "foil": plain(attribution.candidates[foil]),
        "logit": signed(logit),
    }
    st.markdown(TEXT["see attribution"].format(name=plain(name), heads=of_heads_together, **words, **strongest))
    sums = [(TEXT["sum"], float(np.sum(totals))), (TEXT["model says"], logit)]
    figure = attribution_grid(
        np.stack(of_heads),
        np.array(totals),
        names=names,
        sums=sums,
        head_hovers=[
            [
                TEXT["hover head"].format(row=row, head=head + 1, value=signed(value))
                for head, value in enumerate(values)
            ]
            for row, values in zip(names, (values.tolist() for values in of_heads), strict=True)
        ],
        row_hovers=[f"{row}: {signed(value)}" for row, value in [*zip(names, totals, strict=True), *sums]],
        headings=(TEXT["heads"], TEXT["bars"]),
    )
    alt = TEXT["alt attribution"].format(n=len(rows), **words, **strongest)
    files = with_arrays(File(TEXT["save"], lambda: attribution_as_csv(attribution), "attribution.csv"))
    draw_picture(
        figure, key=f"own-attribution{of}", file_name="attribution", alt=alt, files=files, narrowest=80 * heads.shape[1]
    )


def _rows(
    attribution: ForeignAttribution, heads: np.ndarray, rest: np.ndarray, start: float, bias: float
) -> list[tuple[str, np.ndarray, float]]:
    """Return each row's name, what its heads add, and what it adds in all."""
    none = np.full(heads.shape[1], np.nan)
    is_deep = len(attribution.layers) > _MOST_ROWS_OF_LAYERS
    rows = [(TEXT["row input"], none, start)]
    blocks = attribution.blocks or ("self",) * len(attribution.layers)
    for block, number, of_heads, of_rest in zip(blocks, attribution.layers, heads, rest.tolist(), strict=True):
        if np.isfinite(of_heads).any():
            label = TEXT[f"row heads {block}"].format(layer=number + 1)
            rows.append((label, of_heads, float(np.nansum(of_heads))))
        # What else a layer of both adds stands below its cross-attention.
        if not is_deep and block != "decoder":
            rows.append((TEXT["row rest"].format(layer=number + 1), none, of_rest))
    if is_deep:
        rows.append((TEXT["row all rest"], none, float(rest.sum())))
    return [*rows, (TEXT["row bias"], none, bias)]
