"""The pages of the app: a file in a folder of ``viz/pages``, and one of the same name in its words, which place it.

``## section`` names a section of the navigation, ``## order`` is the page's place in it, ``## title`` its name there.
``## question`` is what the page answers, and the line that it begins with. ``## old links`` names the address of a page
that this one was a part of (``/`` for the app's own), and what the parameters of its part begin with; nothing where it
was the first part. It has a line for each such page. The address may still be that of a page: a link with such
parameters leaves it for this one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from viz.base.languages import ENGLISH
from viz.base.words import page_text, sections_in, text_names

# The order of the navigation.
SECTIONS = ("start", "attention", "heads", "position", "length", "memory", "training", "own", "reference")

_VIZ = Path(__file__).parents[1]
_ENTRANCE = "start"


@dataclass(frozen=True)
class OldLink:
    """The ``address`` of a page that another was a part of, and what the parameters of that part begin with."""

    address: str
    prefixes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Page:
    """A page, by the name of its words and code below ``viz``, and its place in the navigation."""

    name: str
    section: str
    order: int
    old_links: tuple[OldLink, ...] = ()

    @property
    def path(self) -> Path:
        """Where its code lies."""
        return _VIZ / f"{self.name}.py"

    @property
    def title(self) -> str:
        """Its name in the navigation, in the language of whoever reads."""
        return page_text(self.name)["title"]

    @property
    def question(self) -> str:
        """What it answers, in the language of whoever reads."""
        return page_text(self.name)["question"]

    @property
    def url_path(self) -> str:
        """The page's part of its address; that of the entrance is empty."""
        return "" if self.path.stem == _ENTRANCE else self.path.stem.replace("_", "-")


def sections() -> dict[str, list[Page]]:
    """Return the pages of each section that has any, both in the navigation's order; KeyError at an unknown section."""
    found = sorted(_pages(), key=lambda page: page.order)
    by_section: dict[str, list[Page]] = {name: [] for name in SECTIONS}
    for page in found:
        by_section[page.section].append(page)
    return {name: pages for name, pages in by_section.items() if pages}


def page_at(url_path: str) -> Page:
    """Return the page at the address ``url_path``; KeyError where there is none."""
    return {page.url_path: page for page in _pages()}[url_path]


def page_after(page: Page, pages: Sequence[Page]) -> Page | None:
    """Return the one of ``pages`` that follows ``page``; None after the last."""
    return next(iter(pages[pages.index(page) + 1 :]), None)


def moved_to(address: str, pages: Iterable[Page], parameters: Iterable[str]) -> Page | None:
    """Return that of ``pages`` which a link to ``address`` with these ``parameters`` means.

    It is one that left this address, where the link is one to its part, else the page that is there now, else the first
    that left; None where no page is or was there.
    """
    there, names = list(pages), tuple(parameters)
    left = [(page, link.prefixes) for page in there for link in page.old_links if link.address == address]
    meant = (page for page, prefixes in left if any(name.startswith(prefixes) for name in names))
    remaining = (page for page in there if page.url_path == address)
    return next(meant, next(remaining, next((page for page, _ in left), None)))


def _old_links(text: Mapping[str, str]) -> tuple[OldLink, ...]:
    lines = (line.split() for line in text.get("old links", "").splitlines())
    return tuple(OldLink(address.strip("/"), tuple(prefixes)) for address, *prefixes in lines)


@cache
def _pages() -> tuple[Page, ...]:
    texts = {name: sections_in(ENGLISH, name) for name in text_names() if name.startswith("pages/")}
    return tuple(
        Page(name, text["section"], int(text["order"]), _old_links(text))
        for name, text in texts.items()
        if "section" in text
    )
