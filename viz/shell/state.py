"""Storage of a page's state: its link, and the session under the name of its dataclass.

The dataclass and the way its values are written in links are those of ``viz/base/link_parameters.py``.
"""

from typing import TypeVar

import streamlit as st

from viz.base.languages import language
from viz.base.link_parameters import LinkParameter, PageState, Value, is_readable, is_value, link_of
from viz.shell.link import begins, is_linked, linked_text, write_link

Entry = TypeVar("Entry")
_LANGUAGE_OF = "language of "


def page_link() -> dict[str, str]:
    """Return what the page's own link carries."""
    return st.query_params.to_dict()


def linked_value(parameter: LinkParameter[Value]) -> Value:
    """Return the value of ``parameter`` in the page's link; the default if that is missing or invalid."""
    text = linked_text(parameter.key)
    return parameter.default if text is None or not is_readable(parameter, text) else parameter.read(text)


def hold(parameter: LinkParameter[Value], key: str = "") -> None:
    """Store a value of ``parameter`` in the session, under its key or another, before its widget is drawn.

    It is what the session holds, be it chosen on another page, unless the link decides or ``parameter`` has no such
    value; then it is that of the link.
    """
    key, state = key or parameter.key, st.session_state
    is_first = begins(key)
    if not _is_held(parameter, key) or (is_first and is_linked(parameter.key)):
        state[key] = linked_value(parameter)
    elif is_first or state.get(_LANGUAGE_OF + key) != language():
        # On another page it is another widget, which would begin with a value of its own; in another language, one that
        # would keep the words of its choice.
        state[key] = state[key]
    state[_LANGUAGE_OF + key] = language()


def _is_held(parameter: LinkParameter[Value], key: str) -> bool:
    return key in st.session_state and is_value(parameter, st.session_state[key])


def open_on(parameter: LinkParameter[Value], value: Value) -> None:
    """Have the widget of ``parameter`` open on ``value``, which depends on the session.

    To be called before it is drawn. Nothing is changed where the session or the link has a value. In contrast to a
    default, the link then has it.
    """
    if not _is_held(parameter, parameter.key) and not is_linked(parameter.key):
        st.session_state[parameter.key] = value


def kept(kind: type[Entry], name: object = "") -> Entry | None:
    """Return the session's entry of that class, and of that ``name`` if it has several; else None."""
    return st.session_state.get(session_key(kind, name))


def keep_in_session(entry: object, name: object = "") -> None:
    """Store ``entry`` in the session under its class, and under ``name`` where that has several."""
    st.session_state[session_key(type(entry), name)] = entry


def keep(state: PageState) -> None:
    """Have the session and the page's link hold ``state``."""
    keep_in_session(state)
    write_link(link_of(state))


def session_key(kind: type, name: object = "") -> str:
    """Return the key under which the session holds the entry of that class and ``name``."""
    return f"{kind.__module__}.{kind.__qualname__} {name}".rstrip()


def set_link(parameter: LinkParameter[Value], value: Value) -> None:
    """Have the page's link carry ``value`` of ``parameter``; nothing where it is the default."""
    write_link({parameter.key: None if value == parameter.default else parameter.write(value)})
