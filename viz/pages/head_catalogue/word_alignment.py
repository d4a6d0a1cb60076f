"""Word alignment: which heads of cross-attention link the words that people link."""

from dataclasses import replace

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.analysis.maps.aligning_maps import WEIGHINGS, Aligner, Weighing
from model.analysis.maps.alignment import STEPS, Step
from model.device import use_one_thread
from pretrained import head_catalogue, read_card
from pretrained.alignments import GoldPair, gold_pairs
from viz.base.languages import worded
from viz.base.link_parameters import Choice, labelled
from viz.base.words import page_text, paragraph
from viz.components.table import table as html_table
from viz.figures.measure_grid import measure_grid
from viz.pages.head_catalogue.figures.alignment_map import alignment_map
from viz.pages.head_catalogue.measured import measured_translators
from viz.pages.head_catalogue.study.aligned_pair import AlignedPair, align
from viz.pages.head_catalogue.study.published import published_alignment
from viz.pages.head_catalogue.study.word_alignment import AlignmentErrors, alignment_of, parts_of, reading
from viz.shared.sentence import load
from viz.shared.shipped import TranslatorInfo, cached_while_unchanged, translator, translator_info
from viz.shared.translators import KEY
from viz.shell.controls import choose, place_for_warnings, select, warn_bad_links
from viz.shell.page import link_to
from viz.shell.picture import File, draw_picture, with_arrays

TEXT = page_text("pages/head_catalogue/word_alignment")
_WEIGHING: Choice[Weighing] = labelled("weighing", worded(WEIGHINGS, lambda name: TEXT[f"weighing {name}"]))
_STEP: Choice[Step] = labelled("at", worded(STEPS, lambda name: TEXT[f"step {name}"]))
_BEST = "best"
# The map of Translate has a row for each word that is written.
_WRITES: Step = "output"
_OPENING_PAIR = "everyday-08"


@cached_while_unchanged(lambda name: [head_catalogue.alignment_path(name)], max_entries=16)
def rates(name: str) -> pd.DataFrame:
    """Return the alignment error rates of the translator ``name``, not to be changed.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is damaged.
    """
    return head_catalogue.alignment_errors(name)


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    there = measured_translators(head_catalogue.alignment_path)
    if not there:
        st.warning(TEXT["nothing measured"])
        return
    translators = labelled("of", there)
    warn_bad_links(warnings, [translators, _WEIGHING])
    with st.container(horizontal=True, vertical_alignment="bottom", key="alignment-choices"):
        name = select(translators, TEXT["translator"], width=290)
        weighing: Weighing = choose(_WEIGHING, TEXT["weighing"])
        try:
            table = rates(name)
            parts = labelled("aligned-part", worded(parts_of(table), lambda part: TEXT[f"part {part}"]))
            warn_bad_links(warnings, [parts])
            part = choose(parts, TEXT["part"]) if len(parts.options) > 1 else parts.default
            alignment = alignment_of(table, part)
        except (OSError, ValueError, KeyError):
            warnings.warning(TEXT["damaged"])
            return
    st.markdown(TEXT["see"])
    picture, words = st.columns([3, 2], gap="large")
    with picture:
        _show_grid(alignment, weighing)
    with words:
        st.markdown(_summary(alignment, weighing))
        _offer_own_sentence(name, alignment.best(_WRITES, weighing))
        st.markdown(TEXT["which step"])
    model = translator_info(name)
    is_shipped = {model.source_language, model.target_language} == {"English", "German"}
    pair, published = st.columns([3, 2], gap="large") if is_shipped else (None, st.container())
    if pair is not None:
        with pair:
            _show_pair(model, alignment_of(table), weighing, warnings)
    with published:
        _show_published(alignment)
        st.markdown(TEXT["paper"])


def _show_grid(alignment: AlignmentErrors, weighing: Weighing) -> None:
    rows, errors = alignment.grid(weighing)
    columns = [*map(str, range(1, alignment.n_heads + 1)), TEXT["column mean"]]
    names = [TEXT[f"row {step}"].format(layer=layer) for step, layer in rows]
    best = _best_of(alignment, weighing)
    step = _better_step(alignment, best)
    figure = measure_grid(
        1 - errors,
        rows=names,
        columns=columns,
        cells=[[f"{100 * error:.0f}" for error in of_row] for of_row in errors.tolist()],
        hovers=[
            [
                TEXT["hover"].format(row=name, column=column, error=f"{error:.1%}")
                for column, error in zip(columns, of_row, strict=True)
            ]
            for name, of_row in zip(names, errors.tolist(), strict=True)
        ],
        marked=(rows.index((step, best.layer)), best.head - 1),
        highest=1.0,
    )
    alt = TEXT["alt"].format(
        n=alignment.n_heads * len(alignment.layers), best=_short(best), error=f"{alignment.rates[best, step]:.1%}"
    )
    files = with_arrays(File(TEXT["download"], alignment.as_csv, "alignment-errors.csv"))
    draw_picture(figure, key="alignment", file_name="alignment-errors", alt=alt, files=files)


def _lowest(alignment: AlignmentErrors, head: Aligner) -> float:
    return alignment.rates[head, _better_step(alignment, head)]


def _better_step(alignment: AlignmentErrors, head: Aligner) -> Step:
    return min(STEPS, key=lambda step: alignment.rates[head, step])


