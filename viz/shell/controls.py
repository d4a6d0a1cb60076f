"""Controls whose values a link carries, and the one sentence about a link that carries what is not there."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.base.languages import in_language, language
from viz.base.link_parameters import BadLink, Choice, LinkParameter, Number, Text, bad_links, is_readable, labelled
from viz.base.words import page_text

TEXT = page_text("shell/controls")
Option = TypeVar("Option")


def place_for_warnings() -> DeltaGenerator:
    """Return a place for warnings, there also when empty.

    A warning that came and went would move the controls under it, and Streamlit stops writing a moved control's value
    into the link.
    """
    return st.container()


def warn_bad_links(place: DeltaGenerator, parameters: Iterable[LinkParameter[Any]]) -> None:
    """Warn at ``place`` of everything that the link carries against ``parameters``; ask before they are drawn."""
    warn_of(place, bad_links(parameters, st.query_params.to_dict()))


def drop_bad_choice(place: DeltaGenerator, field: Choice[Any]) -> None:
    """Warn at ``place`` of what the link carries against ``field``, of which several options may be chosen.

    Once the widget was drawn, a choice between options that are gone is forgotten.
    """
    _forget_what_is_gone(field)
    if field.key not in st.session_state:
        given = ({field.key: text} for text in st.query_params.get_all(field.key))
        warn_of(place, [bad for link in given for bad in bad_links([field], link)][:1])


def _forget_what_is_gone(field: Choice[Any]) -> None:
    """Have the session and the link forget a choice that ``field`` does not offer.

    It was made between other options: of another task, or on another page with a control of that name. Streamlit keeps
    for the next widget of a name what a widget bound to the link held.
    """
    chosen = st.session_state.get(field.key)
    if chosen is None or all(option in field.options for option in (chosen if isinstance(chosen, list) else [chosen])):
        return
    del st.session_state[field.key]
    if not all(is_readable(field, text) for text in st.query_params.get_all(field.key)):
        del st.query_params[field.key]


def warn_of(place: DeltaGenerator, links: Iterable[BadLink]) -> None:
    """Warn at ``place`` of each of ``links``, in one sentence."""
    for bad in links:
        place.warning(TEXT["bad link"].format(**vars(bad)))


def number(field: Number, label: str, *, width: int = 130) -> Any:
    """Draw the number ``field``, kept in the URL, and return its value."""
    return st.number_input(
        label,
        field.low,
        field.high,
        field.default,
        field.step,
        key=field.key,
        bind=_bound(field),
        width=width,
        format="%d" if isinstance(field.default, int) else "%g",
    )


def _bound(field: LinkParameter[Any]) -> Literal["query-params"] | None:
    """Return what binds the widget of ``field`` to the link; None where the link carries what it refuses.

    Streamlit reads the link of a bound widget by itself: of a text that is too long it shows the beginning, and where a
    whole number is infinite it raises. In the next run the link is without it.
    """
    linked, was_refused = st.query_params.get(field.key), f"refused {field.key}"
    if linked is not None and field.key not in st.session_state and not is_readable(field, linked):
        del st.query_params[field.key]
        st.session_state[was_refused] = True
        return None
    # The browser writes edits of a bound widget into the link. The first one came while the widget was not bound.
    value = st.session_state.get(field.key, field.default)
    if st.session_state.pop(was_refused, False) and value != field.default:
        st.query_params[field.key] = field.write(value)
    return "query-params"


def choice(key: str, label: str, options: Mapping[Option, str]) -> Option:
    """Draw a choice between ``options``, by their labels, kept in the URL; the first unless another is chosen."""
    return choose(labelled(key, options), label)


def read_here(field: Choice[Any]) -> None:
    """Have the link call what it carries of ``field`` as its widget does, and run anew if it did not.

    To be called before a widget is drawn that is bound to the link: it reads from there by itself, and only the words
    of the language that it is drawn in. What the session holds and the widget does not offer is forgotten.
    """
    _forget_what_is_gone(field)
    given = st.query_params.get_all(field.key)
    if field.key in st.session_state or not all(is_readable(field, text) for text in given):
        return
    own = [field.write(field.read(text)) for text in given]
    if own != given:
        st.query_params[field.key] = own
        st.rerun()


def choose(field: Choice[Option], label: str, *, wrap: bool = True) -> Option:
    """Draw the options of ``field`` side by side, kept in the URL, and return the chosen one."""
    read_here(field)
    chosen = st.segmented_control(
        label,
        field.options,
        default=field.default,
        required=True,
        format_func=field.write,
        key=field.key,
        bind="query-params",
        wrap=wrap,
    )
    return field.default if chosen is None else chosen


def select(field: Choice[Option], label: str, *, width: int | Literal["stretch"] = "stretch") -> Option:
    """Draw the options of ``field`` as a list that opens, kept in the URL, and return the chosen one."""
    read_here(field)
    return st.selectbox(
        label,
        field.options,
        field.options.index(field.default),
        format_func=field.write,
        key=field.key,
        bind="query-params",
        width=width,
    )


def select_some(field: Choice[Option], label: str, *, placeholder: str) -> tuple[Option, ...]:
    """Draw a choice of any of the options of ``field``, kept in the URL; return them, or all where none is chosen."""
    drop_bad_choice(place_for_warnings(), field)
    read_here(field)
    chosen = st.multiselect(
        label,
        field.options,
        format_func=field.write,
        key=field.key,
        bind="query-params",
        placeholder=placeholder,
    )
    return tuple(option for option in field.options if option in chosen or not chosen)


def slider(field: Choice[Option], label: str, *, width: int | Literal["stretch"] = "stretch") -> Option:
    """Draw the options of ``field`` along a slider, kept in the URL, and return the chosen one."""
    read_here(field)
    return st.select_slider(
        label, field.options, field.default, format_func=field.write, key=field.key, bind="query-params", width=width
    )


def toggle(field: Choice[bool], label: str) -> bool:
    """Draw the switch ``field``, kept in the URL, and return whether it is on."""
    return st.toggle(label, field.default, key=field.key, bind="query-params")


def text_input(field: Text, label: str, *, width: int | Literal["stretch"] = "stretch", placeholder: str = "") -> str:
    """Draw the text ``field``, kept in the URL, and return what is written in it."""
    written = st.text_input(
        label,
        field.default,
        max_chars=field.max_characters,
        key=field.key,
        bind=_bound(field),
        placeholder=placeholder or None,
        width=width,
    )
    return written or ""


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
            return content()

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
