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
from viz.shell.link import begins, is_linked, linked_texts, write_link
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
    warn_of(place, bad_links(parameters, st.query_params.to_dict()))


def warn_of(place: DeltaGenerator, links: Iterable[BadLink]) -> None:
    """Warn at ``place`` of each of ``links``, in one sentence."""
    for bad in links:
        place.warning(TEXT["bad link"].format(key=bad.key, given=bad.text, allowed=bad.allowed))


def linked(field: LinkParameter[Value], draw: Callable[..., Any]) -> Value:
    """Draw a widget of ``field``, kept in the link and in the session, and return its value.

    Args:
        field: the value, and how a link carries it.
        draw: draws the widget with the arguments that it is given, and returns what it holds.
    """
    hold(field)
    drawn = draw(key=field.key, persist_state="session")
    value: Value = field.default if drawn is None else drawn
    set_link(field, value)
    return value


def number(field: Number, label: str, *, width: int = 130) -> Any:
    """Draw the number ``field``, kept in the link, and return its value."""
    number_format = "%d" if isinstance(field.default, int) else "%g"
    draw = partial(st.number_input, label, field.low, field.high, step=field.step, width=width, format=number_format)
    return linked(field, draw)


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
        partial(
            st.segmented_control,
            label,
            field.options,
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
    return linked(field, partial(st.selectbox, label, field.options, format_func=field.label, width=width, **options))


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
    return linked(field, partial(st.select_slider, label, field.options, format_func=field.label, width=width))


def toggle(field: Choice[bool], label: str) -> bool:
    """Draw the switch ``field``, kept in the link, and return whether it is on."""
    return linked(field, partial(st.toggle, label))


def text_input(
    field: Text, label: str, *, width: int | Literal["stretch"] = "stretch", placeholder: str = "", **options: Any
) -> str:
    """Draw the text ``field``, kept in the link, and return what is written in it.

    ``options`` are those of ``st.text_input``.
    """
    draw = partial(
        st.text_input,
        label,
        max_chars=field.max_characters,
        placeholder=placeholder or None,
        width=width,
        **options,
    )
    return linked(field, draw)


def text_lines(field: Lines, label: str, *, placeholder: str = "") -> str:
    """Draw the lines ``field``, kept in the link, and return what is read of them.

    The box is as high as its text. A script of the bar has Enter send it, Shift+Enter break a line, and a pause in
    typing send it too; without a limit of its own the box takes what is pasted, and :func:`why_cut` tells of the rest.
    """
    read_lines(field)
    draw = partial(st.text_area, label, height="content", placeholder=placeholder or None)
    with st.container(key=f"lines-{field.key}"):
        return field.read(linked(field, draw))


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
