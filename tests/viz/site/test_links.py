"""Links of the app are links of the site where it shows all that they ask for."""

import pytest

from viz.pages.start.course.lab import labs
from viz.site.links import READ, opens_same_view
from viz.site.parts import PAGES
from viz.site.prose import html_of

IN_THE_APP_ALONE = {
    "by-hand": {9, 10},
    "positions": {1, 2, 6, 9, 10},
    "heads": {2, 3, 4, 7, 8, 9, 10},
    "circuit": {*range(1, 11)},
    "induction": {5, 10},
}


def test_every_page_has_its_parameters() -> None:
    assert READ.keys() == {*PAGES}


def test_steps_of_the_labs_lead_to_views_of_the_site() -> None:
    apart = {
        lab.id: {place for place, step in enumerate(lab.steps, start=1) if not opens_same_view(step.address, PAGES)}
        for lab in labs()
    }
    assert apart == IN_THE_APP_ALONE


@pytest.mark.parametrize(
    ("address", "is_link"),
    [
        ("translate?search=greedy&kind=cross", True),
        ("translate?search=sample", False),
        ("translate?measure=rollout", False),
        ("cliff?task=recall", True),
        ("cliff?part=race", False),
        ("glossary?part=encodings", True),
        ("glossary#head", True),
    ],
)
def test_prose_leads_to_views_of_the_site(address: str, *, is_link: bool) -> None:
    assert ("<a " in html_of({"text": f"See [it]({address})."}, PAGES)["text"]) == is_link
