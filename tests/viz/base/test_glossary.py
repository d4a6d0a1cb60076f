"""The glossary: one source of what terms mean, and nothing is asked of it that it does not have."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import viz
from viz.base import words
from viz.base.glossary import Term, find_term, term_help, term_link, terms
from viz.base.words import page_text, text_names
from viz.shell.navigation import places

ASKING = {"find_term", "term_help", "term_link"}
MOST_WORDS = 60
ADDRESSES = {place.part.url_path for place in places()}


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


@pytest.mark.parametrize("term", terms(), ids=lambda term: term.anchor)
def test_what_a_tooltip_says_is_plain_text(term: Term) -> None:
    first, *_ = term.meaning.split("\n\n")
    assert not {*first} & {*'{}"$*['}


def test_words_link_to_a_term_with_its_meaning_as_a_tooltip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, content in {
        "base/words/en/glossary.md": "# T\n\n## beam search\nA search.\n\n[A](a)\n",
        "pages/words/en/one.md": "# P\n\n## seen\n[beam search](term), [beams](term:beam search), [a page](page)\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.setattr(words, "_VIZ", tmp_path)
    words.sections_in.cache_clear()
    seen = page_text("pages/one")["seen"]
    words.sections_in.cache_clear()
    link = '(glossary#beam-search "A search.")'
    assert seen == f"[beam search]{link}, [beams]{link}, [a page](page)"


@pytest.mark.parametrize("topic", sorted({place.part.path.parent.name for place in places()}))
def test_every_topic_explains_its_terms(topic: str) -> None:
    names = [name for name in text_names() if name.startswith(f"pages/{topic}/")]
    has_term = any("(glossary#" in section for name in names for section in page_text(name).values())
    assert topic == "start" or has_term, f"link the words of {topic} to a term of the glossary: [softmax](term)"


def test_an_unknown_term_is_a_mistake_in_the_code() -> None:
    with pytest.raises(KeyError, match=r"base/glossary\.md has no section '## querry'"):
        find_term("querry")
