"""The map of the terms has each of them once, in every arrangement, as a link to its meaning."""

from xml.etree.ElementTree import fromstring

import pytest

from viz.base.glossary import terms
from viz.base.languages import LANGUAGES, in_language
from viz.base.tokens import n_columns
from viz.base.words import page_text
from viz.pages.start.term_map import PLACES, WIDTHS, term_maps


@pytest.mark.parametrize("number", range(len(WIDTHS)))
def test_every_term_is_on_the_map_once_and_leads_to_its_meaning(number: int) -> None:
    found = {term.name: term for term in terms()}
    drawing = term_maps(found, page_text("pages/start/glossary"))[number]
    links = list(fromstring(drawing.svg("All of them")).iter("a"))
    assert sorted(link.get("data-code") for link in links) == sorted(found)
    assert all(link.get("href") == f"#{found[link.get('data-code')].anchor}" for link in links)
    assert drawing.width <= WIDTHS[number]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_is_within_its_box_in_every_language(language: str) -> None:
    with in_language(language):
        found = {term.name: term for term in terms()}
        drawing = term_maps(found, page_text("pages/start/glossary"))[0]
    boxes = [
        (float(box.find("rect").get("width")), [float(text.get("x")) + 6.5 * n_columns(text.text) for text in texts])
        for box in fromstring(drawing.svg("All of them")).iter("g")
        if (texts := [*box.findall("a/text")])
    ]
    assert len(boxes) == len(PLACES)
    assert all(end <= width for width, ends in boxes for end in ends)
