"""Common parts of a site and of one file: scripts, styles, words and models, by name."""

import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

import streamlit

from viz.base.languages import LANGUAGES, in_language
from viz.base.words import page_text
from viz.components.browser import MENU_STYLE, bundle, style
from viz.components.matrix_view import matrix_rules
from viz.shared.shipped import TranslatorInfo
from viz.site.contents import content_files
from viz.site.models import model_files
from viz.site.recorded import recorded_files
from viz.site.runtime import plotly_script, runtime_binary, runtime_script
from viz.site.words import words_of

PAGES = (
    "",
    "translate",
    "switch-heads-off",
    "logit-lens",
    "why-this-word",
    "dot-product",
    "word-order",
    "sinusoid",
    "cliff",
    "choose-encoding",
    "train",
    "read-along",
    "labs",
    "glossary",
)
"""The addresses of the site's pages, which are those of the app's."""

_HERE = Path(__file__).parent
_VIZ = _HERE.parent
COMPONENTS = {
    "circuit": _VIZ / "pages" / "interventions" / "components" / "circuit_view",
    "architecture": _VIZ / "pages" / "start" / "components" / "architecture",
    "editor": _VIZ / "pages" / "dot_product" / "components" / "matrix_editor",
    "explorer": _VIZ / "components" / "attention_explorer",
    "grid": _VIZ / "pages" / "interventions" / "components" / "head_grid",
    "playground": _VIZ / "pages" / "positional_encoding" / "components" / "playground",
    "player": _VIZ / "pages" / "training" / "components" / "player",
}
"""The folders of the components that are shown."""
WORD_FILES = {language: f"words-{language}.json" for language in LANGUAGES}
"""The name of the words in each language."""
_FONTS = Path(streamlit.__file__).parent / "static" / "static" / "media"
_FACES = {"Source Sans": "SourceSansVF-Upright", "Source Code Pro": "SourceCodeVF-Upright"}
_TEMPLATE = (_HERE / "index.html").read_text(encoding="utf-8")
_PLACE = re.compile(r"\{\{(\w+)\}\}")
# Of the app's style sheet, what styles the line of tokens, and that on a phone; the rest is about Streamlit's elements.
_OF_TOKENS = r"\.(?:line-token|reading|source-|alternative|token-line|two-lines).*$"
_TOKENS = re.compile(rf"^(?::is\()?{_OF_TOKENS}", re.MULTILINE)
_ON_A_PHONE = re.compile(rf"^  {_OF_TOKENS}", re.MULTILINE)


def host_script() -> str:
    """Return the module that exports the site's ``start``."""
    return bundle(_HERE / "browser" / "main.js")


def component_script(name: str) -> str:
    """Return the module of the component ``name``, which exports what mounts it."""
    return bundle(COMPONENTS[name] / "main.js")


def component_style(name: str) -> str:
    """Return the style sheet of the component ``name``."""
    (sheet,) = (path for path in COMPONENTS[name].glob("*.css") if path.stem == COMPONENTS[name].name)
    return style(sheet)


def site_style() -> str:
    """Return the style sheet of the pages, without their fonts."""
    app = (_VIZ / "shell" / "style.css").read_text(encoding="utf-8")
    own = (_HERE / "site.css").read_text(encoding="utf-8")
    narrow = ["@media (max-width: 640px) {", *_ON_A_PHONE.findall(app), "}"]
    # What the site's own sheet changes of the app's rules comes after them.
    return "\n".join([*_TOKENS.findall(app), *narrow, own, MENU_STYLE, matrix_rules()])


def fonts() -> dict[str, bytes]:
    """Return the variable fonts that the app's pages are set in, as WOFF2, by family."""
    return {family: next(_FONTS.glob(f"{name}.*.woff2")).read_bytes() for family, name in _FACES.items()}


def font_face(family: str, address: str) -> str:
    """Return the rule that has ``family`` come from ``address``."""
    return f'@font-face {{ font-family: "{family}"; font-weight: 200 900; src: url("{address}") format("woff2"); }}'


def word_files(translators: Sequence[TranslatorInfo]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of the words in each language."""
    for language, name in WORD_FILES.items():
        words = words_of(language, translators, PAGES)
        yield name, json.dumps(words, ensure_ascii=False, separators=(",", ":")).encode()


def assets_of(translators: Sequence[TranslatorInfo]) -> dict[str, bytes]:
    """Return what the browser loads by name for these translators, beside :func:`common_assets`.

    Raises:
        DamagedWeightsError, ValueError: a translator that cannot be loaded or has no graph.
    """
    return {**dict(word_files(translators)), **dict(model_files([info.name for info in translators]))}


def common_assets() -> dict[str, bytes]:
    """Return the browser's files, by name, that all translators share; it takes seconds to compute.

    Raises:
        MissingRuntimeError: onnxruntime-web or plotly.js is not installed.
    """
    return {
        **dict(recorded_files()),
        **content_files(PAGES),
        "plotly.js": plotly_script(),
        "ort.mjs": runtime_script(),
        "ort.wasm": runtime_binary(),
    }


def page_html(*, policy: str, head: str, body: str) -> str:
    """Return the page around the scripts, in English where it is read without them."""
    with in_language("en"):
        text, page = page_text("site/site"), page_text("shell/page")
        values = {
            "policy": policy,
            "title": page["name"],
            "description": page_text("pages/start/start")["question"],
            "head": head,
            "body": body,
            "no_script": text["no script"],
            "not_loaded": escape(text["page not loaded"]),
        }
    return _PLACE.sub(lambda place: values[place[1]], _TEMPLATE)
