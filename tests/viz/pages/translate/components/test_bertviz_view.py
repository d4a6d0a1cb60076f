"""The document that BertViz draws in: complete, small, and nothing in it that a token could end or begin."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from importlib.metadata import distribution
from pathlib import Path

import numpy as np
import pytest

from tests.browser.translate.explorer_app import HOSTILE, hostile, random_weights, square, translation
from viz.base.attention_maps import AttentionKind, TokenRow
from viz.base.words import page_text
from viz.pages.translate.components.bertviz_view import MAX_WEIGHTS, VIEWS, ViewName, bertviz_html, fitted

TEXT = page_text("pages/translate/bertviz_view")
KINDS = {kind.name: kind for kind in translation()}
DATA = re.compile(r"const params = (\{.*\});$", re.MULTILINE)


def html_of(view: ViewName, kind: AttentionKind) -> str:
    return bertviz_html(view, kind, text=TEXT, theme="light")


def shown(html: str) -> dict:
    """Return the only attention in ``html``, which stands there once."""
    (data,) = DATA.findall(html)
    (attention,) = json.loads(data)["attention"]
    return attention


class Elements(HTMLParser):
    """Every element of a document, with its attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", KINDS)
def test_the_weights_and_tokens_are_the_recorded_ones(view: ViewName, name: str) -> None:
    kind = KINDS[name]
    attention = shown(html_of(view, kind))
    np.testing.assert_allclose(attention["attn"], kind.weights, atol=0.0005 + 1e-7)
    assert tuple(attention["left_text"]) == kind.queries.labels
    assert tuple(attention["right_text"]) == kind.keys.labels


@pytest.mark.parametrize("view", VIEWS)
def test_the_drawing_code_is_bertviz_s_own(view: ViewName) -> None:
    script = Path(str(distribution("bertviz").locate_file(f"bertviz/{view}_view.js"))).read_text(encoding="utf-8")
    before, after = script.split("const params = PYTHON_PARAMS;", 1)
    html = html_of(view, KINDS["cross"])
    assert before in html
    assert after.split("\n", 1)[1] in html
    assert "PYTHON_PARAMS" not in html


@pytest.mark.parametrize("view", VIEWS)
def test_no_token_adds_an_element(view: ViewName) -> None:
    (kind,) = hostile()
    harmless = TokenRow(tuple("token" for _ in HOSTILE))
    html = html_of(view, kind)
    tags = [tag for tag, _ in Elements(html).found]
    assert tags == [tag for tag, _ in Elements(html_of(view, replace(kind, queries=harmless, keys=harmless))).found]
    assert tags.count("script") == 1
    assert all("src" not in attributes and "href" not in attributes for _, attributes in Elements(html).found)


def test_tokens_stay_what_they_are() -> None:
    labels = ("<b>", "&amp;", "</script>", "<!--", "\u2028", "\ud800", "שלום", "é\u0301", "", "\\", '"')
    row = TokenRow(labels)
    weights = random_weights(1, 1, len(labels), len(labels))
    html = html_of("head", AttentionKind("encoder", weights, row, row))
    assert tuple(shown(html)["left_text"]) == labels


@pytest.mark.parametrize(
    ("label", "seen"),
    [
        ("", ""),
        ("twelve chars", "twelve chars"),
        ("thirteen char", "thirteen ch…"),
        ("a" * 200, "a" * 11 + "…"),
        ("語" * 6, "語" * 6),
        ("語" * 7, "語" * 5 + "…"),
        ("e\u0301" * 12, "e\u0301" * 12),
        ("e\u0301" * 13, "e\u0301" * 11 + "…"),
        ("\u0301" * 200, "\u0301" * 200),
    ],
)
def test_a_long_token_ends_in_an_ellipsis(label: str, seen: str) -> None:
    assert fitted(label, 12) == seen


@pytest.mark.parametrize("view", VIEWS)
def test_too_many_weights_are_refused_in_one_sentence(view: ViewName) -> None:
    (kind,) = square(65)
    assert kind.weights.size > MAX_WEIGHTS
    with pytest.raises(ValueError, match=r"202,800 weights \(6 layers × 8 heads × 65 queries × 65 keys\).*100,000"):
        html_of(view, kind)


@pytest.mark.parametrize("view", VIEWS)
def test_as_many_weights_as_allowed_are_not_refused(view: ViewName) -> None:
    row = TokenRow(tuple("t" for _ in range(100)))
    kind = AttentionKind("encoder", np.full((1, 10, 100, 100), 0.01, np.float32), row, row)
    assert kind.weights.size == MAX_WEIGHTS
    # A third of the size is libraries, the same for every text.
    assert len(html_of(view, kind)) < 400_000 + 8 * MAX_WEIGHTS


def test_the_component_does_not_import_what_bertviz_does() -> None:
    code = (
        "import sys, numpy as np\n"
        "from viz.base.attention_maps import AttentionKind, TokenRow\n"
        "from viz.pages.translate.components.bertviz_view import bertviz_html\n"
        "from viz.base.words import page_text\n"
        "row = TokenRow(('a',))\n"
        "kind = AttentionKind('encoder', np.ones((1, 1, 1, 1), np.float32), row, row)\n"
        "bertviz_html('head', kind, text=page_text('pages/translate/bertviz_view'), theme='dark')\n"
        "print(*{'IPython', 'bertviz', 'boto3', 'torch', 'transformers'}.intersection(sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == ""
