"""The pages of the app: a file in a folder of ``viz/pages``, and one of the same name in its words, which place it.

``## section`` names a section of the navigation, ``## order`` is the page's place in it, ``## title`` its name there.
``## question`` is what the page answers, and the line that it begins with.
"""

from dataclasses import dataclass
from pathlib import Path

from viz.base.words import page_text, text_names

# The order of the navigation.
SECTIONS = ("attention", "position", "memory", "reference")

_VIZ = Path(__file__).parents[1]


@dataclass(frozen=True)
class Page:
    """Where a page's code lies, how the navigation shows it, and its question; the app opens with the first one."""

    path: Path
    section: str
    order: int
    title: str
    question: str
    is_first: bool = False

    @property
    def url_path(self) -> str:
        """The page's part of its address."""
        return self.path.stem.replace("_", "-")


def sections() -> dict[str, list[Page]]:
    """Return the pages of each section that has any, both in the navigation's order; KeyError at an unknown section."""
    found = sorted(_pages(), key=lambda page: page.order)
    by_section: dict[str, list[Page]] = {name: [] for name in SECTIONS}
    for page in found:
        by_section[page.section].append(page)
    return {name: pages for name, pages in by_section.items() if pages}


def _pages() -> list[Page]:
    texts = {name: page_text(name) for name in text_names() if name.startswith("pages/")}
    return [
        Page(
            _VIZ / f"{name}.py",
            text["section"],
            int(text["order"]),
            text["title"],
            text["question"],
            is_first=(text["section"], text["order"]) == (SECTIONS[0], "1"),
        )
        for name, text in texts.items()
        if "section" in text
    ]
