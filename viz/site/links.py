"""Links of the app that open the same view on the site."""

from collections.abc import Collection, Mapping
from html import unescape
from urllib.parse import parse_qsl, urlsplit

from viz.base.link_parameters import parameters_of
from viz.components.attention_explorer.view import PARAMETERS
from viz.pages.dot_product.state import FIRST, Matrices
from viz.pages.positional_encoding.components.playground.state import SLIDERS
from viz.pages.training.train import QUESTION_VIEWS

_SENTENCE = ("text", "translator")

READ: Mapping[str, Collection[str]] = {
    "": ("sentence", "translator", "open"),
    "translate": (*_SENTENCE, *PARAMETERS, "other", "search=beam", "search=greedy", "view=explorer"),
    "switch-heads-off": (*_SENTENCE, "off", "by=zero"),
    "logit-lens": _SENTENCE,
    "why-this-word": ("phenomenon",),
    "dot-product": (*(matrix.key for matrix in parameters_of(Matrices).values()), *vars(FIRST.options), "shown-head"),
    "word-order": ("order_text", "translator", "sum_scale"),
    "sinusoid": tuple(SLIDERS),
    "cliff": ("task", "encodings", "length"),
    "choose-encoding": ("need",),
    "train": ("question", *(view.step for view in QUESTION_VIEWS.values())),
    "read-along": ("stop", "done"),
    "labs": ("lab", "lab-step", "labs-done"),
    "glossary": ("part",),
}
"""By the address of a page, what it reads of a link: a parameter, or a parameter's single value that it can show."""


def opens_same_view(address: str, pages: Collection[str]) -> bool:
    """Return whether the site with ``pages`` shows all that ``address`` in the app asks for."""
    link = urlsplit(unescape(address))
    read = READ.get(link.path, ())
    pairs = parse_qsl(link.query, keep_blank_values=True)
    return link.path in pages and all(key in read or f"{key}={value}" in read for key, value in pairs)
