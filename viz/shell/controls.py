"""Controls with values in the link, and the message about a link's unavailable values."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.base.exports import for_spreadsheets
from viz.base.languages import in_language, language
from viz.base.link_parameters import (
    BadLink,
    Choice,
    Lines,
    LinkParameter,
    Number,
    Text,
    Value,
    bad_links,
    is_readable,
    labelled,
)
from viz.base.words import page_text
from viz.shell.link import (
    begins,
    forget_warning,
    is_linked,
    keep_warning,
    label_warning,
    linked_texts,
    write_link,
)
from viz.shell.state import hold, keep_in_session, kept, set_link

TEXT = page_text("shell/controls")
_NONE = ""
Option = TypeVar("Option")


def place_for_warnings() -> DeltaGenerator:
    """Return a place for warnings, there also when empty.

    A warning that came and went would move the controls under it.
    """
    return st.container()


def warn_bad_links(place: DeltaGenerator, parameters: Iterable[LinkParameter[Any]]) -> None:
    """Warn at ``place`` of all invalid values of ``parameters`` in the link; call before their controls."""
    asked = [*parameters]
    for parameter in asked:
        forget_warning(parameter.key)
    warn_of(place, bad_links(asked, st.query_params.to_dict()))


def warn_of(place: DeltaGenerator, links: Iterable[BadLink]) -> None:
    """Warn at ``place`` of each of ``links``, in one sentence.

    The control that is drawn of it later adds the name that it has on the screen.
    """
    for bad in links:
        slot, values = place.empty(), {"key": bad.key, "given": bad.text, "allowed": bad.allowed}
        slot.warning(TEXT["bad link"].format(**values))
        keep_warning(bad.key, partial(_warn_with_label, slot, values))


def _warn_with_label(slot: DeltaGenerator, values: Mapping[str, str], label: str) -> None:
    slot.warning(TEXT["bad link of"].format(**values, label=label))


def linked(field: LinkParameter[Value], label: str, draw: Callable[..., Any]) -> Value:
    """Draw a widget of ``field``, kept in the link and in the session, and return its value.

    Args:
        field: the value, and how a link carries it.
        label: the name of the widget on the screen.
        draw: draws the widget with this name and the arguments that it is given, and returns what it holds.
    """
    hold(field)
    label_warning(field.key, label)
    drawn = draw(label, key=field.key, persist_state="session")
    value: Value = field.default if drawn is None else drawn
    set_link(field, value)
    return value


def number(field: Number, label: str, *, width: int = 130) -> Any:
    """Draw the number ``field``, kept in the link, and return its value."""
    number_format = "%d" if isinstance(field.default, int) else "%g"
    limits = {"min_value": field.low, "max_value": field.high, "step": field.step}
    return linked(field, label, partial(st.number_input, **limits, width=width, format=number_format))


def choice(key: str, label: str, options: Mapping[Option, str]) -> Option:
    """Draw a choice between labelled ``options``, kept in the link; the default is the first one."""
    return choose(labelled(key, options), label)


def choose(
    field: Choice[Option],
    label: str,
    *,
    wrap: bool = True,
    explained: str | None = None,
    label_visibility: Literal["visible", "collapsed"] = "visible",
) -> Option:
    """Draw the options of ``field`` side by side, kept in the link, and return the chosen one."""
    return linked(
        field,
        label,
        partial(
            st.segmented_control,
            options=field.options,
            required=True,
            format_func=field.label,
            wrap=wrap,
            help=explained,
            label_visibility=label_visibility,
        ),
    )


def select(field: Choice[Option], label: str, *, width: int | Literal["stretch"] = "stretch", **options: Any) -> Option:
    """Draw the options of ``field`` as a list that opens, kept in the link, and return the chosen one.

    ``options`` are those of ``st.selectbox``.
    """
    draw = partial(st.selectbox, options=field.options, format_func=field.label, width=width, **options)
    return linked(field, label, draw)


def select_some(
    field: Choice[Option],
    label: str,
    *,
    default: Sequence[Option] = (),
    max_selections: int | None = None,
    **options: Any,
) -> tuple[Option, ...]:
    """Draw a multiple choice of the options of ``field``, kept in the link; return the chosen ones.

    They keep the order of the options. A link has an empty value where none is chosen though some are by default; of
    one that names more than ``max_selections`` the first ones are read. ``options`` are those of ``st.multiselect``.
    """
    state, texts = st.session_state, linked_texts(field.key)
    is_held = field.key in state and all(option in field.options for option in state[field.key])
    is_first = begins(field.key)
    if texts == [_NONE] and default and (not is_held or is_first):
        state[field.key] = []
    elif not is_held or (is_first and is_linked(field.key)):
        warnings = place_for_warnings()
        bad = [bad for text in texts for bad in bad_links([field], {field.key: text})][:1]
        warn_of(warnings, bad)
        label_warning(field.key, label)
        read = [*dict.fromkeys(field.read(text) for text in texts if is_readable(field, text))]
        if len(read) > (max_selections or len(read)) and not bad:
            warnings.warning(TEXT["list cut"].format(key=field.key, given=len(read), most=max_selections))
        state[field.key] = read[:max_selections] or [*default]
    elif is_first:
        state[field.key] = state[field.key]
    chosen = st.multiselect(
        label,
        field.options,
        format_func=field.label,
        key=field.key,
        max_selections=max_selections,
        persist_state="session",
        **options,
    )
    written = [*map(field.write, chosen)] or [_NONE]
    write_link({field.key: None if chosen == [*default] else written})
    return tuple(option for option in field.options if option in chosen)


def slider(field: Choice[Option], label: str, *, width: int | Literal["stretch"] = "stretch") -> Option:
    """Draw the options of ``field`` along a slider, kept in the link, and return the chosen one."""
    draw = partial(st.select_slider, options=field.options, format_func=field.label, width=width)
    return linked(field, label, draw)


def toggle(field: Choice[bool], label: str) -> bool:
    """Draw the switch ``field``, kept in the link, and return whether it is on."""
    return linked(field, label, st.toggle)


def text_input(
    field: Text, label: str, *, width: int | Literal["stretch"] = "stretch", placeholder: str = "", **options: Any
) -> str:
    """Draw the text ``field``, kept in the link, and return what is written in it.

    ``options`` are those of ``st.text_input``.
    """
    draw = partial(
        st.text_input,
        max_chars=field.max_characters,
        placeholder=placeholder or None,
        width=width,
        **options,
    )
    return linked(field, label, draw)


def text_lines(field: Lines, label: str, *, placeholder: str = "") -> str:
    """Draw the lines ``field``, kept in the link, and return what is read of them.

    The box is as high as its text. A script of the bar has Enter send it, Shift+Enter break a line, and a pause in
    typing send it too; without a limit of its own the box takes what is pasted, and :func:`why_cut` tells of the rest.
    """
    read_lines(field)
    draw = partial(st.text_area, height="content", placeholder=placeholder or None)
    with st.container(key=f"lines-{field.key}"):
        return field.read(linked(field, label, draw))


def read_lines(field: Lines) -> None:
    """Have the session hold what is read of a text that was typed into the box of ``field``."""
    typed = st.session_state.get(field.key)
    if isinstance(typed, str) and field.read(typed) != typed:
        st.session_state[field.key] = field.read(typed)


@dataclass(frozen=True)
class _Cut:
    """Text that was cut to a field's limit: the part ``read``, and the full number of characters."""

    read: str
    n_given: int


