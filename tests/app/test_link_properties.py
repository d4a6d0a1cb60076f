"""Links drawn at random: whatever any parameter of any page says, the page lives, and nothing of it is markup.

``LINK_DRAWS=2000 pytest tests/app/test_link_properties.py`` draws so many links a page; without it one, beside the link
that gives every parameter markup. What reads the values is drawn 2,000 times a page each time.
"""

import os
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product, zip_longest
from typing import Any
from unittest.mock import patch

import pytest
import streamlit
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from tests.app.links import (
    HOST,
    HOSTILE,
    NOWHERE,
    PAGES,
    each_page,
    elements,
    linkable,
    opened,
    parameters_read,
    view_of,
    widget_key,
)
from tests.app.running import open_in_app
from viz.base.link_parameters import Choice, LinkParameter, Number, Text, bad_links, is_readable
from viz.pages.start.course.lab import labs
from viz.pages.start.reading_path import STOPS
from viz.shared.translators import TEXT_KEY
from viz.shell.navigation import PART, Place

DRAWS = int(os.environ.get("LINK_DRAWS", "1"))
# What several pages choose together, though each offers what it has measured.
SHARED_ON_PURPOSE = {"of": {"heads", "heads_needed", "word_alignment"}}
# Widgets that forget what they do not offer.
CHOICES = {"ButtonGroup", "MultiSelect", "Selectbox", "Slider"}
# By the page: what its link needs for a choice of several to be drawn. The sentence has more tokens than may be chosen.
WITH_LISTS = {"dot_product": {"kind": "encoder", "sentence": "I love football, but my dog loves to sleep all day."}}
# Given to every parameter at once.
MARKUP = f"![](https://{HOST}/i.png) [a](https://{HOST}) www.{HOST} https://{HOST}"
# By the page: the link that opens what wrong ones open; without any, this page opens an example of two heads.
ALONE = {"dot_product": {"n_heads": ["1"]}}
# More than any number may be.
BEYOND = "1000000000000"
# What st.text shows.
SHOWN_AS_IT_IS = ("Text", "body")
VALUES = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.characters(), max_size=40),
    st.integers(-(10**30), 10**30).map(str),
    st.floats().map(str),
)


def links(names: tuple[str, ...]) -> st.SearchStrategy[dict[str, list[str]]]:
    hostile = st.lists(VALUES, min_size=1, max_size=3)
    return st.dictionaries(st.sampled_from(names), hostile, min_size=min(3, len(names)), max_size=8)


