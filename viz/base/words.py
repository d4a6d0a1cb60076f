"""Every word on the screen: Markdown files beside the code that shows them, in a folder per language.

``page_text("pages/translate/beam_search")`` is ``viz/pages/translate/words/en/beam_search.md``, by its headings, or the
same file of another language: that of whoever reads, at each look. What a language lacks is in English.
A line break within a paragraph is a blank on the screen; in Japanese, none.
There ``[attention weight](term)`` links to that term of the glossary, whose meaning is the link's tooltip, and so does
``[weights](term:attention weight)``.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, reduce
from pathlib import Path

from viz.base.languages import ENGLISH, language

_VIZ = Path(__file__).parents[1]
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_GLOSSARY = "base/glossary"
# Japanese has no blanks between sentences; what begins another block of Markdown is none of the paragraph.
_BREAK_IN_JAPANESE = re.compile(r"(?<=[。、])\n[ \t]*(?![\s|#>]|\$\$|```|[-*] |\d+\. )")
_TERM = re.compile(r"\[(?P<label>[^\[\]]+)\]\(term(?::(?P<name>[^)]+))?\)")


@dataclass(frozen=True)
class Count:
    """A number of things, whose words are the two lines of ``## count thing``: of one, and of ``{n}``."""

    number: int
    thing: str

    def written(self, text: Mapping[str, str]) -> str:
        """Return the number with the word for its things."""
        one, several = text[f"count {self.thing}"].splitlines()
        return one if self.number == 1 else several.format(n=self.number)


class InputError(ValueError):
    """An unusable input: ``key`` names the sentence ``## problem key``, and ``values`` fill its fields."""

    def __init__(self, key: str, **values: object) -> None:
        """Keep what the sentence on the screen is made of."""
        super().__init__(f"{key} {values}")
        self.key = key
        self.values = values

    def sentence(self, text: Mapping[str, str]) -> str:
        """Return what is wrong, and what to do, in the words ``text``."""
        values = {
            name: value.written(text) if isinstance(value, Count) else value for name, value in self.values.items()
        }
        return text[f"problem {self.key}"].format(**values)


class PageText(Mapping[str, str]):
    """The sections of one file: what stands under ``## key``, without the white space around it."""

    def __init__(self, name: str, sections: Callable[[], Mapping[str, str]]) -> None:
        """Be the sections of the file ``name`` that ``sections`` returns, at each look."""
        self._name = name
        self._sections = sections

    def __getitem__(self, key: str) -> str:
        """Return the section ``key``; a missing one is a mistake in the code, so it says where to write it."""
        sections = self._sections()
        if key not in sections:
            raise KeyError(f"{self._name}.md has no section '## {key}'")
        return _as_paragraphs(sections[key])

    def lines(self, key: str) -> list[str]:
        """Return the lines of the section ``key``: each is one thing of a list."""
        return self._sections()[key].splitlines()

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys in the order of the file."""
        return iter(self._sections())

    def __len__(self) -> int:
        """Count the sections."""
        return len(self._sections())


def sections_of(content: str) -> dict[str, str]:
    """Split ``content``, that of a file, at its second-level headings."""
    _, *parts = _HEADING.split(content)
    return {key.strip(): body.strip() for key, body in zip(parts[::2], parts[1::2], strict=True)}


def text_names() -> list[str]:
    """Return the name of every file of words, in alphabetical order."""
    files = _VIZ.rglob(f"words/{ENGLISH}/*.md")
    return sorted((path.parents[2] / path.stem).relative_to(_VIZ).as_posix() for path in files)


def page_text(name: str) -> PageText:
    """Return the words of ``name``: a folder below ``viz``, and the file without its ending.

    Raises:
        FileNotFoundError: there is no such file.
    """
    sections_in(ENGLISH, name)
    return PageText(name, lambda: sections_in(language(), name))


@cache
def sections_in(reading: str, name: str) -> Mapping[str, str]:
    """Return the words of ``name`` in the language ``reading``, in English where that lacks them."""
    folder, _, file = name.rpartition("/")
    path = _VIZ / folder / "words" / reading / f"{file}.md"
    if reading == ENGLISH:
        return _own_sections(path, reading)
    english = sections_in(ENGLISH, name)
    return {**english, **_own_sections(path, reading)} if path.is_file() else english


def listed(parts: Iterable[str]) -> str:
    """Return ``parts`` as a list within a sentence; nothing where there are none."""
    return _in_a_row(parts, "pair")


def listed_apart(parts: Iterable[str]) -> str:
    """Return ``parts`` as a list in a sentence, with a separator for parts that may contain commas."""
    return _in_a_row(parts, "pair apart")


def paragraph(sentences: Iterable[str]) -> str:
    """Return ``sentences``, without those that are empty, one after the other."""
    return _in_a_row(filter(None, sentences), "sentences")


def ended(sentence: str) -> str:
    """Return ``sentence``, which has no mark at its end, with a full stop."""
    return page_text("base/lists")["full stop"].format(sentence=sentence)


def between(low: object, high: object) -> str:
    """Return the range from ``low`` to ``high`` as the language writes it."""
    return page_text("base/lists")["range"].format(low=low, high=high)


def term_anchor(name: str) -> str:
    """Return the part of an address that leads to the term ``name``: /glossary#beam-search."""
    # As Streamlit makes anchors of headings, in which a capital after a small letter begins a word.
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name)
    return re.sub(r"[^a-z0-9]+", "-", apart.lower()).strip("-")


def _in_a_row(parts: Iterable[str], pair: str) -> str:
    begin, *others = [*parts] or [""]
    words = page_text("base/lists")[pair]
    return reduce(lambda before, part: words.format(before=before, next=part), others, begin)


@cache
def _as_paragraphs(section: str) -> str:
    return _BREAK_IN_JAPANESE.sub("", section)


def _own_sections(path: Path, reading: str) -> dict[str, str]:
    def linked(match: re.Match[str]) -> str:
        name = match["name"] or match["label"]
        glossary = PageText(_GLOSSARY, lambda: sections_in(reading, _GLOSSARY))
        meaning = glossary[name].partition("\n\n")[0].replace("`", "")
        return f'[{match["label"]}](glossary#{term_anchor(name)} "{meaning}")'

    return sections_of(_TERM.sub(linked, path.read_text(encoding="utf-8")))
