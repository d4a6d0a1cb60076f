"""The link of a page: its parameters in the address, and when it decides the page's state."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

_WRITTEN, _VISIT = "written into the link", "visit of the page"

Written = str | list[str] | None


@dataclass
class _Visit:
    """The stay on a page, and on a ``part`` of it, since it was entered or the browser came back to it.

    ``taken`` are what began in it; ``unread`` is the link of the part before, if that was left before it was drawn;
    ``is_drawn`` is whether a run reached its end; ``warned`` writes a warning again, with a label, by its parameter.
    """

    page: str = ""
    is_return: bool = False
    taken: set[str] = field(default_factory=set)
    part: str = ""
    unread: Mapping[str, list[str]] = field(default_factory=dict)
    is_drawn: bool = False
    warned: dict[str, Callable[[str], None]] = field(default_factory=dict)


def begin_run(page: str) -> None:
    """Let the link set the state of ``page`` if this run enters it or the browser returns to it.

    To be called at the beginning of each run.
    """
    context = get_script_run_ctx()
    is_return = bool(context and context.is_history_navigation)
    if is_return or _visit().page != page:
        st.session_state[_VISIT] = _Visit(page, is_return)


def begin_part(part: str, *, kept: Sequence[str]) -> None:
    """Begin ``part`` like a page of its own if another was shown; of the link only ``kept`` stay.

    Another that was chosen and left at once has not read its link: this one reads it in its place.
    """
    visit = _visit()
    if visit.part not in ("", part):
        left = {name: st.query_params.get_all(name) for name in st.query_params if name not in kept}
        write_link(dict.fromkeys(left))
        unread = {} if visit.is_drawn else {**visit.unread, **left}
        st.session_state[_VISIT] = visit = _Visit(visit.page, taken={*kept}, unread=unread)
    visit.part = part


def end_run() -> None:
    """Note that the page was drawn to its end, so that all that it reads of its link is read."""
    visit = _visit()
    visit.is_drawn, visit.unread = True, {}


def enter_by(link: Mapping[str, str]) -> None:
    """Make the next run enter its page again by ``link``, for a callback; no earlier state stays."""
    st.session_state[_VISIT], st.session_state[_WRITTEN] = _Visit(), {}
    st.query_params.from_dict(link)


def begins(key: str) -> bool:
    """Whether ``key`` is asked about for the first time since the page was entered, or come back to."""
    taken = _visit().taken
    is_first = key not in taken
    taken.add(key)
    return is_first


def keep_warning(name: str, with_label: Callable[[str], None]) -> None:
    """Keep ``with_label``, which writes the warning of what the link has as ``name`` again, with a label."""
    _visit().warned[name] = with_label


def forget_warning(name: str) -> None:
    """Keep nothing of a warning of an earlier run of what the link has as ``name``."""
    _visit().warned.pop(name, None)


def label_warning(name: str, label: str) -> None:
    """Have the warning about ``name`` in the link, if there is one, say what it is called on the screen."""
    with_label = _visit().warned.pop(name, None)
    if with_label is not None:
        with_label(label)


def linked_texts(name: str) -> list[str]:
    """Return all that the page's link has as ``name``."""
    return st.query_params.get_all(name) or _visit().unread.get(name, [])


def linked_text(name: str) -> str | None:
    """Return what the page's link has as ``name``, the last of several; None without any."""
    return next(reversed(linked_texts(name)), None)


def is_linked(*names: str) -> bool:
    """Whether the browser came back to the page, or its link has one of ``names``."""
    return _visit().is_return or any(linked_text(name) is not None for name in names)


def link_decides(key: str, *names: str) -> bool:
    """Whether the link, and not the session, now says what the session's entry ``key`` is: once a visit.

    So it is where the browser came back to the page, or where the page was entered with one of ``names`` in its link.
    """
    return begins(key) and is_linked(*names)


def write_link(entries: Mapping[str, Written]) -> None:
    """Set ``entries`` in the page's address: one or several values for each name, or None to remove it.

    A browser says with each rerun what its address holds, and where an answer is still on its way, that is older than
    what was written last. What agrees with the browser alone is written again.
    """
    written: dict[str, Written] = st.session_state.setdefault(_WRITTEN, {})
    is_late = any(written.get(name, value) != value for name, value in entries.items())
    written.update(entries)
    gone = [name for name, value in entries.items() if value is None and name in st.query_params]
    changed = {
        name: value
        for name, value in entries.items()
        if value is not None and st.query_params.get_all(name) != _all(value)
    }
    for name in gone:
        del st.query_params[name]
    if changed or (is_late and not gone):
        st.query_params.update(changed)  # the whole address is sent, even where nothing in it is changed


def _all(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _visit() -> _Visit:
    visit: _Visit = st.session_state.setdefault(_VISIT, _Visit())
    return visit
