import re

import numpy as np

from viz.components.table import table
from viz.pages.translate.components.token_line import percent, reading_rules, source_line, token_line
from viz.pages.translate.study.records import LineToken, SourceToken

ATTACK = "</script><script>alert(1)</script>"


def line(*tokens: LineToken) -> str:
    return token_line(tokens, theme="light", name="Translation", token_name="{token}, probability {percent}")


def test_every_text_is_escaped() -> None:
    html = line(LineToken(ATTACK, False, 0.5, ((ATTACK, 0.5), ('" onfocus="alert(1)', 0.2)), 0))
    assert "<script" not in html
    assert 'onfocus="' not in html
    assert html.count("&lt;script&gt;alert(1)") == 3


def test_tokens_read_as_a_sentence_and_take_the_focus() -> None:
    html = line(LineToken("Fuß", True, 0.9, (), None), LineToken("ball", False, 0.8, (), None))
    assert html.count('tabindex="0"') == 2
    assert "Fuß" in html
    assert "</span> <span" not in html


def test_a_token_is_described_by_its_own_alternatives() -> None:
    html = line(LineToken("a", True, 0.9, (("a", 0.9),), 0), LineToken("b", True, 0.8, (("b", 0.8),), 0))
    ids = re.findall(r'id="([^"]+)"', html)
    assert len(set(ids)) == 2
    assert re.findall(r'aria-describedby="([^"]+)"', html) == ids
    assert 'role="button"' not in html


def test_a_browser_translates_no_token() -> None:
    source = source_line([SourceToken("dog", True)], theme="light", name="Source")
    for html in (line(LineToken("Hund", True, 0.9, (), None)), source):
        assert 'translate="no"' in html.partition(">")[0]


def test_the_chosen_alternative_is_marked_by_place_not_by_text() -> None:
    html = line(LineToken("a", True, 0.3, (("a", 0.6), ("a", 0.3)), 1))
    assert html.index('class="alternative"') < html.index('class="alternative chosen"')


def test_small_probabilities_keep_a_digit() -> None:
    assert [percent(value) for value in (1.0, 0.831, 0.0951, 0.0449, 0.0)] == ["100%", "83%", "10%", "4.5%", "0.0%"]


def test_a_table_holds_text_only() -> None:
    html = table(["Name"], [[ATTACK], ["<b>"]], code_columns=(0,))
    assert "<script" not in html
    assert "<b>" not in html


def test_a_token_of_the_translation_shades_what_it_reads() -> None:
    rules = reading_rules(np.array([[0.8, 0.2, 0.001], [0.1, 0.1, 0.4]]))
    shaded = re.findall(r"\.target-(\d):is.*?\.source-(\d) \{ --read: ([\d.]+) \}", rules)
    assert shaded == [
        ("0", "0", "1.00"),
        ("0", "1", "0.25"),
        ("1", "0", "0.25"),
        ("1", "1", "0.25"),
        ("1", "2", "1.00"),
    ]


def test_tokens_of_the_source_are_text() -> None:
    line = source_line([SourceToken("<b>", True), SourceToken("&", False)], theme="light", name="Source")
    assert "&lt;b&gt;</span>" in line
    assert "&amp;</span>" in line
