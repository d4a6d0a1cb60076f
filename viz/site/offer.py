"""One file with the sentence on the screen, offered by the app where it has what the file is made of."""

from collections.abc import Mapping

import streamlit as st

from viz.base.words import page_text
from viz.shared.shipped import translator_info
from viz.shared.translation import LastGood
from viz.shell.controls import download
from viz.shell.heavy import COMPUTING, turn_of_thread
from viz.shell.state import kept
from viz.site.runtime import is_installed


def offer_one_file() -> None:
    """Draw a button that saves the site with the last sentence and its translator as one HTML file.

    Typing does not draw it again: it is the last one when the file is asked for. Nothing where what npm brings is not
    installed, and on an embedded page.
    """
    last = kept(LastGood)
    if last is None or st.context.is_embedded or not is_installed():
        return

    def made() -> bytes:
        # What it is made of takes seconds to import, which only those wait for who ask for the file.
        from viz.site.one_file import one_file  # noqa: PLC0415

        with turn_of_thread(COMPUTING):
            return one_file(translator_info(last.model), _common(), last.text).encode()

    download(page_text("site/site")["one file of the app"], made, "translation.html")


@st.cache_resource(max_entries=1, show_spinner=False)
def _common() -> Mapping[str, bytes]:
    from viz.site.parts import common_assets  # noqa: PLC0415

    return common_assets()
