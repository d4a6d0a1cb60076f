"""Every claim on the screen, computed anew from what ships: its words can be filled in, and every finding has one."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable
from functools import cache

import pytest

import viz.pages
from viz.base.claims import Claim
from viz.base.languages import LANGUAGES
from viz.base.words import sections_in, text_names
from viz.pages.start.study.findings import FINDINGS, stored

Computed = Callable[[Callable[..., Claim]], Claim]

CLAIM_WORDS = re.compile(r"claim (?!.*otherwise$)")
"""Headings of the words of claims begin like this, and so do those of their other wording, which ends differently."""


@cache
def claims() -> dict[tuple[str, str], tuple[Callable[..., Claim], ...]]:
    """Return what the ``COMPUTED_CLAIMS`` of every topic's ``study`` compute, by the file of words and the heading."""
    found: dict[tuple[str, str], tuple[Callable[..., Claim], ...]] = {}
    for module in pkgutil.walk_packages(viz.pages.__path__, "viz.pages."):
        if ".study." in module.name:
            own = getattr(importlib.import_module(module.name), "COMPUTED_CLAIMS", {})
            found |= {key: value if isinstance(value, tuple) else (value,) for key, value in own.items()}
    return found


@pytest.fixture
def computed(request: pytest.FixtureRequest) -> Computed:
    """What a claim comes to, of what ships; each is computed once."""

    def of(function: Callable[..., Claim]) -> Claim:
        if function not in _COMPUTED:
            # Those with a default say which of several things it is computed of.
            free = [one.name for one in inspect.signature(function).parameters.values() if one.default is one.empty]
            _COMPUTED[function] = function(**{name: request.getfixturevalue(name) for name in free})
        return _COMPUTED[function]

    return of


_COMPUTED: dict[Callable[..., Claim], Claim] = {}


@pytest.mark.parametrize(("words", "heading"), list(claims()))
def test_a_claim_is_computed_and_fills_in_its_words(words: str, heading: str, computed: Computed) -> None:
    for function in claims()[words, heading]:
        claim = computed(function)
        for language in LANGUAGES:
            text = sections_in(language, words)
            assert claim.sentence(text, heading) or not claim.holds
            for holds in (True, False):
                Claim(holds, claim.values).sentence(text, heading)


@pytest.mark.parametrize("name", FINDINGS)
def test_a_finding_says_what_is_computed_of_it(name: str, computed: Computed) -> None:
    """The entrance reads what a command has kept: ``python -m benchmarks.findings``."""
    claim, kept = computed(FINDINGS[name]), stored()[name]
    assert claim.holds == kept.holds
    numbers = {key: value for key, value in claim.values.items() if isinstance(value, int | float)}
    assert {key: kept.values[key] for key in numbers} == pytest.approx(numbers, rel=0.01)
    assert {**kept.values} | numbers == {**claim.values}


def test_no_words_of_a_claim_are_without_what_computes_them() -> None:
    headings = [
        (name, heading) for name in text_names() for heading in sections_in("en", name) if CLAIM_WORDS.match(heading)
    ]
    assert [one for one in headings if one not in claims()] == []
