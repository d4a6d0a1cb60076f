"""Head and foot of every page."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from viz.base.colours import Theme
from viz.base.link_parameters import labelled
from viz.base.words import page_text
from viz.components.copy_link import copy_link
from viz.shell.controls import choose, place_for_warnings, warn_bad_links
from viz.shell.language import LANGUAGE, choose_language
from viz.shell.link import begin_part, begins, enter_by
from viz.shell.navigation import BACK, GLOSSARY, PART, Page, PagePart, Place, moved_to, place_at, places
from viz.shell.old_links import renewed
from viz.shell.state import linked_value

TEXT = page_text("shell/page")
_STYLE, _EMBEDDED_STYLE = (Path(__file__).with_name(name) for name in ("style.css", "embedded.css"))


def tab_title(title: str) -> str:
    """Return what the browser's tab says of the page ``title``."""
    return TEXT["tab"].format(title=title, name=TEXT["name"])


def navigation_bar(by_section: Mapping[str, Sequence[Page]], shown: Mapping[Page, StreamlitPage], opened: Page) -> None:
    """Draw links to every section and to the pages of that of ``opened``; on a phone one menu of all.

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
            with (
                st.popover(TEXT["menu"].format(title=opened.title), key="menu"),
                st.container(key="menu-pages", gap=None),
            ):
                choose_language("language-in-menu")
                for section, pages in by_section.items():
                    if len(pages) == 1:
                        st.page_link(shown[pages[0]], label=TEXT[f"section {section}"])
                        continue
                    with st.expander(TEXT[f"section {section}"], expanded=section == opened.section):
                        for page in pages:
                            st.page_link(shown[page], label=page.title)
            glossary = next(page for page in shown if page.first.name == GLOSSARY)
            with st.container(key="glossary-link", width="content"):
                st.page_link(shown[glossary], label=glossary.title)
            choose_language("language")
            copy_link(TEXT["copy link"], TEXT["link copied"], key="copy-link")
        pages = by_section[opened.section]
        if len(pages) > 1:
            with st.container(horizontal=True, key="pages", gap=None):
                for page in pages:
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


def choose_part(page: Page) -> PagePart:
    """Draw the choice between the parts of ``page``, kept in the link, and return the one to show.

    Nothing is drawn where it has one part. What another part wrote into the link goes with it.
    """
    # There also when empty: what follows has one place on all pages, so that none of it stays from the page before.
    warnings, place = place_for_warnings(), st.container(key="parts")
    if len(page.parts) == 1:
        return page.first
    field = labelled(PART, {part.url_path: part.label for part in page.parts})
    warn_bad_links(warnings, [field])
    if begins(PART):
        # Unlike other choices it does not go along: a link without a part means the first.
        st.session_state[PART] = linked_value(field)
    if st.context.is_embedded:
        chosen = st.session_state[PART]
    else:
        with place:
            chosen = choose(field, TEXT["part"], label_visibility="collapsed")
    begin_part(chosen, kept=(PART, BACK, LANGUAGE.key))
    return next(part for part in page.parts if part.url_path == chosen)


def open_part(part: str) -> None:
    """Have the next run show ``part`` of the page, as a callback asks for it."""
    st.session_state[PART] = part


def open_first_part(query: Mapping[str, str]) -> None:
    """Make the next run show the first part of the page by a link with ``query``, for a callback.

    A link to the page itself would leave its part as it is. The language stays.
    """
    language = st.query_params.get(LANGUAGE.key)
    enter_by({**query, **({} if language is None else {LANGUAGE.key: language})})


def run_part(opened: StreamlitPage, page: Page, part: PagePart) -> None:
    """Run the code of ``part`` of the page ``opened``."""
    if part == page.first:
        opened.run()
    else:
        import_module(part.module).show()


def link_to(address: str, label: str, query: Mapping[str, str] | None = None, **options: Any) -> None:
    """Draw a link to the page or part at ``address`` with ``query``; ``options`` go to st.page_link.

    Raises:
        KeyError: there is no such page.
    """
    place = place_at(address)
    st.page_link(place.page.path, label=label, query_params={**place.query, **(query or {})}, **options)


def open_address(address: str) -> None:
    """Leave this page for the one at ``address``, which may carry parameters.

    Raises:
        KeyError: there is no such page.
    """
    parts = urlsplit(address)
    place = place_at(parts.path)
    st.switch_page(place.page.path, query_params={**place.query, **parse_qs(parts.query)})


def lead_on(page: Page, shown: Mapping[Page, StreamlitPage]) -> None:
    """Leave ``page`` for what a part of it has become, where the link is one to that part."""
    meant = moved_to(page.url_path, places(), st.query_params)
    if PART not in st.query_params and meant is not None and meant.part != page.first:
        _follow(meant, shown)


def pages_at_old_addresses(shown: Mapping[Page, StreamlitPage]) -> list[StreamlitPage]:
    """Return a page for every former address of a page; it redirects to the part with its link."""

    def leading(address: str) -> Callable[[], None]:
        def lead() -> None:
            meant = moved_to(address, places(), st.query_params)
            if meant is not None:
                _follow(meant, shown)

        return lead

    there = {page.url_path for page in shown}
    backwards = places()[::-1]
    left = {link.address: place for place in backwards for link in place.part.old_links}
    old = left | {place.part.url_path: place for place in backwards}
    return [
        st.Page(leading(address), title=place.page.title, url_path=address, visibility="hidden")
        for address, place in old.items()
        if address not in there
    ]


def renew_link(page: Page) -> None:
    """Have an old link to ``page`` carry the names and ids that links have now."""
    link = _whole_link()
    # A link without a part, or with a wrong one, means the first.
    part = next((part for part in page.parts if [part.url_path] == link.get(PART, [])[-1:]), page.first)
    current = renewed(link, part.path.stem)
    if current != link:
        st.query_params.from_dict(current)


def _follow(place: Place, shown: Mapping[Page, StreamlitPage]) -> None:
    st.switch_page(shown[place.page], query_params={**renewed(_whole_link(), place.part.path.stem), **place.query})


def _whole_link() -> dict[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in st.query_params}


def theme() -> Theme:
    """Return the theme that the browser shows; light while it is not known."""
    return "dark" if st.context.theme.type == "dark" else "light"
