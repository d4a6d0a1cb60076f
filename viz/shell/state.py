"""Where the state of a page is kept: in its link, and in the session under the name of its dataclass.

The dataclass and the way its values are written in links are those of ``viz/base/link_parameters.py``.
"""

from typing import TypeVar

import streamlit as st

from viz.base.link_parameters import LinkParameter, PageState, Value, is_readable, link_of
from viz.shell.link import write_link

Entry = TypeVar("Entry")


def linked_value(parameter: LinkParameter[Value]) -> Value:
    """Return what the page's link says of ``parameter``; its default where that is nothing, or cannot be read."""
    text = st.query_params.get(parameter.key)
    return parameter.default if text is None or not is_readable(parameter, text) else parameter.read(text)


def kept(kind: type[Entry]) -> Entry | None:
    """Return the entry of that class that the session holds; None before the first one."""
    return st.session_state.get(_key(kind))


def keep_in_session(entry: object) -> None:
    """Have the session hold ``entry`` under the name of its class."""
    st.session_state[_key(type(entry))] = entry


def keep(state: PageState) -> None:
    """Have the session and the page's link hold ``state``."""
    keep_in_session(state)
    write_link(link_of(state))


def _key(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"
