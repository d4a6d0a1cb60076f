"""Japanese and Korean are set as these scripts are: where lines break, and that no letter is slanted."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

import viz
from tests.browser.labels import label_faults

STYLES = ["shell/style.css", "site/site.css"]
# What Streamlit says of its own texts, with one class.
BODY = """
<style>.streamlit { word-break: break-word; }</style>
<style>%s</style>
<h1>학습</h1>
<div class="streamlit" data-testid="stMarkdownContainer"><p class="streamlit">본문 <em>강조</em></p>
  <table><tr><th class="streamlit">열</th><td class="streamlit">칸</td></tr></table></div>
<div class="streamlit" data-testid="stCaptionContainer"><p class="streamlit">설명</p></div>
<label class="streamlit" data-testid="stWidgetLabel"><p class="streamlit">선택</p></label>
<component-of-the-app></component-of-the-app>
<script>
  document.querySelector("component-of-the-app").attachShadow({ mode: "open" }).innerHTML = "<i>부품</i>";
</script>
"""


def styled(page: Page, language: str, style: str, selector: str, name: str) -> set[str]:
    """Return the values of the property ``name`` of all that ``selector`` finds on a page in ``language``."""
    page.set_content(BODY % (Path(viz.__file__).parent / style).read_text(encoding="utf-8"))
    page.evaluate("language => { document.documentElement.lang = language; }", language)
    values = "(all, name) => all.map((one) => getComputedStyle(one).getPropertyValue(name))"
    return {*page.locator(selector).evaluate_all(values, name)}


@pytest.mark.parametrize("selector", ["h1", "p", "th", "td", "i"])
def test_korean_breaks_between_words_in_texts_captions_tables_labels_and_components(page: Page, selector: str) -> None:
    assert styled(page, "ko", "shell/style.css", selector, "word-break") == {"keep-all"}
    assert styled(page, "en", "shell/style.css", selector, "word-break") != {"keep-all"}


@pytest.mark.parametrize("style", STYLES)
def test_a_japanese_heading_breaks_between_phrases(page: Page, style: str) -> None:
    assert styled(page, "ja", style, "h1, th", "word-break") == {"auto-phrase"}
    assert styled(page, "ja", style, "i", "word-break") == {"normal"}


@pytest.mark.parametrize("language", ["ja", "ko"])
@pytest.mark.parametrize("style", STYLES)
def test_no_letter_is_slanted_that_its_font_has_not_so(page: Page, language: str, style: str) -> None:
    assert styled(page, language, style, "em, i", "font-synthesis-style") == {"none"}
    assert styled(page, language, style, "p, i", "text-wrap-style") == {"pretty"}


# Each of its names has one fault.
FAULTY = """
<div data-testid="stApp"><main data-testid="stMain" style="overflow: auto">
  <p>甲です。 乙です。</p>
  <p>This is what the model reads</p>
  <button style="width: 3em; overflow: hidden; white-space: nowrap">切れた名前です</button>
  <svg width="100" height="40">
    <text x="80" y="20">外に出る名前</text><text y="20">書くとき…1層</text><text y="35">Trained without memory</text>
  </svg>
  <svg width="300" height="40"><text y="20">Vaswani et al. 2017</text><text y="35">≤ −1.8 … 1.8 nat</text></svg>
</main></div>
"""


def test_a_fault_of_each_kind_is_found_in_the_labels_of_a_page(page: Page) -> None:
    page.set_content(FAULTY)
    cut = ["切れた名前です", "外に出る名前", "Trained without memory", "書くとき…1層"]
    assert label_faults(page) == {
        "english": ["This is what the model reads"],
        "english in a picture": ["Trained without memory"],
        "blank": ["甲です。 乙です。"],
        "cut at 1280": cut,
        "cut at 390": cut,
    }
