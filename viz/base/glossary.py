"""The terms of the app: what each means, for the page Glossary and for tooltips on all the others."""

import re
from dataclasses import dataclass

from viz.base.words import page_text, term_anchor

TEXT = page_text("base/glossary")
# A language that calls terms otherwise than English has their names here, in its own alphabetical order.
_NAMES = page_text("base/terms")
_LINK = re.compile(r"\[(?P<label>[^\]]+)\]\((?P<address>[^)\s]+)\)")


@dataclass(frozen=True)
class Term:
    """A term, what it means in Markdown, and where it is seen: the name of a page and its address.

    ``title`` is what whoever reads calls it, and ``name`` its English name, by which words link to it.
    """

    name: str
    title: str
    meaning: str
    seen_on: str
    address: str

    @property
    def anchor(self) -> str:
        """The part of an address that leads to this term: /glossary#beam-search."""
        return term_anchor(self.name)


def terms() -> tuple[Term, ...]:
    """Return all terms, in the alphabetical order of the language of whoever reads."""
    return tuple(map(find_term, dict.fromkeys((*_NAMES, *TEXT))))


def find_term(name: str) -> Term:
    """Return the term ``name`` of the glossary.

    Raises:
        KeyError: the glossary has no such term.
        ValueError: the term has no link.
    """
    meaning, _, last = TEXT[f"{name}"].rpartition("\n\n")
    link = _LINK.fullmatch(last)
    if link is None:
        raise ValueError(f"the term {name!r} does not end with a link to where it is seen")
    return Term(name, _NAMES.get(name, name), meaning, link["label"], link["address"])


def term_help(name: str) -> str:
    """Return what ``name`` means, as the ``help`` of a widget takes it."""
    return find_term(name).meaning


def term_link(name: str) -> str:
    """Return the term ``name`` as a link to the glossary, in Markdown."""
    term = find_term(name)
    return f"[{term.title}](glossary#{term.anchor})"
