"""The sentences about encodings that cannot be built or read as asked."""

import re
from collections.abc import Callable

import pytest
import torch

from model.positional import EncodingError, PositionalConfig, PositionalEncoding, QueryKey, StackSpec, build, registered
from model.zoo.plan import ENCODINGS
from viz.base.words import page_text, text_names
from viz.pages.compare_encodings.variants import Variant
from viz.pages.length_generalization import names
from viz.shared.encodings import (
    TEXT,
    encoding_look,
    encoding_refusal,
    encoding_title,
    most_used,
    with_meanings,
)

STACK = StackSpec(d_model=16, n_heads=2, d_key=8, d_value=8, n_layers=1, causal=True)
QUERIES = torch.zeros(1, 2, 64, 8)


def made(name: str, **parameters: float) -> PositionalEncoding:
    return build(PositionalConfig(name, parameters), STACK)


MISTAKES: list[tuple[Callable[[], object], str]] = [
    (lambda: made("sandwich", d_bar=7), "the dimension is 7; sines and cosines come in pairs, so it must be even"),
    (
        lambda: made("t5", n_buckets=64, max_distance=32),
        "max_distance is 32, but of 64 buckets 32 are for single distances; it must be above 32",
    ),
    (lambda: made("rotary_yarn", slow=40), "slow is 40 and fast is 32; a slow pair makes fewer turns, so slow must be"),
    (
        lambda: made("randomized", longest=300, max_position=256),
        "longest is 300 and max_position is 256; 300 tokens need as many positions",
    ),
    (
        lambda: made("randomized", longest=64).eval().map_positions(torch.arange(65)),
        "position 64 has no random position; there are 64 of them, for tokens from 0 to 63: raise longest for longer",
    ),
    (
        lambda: made("randomized", longest=64).test_positions(600),
        "600 tokens need a longer test sample than 64; raise longest",
    ),
    (
        lambda: made("learned", max_length=8).additive_encoding(torch.arange(9)),
        "position 8 is past the learned table of 8 rows; use at most 8 tokens or an encoding without a table",
    ),
    (
        lambda: made("xpos", scale_base=1, gamma=0.01).transform_query_key(
            QueryKey(QUERIES, QUERIES, torch.arange(64), torch.arange(64))
        ),
        "64 positions with scale_base 1 and gamma 0.01 give numbers that are too large; raise one of the two",
    ),
]


@pytest.mark.parametrize(("mistake", "sentence"), MISTAKES)
def test_every_mistake_has_its_sentence(mistake: Callable[[], object], sentence: str) -> None:
    with pytest.raises(EncodingError) as caught:
        mistake()
    assert encoding_refusal(caught.value).startswith(sentence)


def test_there_is_no_sentence_without_a_mistake() -> None:
    def key(mistake: Callable[[], object]) -> str:
        with pytest.raises(EncodingError) as caught:
            mistake()
        return caught.value.key

    assert {key(mistake) for mistake, _ in MISTAKES} == set(TEXT)


def test_a_mistake_without_words_is_shown_by_its_key_and_numbers() -> None:
    """A new encoding is one file: it may have mistakes of its own."""
    assert re.search("^too steep: slope = 3$", encoding_refusal(EncodingError("too steep", slope=3)))


def test_a_name_is_the_title_and_what_is_not_as_by_default() -> None:
    assert encoding_title(PositionalConfig("none")) == "NoPE"
    assert encoding_title(PositionalConfig("rotary", {"share": 0.25})) == "Rotary, 25 % of dimensions"
    assert encoding_title(PositionalConfig("rotary", {"base": 500.0})) == "Rotary, base 500"
    assert encoding_title(PositionalConfig("rotary", {"base": 1e6})) == "Rotary, base 1,000,000"
    assert encoding_title(PositionalConfig("t5", {"max_distance": 9})) == "T5 bias, distances to 9"
    randomized = PositionalConfig("randomized", {"longest": 64}, PositionalConfig("fire"))
    assert encoding_title(randomized) == "FIRE, randomized positions"
    assert encoding_title(randomized, with_room=True) == "FIRE, randomized positions, longest 64"


def test_the_length_pages_and_the_columns_of_compare_call_and_colour_an_encoding_alike() -> None:
    for name, config in ENCODINGS.items():
        variant = Variant(1, config)
        assert encoding_title(variant.config) == names.encoding_title(name)
        assert variant.look == names.encoding_look(name) == encoding_look(config)


@pytest.mark.parametrize("name", registered())
def test_every_encoding_has_a_name_and_a_look_whatever_its_parameters(name: str) -> None:
    parameters = {one.name: one.high for one in registered()[name].description.parameters}
    assert encoding_title(PositionalConfig(name, parameters), with_room=True).count(",") >= len(parameters) - 1
    assert encoding_look(PositionalConfig(name, parameters)).colour


def test_no_page_has_words_of_its_own_for_an_encoding() -> None:
    """A title belongs into the encoding's one file, and what its parameters add into the words of the shell."""
    titles = {encoding_title(config) for config in ENCODINGS.values()}
    for name in text_names():
        assert not titles & set(page_text(name).values()) - {"Transformer-XL"}, name


@pytest.mark.parametrize("name", registered())
def test_every_encoding_is_explained_in_plain_text(name: str) -> None:
    explanation = registered()[name].description.explanation
    assert 5 < len(explanation.split()) <= 60
    assert not {*explanation} & {*'{}"$*[]`'}


def test_the_first_mention_of_an_encoding_leads_to_its_meaning() -> None:
    text = "**NoPE**, RNoPE and RoPE, [ALiBi](page), NoPEは, NoPEs; Learned"
    linked = re.sub(r' "[^"]*"', "", with_meanings(text))
    nope, rnope, rope = (
        f"(glossary?part=encodings#{anchor})" for anchor in ("encoding-none", "encoding-rnope", "encoding-rotary")
    )
    assert linked == f"**[NoPE]{nope}**, [RNoPE]{rnope} and [RoPE]{rope}, [ALiBi](page), NoPEは, NoPEs; Learned"


def test_the_most_used_of_each_kind_are_as_they_are_by_default() -> None:
    used = most_used(tuple(ENCODINGS))
    kinds = [registered()[name].description.properties.kind for name in used]
    assert sorted(kinds) == sorted({*kinds})
    for name in ENCODINGS:
        if name in registered():
            rival = used[kinds.index(registered()[name].description.properties.kind)]
            assert len(registered()[name].description.used_in) <= len(registered()[rival].description.used_in)
