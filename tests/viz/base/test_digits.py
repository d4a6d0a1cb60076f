"""No digit of a result stands in the words: it is a field, filled in with what was computed.

Digits that are no result are taken out where their form tells: formulas, code, fields, addresses, years, names. Every
section that has others must be in ``digits.toml`` with these numbers, under what they are. A line there looks so::

    ["size or setting"."pages/training/train"]
    "formula layers" = "32"
"""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from viz.base.words import sections_of, text_names

VIZ = Path(__file__).parents[3] / "viz"
NO_RESULTS = [
    r"\$\$.*?\$\$|\$[^$]*\$",  # formulas
    r"`[^`]*`",  # code
    r"\{[^{}]*\}",  # fields
    r"\]\([^)]*\)",  # addresses of links
    r"https?://\S+",
    r"\n### address\n[^#]*",
    r"\b\d{4}\.\d{4,5}\b|\b[A-Z]\d\d-\d{4}\b|\b(19[4-9]|20[0-2])\d[a-z]?\b",  # papers, and years
    r"(?i)\b(tables?|sections?|figures?|equations?|appendi(x|ces)) \(?[A-Z]?\d+(\.\d+)*[a-z]?( and \d+)?",
    r"§+\s?[A-Z]?\d+(\.\d+)*",
    r"GPT-2|(?i:\bT5\w*)|\brotary_25|Llama \d|Qwen\d?|MiniLM-L\d+-v\d+|IBM Model 1|Multi30k|newstest\d+|WMT\d+",
    r"CC BY(-SA)? \d\.\d|UTF-8|SHA-256|float\d+|int\d+|\bF1\b",
]
"""What holds digits that are never a result, in an order in which one does not hide another."""

NOT_SHOWN_AS_WORDS = re.compile(r"order$|old links$|(.* )?command$")
"""Sections that are no sentences: places in the navigation, links of former versions, commands."""

KINDS = {
    "formula": "a definition, a bound, or arithmetic that follows from it",
    "paper": "what a paper published, with its citation in the same section",
    "paper read along": "a figure of the paper that is read there, whose title stands above",
    "axis or limit": "the ends of a scale, a place on it, a name of a control or column, or what can be entered",
    "size or setting": "sizes, settings, or lengths of models, data and measurements here",
    "example": "a made-up example, or a value that a visitor may try",
    "to be computed": "a result that is to become a field",
}

Place = tuple[str, str]
"""A file of words, by its name, and a section."""


def exceptions() -> dict[Place, tuple[str, str]]:
    """Return the kind of each exception, and its numbers."""
    by_kind = tomllib.loads(Path(__file__).with_name("digits.toml").read_text(encoding="utf-8"))
    return {
        (file, section): (kind, numbers)
        for kind, by_file in by_kind.items()
        for file, sections in by_file.items()
        for section, numbers in sections.items()
    }


def numbers_left(body: str) -> str:
    """Return the numbers in ``body``, each once, that may be results by their form."""
    for pattern in NO_RESULTS:
        body = re.sub(pattern, " ", body, flags=re.DOTALL)
    return " ".join(dict.fromkeys(re.findall(r"[.]?\d(?:[\d.,]*\d)?", body)))


@cache
def english_sections() -> dict[Place, str]:
    """Return all sections of the English words."""
    found = {}
    for name in text_names():
        folder, _, file = name.rpartition("/")
        content = (VIZ / folder / "words" / "en" / f"{file}.md").read_text(encoding="utf-8")
        found |= {(name, section): body for section, body in sections_of(content).items()}
    return found


def sections_with_numbers() -> dict[Place, str]:
    """Return the numbers of every section that has some which may be results."""
    shown = {place: body for place, body in english_sections().items() if not NOT_SHOWN_AS_WORDS.match(place[1])}
    numbers = {place: numbers_left(body) for place, body in shown.items()}
    return {place: found for place, found in numbers.items() if found}


def test_every_number_in_the_words_is_an_exception_of_a_kind() -> None:
    known = {place: numbers for place, (_, numbers) in exceptions().items()}
    unknown = {place: one for place, one in sections_with_numbers().items() if known.get(place) != one}
    assert unknown == {}, "make a result a field of the words, or list any other number in digits.toml"


def test_no_exception_is_left_over() -> None:
    assert exceptions().keys() - sections_with_numbers().keys() == set()


def test_every_kind_is_explained() -> None:
    assert {kind for kind, _ in exceptions().values()} <= KINDS.keys()


def test_what_a_paper_published_has_its_citation_beside_it() -> None:
    for place, (kind, _) in exceptions().items():
        if kind == "paper":
            assert re.search(r"\b20\d\d\b|arXiv|doi\.org", english_sections()[place]), place


@pytest.mark.parametrize(
    ("words", "has_digits"),
    [
        ("It reaches 36.3 BLEU.", True),
        ("It reaches {bleu:.1f} BLEU after `--steps 400`.", False),
        ("As $2^{10}$ shows, [table 3](ablations?seed=2) of Vaswani et al. 2017, §5.4.", False),
        ("72 heads", True),
    ],
)
def test_only_what_may_be_a_result_is_left(words: str, has_digits: bool) -> None:
    assert bool(numbers_left(words)) == has_digits
