"""Edit the model: change a trained model, and watch its cliff move."""

import dataclasses
import math
from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.analysis.interventions.edited_models import has_no_weights, rotary_part, with_rotary
from model.architectures.decoder_only import DecoderOnly
from model.checkpoint import DamagedWeightsError
from model.positional import PositionalConfig
from model.tasks import find
from model.zoo.plan import ENCODINGS
from pretrained.zoo import ZooModel
from viz.base.exports import rows_as_csv
from viz.base.languages import worded
from viz.base.link_parameters import Choice, Number, labelled
from viz.base.words import listed, page_text, paragraph
from viz.pages.length_generalization.accuracy import best
from viz.pages.length_generalization.figures.against_length import LengthAxes
from viz.pages.length_generalization.figures.before_after import before_after
from viz.pages.length_generalization.names import encoding_look, encoding_title, in_order
from viz.pages.length_generalization.study.edited_models import (
    MIN_CHANGE,
    N_INPUTS,
    Edits,
    Point,
    answer,
    mean_beyond,
    moved_most,
    trained_positions,
)
from viz.pages.length_generalization.task import choose_task, say_nothing_here
from viz.shared.encodings import encoding_refusal
from viz.shared.model_words import model_words
from viz.shared.shipped import cached_while_unchanged, damage
from viz.shared.zoo import network as load
from viz.shared.zoo import seed_text, tasks_shipped, weights_file
from viz.shared.zoo import shipped as shipped_for
from viz.shell.controls import choice, number, place_for_warnings, select, warn_bad_links
from viz.shell.heavy import COMPUTING, QueueFullError, full_text, turn
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/length_generalization/edit_model")

_TAU = Number("reach-tau", 1.0, 0.1, 10.0, 0.1)
_SHIFT = Number("reach-shift", 0, 0, 1000, 10)
_BASE = Number("reach-base", 10000.0, 2.0, 1e6, 1000.0)
_FACTOR = Number("reach-factor", 2.0, 1.0, 16.0, 0.5)
_NUMBERS = (_TAU, _SHIFT, _BASE, _FACTOR)
_AS_TRAINED = ""
_GROWTHS = ("fixed", "log")
_SCALINGS = ("rotary", "rotary_interpolation", "rotary_ntk", "rotary_yarn")

Cliff = dict[int, Point]


def show() -> None:
    """Draw the page."""
    show_edit_model(*choose_task())


@st.fragment
def show_edit_model(results: pd.DataFrame, task: str) -> None:
    """Show a shipped model of ``task`` as it was trained, and as it answers after the chosen changes."""
    st.markdown(TEXT["intro"])
    warnings = place_for_warnings()
    try:
        shipped = {model.run.encoding: model for model in shipped_for(task)}
        if not shipped:
            say_nothing_here(TEXT["no models"], tasks_shipped())
        # What was measured as trained is half of the picture; the head of the page says that it cannot be read.
        elif not results.empty:
            _show(results, shipped, warnings)
    except DamagedWeightsError as error:
        warnings.warning(damage(error))


def _show(results: pd.DataFrame, shipped: Mapping[str, ZooModel], warnings: DeltaGenerator) -> None:
    reach = labelled("reach", worded(in_order(shipped), encoding_title))
    rules = [reach, *(field for field in _NUMBERS)]
    rules += [
        labelled("reach-scaling", worded(_SCALINGS, _scaling_title)),
        labelled("reach-growth", worded(_GROWTHS, lambda name: TEXT[f"growth {name}"])),
    ]
    warn_bad_links(warnings, rules)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        encoding = select(reach, TEXT["encoding"], width=220)
        model = shipped[encoding]
        network = load(model)
        edits = _controls(network, model, warnings)
    before = _before(results, model)
    picture, words = st.columns([2, 1], gap="large")
    with words:
        place = st.container()
        st.markdown(TEXT["what to try"])
    with picture:
        as_trained, after, refusal = _measured(network, model, edits, list(before))
        before |= as_trained
        if refusal:
            warnings.warning(refusal)
        _show_picture(model, before, after)
        st.markdown(paragraph([seed_text([model]), TEXT["what is seen"].format(n=N_INPUTS)]))
    place.markdown(_summary(edits.changes(network), before, after, find(model.run.task).description.train_lengths[1]))


def _controls(network: DecoderOnly, model: ZooModel, warnings: DeltaGenerator) -> Edits:
    """Draw what can be changed, and return what is."""
    own = model.run.encoding
    others = [name for name, config in ENCODINGS.items() if name != own and has_no_weights(network, config)]
    # Its own encoding is what a swap chosen for another model may have become: that is no mistake.
    warn_bad_links(warnings, [_swaps([_AS_TRAINED, *others, own])])
    swap = select(_swaps([_AS_TRAINED, *others]), TEXT["swap"], width=200)
    tau = number(_TAU, TEXT["tau"])
    grows = choice("reach-growth", TEXT["growth"], worded(_GROWTHS, lambda name: TEXT[f"growth {name}"])) == _GROWTHS[1]
    shift = number(_SHIFT, TEXT["shift"])
    encoding = ENCODINGS[swap] if swap else network.config.positional
    if rotary_part(encoding) is not None:
        encoding = _rotary(encoding, model)
    st.button(TEXT["reset"], on_click=_reset, key="reach-reset")
    return Edits(encoding, tau, shift, grows)


def _swaps(names: Sequence[str]) -> Choice[str]:
    return labelled("reach-swap", worded(names, lambda name: encoding_title(name) if name else TEXT["as trained"]))


