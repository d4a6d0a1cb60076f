"""Every word the pages ask for is there, and nothing is there that no page asks for."""

import re
from collections import Counter
from pathlib import Path

import pytest

import viz
from viz.base.languages import LANGUAGES, in_language
from viz.base.words import PageText, between, page_text, sections_of, text_names

VIZ = Path(viz.__file__).parent
WRITTEN = {path.relative_to(VIZ).as_posix(): path.read_text(encoding="utf-8") for path in VIZ.rglob("words/*/*.md")}
# Looked up by what is shown, not by a key in the code.
BY_NAME = {"base/tokens", "pages/length_generalization/names", "pages/transformer_xl/names"}
PAGES = {name: path for name in text_names() if (path := VIZ / f"{name}.py").is_file() and name not in BY_NAME}
# Read by the navigation, not by the page.
PLACE = ["section", "part of", "order", "title", "part", "question", "old links"]
# Asked for by the key that an InputError carries.
BY_ERROR = ("problem ", "count ")
# tests/shipped/test_claims.py asks of each claim that something computes it.
ELSEWHERE = (*BY_ERROR, "claim ")
LOOKED_UP = re.compile(r"""\b(?:TEXT|text)(?:\[|, )f?["']([^"']+)["'][\],)]""")
HANDED_ON = re.compile(r"\"([a-z ]+)\"")
# Other modules of the folder look up keys as well, where a page hands on all of its words.
HANDED_ON_WHOLE = re.compile(r"[(,] ?TEXT\)")


@pytest.mark.parametrize("name", PAGES)
def test_no_key_is_missing(name: str) -> None:
    wanted = LOOKED_UP.findall(PAGES[name].read_text(encoding="utf-8"))
    sections = page_text(name)
    assert wanted or {*sections} <= {*PLACE}
    for key in wanted:
        as_pattern = re.compile(re.sub(r"\\\{.*?\\\}", ".+", re.escape(key)))
        assert any(as_pattern.fullmatch(section) for section in sections), key


@pytest.mark.parametrize("name", PAGES)
def test_no_key_is_left_over(name: str) -> None:
    source = PAGES[name].read_text(encoding="utf-8")
    others = [other.read_text(encoding="utf-8") for other in PAGES[name].parent.glob("*.py")]
    readers = [source, *(other for other in others if f'page_text("{name}")' in other)]
    keys = {key for reader in readers for key in (*LOOKED_UP.findall(reader), *HANDED_ON.findall(reader))}
    if HANDED_ON_WHOLE.search(source):
        keys.update(*map(HANDED_ON.findall, others))
    patterns = [re.compile(re.sub(r"\\\{.*?\\\}", ".+", re.escape(key))) for key in keys]
    sections = [section for section in page_text(name) if section not in PLACE and not section.startswith(ELSEWHERE)]
    assert [section for section in sections if not any(one.fullmatch(section) for one in patterns)] == []


def test_no_heading_stands_twice() -> None:
    counted = {path: Counter(re.findall("^## .*", text, re.MULTILINE)) for path, text in WRITTEN.items()}
    assert {path for path, headings in counted.items() if headings and max(headings.values()) > 1} == set()


def test_no_two_tildes_can_strike_out_what_stands_between_them() -> None:
    assert [path for path, text in WRITTEN.items() if "~" in re.sub(r"`[^`]*`", "", text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_ranges_have_no_tilde_of_markdown(language: str) -> None:
    with in_language(language):
        assert "~" not in between(1, 2)


def test_a_missing_key_says_where_to_write_it() -> None:
    with pytest.raises(KeyError, match=r"page\.md has no section '## b'"):
        PageText("page", lambda: {"a": "Text"})["b"]


def test_a_section_is_what_stands_under_its_heading() -> None:
    assert sections_of("# Page\n\n## a\nOne\n\nTwo\n\n## b\n\nThree") == {"a": "One\n\nTwo", "b": "Three"}
