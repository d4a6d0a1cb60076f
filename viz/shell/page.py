"""What every page begins and ends with."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from viz.base.colours import Theme
from viz.base.words import page_text
from viz.components.copy_link import copy_link
from viz.shell.controls import place_for_warnings, warn_bad_links
from viz.shell.language import LANGUAGE, choose_language
from viz.shell.navigation import Page, moved_to, page_at
from viz.shell.old_links import renewed

TEXT = page_text("shell/page")
_STYLE, _EMBEDDED_STYLE = (Path(__file__).with_name(name) for name in ("style.css", "embedded.css"))


def tab_title(title: str) -> str:
    """Return what the browser's tab says of the page ``title``."""
    return TEXT["tab"].format(title=title, name=TEXT["name"])


def navigation_bar(by_section: Mapping[str, Sequence[Page]], shown: Mapping[Page, StreamlitPage], opened: Page) -> None:
    """Draw links to every section and to the pages of the section of ``opened``; on a phone one menu of them all.

    An embedded page has none of it, and is in its language all the same.
    """
    if st.context.is_embedded:
        choose_language("language")
        return
    with st.container(key="navigation", gap=None):
        with st.container(horizontal=True, key="sections", gap=None):
            for section, pages in by_section.items():
                place = "current" if section == opened.section else section
                with st.container(key=f"section-{place}", width="content"):
                    st.page_link(shown[pages[0]], label=TEXT[f"section {section}"])
            with st.popover(TEXT["menu"].format(title=opened.title), key="menu"):
                choose_language("language-in-menu")
                for section, pages in by_section.items():
                    st.caption(TEXT[f"section {section}"])
                    for page in pages:
                        st.page_link(shown[page], label=page.title)
            choose_language("language")
            copy_link(TEXT["copy link"], TEXT["link copied"], key="copy-link")
        with st.container(horizontal=True, key="pages", gap=None):
            for page in by_section[opened.section]:
                st.page_link(shown[page], label=page.title)
    warn_bad_links(place_for_warnings(), [LANGUAGE])


def apply_style() -> None:
    """Apply the style sheet; embedded, a page is its pictures alone.

    Before all else: what is drawn without it, such as the bar's menu for phones, would be seen for a moment.
    """
    st.html(_STYLE)
    if st.context.is_embedded:
        st.html(_EMBEDDED_STYLE)


def write_question(question: str) -> None:
    """Write the one line that the page answers, unless it is embedded."""
    if not st.context.is_embedded:
        st.title(question, anchor=False)


def end_page(following: Page, shown: StreamlitPage) -> None:
    """Lead on to the page ``following``; an embedded page leads nowhere."""
    if not st.context.is_embedded:
        with st.container(key="next", width="content"):
            st.page_link(shown, label=TEXT["next"].format(question=following.question))


def open_address(address: str) -> None:
    """Leave this page for the one at ``address``, which may carry parameters.

    Raises:
        KeyError: there is no such page.
    """
    parts = urlsplit(address)
    st.switch_page(page_at(parts.path).path, query_params=parse_qs(parts.query))


def lead_on(page: Page, shown: Mapping[Page, StreamlitPage]) -> None:
    """Leave ``page`` for the one that a part of it has become, where the link is one to that part."""
    meant = moved_to(page.url_path, shown, st.query_params)
    if meant is not None and meant is not page:
        _follow(shown[meant])


def pages_at_old_addresses(shown: Mapping[Page, StreamlitPage]) -> list[StreamlitPage]:
    """Return a page for every address that is no page's any more: it leads on to a part of that page, with its link."""

    def leading(address: str) -> Callable[[], None]:
        def lead() -> None:
            meant = moved_to(address, shown, st.query_params)
            if meant is not None:
                _follow(shown[meant])

        return lead

    there = {page.url_path for page in shown}
    first_parts = {link.address: page for page in reversed([*shown]) for link in page.old_links}
    return [
        st.Page(leading(address), title=part.title, url_path=address, visibility="hidden")
        for address, part in first_parts.items()
        if address not in there
    ]


def renew_link() -> None:
    """Have an old link carry ids, as links do now."""
    link = _whole_link()
    with_ids = renewed(link)
    if with_ids != link:
        st.query_params.from_dict(with_ids)


def _follow(page: StreamlitPage) -> None:
    st.switch_page(page, query_params=renewed(_whole_link()))


def _whole_link() -> dict[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in st.query_params}


def theme() -> Theme:
    """Return the theme that the browser shows; light while it is not known."""
    return "dark" if st.context.theme.type == "dark" else "light"