def _rotary(encoding: PositionalConfig, model: ZooModel) -> PositionalConfig:
    base = number(_BASE, TEXT["base"])
    scaling = choice("reach-scaling", TEXT["scaling"], worded(_SCALINGS, _scaling_title))
    part = rotary_part(encoding)
    trained = part.parameters.get("base", _BASE.default) if part else _BASE.default
    changes = {} if base == trained else {"base": base}
    if scaling != "rotary":
        changes["factor"] = number(_FACTOR, TEXT["factor"])
    if scaling == "rotary_yarn":
        changes["original_length"] = trained_positions(find(model.run.task))
    return with_rotary(encoding, scaling, changes) if changes else encoding


def _reset() -> None:
    for field in _NUMBERS:
        st.session_state[field.key] = field.default
    st.session_state["reach-swap"] = _AS_TRAINED
    st.session_state["reach-scaling"] = _SCALINGS[0]
    st.session_state["reach-growth"] = _GROWTHS[0]


def _scaling_title(name: str) -> str:
    return TEXT[f"scaling {name}"]


def _before(results: pd.DataFrame, model: ZooModel) -> Cliff:
    rows = best(results, model.run.task)
    own = rows[(rows.encoding == model.run.encoding) & (rows.seed == model.run.seed)].sort_values("length")
    columns = (own[name].tolist() for name in ("length", "exact_match", "n"))
    return {length: Point(exact_match, n) for length, exact_match, n in zip(*columns, strict=True)}


def _measured(network: DecoderOnly, model: ZooModel, edits: Edits, lengths: list[int]) -> tuple[Cliff, Cliff, str]:
    """Measure the model as trained and changed, on the same inputs of ``lengths``.

    The third value is a sentence of what is wrong where the changed one cannot answer.
    """
    before: Cliff = {}
    after: Cliff = {}
    if not edits.changes(network):
        return before, after, ""
    unchanged = Edits(network.config.positional)
    progress = st.empty()
    try:
        with turn(COMPUTING):
            changed = edits.applied(network)
            for index, length in enumerate(lengths):
                progress.progress(index / len(lengths), TEXT["progress"].format(length=length))
                after[length] = _answered(model, changed, edits, length)
                before[length] = _answered(model, network, unchanged, length)
    except QueueFullError as error:
        return {}, {}, full_text(error)
    except ValueError as error:
        return before, after, TEXT["refused"].format(problem=encoding_refusal(error))
    finally:
        progress.empty()
    return before, after, ""


@cached_while_unchanged(
    lambda model, *_: [weights_file(model)],
    max_entries=4096,
    key=lambda model, _, edits, length: (model.sha256, str(edits), length),
)
def _answered(model: ZooModel, network: DecoderOnly, edits: Edits, length: int) -> Point:
    task = find(model.run.task)
    return answer(network, edits.tau_at(length, task.description.train_lengths[1]), task, length)


def _show_picture(model: ZooModel, before: Cliff, after: Cliff) -> None:
    task, encoding = find(model.run.task).description, model.run.encoding
    longest = task.train_lengths[1]
    figure = before_after(
        {length: point.exact_match for length, point in before.items()},
        {length: point.exact_match for length, point in after.items()},
        names=(TEXT["before"], TEXT["after"]),
        colour=encoding_look(encoding).colour,
        axes=LengthAxes(
            longest_trained=longest,
            x_name=TEXT["length"].format(unit=model_words(task.unit)),
            y_name=TEXT["exact match"],
            marked=TEXT["trained to"].format(length=longest),
        ),
    )
    alt = TEXT["alt"].format(task=model_words(task.title), encoding=encoding_title(encoding), before=_listed(before))
    if after:
        alt += " " + TEXT["alt after"].format(after=_listed(after))
    name = f"reach-{task.name}-{encoding}"
    file = File(TEXT["download"], lambda: _as_csv(before, after), f"{name}.csv")
    draw_picture(figure, key=name, file_name=name, alt=alt, files=[file])


def _listed(cliff: Cliff) -> str:
    return listed(f"{point.exact_match:.2f} ({length})" for length, point in cliff.items())


def _summary(is_changed: bool, before: Cliff, after: Cliff, longest: int) -> str:
    if not is_changed:
        return TEXT["nothing changed"]
    if not after:
        return TEXT["not measured"]
    most = [point.n for point in after.values()]
    measured = TEXT["measured"].format(low=min(most), high=max(most), lengths=len(after))
    means = [mean_beyond(cliff, after, longest) for cliff in (before, after)]
    if not math.isnan(means[0]):
        measured = paragraph([TEXT["beyond"].format(longest=longest, before=means[0], after=means[1]), measured])
    moved = moved_most(before, after)
    if moved is None:
        return paragraph([TEXT["not moved"].format(moved=MIN_CHANGE), measured])
    values = {
        f"{name}_{key}": value for name in ("before", "after") for key, value in vars(getattr(moved, name)).items()
    }
    return paragraph([TEXT["moved"].format(length=moved.length, **values), measured])


def _as_csv(before: Cliff, after: Cliff) -> str:
    headings = [TEXT[key] for key in ("csv length", "csv before", "csv before n", "csv after", "csv after n")]
    rows = [
        [length, *dataclasses.astuple(point), *(dataclasses.astuple(after[length]) if length in after else ("", ""))]
        for length, point in before.items()
    ]
    return rows_as_csv(headings, rows)


if __name__ == "__main__":
    show()
