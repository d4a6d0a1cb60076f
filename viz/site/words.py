"""Words and fixed data of the site in one language, as one JSON object."""

from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from math import ceil
from typing import Any

from model.decoding.translator import MAX_SOURCE_TOKENS
from model.positional import registered
from pretrained import head_catalogue
from viz.base.colours import OKABE_ITO, PALETTES, Theme, diverging, sequential
from viz.base.glossary import terms
from viz.base.languages import ENGLISH, LANGUAGES, in_language
from viz.base.words import page_text, sections_in
from viz.components.attention_explorer.page_file import template
from viz.components.browser import header_of
from viz.pages.dot_product.study.by_hand import MAX_SIZE
from viz.pages.start.components.architecture import LINKS
from viz.pages.start.encodings import by_title, meaning_of
from viz.pages.translate.study.alignment import head_rates
from viz.shared.encodings import encoding_anchor
from viz.shared.head_roles import head_roles
from viz.shared.model_words import model_words
from viz.shared.sentence import MAX_CHARACTERS
from viz.shared.shipped import DEFAULT_TRANSLATOR, TranslatorInfo
from viz.shared.translators import label
from viz.shell import navigation
from viz.site.by_hand import by_hand, step_html
from viz.site.models import largest_difference
from viz.site.prose import html_of
from viz.site.recorded import RecordedPage, recorded, recorded_pages

TEXTS = {
    "site": "site/site",
    "page": "shell/page",
    "controls": "shell/controls",
    "allowed": "base/link_parameters",
    "start": "pages/start/start",
    "architecture": "pages/start/architecture",
    "translate": "pages/translate/translate",
    "opening": "pages/translate/opening",
    "views": "pages/translate/attention_views",
    "switch": "pages/interventions/switch_heads_off",
    "lens": "pages/interventions/logit_lens",
    "by hand": "pages/dot_product/dot_product",
    "cliff": "pages/length_generalization/cliff",
    "read": "pages/start/read_along",
    "labs": "pages/start/labs",
    "order": "pages/positional_encoding/word_order",
    "sum": "pages/positional_encoding/embedding_sum",
    "choose": "pages/choose_encoding/choose_encoding",
    "names": "pages/interventions/names",
    "translation": "shared/translation",
    "explorer": "components/attention_explorer",
    "menu": "components/menu",
    "lists": "base/lists",
}
"""The files of words that the browser reads, by what it calls them."""

_PARAGRAPH = "\n\n"
_TASK = "\n- "
# What the browser writes into a header by itself, or reads beside the numbers.
_BROWSERS = ("palette", "menu", "blocks")


def words_of(language: str, translators: Sequence[TranslatorInfo], pages: Sequence[str]) -> dict[str, Any]:
    """Return what the browser reads once, in ``language``, for these translators and pages."""
    with in_language(language):
        return {
            "language": language,
            "languages": dict(LANGUAGES),
            "text": {name: dict(page_text(file)) for name, file in TEXTS.items()},
            "sections": _sections(pages),
            "html": {**_prose(translators, pages), **step_html(pages)},
            "byHand": by_hand(),
            "recorded": {address: _recorded(address, page, pages) for address, page in recorded_pages().items()},
            "special": dict(sections_in(ENGLISH, "base/tokens")),
            "parts": LINKS,
            "palettes": {theme: _palette(theme) for theme in PALETTES},
            "translators": [_described(info) for info in translators],
            "defaultTranslator": translators[0].name if translators else DEFAULT_TRANSLATOR,
            "template": template(),
            "most": {"characters": MAX_CHARACTERS, "sourceTokens": MAX_SOURCE_TOKENS},
        }


def _sections(pages: Sequence[str]) -> list[dict[str, Any]]:
    """Return those sections of the app's navigation that have any of ``pages``, with them.

    One that has a single page is called as that.
    """
    titles = page_text(TEXTS["page"])
    there = {
        name: [entry for page in of_section for entry in _entries(page) if entry["name"] in pages]
        for name, of_section in navigation.sections().items()
    }
    return [
        {"title": of[0]["title"] if len(of) == 1 else titles[f"section {name}"], "pages": of}
        for name, of in there.items()
        if of
    ]


def _entries(page: navigation.Page) -> list[dict[str, str]]:
    """Return the address and the name of a page, and those of its further parts."""
    further = [{"name": part.url_path, "title": part.label} for part in page.parts[1:]]
    return [{"name": page.url_path, "title": page.title}, *further]


