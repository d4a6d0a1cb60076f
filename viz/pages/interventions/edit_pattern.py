"""Edit a pattern: the direction, sharpness and scale of one head, and the changed translation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import get_args

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.analysis.interventions.pattern_edits import HeadEdit, Shape
from model.device import use_one_thread
from viz.base.languages import worded
from viz.base.link_parameters import Choice, Number, labelled, number_from_one
from viz.base.words import page_text
from viz.pages.interventions.components.pattern_editor import Grip, pattern_editor, put_row
from viz.pages.interventions.figures.pattern_map import pattern_map
from viz.pages.interventions.lines import change_sentence, show_change
from viz.pages.interventions.names import long_name, short_name
from viz.pages.interventions.opening import show_up_to
from viz.pages.interventions.state import asked, switches
from viz.pages.interventions.study.ablated import AblatedTranslation, total
from viz.pages.interventions.study.edited import block_of, heads, map_of, sides_of, translate_with
from viz.pages.interventions.study.maps import LabelledMap, maps_as_csv
from viz.pages.interventions.study.parts import Switch
from viz.shared.choices import choose_about
from viz.shared.translation import TranslationResult
from viz.shell.controls import choose, number, select, warn_bad_links
from viz.shell.page import theme
from viz.shell.picture import File, draw_picture, offered, with_arrays

TEXT = page_text("pages/interventions/edit_pattern")
_SHAPES: tuple[Shape, ...] = get_args(Shape)
_SHAPE: Choice[Shape] = labelled("look", worded(_SHAPES, lambda shape: TEXT[f"shape {shape}"]), "same")
_TEMPERATURE = Number("head-temperature", 1.0, 0.05, 20.0, 0.25)
_SCALE = Number("head-scale", 1.0, -5.0, 5.0, 0.5)
# A head of the translator that the page opens with: a word of its first example depends on where the head looks.
_OPENING = "cross.3.5"
_ALL_ROWS = -1
_EDITOR = "pattern-after"
# Where the session holds the row that is edited, and the token that it looks at.
_PLACES = "row-of-translation", "to-of-translation"
_WIDTH = 130
# With more, the rows of a map are too many for a screen.
_MOST_TOKENS = 40


def show() -> None:
    """Draw the page."""
    show_up_to(_MOST_TOKENS, _show_edit, TEXT)


def _show_edit(result: TranslationResult, warnings: DeltaGenerator) -> None:
    known = heads(switches(result.choice.model))
    with st.container(key="editing"):
        with st.container(horizontal=True, vertical_alignment="bottom", key="edit-choices"):
            head, edit = _choose_edit(result, known, warnings)
        edited = _edited(result.text, result.choice.model, edit)
        show_change(
            result.translation,
            edited,
            name=TEXT["lines"],
            before=TEXT["as it is"],
            after=TEXT["edited"],
            note=TEXT["log probability"],
        )
        st.markdown(TEXT["see"])
        before, after = map_of(head, result.translation), map_of(head, edited.translation)
        maps = {"before": before, "after": after}
        csv = File(TEXT["download"], lambda: maps_as_csv(maps, ("pattern", "query", "key")), "patterns.csv")
        files = with_arrays(csv)
        left, right = st.columns(2, gap="large")
        with left:
            _show_map(before, head, files)
        with right:
            _show_editor(after, len(before.queries), head, edit, files)
            st.caption(TEXT["drag"])
    text, formula = st.columns(2, gap="large")
    with text:
        st.markdown(_summary(result, edited, edit))
        st.markdown(TEXT["what to try"])
    with formula:
        st.markdown(TEXT["formula"])


def _choose_edit(
    result: TranslationResult, known: Mapping[str, Switch], warnings: DeltaGenerator
) -> tuple[Switch, HeadEdit]:
    """Draw the choices, and return the head and what is done to it."""
    opening = _OPENING if _OPENING in known else next(code for code in known if known[code].kind == "cross")
    field = labelled("edit-head", worded(known, lambda code: short_name(known[code])), opening)
    warn_bad_links(warnings, [field, _SHAPE, _TEMPERATURE, _SCALE])
    head = known[select(field, TEXT["head"], width=_WIDTH)]
    queries, keys = sides_of(head.kind, result.translation)
    about = (result.text, result.choice.model, head.kind)
    rows = {_ALL_ROWS: TEXT["all rows"], **_numbered(queries)}
    row = _choose_place("row", TEXT["row"], rows, _ALL_ROWS, about=about, warnings=warnings)
    temperature = number(_TEMPERATURE, TEXT["temperature"], width=_WIDTH)
    scale = number(_SCALE, TEXT["scale"], width=_WIDTH)
    shape: Shape = choose(_SHAPE, TEXT["shape"], wrap=False)
    # Always there, so that what is dragged finds it, and nothing moves.
    tokens = _numbered(keys)
    token = _choose_place("to", TEXT["token"], tokens, 0, about=about, warnings=warnings, on_change=_look_at_one)
    only = None if row == _ALL_ROWS else row
    return head, HeadEdit(block_of(head), head.head - 1, shape, token, only, temperature, scale)


def _numbered(tokens: Sequence[str]) -> dict[int, str]:
    return {place: f"{place + 1} {token}" for place, token in enumerate(tokens)}


def _choose_place(
    key: str,
    label: str,
    labels: Mapping[int, str],
    default: int,
    *,
    about: tuple[object, ...],
    warnings: DeltaGenerator,
    on_change: Callable[[], None] | None = None,
) -> int:
    def draw(key: str) -> int | None:
        chosen: int | None = st.selectbox(
            label, [*labels], format_func=labels.__getitem__, key=key, width=_WIDTH, on_change=on_change
        )
        return chosen

    field = replace(labelled(key, labels, default), id=_place_id)
    return choose_about(about, field, labels.__contains__, draw, warnings=warnings)


def _place_id(place: int) -> str:
    return "all" if place == _ALL_ROWS else number_from_one(place)


@st.cache_resource(max_entries=256, show_spinner=False)
def _edited(text: str, model: str, edit: HeadEdit) -> AblatedTranslation:
    use_one_thread()
    return translate_with(asked(text, model), edit)


def _show_map(shown: LabelledMap, head: Switch, files: Sequence[File]) -> None:
    figure = pattern_map(
        shown.weights,
        title=TEXT["map before"].format(head=short_name(head)),
        queries=shown.queries,
        keys=shown.keys,
        hover=TEXT["hover"],
        is_edited=[False] * len(shown.queries),
    )
    alt = TEXT["alt before"].format(head=long_name(head), rows=len(shown.queries), columns=len(shown.keys))
    draw_picture(figure, key="pattern-before", file_name="pattern-before", alt=alt, files=files)


def _show_editor(shown: LabelledMap, n_rows: int, head: Switch, edit: HeadEdit, files: Sequence[File]) -> None:
    """Show the pattern with the edit; its first ``n_rows`` rows can be dragged."""
    n_queries, n_keys = shown.weights.shape
    is_shaped = edit.shape != "as is"
    words = {
        "title": TEXT["map after"].format(head=short_name(head)),
        "alt": TEXT["alt after"].format(head=long_name(head), rows=n_queries, columns=n_keys),
        **{name: TEXT[f"drag {name}"] for name in ("name", "row", "looks")},
        "hover": TEXT["hover"],
    }
    pattern_editor(
        shown.weights,
        queries=shown.queries,
        keys=shown.keys,
        grip=Grip(
            min(n_rows, n_queries),
            is_causal=head.kind == "decoder",
            edited=[is_shaped and edit.row in (None, row) for row in range(n_queries)],
        ),
        words=words,
        file_name="pattern-after",
        theme=theme(),
        key=_EDITOR,
        files=offered(files, _EDITOR),
        on_put=_put,
    )


def _put() -> None:
    put = put_row(_EDITOR)
    if put is not None:
        st.session_state.update(zip(_PLACES, put, strict=True))
        _look_at_one()


def _look_at_one() -> None:
    """Have the chosen rows look at the chosen token."""
    st.session_state[_SHAPE.key] = "token"


def _summary(result: TranslationResult, edited: AblatedTranslation, edit: HeadEdit) -> str:
    if edit == HeadEdit(edit.block, edit.head):
        return TEXT["nothing"]
    whole = total(result.translation)
    return change_sentence(edited, whole, changed=TEXT["first change"], unchanged=TEXT["unchanged"])


if __name__ == "__main__":
    show()
