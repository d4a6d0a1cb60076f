"""Links that carry what is not there: whatever a parameter says, the page lives, and nothing of it is markup."""

import re
from collections.abc import Iterator, Sequence
from itertools import cycle

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.app.running import open_in_app, open_page
from viz.base.link_parameters import parameters_of
from viz.pages.dot_product.state import Matrices, matrices_from_link
from viz.pages.dot_product.study.by_hand import parse_matrix

# The whole numbers that Streamlit reads from the link by itself, and texts that come back in a sentence.
PARAMETERS = {
    "start": ("sentence",),
    "read_along": ("stop", "sentence"),
    "translate": (*("seed", "top-k", "temperature", "number", "text", "begin", "translator", "kind", "pins", "other"),),
    # In this order the text is short where another translation is read, which leaves out each of its tokens in turn.
    "beam_search": ("seed", "top-k", "temperature", "number", "instead", "begin", "translator", "text"),
    "switch_heads_off": ("text", "translator", "number", "off", "by", "sentence", "by-model"),
    "edit_pattern": (
        *(
            "text",
            "translator",
            "number",
            "edit-head",
            "look",
            "to",
            "row",
            "head-temperature",
            "head-scale",
            "sentence",
        ),
    ),
    "swap_positions": (
        *("text", "translator", "number", "side", "change", "swap-base", "swap-shift", "swap-strength", "sentence"),
    ),
    "logit_lens": ("text", "translator", "number", "after", "sentence", "by-model"),
    "direct_attribution": ("text", "translator", "number", "step", "foil", "sentence", "by-model"),
    "does_attention_explain": ("text", "translator", "number", "step", "sentence", "by-model"),
    "patch_activations": (
        *("text", "translator", "number", "corrupted", "step", "foil", "patch", "cell", "sentence", "by-model"),
    ),
    "dot_product": ("X", "W_Q", "n_padding", "sentence", "layer", "head"),
    "scale": ("X", "samples", "keys", "seed", "hidden", "additive-seed"),
    "why_self_attention": ("n", "d", "k", "r"),
    "sinusoid": ("d_model", "base", "length", "position", "offset"),
    "word_order": ("sum_text", "order_text", "order_first", "order_seed", "order_own"),
    "claims": ("claims_d_model", "claims_base", "claims_length", "claims_position"),
    "compare_encodings": (
        *("show", "task", "common", "count", "v1", "v4.n_buckets", "v4.max_distance", "v5", "head", "length"),
        *("trained",),
    ),
    "cliff": ("task", "encodings", "length"),
    "race": ("task", "input", "pin", "beside"),
    "edit_model": ("task", "reach", "reach-shift", "reach-tau", "reach-swap", "reach-base", "reach-scaling"),
    "probes": ("task", "probe", "probe-at", "probe-by"),
    "checkpoints": ("task", "wear"),
    "choose_encoding": ("need",),
    "segments": ("text", "segment"),
    "microscope": ("text", "xl-place", "xl-changed", "xl-becomes", "xl-head", "xl-memory"),
    "terms": ("text", "terms-segment", "terms-layer", "terms-head", "terms-mean", "gain-a", "gain-scope"),
    "shift": ("text", "shift-segment", "shift-layer", "shift-queries", "shift-remembered"),
    "generation": ("text", "xl-seed", "xl-prompt", "xl-temperature", "xl-top-p", "xl-write-memory"),
    "results": ("close-up",),
    "context": ("hardest", "step"),
    "train": ("question", "step"),
    "as_it_learned": ("step", "caption"),
    "longer_sentences": ("captions", "measure", "sentence"),
    "ablated_models": ("left", "right", "map-layer", "caption"),
    "parsing": ("parse", "free", "parse-layer", "parse-step"),
    "train_yourself": (
        *("train-task", "models", "train-steps", "train-seed", "m1-encoding", "m2-warm-up", "m2-smoothing", "rate"),
    ),
    "learning_rate": ("rate-d-model", "rate-warmup", "rate-steps"),
    "heads": ("of", "encoding", "measure", "head"),
    "heads_needed": ("of", "of-measure", "by"),
    "word_alignment": ("of", "weighing", "part", "pair", "at", "align-head"),
    "your_model": (
        *("open", "model", "own-text", "own-second", "own-target", "own-off", "own-beside", "kind", "heads", "pins"),
    ),
    "their_positions": ("of-model", "their-place", "their-head", "ours", "positions"),
    "models": ("model",),
    "hooks": ("hook",),
}
# What must be there for a parameter to be read at all.
BESIDE = {
    "translate": {"search": "Sample"},
    "beam_search": {"search": "Sample"},
    "dot_product": {"mask": "padding"},
    "compare_encodings": {"count": "5"},
}
NO_NUMBERS = ("1e400", "-inf", "NaN", "9" * 400, "9" * 5000, f"{'0' * 5000}1", "1_0", "٣")
MARKUP = "![](https://e.example/i.png) [a](https://e.example) www.e.example https://e.example"


def links_without_numbers(names: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield links that give every parameter one of the values each, until all of the values were given."""
    values = cycle(NO_NUMBERS)
    for _ in range(0, len(NO_NUMBERS), len(names)):
        yield dict(zip(names, values, strict=False))


# Each parameter is given each of the values without the page: those that are matrices below, the others in
# test_link_properties.
@pytest.mark.parametrize(
    ("page", "link"), [(page, link) for page, names in PARAMETERS.items() for link in links_without_numbers(names)]
)
def test_no_value_of_a_parameter_ends_a_page(page: str, link: dict[str, str]) -> None:
    opened(page, link | BESIDE.get(page, {}))


@pytest.mark.parametrize("value", NO_NUMBERS, ids=lambda value: ascii(value[:6]))
@pytest.mark.parametrize("name", parameters_of(Matrices))
def test_a_matrix_of_a_link_is_finite_or_refused(name: str, value: str) -> None:
    matrices, error = matrices_from_link({name: value})
    assert error or np.isfinite(parse_matrix(name, getattr(matrices, name))).all()


@pytest.mark.parametrize(
    ("page", "link"),
    [
        *((page, dict.fromkeys(names, MARKUP) | BESIDE.get(page, {})) for page, names in PARAMETERS.items()),
        ("dot_product", {"kind": MARKUP}),
        ("dot_product", {"kind": "cross", "layer": MARKUP, "sentence": "A dog."}),
        ("dot_product", {"kind": "cross", "head": "9", "sentence": MARKUP}),
        ("dot_product", {"X": "![](//t.co)"}),
    ],
)
def test_nothing_of_a_link_is_rendered_as_markdown(page: str, link: dict[str, str]) -> None:
    app = opened(page, link)
    said = "\n".join(element.value for element in (*app.warning, *app.markdown, *app.caption, *app.error, *app.info))
    assert not re.search(r"(?<![\\`])\]\((?:https?:)?//(?:e\.example|t\.co)", without_code(said))
    assert not re.search(r"(?:://|www\.)e\.example", without_code(said).replace("\\", ""))


def opened(page: str, link: dict[str, str]) -> AppTest:
    # They lead to other pages, which are there only within the app.
    leads_on = page in {"heads", "translate", "beam_search", "direct_attribution", "start", "read_along", "train"}
    return open_in_app(page, **link) if leads_on else open_page(page, **link)


def without_code(markdown: str) -> str:
    return re.sub(r"`[^`\n]*`", "", markdown)
