"""Pages of the app and their parts: a file below ``viz/pages``, and words under the same name.

The words place it. ``## section`` names a section of the navigation, ``## order`` is the page's place in it and
``## title`` its name there. ``## question`` is what it answers, and the line that it begins with.

A page of several parts has one chosen at its top, by the label ``## part``. The first is the page's own file; a further
part has ``## part of``, the page's name, in place of section and title, and ``## order`` is its place among the parts.

``## old links`` names the address of a page that this one was a part of (``/`` for the app's own), and what the
parameters of its part begin with; nothing where it was the first part. It has a line for each such page. The address
may still be that of a page: a link with such parameters leaves it for this one. A further part was a page, too: its own
address leads to it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

from viz.base.languages import ENGLISH
from viz.base.words import page_text, sections_in, text_names

# The order of the navigation.
SECTIONS = ("start", "learn", "attention", "position", "heads", "length", "memory", "training", "own", "about")

_VIZ = Path(__file__).parents[1]
_ENTRANCE = "start"


@dataclass(frozen=True)
class OldLink:
    """The former ``address`` of a page that became part of another, and the prefixes of its parameters."""

    address: str
    prefixes: tuple[str, ...] = ()


@dataclass(frozen=True)
class PagePart:
    """A part of a page, shown alone, by the name of its words and code below ``viz``."""

    name: str
    old_links: tuple[OldLink, ...] = ()

    @property
    def path(self) -> Path:
        """The path of its code."""
        return _VIZ / f"{self.name}.py"

    @property
    def module(self) -> str:
        """The name by which its code is imported."""
        return ".".join(("viz", *self.name.split("/")))

    @property
    def question(self) -> str:
        """The question that it answers, in the reader's language."""
        return page_text(self.name)["question"]

    @property
    def label(self) -> str:
        """Its label among the parts of its page, in the reader's language."""
        return page_text(self.name)["part"]

    @property
    def url_path(self) -> str:
        """Its address, or its id in the link of its page; that of the entrance is empty."""
        return "" if self.path.stem == _ENTRANCE else self.path.stem.replace("_", "-")


@dataclass(frozen=True)
class Page:
    """A page of one part or several, and its place in the navigation."""

    section: str
    order: int
    parts: tuple[PagePart, ...]

    @property
    def first(self) -> PagePart:
        """The part that it opens with, by which it is named."""
        return self.parts[0]

    @property
    def path(self) -> Path:
        """The path of its first part's code."""
        return self.first.path

    @property
    def title(self) -> str:
        """Its name in the navigation, in the language of whoever reads."""
        return page_text(self.first.name)["title"]

    @property
    def question(self) -> str:
        """The question that its first part answers, in the reader's language."""
        return self.first.question

    @property
    def url_path(self) -> str:
        """The page's part of its address; that of the entrance is empty."""
        return self.first.url_path


@dataclass(frozen=True)
class Place:
    """A part of a page."""

    page: Page
    part: PagePart

    @property
    def address(self) -> str:
        """Its address: that of the page, with the part in its link."""
        return self.address_with({})

    def address_with(self, query: Mapping[str, str]) -> str:
        """Return where it opens with ``query`` in its link."""
        values = urlencode({**self.query, **query})
        return f"{self.page.url_path}?{values}" if values else self.page.url_path

    @property
    def query(self) -> dict[str, str]:
        """The parameters of a link to the page that open this part."""
        return {} if self.part == self.page.first else {PART: self.part.url_path}


GLOSSARY = "pages/start/glossary"
"""The name of the page that every page leads to by its bar."""
PART = "part"
"""The name by which a link carries the part of a page."""
BACK = "back"
"""The name by which a link carries the step of a lab that it was opened from."""


def sections() -> dict[str, list[Page]]:
    """Return the pages of each section that has any, in the navigation's order.

    Raises:
        ValueError: the words of a page name an unknown section, or no place in it.
    """
    by_section: dict[str, list[Page]] = {name: [] for name in SECTIONS}
    for page in sorted(_pages(), key=lambda page: page.order):
        by_section[page.section].append(page)
    return {name: pages for name, pages in by_section.items() if pages}


def places() -> list[Place]:
    """Return every part of every page, in the navigation's order."""
    return [Place(page, part) for pages in sections().values() for page in pages for part in page.parts]


def place_at(url_path: str) -> Place:
    """Return the place whose page or part has the address ``url_path``; KeyError where there is none."""
    return {place.part.url_path: place for place in places()}[url_path]


def page_after(page: Page, pages: Sequence[Page]) -> Page | None:
    """Return the one of ``pages`` that follows ``page``; None after the last."""
    return next(iter(pages[pages.index(page) + 1 :]), None)


def moved_to(address: str, among: Iterable[Place], parameters: Iterable[str]) -> Place | None:
    """Return that of the places ``among`` which a link to ``address`` with these ``parameters`` means.

    It is one that left this address, where the link is one to its part, else the page or part that has the address,
    else the first part of the page that was there; None where none was.
    """
    there, names = list(among), tuple(parameters)
    left = [(place, link.prefixes) for place in there for link in place.part.old_links if link.address == address]
    meant = (place for place, prefixes in left if any(name.startswith(prefixes) for name in names))
    remaining = (place for place in there if place.part.url_path == address)
    # The first part of a page that is gone has no prefixes.
    openings = (place for place, prefixes in left if not prefixes)
    return next(meant, next(remaining, next(openings, None)))


def _old_links(text: Mapping[str, str]) -> tuple[OldLink, ...]:
    lines = (line.split() for line in text.get("old links", "").splitlines())
    return tuple(OldLink(address.strip("/"), tuple(prefixes)) for address, *prefixes in lines)


def _check_place(name: str, text: Mapping[str, str]) -> None:
    file = f"viz/{name.rpartition('/')[0]}/words/{ENGLISH}/{Path(name).name}.md"
    if "section" in text and text["section"] not in SECTIONS:
        raise ValueError(f"{file}: '## section' is '{text['section']}'; it must be one of {SECTIONS}")
    if ("section" in text or "part of" in text) and not text.get("order", "").isdecimal():
        raise ValueError(f"{file}: '## order' is '{text.get('order', '')}'; it must be a number")


@cache
def _pages() -> tuple[Page, ...]:
    texts = {name: sections_in(ENGLISH, name) for name in text_names() if name.startswith("pages/")}
    for name, text in texts.items():
        _check_place(name, text)
    parts = {name: PagePart(name, _old_links(text)) for name, text in texts.items()}
    in_order = sorted((name for name in texts if "order" in texts[name]), key=lambda name: int(texts[name]["order"]))

    def further(page: str) -> Iterator[PagePart]:
        return (parts[name] for name in in_order if texts[name].get("part of") == Path(page).name)

    return tuple(
        Page(text["section"], int(text["order"]), (parts[name], *further(name)))
        for name, text in texts.items()
        if "section" in text
    )
