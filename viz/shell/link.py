"""What a page writes into its own link, so that the address can be shared."""

from collections.abc import Mapping

import streamlit as st

_WRITTEN = "written into the link"


def write_link(wanted: Mapping[str, str | None]) -> None:
    """Have the page's address carry ``wanted``: a value for each name, or None where the address shall not have one.

    A browser says with each rerun what its address holds, and where an answer is still on its way, that is older than
    what was written last. What agrees with the browser alone is written again.
    """
    written: dict[str, str | None] = st.session_state.setdefault(_WRITTEN, {})
    is_late = any(written.get(name, value) != value for name, value in wanted.items())
    written.update(wanted)
    gone = [name for name, value in wanted.items() if value is None and name in st.query_params]
    changed = {
        name: value for name, value in wanted.items() if value is not None and st.query_params.get(name) != value
    }
    for name in gone:
        del st.query_params[name]
    if changed or (is_late and not gone):
        st.query_params.update(changed)  # the whole address is sent, even where nothing in it is changed
