"""Content of the site's page on the dot product by hand: examples, options, and words with fields."""

from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from viz.base.words import page_text
from viz.pages.dot_product.state import EXAMPLES, FIRST, OPENING
from viz.pages.dot_product.study.by_hand import (
    HEAD_COUNTS,
    MASKS,
    MAX_CELL,
    MAX_SIZE,
    PRECISIONS,
    largest_number,
    smallest_number,
)
from viz.site.prose import html_with_fields

_HAVE_FIELDS = ("step ", "overflow ", "identity note", "worked note")


def by_hand() -> dict[str, Any]:
    """Return the examples by name, the names of the opening and the first one, and the options."""
    (first,) = (name for name, example in EXAMPLES.items() if example == FIRST)
    return {
        "examples": {name: asdict(example) for name, example in EXAMPLES.items()},
        "opening": OPENING,
        "first": first,
        "heads": HEAD_COUNTS,
        "masks": MASKS,
        "precisions": {
            precision: {"largest": largest_number(precision), "smallest": smallest_number(precision)}
            for precision in PRECISIONS
        },
        "limits": {"size": MAX_SIZE, "cell": MAX_CELL},
    }


def step_html(pages: Collection[str]) -> dict[str, str]:
    """Return, by ``by hand`` and its heading, each text beside a step, with fields that the browser fills."""
    text = page_text("pages/dot_product/dot_product")
    html = html_with_fields({key: text[key] for key in text if key.startswith(_HAVE_FIELDS)}, pages)
    return {f"by hand {key}": one for key, one in html.items()}