def _summary(alignment: AlignmentErrors, weighing: Weighing) -> str:
    best = {step: alignment.best(step, weighing) for step in STEPS}
    mean = alignment.best_mean("output", weighing)
    of_heads = TEXT["told"].format(
        pairs=TEXT[f"gold {alignment.gold}"].format(n=alignment.sentences),
        **{f"{step}_head": _short(head) for step, head in best.items()},
        **{f"{step}_error": f"{alignment.rates[head, step]:.1%}" for step, head in best.items()},
    )
    error = f"{alignment.rates[mean, 'output']:.1%}"
    return paragraph([of_heads, TEXT["told mean"].format(layer=mean.layer, error=error)])


def _offer_own_sentence(name: str, head: Aligner) -> None:
    """Lead to Translate with the translator ``name``, where ``head`` links the words of any sentence."""
    opened = {"kind": "cross", "heads": f"{head.layer}.{head.head}", KEY: name}
    link_to("translate", TEXT["own sentence"].format(head=_short(head)), opened)


def _show_pair(model: TranslatorInfo, alignment: AlignmentErrors, weighing: Weighing, warnings: DeltaGenerator) -> None:
    """Show how one head links the words of one pair, beside the links that people made."""
    st.header(TEXT["one pair"], anchor="pair")
    try:
        pairs = {pair.name: pair for pair in _pairs(model.source_language == "English")}
        choice = labelled("pair", {name: f"{name} {pair.texts[0]}" for name, pair in pairs.items()}, _OPENING_PAIR)
        opening_pair = choice.label(_OPENING_PAIR)
    except (OSError, ValueError):
        warnings.warning(TEXT["pairs damaged"])
        return
    opening = _better_step(alignment, _best_of(alignment, weighing))
    at = replace(_STEP, default=opening)
    heads = {_code(head): head for head, step in alignment.rates if step == opening and head.weighing == weighing}

    def named(code: str) -> str:
        return TEXT["best"].format(head=_short(_best_of(alignment, weighing))) if code == _BEST else _short(heads[code])

    head_choice = labelled("align-head", worded([_BEST, *heads], named))
    head_choice = replace(head_choice, summary=TEXT["heads"].format(head=_short(_best_of(alignment, weighing))))
    choice = replace(choice, summary=TEXT["pairs"].format(pair=opening_pair))
    warn_bad_links(warnings, [choice, at, head_choice])
    pair = pairs[select(choice, TEXT["pair"])]
    with st.container(horizontal=True, vertical_alignment="bottom", key="pair-choices"):
        code = select(head_choice, TEXT["head"], width=220)
        step: Step = choose(at, TEXT["step"])
    load(model.name)
    head = _best_of(alignment, weighing) if code == _BEST else heads[code]
    aligned = _aligned(model.name, pair.name, head, step)
    st.markdown(TEXT["see pair"])
    if aligned is not None:
        _show_map(aligned, head)


def _best_of(alignment: AlignmentErrors, weighing: Weighing) -> Aligner:
    return min((alignment.best(step, weighing) for step in STEPS), key=lambda head: _lowest(alignment, head))


def _show_map(aligned: AlignedPair, head: Aligner) -> None:
    figure = alignment_map(
        aligned.weights,
        source=aligned.source,
        target=aligned.target,
        sure=aligned.gold.sure,
        possible=aligned.gold.possible,
        links=aligned.links,
        hover=TEXT["hover pair"],
    )
    alt = TEXT["alt pair"].format(
        head=_short(head),
        target=" ".join(aligned.target),
        source=" ".join(aligned.source),
        right=len(aligned.links & aligned.gold.possible),
        n=len(aligned.links),
    )
    files = with_arrays(File(TEXT["download pair"], aligned.as_csv, "pair.csv"))
    draw_picture(figure, key="pair-map", file_name="word-alignment", alt=alt, files=files)
    st.caption(
        TEXT["pair told"].format(
            right=len(aligned.links & aligned.gold.possible), n=len(aligned.links), error=f"{aligned.error:.1%}"
        )
    )


@st.cache_data(show_spinner=False)
def _pairs(is_english_read: bool) -> tuple[GoldPair, ...]:
    return tuple(pair if is_english_read else pair.turned() for pair in gold_pairs())


@st.cache_resource(max_entries=256, show_spinner=False)
def _aligned(model: str, name: str, head: Aligner, step: Step) -> AlignedPair | None:
    use_one_thread()
    loaded = translator(model)
    is_english_read = read_card(model).source_language == "English"
    pair = next(pair for pair in _pairs(is_english_read) if pair.name == name)
    return align(loaded, pair, head, step)


def _show_published(alignment: AlignmentErrors) -> None:
    st.header(TEXT["published"], anchor="published")
    headings = [TEXT["read at"], TEXT["weighed by"], TEXT["here"], TEXT["theirs"]]
    theirs = published_alignment()
    rows = [
        [
            TEXT[f"step {step}"],
            TEXT[f"weighing {weighing}"],
            f"{min(alignment.rates[Aligner(layer, 0, weighing), step] for layer in alignment.layers):.1%}",
            f"{theirs[step, weighing]:.1%}" if (step, weighing) in theirs else "",
        ]
        for step in STEPS
        for weighing in WEIGHINGS
    ]
    st.html(html_table(headings, rows, name=TEXT["published"]))
    st.markdown(paragraph([TEXT["published told"], reading(alignment).sentence(TEXT, "claim reading")]))


def _short(head: Aligner) -> str:
    if not head.layer:
        return TEXT["mean of all"]
    return TEXT["head name" if head.head else "mean of layer"].format(layer=head.layer, head=head.head)


def _code(head: Aligner) -> str:
    return f"{head.layer}.{head.head}"


if __name__ == "__main__":
    show()
