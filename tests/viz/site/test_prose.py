"""The project's Markdown as the site's HTML."""

from viz.site.prose import html_of

PAGES = ("", "translate")


def test_links_lead_to_pages_that_are_there_and_out_of_the_site() -> None:
    text = "See [here](translate?kind=cross), [not here](cliff) and [a paper](https://arxiv.org/abs/1706.03762)."
    html = html_of({"text": text}, PAGES)["text"]
    assert '<a href="translate?kind=cross">here</a>' in html
    assert '<a href="https://arxiv.org/abs/1706.03762">a paper</a>' in html
    assert "not here" in html
    assert "cliff" not in html


def test_formulas_become_mathml_that_is_reached_by_keyboard() -> None:
    html = html_of({"one": "With $d_k$ as here:\n\n$$\\sqrt{d_k}$$", "two": "It costs 5 $."}, PAGES)
    assert html["one"].count("<math") == 2
    assert html["one"].count('tabindex="0"') == 1
    assert html["two"] == "<p>It costs 5 $.</p>\n"


def test_what_is_written_as_markup_stays_text() -> None:
    assert "<script" not in html_of({"text": "<script>alert(1)</script>"}, PAGES)["text"]