def why_cut(field: Lines) -> str | None:
    """Return the message about text beyond the limit of ``field``; None without any.

    Call it before the field is drawn. The message stays in later runs, as long as the cut text stands in the box.
    """
    held = st.session_state.get(field.key)
    typed = held if isinstance(held, str) else ""
    longest = max(st.query_params.get(field.key, ""), typed, key=len)
    if len(longest) > field.max_characters:
        keep_in_session(_Cut(field.read(longest), len(longest)), field.key)
        typed = longest
    last = kept(_Cut, field.key)
    if last is None or field.read(typed) != last.read:
        return None
    return TEXT["text cut"].format(given=f"{last.n_given:,}", most=f"{field.max_characters:,}")


def download(label: str, content: Callable[[], str | bytes], file_name: str, *, menu_of: str = "") -> str:
    """Draw a button that saves ``content``, which is made when it is asked for, as ``file_name``.

    Return the class of the button on the page. One that stands in the menu of the picture ``menu_of`` is itself
    out of sight, and is pressed from there.
    """
    key = f"offered {menu_of} {file_name}" if menu_of else f"download {file_name}"
    reading = language()

    def made() -> str | bytes:
        # It is asked for outside of any run, where nobody is known to read.
        with in_language(reading):
            file = content()
        return for_spreadsheets(file) if isinstance(file, str) and file_name.endswith(".csv") else file

    st.download_button(
        label,
        made,
        file_name=file_name,
        mime="text/csv" if file_name.endswith(".csv") else "application/octet-stream",
        on_click="ignore",
        type="tertiary",
        key=key,
    )
    return key_class(key)


def key_class(key: str) -> str:
    """Return the class that Streamlit gives the element with ``key`` on the page."""
    return f"st-key-{re.sub('[^a-zA-Z0-9_-]', '-', key)}"
