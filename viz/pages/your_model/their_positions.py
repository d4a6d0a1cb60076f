"""Their positions: another model's positional encoding, and one of our encodings beside it."""

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.device import use_one_thread
from model.positional import PositionalConfig, StackSpec
from pretrained.huggingface.foreign_positions import ForeignPositions
from pretrained.huggingface.positions import as_encoding
from pretrained.huggingface.requests import PositionsRequest
from viz.base.languages import worded
from viz.base.link_parameters import Choice, counted, labelled
from viz.base.words import page_text
from viz.pages.your_model.allowed import Permissions, allowed
from viz.pages.your_model.asking import answer_to, keep_loaded
from viz.pages.your_model.examples import example_positions
from viz.pages.your_model.position_pictures import Both, draw
from viz.pages.your_model.sources import all_models, model_at_hand
from viz.pages.your_model.state import ModelPlace, ModelPositions
from viz.pages.your_model.study.position_pattern import our_encodings, our_pattern, pattern_of
from viz.shared.encodings import encoding_title
from viz.shell.controls import place_for_warnings, select, slider, warn_bad_links
from viz.shell.state import keep_in_session, kept, open_on

TEXT = page_text("pages/your_model/their_positions")
_EXAMPLE = ""
_LENGTHS = (32, 64, 128, 256, 512)
_LENGTH = Choice("positions", 128, _LENGTHS)


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    may = allowed()
    models = all_models(may)
    model = labelled(
        "of-model", worded([_EXAMPLE, *models], lambda name: TEXT["example"] if name == _EXAMPLE else name)
    )
    open_on(model, model_at_hand(may, models) or _EXAMPLE)
    ours = labelled("ours", worded(our_encodings(), lambda name: encoding_title(PositionalConfig(name))), "sinusoidal")
    warn_bad_links(warnings, [model, ours, _LENGTH])
    with st.container(key="their-positions"):
        with st.container(horizontal=True, vertical_alignment="bottom", key="position-controls"):
            name = select(model, TEXT["model"], width=260)
            of_model = _positions(models.get(name), may, warnings)
            place = _choose("their-place", TEXT["place"], [_place(one) for one in of_model.encodings], warnings)
            positions = of_model.encodings[place]
            encoding, stack = as_encoding(positions)
            head = _choose("their-head", TEXT["head"], [f"{n + 1}" for n in range(stack.n_heads)], warnings)
            beside = select(ours, TEXT["ours"], width=230)
            length = slider(_LENGTH, TEXT["length"], width=160)
        use_one_thread()
        n_positions = min(length, len(positions.values)) if positions.kind == "table" else length
        our_stack = _with_room(stack)
        both = Both(
            of_model.model.label if of_model.model else TEXT["example name"],
            positions,
            pattern_of(encoding, stack, n_positions),
            our_pattern(beside, our_stack, n_positions),
            ours.label(beside),
            head,
        )
        draw(both)
    if not models:
        st.caption(TEXT["no models" if may.ways else "not allowed"])


def _positions(model: ModelPlace | None, may: Permissions, warnings: DeltaGenerator) -> ModelPositions:
    """Return how ``model`` encodes positions; the example's without one, and where that cannot be had."""
    example = ModelPositions(None, (example_positions(),))
    if model is None:
        return example
    keep_loaded()
    last = kept(ModelPositions)
    if last is None or last.model != model:
        positions = answer_to(PositionsRequest(model.root, model.name, may.most_bytes), warnings)
        if positions is None:
            return example
        last = ModelPositions(model, positions)
        keep_in_session(last)
    return last


def _choose(key: str, label: str, options: list[str], warnings: DeltaGenerator) -> int:
    """Draw a choice between several ``options``, and return the number of the chosen one, from 0."""
    if len(options) == 1:
        return 0
    field = replace(counted(key, len(options)), labels=dict(enumerate(options)))
    warn_bad_links(warnings, [field])
    return select(field, label, width=210)


def _place(positions: ForeignPositions) -> str:
    kind = TEXT[f"kind {positions.kind}"]
    return f"{kind}, {positions.place}" if positions.place else kind


def _with_room(stack: StackSpec) -> StackSpec:
    """Return the stack that ours is for: with as many heads as theirs, and large enough for any rotation."""
    d_key = max(stack.d_key, 64)
    return StackSpec(d_key * stack.n_heads, stack.n_heads, d_key, d_key, n_layers=1, causal=stack.causal)
