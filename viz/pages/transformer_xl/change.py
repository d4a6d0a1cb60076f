"""Effect of a change of one far character on the prediction under the microscope."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st
from jaxtyping import Int
from torch import Tensor

from model.analysis.interventions.memory_influence import Influence, SegmentedRead
from model.attention import SegmentSpec
from pretrained.language_models import LanguageModel
from pretrained.translators import WEIGHTS
from viz.base.exports import arrays_as_npz, rows_as_csv
from viz.base.markdown import plain
from viz.base.numbers import scientific, signed
from viz.base.words import listed, page_text, paragraph
from viz.components.table import table
from viz.pages.transformer_xl.figures.layer_paths import layer_paths
from viz.pages.transformer_xl.figures.spread import spread_map
from viz.pages.transformer_xl.state import files_of, sample_text
from viz.pages.transformer_xl.study import microscope as numbers
from viz.pages.transformer_xl.study.memory_changes import memory_changes, typical
from viz.pages.transformer_xl.study.microscope import Change, ShownSpan, alone
from viz.shared.shipped import cached_while_unchanged
from viz.shell.controls import download
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/transformer_xl/change")
_MAX_MOVED = 8


@dataclass(frozen=True)
class Look:
    """State of the view: the model, its reading, the text, what is shown of it, and the chosen places."""

    loaded: LanguageModel
    spec: SegmentSpec
    text: str
    ids: Int[Tensor, " position"]
    span: ShownSpan
    place: int
    source: int
    becomes: str

    @property
    def excerpt(self) -> str:
        """The part of the text that is shown."""
        return self.text[self.span.first : self.span.stop]

    @property
    def end(self) -> int:
        """The place after the last one that is read: the segment of the chosen one ends there, or the text."""
        return min(len(self.text), self.spec.border(self.place) + self.spec.segment_length)


def is_measured(loaded: LanguageModel, text: str) -> bool:
    """Whether the changes of ``text`` were measured with this very model: those that the page opens on."""
    changes = memory_changes()
    # Without its file, the sample is its beginning alone.
    is_sample = text == sample_text() and changes.place < len(text)
    return is_sample and loaded.metrics["sha256"][WEIGHTS] == changes.sha256


def _is_opening(look: Look) -> bool:
    """Whether ``look`` is at the change that does most, and not at one that a reader has chosen."""
    if not is_measured(look.loaded, look.text) or look.spec.mem_len != look.loaded.mem_len:
        return False
    return (look.place, look.source) == (memory_changes().place, memory_changes().source)


def show_change(look: Look, reading: SegmentedRead) -> None:
    """Say what the changed character does to the prediction, through which memory, and where it spreads."""
    st.header(TEXT["change title"], anchor=False)
    if look.text[look.source] == look.becomes:
        st.markdown(TEXT["nothing changed"].format(character=plain(alone(look.becomes)), number=look.source + 1))
        return
    influence = _influence(look, reading)
    size = numbers.measured(influence)
    st.markdown(_change_sentence(look, reading, size))
    if _is_opening(look):
        st.markdown(typical().sentence(TEXT, "claim typical"))
    if size.is_none:
        st.markdown(TEXT["how it came"])
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        _show_prediction(look, reading, influence)
    with right:
        _show_layers(look, reading, size)
        name = f"change-{look.source + 1}-{look.place + 1}.csv"
        download(TEXT["download change"], lambda: _as_csv(look, influence), name)
    left, right = st.columns([2, 1], gap="large")
    with left:
        _show_spread(look, reading, influence)
    with right:
        st.markdown(TEXT["spread"].format(mem_len=look.spec.mem_len))
        with st.expander(TEXT["how it is measured"]):
            st.markdown(TEXT["how it came"])


def _change_sentence(look: Look, reading: SegmentedRead, size: Change) -> str:
    n_layers = len(look.loaded.model.layers)
    earliest = look.spec.earliest_source(look.place, n_layers)
    values = {
        "number": look.source + 1,
        "old": plain(alone(look.text[look.source])),
        "new": plain(alone(look.becomes)),
        "back": look.place - look.source,
        "total": plain(scientific(size.total)),
        "layers": n_layers,
        "mem_len": look.spec.mem_len,
        "earliest": earliest + 1,
        "main": size.main_layer + 1,
    }
    sentence = TEXT["changed by"].format(**values)
    if look.source < earliest:
        return TEXT["out of reach"].format(**values)
    if size.is_none:
        return TEXT["no change"].format(**values)
    if look.source >= reading.border:
        return paragraph([sentence, TEXT["same segment"]])
    main = plain(scientific(size.alone[size.main_layer]))
    # A part larger than the whole is a puzzle only where it is written so.
    is_larger = size.alone[size.main_layer] > size.total and main != values["total"]
    undone = TEXT["others undo"] if is_larger else ""
    beyond = TEXT["beyond memory"] if look.source < reading.first_key else ""
    return paragraph([sentence, TEXT["main layer"].format(alone=main, **values), undone, beyond])


def _show_prediction(look: Look, reading: SegmentedRead, influence: Influence) -> None:
    by_memory = look.source < reading.border
    layers = [TEXT["layer short"].format(layer=layer + 1) for layer in range(len(influence.alone) if by_memory else 0)]
    headings = [TEXT[f"column {name}"] for name in ("character", "before", "after", "bits")]
    rows = [
        [
            alone(look.loaded.vocabulary.decode([one.id])),
            f"{one.before:.4f}",
            f"{one.after:.4f}",
            _bits(one.bits),
            *(map(_bits, one.bits_by_layer) if by_memory else ()),
        ]
        for one in numbers.moved(influence, _MAX_MOVED)
    ]
    st.html(table([*headings, *layers], rows, code_columns=(0,), name=TEXT["table name"]))
    st.caption(TEXT["table"].format(n=len(rows)) + (f" {TEXT['table layers']}" if by_memory else ""))


def _bits(value: float) -> str:
    written = signed(value) if abs(value) >= 0.01 else scientific(value).replace("-", "\N{MINUS SIGN}")
    return f"+{written}" if value > 0 else written


def _as_csv(look: Look, influence: Influence) -> str:
    layers = [TEXT["csv layer"].format(layer=layer + 1) for layer in range(len(influence.alone))]
    headings = [*(TEXT[f"column {name}"] for name in ("character", "before", "after", "bits")), *layers]
    vocabulary = look.loaded.vocabulary
    rows = [
        [vocabulary.decode([one.id]), one.before, one.after, one.bits, *one.bits_by_layer]
        for one in numbers.moved(influence, vocabulary.size)
    ]
    return rows_as_csv(headings, rows)


def _show_layers(look: Look, reading: SegmentedRead, size: Change) -> None:
    if look.source >= reading.border:
        st.markdown(TEXT["no layers"])
        return
    labels = [TEXT["layer"].format(layer=layer + 1) for layer in range(len(size.alone))]
    shares = {
        TEXT["alone"]: np.array(size.alone) / size.total,
        TEXT["without"]: np.array(size.without) / size.total,
    }
    figure = layer_paths(labels, shares, y_name=TEXT["share"])
    alt = TEXT["alt layers"].format(**{key: _listed(labels, values) for key, values in _by_key(shares).items()})
    draw_picture(figure, key="xl-layers", file_name=f"memory-layers-{look.source + 1}-{look.place + 1}", alt=alt)
    st.caption(TEXT["layers"])


def _by_key(shares: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    return dict(zip(("alone", "without"), shares.values(), strict=True))


def _listed(labels: list[str], values: np.ndarray) -> str:
    return listed(f"{label} {value:.0%}" for label, value in zip(labels, values, strict=True))


def _show_spread(look: Look, reading: SegmentedRead, influence: Influence) -> None:
    spread = influence.spread[:, look.source - influence.start :].float().numpy()
    text = look.text[look.source : look.place + 1]
    length = look.spec.segment_length
    borders = [at - look.source for at in range(reading.start, reading.border + 1, length) if at > look.source] or [0]
    figure = spread_map(
        spread,
        list(map(alone, text)),
        borders,
        x_name=TEXT["distance"],
        y_name=TEXT["layer axis"],
        hover=TEXT["spread hover"],
    )
    farthest = [int(np.flatnonzero(row)[-1]) if row.any() else 0 for row in spread]
    alt = TEXT["alt spread"].format(
        farthest=listed(f"{layer + 1}: {at}" for layer, at in enumerate(farthest)), last=spread.shape[1] - 1
    )
    arrays = {"spread": influence.spread.numpy(), "places": np.arange(influence.spread.shape[1]) + influence.start}
    file = File(TEXT["download spread"], lambda: arrays_as_npz(arrays), f"memory-spread-{look.source + 1}.npz")
    draw_picture(figure, key="xl-spread", file_name="memory-spread", alt=alt, files=[file])


def _change(look: Look, _: SegmentedRead) -> tuple[object, ...]:
    return look.loaded.name, look.spec, look.place, look.source, look.becomes, look.text[: look.end]


@cached_while_unchanged(lambda look, _: files_of(look.loaded), max_entries=16, key=_change)
def _influence(look: Look, reading: SegmentedRead) -> Influence:
    vocabulary = look.loaded.vocabulary
    return numbers.change(
        look.loaded.model,
        look.ids,
        reading,
        place=look.place,
        source=look.source,
        becomes=int(vocabulary.encode(look.becomes).ids[0]),
        spec=look.spec,
    )