@each_page("page")
def test_no_link_ends_a_page_or_becomes_markup(page: Place) -> None:
    takes = linkable(page)
    if not takes.names:
        return

    @settings(
        max_examples=DRAWS,
        derandomize=DRAWS < 100,
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @example(link={name: [MARKUP] for name in takes.names}, is_open=True)
    @given(link=links(takes.names), is_open=st.booleans())
    def hold(link: dict[str, list[str]], is_open: bool) -> None:
        opening = {name: [value] for name, value in takes.opening.items()} if is_open else {}
        app = opened(page, opening | link)
        assert not app.exception
        shown = [proto for proto in elements(app._tree) if type(proto).__name__ != "Alert"]
        assert len(shown) > 3
        warnings = Counter(entry.value for entry in app.warning)
        assert not [text for text, times in warnings.items() if times > 1]
        assert warnings.total() <= takes.n_warnings + len(opening | link)
        assert markup(app) == []

    hold()


@pytest.mark.xdist_group("all pages")
def test_widgets_of_one_key_are_of_one_kind() -> None:
    """Streamlit hands on what a link carries of a key to the next widget of that key, also on another page."""
    kinds: dict[str, set[str]] = {}
    for page in PAGES:
        for key, kind in linkable(page).widgets:
            kinds.setdefault(key, set()).add("choice" if kind in CHOICES else kind)
    assert {key: found for key, found in kinds.items() if len(found) > 1} == {}


@pytest.mark.xdist_group("all pages")
def test_what_is_chosen_on_one_page_is_chosen_on_no_other() -> None:
    """The session goes before a default: under one key, a page would open on what was chosen for another one."""
    places: dict[str, dict[tuple[object, ...], set[str]]] = {}
    for place, parameter in (*in_pages(), *in_pictures()):
        places.setdefault(parameter.key, {}).setdefault(content_of(parameter), set()).add(place)
    different = {key: set().union(*by_content.values()) for key, by_content in places.items() if len(by_content) > 1}
    assert {key: named for key, named in different.items() if len(named) > 1} == SHARED_ON_PURPOSE


def in_pages() -> Iterator[tuple[str, LinkParameter[Any]]]:
    """Yield each parameter of a page with a widget of its key; the part of a page begins anew on each."""
    for page in PAGES:
        widgets = {key for key, _ in linkable(page).widgets}
        for parameter in parameters_read(page):
            if parameter.key in widgets and (parameter.key != PART or len(page.page.parts) == 1):
                yield page.part.path.stem, parameter


def in_pictures() -> Iterator[tuple[str, LinkParameter[Any]]]:
    """Yield each parameter of the pictures of all stops and steps of labs."""
    for exercise in (*STOPS, *(step for lab in labs() for step in lab.steps)):
        if exercise.picture:
            for control in exercise.picture.controls(exercise.picture.opening()):
                yield exercise.name, control.parameter


def content_of(parameter: LinkParameter[Any]) -> tuple[object, ...]:
    """Return what tells two parameters of one key apart."""
    names = ("options", "low", "high", "step", "max_characters")
    return type(parameter), parameter.default, *(getattr(parameter, name, None) for name in names)


@each_page("page")
def test_every_value_is_read_as_it_is_written_or_refused(page: Place) -> None:
    parameters, rng = parameters_read(page), random.Random(page.part.path.stem)
    chosen = rng.choices(parameters, k=2_000) if parameters else []
    for parameter, text in (*product(parameters, HOSTILE), *((each, drawn(each, rng)) for each in chosen)):
        if is_readable(parameter, text):
            value = parameter.read(text)
            assert parameter.read(parameter.write(value)) == value
        for bad in bad_links([parameter], {parameter.key: text}):
            assert len(bad.text) < 30
            assert not re.search(r"[`\n\r]", bad.text)


def drawn(parameter: LinkParameter[Any], rng: random.Random) -> str:
    """Return a hostile value, a right one, or what comes of the two by cutting, joining and doubling."""
    right = parameter.write(parameter.default) if parameter.default is not None else ""
    text = rng.choice((*HOSTILE, right, right))
    for _ in range(rng.randrange(4)):
        place = rng.randrange(len(text) + 1)
        other = rng.choice((*HOSTILE, right, chr(rng.randrange(0x10FFFF)), str(rng.randrange(-(10**12), 10**12))))
        text = rng.choice((text[:place], text[place:], text[:place] + other + text[place:], 2 * text))[:20_000]
    return text


@each_page("page")
def test_a_value_that_is_not_there_is_named_and_the_default_is_shown(page: Place) -> None:
    names = linkable(page).controls
    numbers = [each.key for each in parameters_read(page) if isinstance(each, Number) and each.key in names]
    *_, values, drawn = view_of(opened(page, ALONE.get(page.part.path.stem, {})))
    for link in (dict.fromkeys(names, NOWHERE), dict.fromkeys(numbers, BEYOND)):
        app = opened(page, {name: [value] for name, value in link.items()})
        assert not app.exception
        # Some controls are drawn only beside another choice, which this link does not make.
        for name in link.keys() & {*map(widget_key, elements(app._tree))}:
            said = [warning.value for warning in app.warning if f"`{link[name]}` as {name}. " in warning.value]
            assert len(said) == 1, name
        *_, shown, widgets = view_of(app)
        assert shown == values
        assert keyed(widgets) == keyed(drawn)


def keyed(drawn: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(kind, key) for kind, key in drawn if key]


@each_page("page")
def test_a_choice_of_several_opens_with_any_list(page: Place) -> None:
    name = page.part.path.stem
    if name not in WITH_LISTS and "MultiSelect" not in {kind for _, kind in linkable(page).widgets}:
        return
    link = WITH_LISTS.get(name, {})
    fields = choices_of_several(name, link)
    assert fields or name not in WITH_LISTS
    for field, most in fields:
        ids = [*map(field.write, field.options)]
        for texts in ([ids[-1], ids[-1]], [*ids, *ids], [ids[0], NOWHERE, ids[0], NOWHERE, ids[-1]]):
            app = open_in_app(name, **link, **{field.key: texts})
            known = [*dict.fromkeys(field.read(text) for text in texts if text != NOWHERE)]
            assert app.multiselect(key=field.key).value == known[:most]
            assert len(app.warning) == (NOWHERE in texts or len(known) > (most or len(known)))


def choices_of_several(name: str, link: Mapping[str, str]) -> list[tuple[Choice[Any], int | None]]:
    """Return what the choices of several read that the page draws by ``link``, with the most that may be chosen."""
    drawn: dict[str, tuple[Choice[Any], int | None]] = {}
    draw = streamlit.multiselect

    def spied(label: str, options: Any, *, max_selections: int | None = None, **named: Any) -> Any:
        field = getattr(named["format_func"], "__self__", None)
        if isinstance(field, Choice):
            drawn[field.key] = field, max_selections
        return draw(label, options, max_selections=max_selections, **named)

    with patch.object(streamlit, "multiselect", spied):
        open_in_app(name, **link)
    return [*drawn.values()]


@each_page("page")
def test_no_part_is_shown_of_a_text_that_is_refused(page: Place) -> None:
    texts = [each for each in parameters_read(page) if type(each) is Text]
    # Of a text to translate the beginning is read, and the page says so.
    too_long = {each.key: "a" * (each.max_characters + 1) for each in texts if each.key != TEXT_KEY}
    if not too_long:
        return
    app = opened(page, {name: [value] for name, value in (linkable(page).opening | too_long).items()})
    assert not app.exception
    assert [box.key for box in (*app.text_input, *app.text_area) if "aaa" in (box.value or "")] == []


@each_page("page")
def test_all_controls_open_at_their_ends_at_once(page: Place) -> None:
    for link in zip_longest(*([(parameter.key, text) for text in texts] for parameter, texts in controls(page))):
        assert not opened(page, {key: [text] for key, text in filter(None, link)}).exception, link


@pytest.mark.slow
@each_page("page")
def test_every_control_opens_at_each_of_its_ends(page: Place) -> None:
    for parameter, texts in controls(page):
        for text in texts:
            assert not opened(page, {parameter.key: [text]}).exception, (parameter.key, text)


def controls(page: Place) -> list[tuple[LinkParameter[Any], list[str]]]:
    """Return what reads the values of the controls of ``page``, each with its ends."""
    drawn = linkable(page).controls
    return [(parameter, ends(parameter)) for parameter in parameters_read(page) if parameter.key in drawn]


def ends(parameter: LinkParameter[Any]) -> list[str]:
    """Return the first, the middle and the last value of ``parameter``, as links carry them."""
    if isinstance(parameter, Number):
        return [parameter.write(parameter.low), parameter.write(parameter.high)]
    options = parameter.options if isinstance(parameter, Choice) else ()
    return [parameter.write(options[place]) for place in sorted({0, len(options) // 2, len(options) - 1}) if options]


def markup(app: AppTest) -> list[str]:
    """Return what Streamlit would make a link, a picture or an element of what the link says."""
    found = []
    for proto in elements(app._tree):
        kind = type(proto).__name__
        for field in ("body", "label", "help", "text"):
            text = getattr(proto, field, "")
            if not isinstance(text, str) or HOST not in text or (kind, field) == SHOWN_AS_IT_IS:
                continue
            is_html = kind == "Html"
            rendered = text if is_html else without_code(text)
            rule = rf"<\w[^>&]*{HOST}" if is_html else rf"(?<!\\)\]\((?:\w+:)?//{HOST}|(?:://|www\.|@){HOST}"
            found += [f"{kind}.{field}: {match[0]}" for match in re.finditer(rule, rendered.replace("\\.", "."))]
    return found


def without_code(markdown: str) -> str:
    return re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", markdown)


def test_markup_would_be_seen() -> None:
    app = AppTest.from_string(
        f"""
import streamlit as st
st.warning("[a](https://{HOST}) `[b](https://{HOST})` a@{HOST}")
st.html("<img src=//{HOST}> &lt;img src=//{HOST}>")
st.markdown("see www.{HOST}")
st.text("[a](https://{HOST})")
"""
    ).run()
    assert len(markup(app)) == 4


def test_the_parameters_of_a_page_are_found() -> None:
    (page,) = [page for page in PAGES if page.part.path.stem == "why_self_attention"]
    assert linkable(page).names == ("back", "d", "k", "language", "n", "r")