def _prose(translators: Sequence[TranslatorInfo], pages: Sequence[str]) -> dict[str, str]:
    text = page_text("pages/translate/translate")
    switch = page_text(TEXTS["switch"])
    prose = {
        "switch see": switch["see"],
        "switch try": _tasks(switch["what to try"], 0, 1),
        "switch formula": f"{switch['formula'].partition(_PARAGRAPH)[0]}\n\n{switch['paper']}",
    }
    cliff = page_text(TEXTS["cliff"])
    prose["cliff seen"] = f"{cliff['what is seen']}\n\n{cliff['paper']}"
    lens = page_text(TEXTS["lens"])
    prose |= {
        "lens see": lens["see"],
        "lens try": _tasks(lens["what to try"], 0, 2),
        "lens formula": f"{lens['formula']}\n\n{lens['paper']}",
    }
    hand = page_text(TEXTS["by hand"])
    prose |= {
        "by hand see": hand["see"],
        "by hand seen": hand["what is seen"],
        "by hand try": _tasks(hand["what to try"], 0, 2, 3),
        "by hand formula": f"{hand['formula']}\n\n{hand['paper']}\n\n{hand['limits'].format(largest=MAX_SIZE)}",
    }
    prose |= {f"entry {term.anchor}": term.meaning for term in terms()}
    prose |= {f"entry {encoding_anchor(name)}": meaning_of(name) for name in by_title()}
    for info in translators:
        languages = {"source": model_words(info.source_language), "target": model_words(info.target_language)}
        examples = text[f"what to try with {info.source_language} to {info.target_language} {info.kinds[0]}"]
        prose[f"seen {info.name}"] = f"{text['what is seen'].format(**languages)}\n\n{text['formula']}"
        prose[f"try {info.name}"] = f"{_tasks(text['what to try'], 1)}\n{examples}\n\n{text['paper']}"
    html = html_of(prose, pages)
    entries = {term.anchor: term.title for term in terms()} | {
        encoding_anchor(name): model_words(registered()[name].description.title) for name in by_title()
    }
    html["glossary"] = "".join(
        f'<h2 id="{anchor}">{escape(title)}</h2>{html.pop(f"entry {anchor}")}' for anchor, title in entries.items()
    )
    return html


def _tasks(what_to_try: str, *places: int) -> str:
    """Return the heading of ``what_to_try`` and its tasks at ``places``: the others need the app."""
    heading, *tasks = what_to_try.split(_TASK)
    return _TASK.join((heading, *(tasks[place] for place in places)))


def _recorded(address: str, page: RecordedPage, pages: Sequence[str]) -> dict[str, Any]:
    views = {view: recorded(address, view) for view in page.views}
    prose = {f"above {view}": one.above for view, one in views.items()}
    prose |= {f"below {view} {place}": text for view, one in views.items() for place, text in enumerate(one.below)}
    html = html_of(prose, pages)
    return {
        "question": page_text(page.text)["question"],
        "component": page.component,
        "parameter": page.parameter,
        "label": page.label,
        "views": {
            view: {
                "name": page.views[view],
                "steps": one.step,
                "header": {name: value for name, value in header_of(one.payload).items() if name not in _BROWSERS},
                "above": html[f"above {view}"],
                "below": [html[f"below {view} {place}"] for place in range(len(one.below))],
            }
            for view, one in views.items()
        },
    }


def _palette(theme: Theme) -> dict[str, Any]:
    return {
        "palette": asdict(PALETTES[theme]),
        "sequential": sequential(theme),
        "diverging": diverging(theme),
        "heads": (*OKABE_ITO, PALETTES[theme].ink),
        "series": OKABE_ITO,
    }


def _described(info: TranslatorInfo) -> dict[str, Any]:
    opening = page_text("pages/start/start")["opening sentence"]
    errors = head_catalogue.alignment_errors(info.name)
    rates = head_rates(errors, "weights")
    return {
        "name": info.name,
        "label": label(info),
        "source": model_words(info.source_language),
        "target": model_words(info.target_language),
        "sentence": opening if info.name == DEFAULT_TRANSLATOR else info.examples[-2],
        "examples": info.examples,
        "roles": dict(head_roles(head_catalogue.head_roles(info.name), errors)),
        "eightBits": page_text("site/site")["eight bits"].format(most=_at_most(largest_difference(info.name))),
        "alignment": None if rates is None else rates.tolist(),
    }


def _at_most(value: float) -> float:
    """Round up to the three decimals that are shown."""
    return ceil(1_000 * value) / 1_000
