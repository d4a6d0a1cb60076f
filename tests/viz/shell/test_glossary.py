"""The glossary: one source of what terms mean, and nothing is asked of it that it does not have."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import viz
from viz.shell.glossary import Term, find_term, term_help, term_link, terms
from viz.shell.navigation import sections

ASKING = {"find_term", "term_help", "term_link"}
MOST_WORDS = 60
ADDRESSES = {page.url_path for pages in sections().values() for page in pages}


def asked_for() -> Iterator[str]:
    """Yield the terms that the code names where it asks the glossary."""
    for path in Path(viz.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ASKING:
                yield from (entry.value for entry in node.args if isinstance(entry, ast.Constant))


def test_every_term_that_is_asked_for_is_there() -> None:
    assert {*asked_for()} <= {term.name for term in terms()}


def test_the_terms_are_in_alphabetical_order_and_no_two_share_an_anchor() -> None:
    names = [term.name.lower() for term in terms()]
    assert names == sorted(names)
    assert len({term.anchor for term in terms()}) == len(names)


@pytest.mark.parametrize("term", terms(), ids=lambda term: term.anchor)
def test_an_entry_is_short_and_leads_to_a_page(term: Term) -> None:
    assert 0 < len(re.sub(r"\$[^$]+\$", "formula", term.meaning).split()) <= MOST_WORDS
    assert term.address.partition("?")[0] in ADDRESSES
    assert "](" not in term.meaning


def test_a_term_is_a_tooltip_or_a_link() -> None:
    assert term_help("query, key and value").startswith("Three vectors that a head makes of a token.")
    assert term_link("query, key and value") == "[query, key and value](glossary#query-key-and-value)"


def test_an_unknown_term_is_a_mistake_in_the_code() -> None:
    with pytest.raises(KeyError, match=r"shell/glossary\.md has no section '## querry'"):
        find_term("querry")
