"""The engine reads and writes texts as Python does: the same tokens, words, plain forms."""

import random
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pytest

from benchmarks.odd_inputs import odd_text
from model.decoding.translator import Translator
from model.text.normalization import join_elisions
from model.text.scripts import is_katakana, is_unspaced
from pretrained.translators import load_translator
from tests.viz.site.engine.node import by_node

SENTENCES = Path(__file__).parents[4] / "pretrained" / "head_catalogue"
NAMES = [
    "translation-en-de",
    "translation-de-en",
    "translation-fr-en",
    "translation-ja-en",
    "translation-en-fr-multi30k",
]
HARD = [
    "",
    " \t\n",
    "▁▁",
    "<s> </s> <unk> <0x41>",
    "I SAW A DOG. IT COST 5.20 AND I RAN!",
    "I",
    "Dog",
    "The dog",
    "GROSSE STRASSE",
    "ΟΔΟΣ ΤΗΣ ΝΥΧΤΑΣ",
    "l' animal qu' il aime, aujourd' hui, jusqu' ici, L' ÉTÉ",
    "“Quoted” «words» – and… more",
    "\uff46\uff55\uff4c\uff4c\u3000\uff11\uff12\uff13、ｶﾀｶﾅﾊﾟﾝ",
    "e\u0301te\u0301 ﬁne soft\u00adhyphen \ufeff",
    "a\u2028b\u2029c\u0085d\u001ce\u00a0f",
    "🙂👩‍👩‍👧‍👦🇯🇵1️⃣",
    "コンピュータープログラミングは楽しい。",
    "\ud800 alone",
    "\0",
]


@pytest.fixture(scope="module")
def texts() -> Sequence[str]:
    shipped_sentences = [
        text
        for name in ("de-en", "fr-en", "ja-en", "en-de")
        for text in pd.read_parquet(SENTENCES / f"translation-{name}-sentences.parquet")["text"].unique()[:40]
    ]
    return [*shipped_sentences, *(text.upper() for text in shipped_sentences[::5]), *HARD, *map(odd_text, range(80))]


READS = """
import { joinElisions, lowerCapitals, simplify } from "engine/normalization.js";
import { Tokenizer } from "engine/tokenizer.js";
const answer = ({ texts, pieces, written, hasCapitalNouns }) => {
  const tokenizer = new Tokenizer(pieces);
  const count = (text) => tokenizer.encode(text).length;
  return {
    read: texts.map((text) => {
      const ids = tokenizer.encode(text);
      return [ids, tokenizer.idsOf(tokenizer.pieces(ids)), tokenizer.words(ids)];
    }),
    written: written.map((ids) => [tokenizer.decode(ids), tokenizer.words(ids)]),
    plain: texts.map((text) => lowerCapitals(simplify(text, tokenizer.knows), count, hasCapitalNouns)),
    joined: texts.map(joinElisions),
  };
};
"""


def written_by_chance(translator: Translator) -> list[list[int]]:
    rng, size = random.Random(0), translator.tokenizer.vocabulary_size
    from_all = [[rng.randrange(size) for _ in range(12)] for _ in range(60)]
    return from_all + [[rng.randrange(264) for _ in range(12)] for _ in range(60)]


@pytest.mark.parametrize("name", NAMES)
def test_texts_are_read_and_written_as_in_python(name: str, texts: Sequence[str]) -> None:
    translator = load_translator(name, "cpu")
    tokenizer, written = translator.tokenizer, written_by_chance(translator)
    pieces = tokenizer.pieces(range(tokenizer.vocabulary_size))
    answer = by_node(
        READS, {"texts": texts, "pieces": pieces, "written": written, "hasCapitalNouns": translator.has_capital_nouns}
    )
    for text, (ids, again, words), plain, joined in zip(
        texts, answer["read"], answer["plain"], answer["joined"], strict=True
    ):
        expected = tokenizer.encode(text)
        assert ids == again == expected, text
        assert words == [vars(word) for word in tokenizer.words(expected)], text
        assert plain == translator.simplify(text), text
        assert joined == join_elisions(text), text
    for ids, (text, words) in zip(written, answer["written"], strict=True):
        assert text == tokenizer.decode(ids)
        assert words == [vars(word) for word in tokenizer.words(ids)]


KINDS = """
import { isKatakana, isSpace, isUnspaced } from "engine/characters.js";
const answer = (codes) =>
  codes.map((code) => [isSpace, isUnspaced, isKatakana].map((is) => is(String.fromCodePoint(code))));
"""


def test_characters_are_of_the_kinds_that_python_says() -> None:
    codes = [code for code in range(0x10000) if not 0xD800 <= code < 0xE000]
    kinds = by_node(KINDS, codes)
    for code, (is_space, unspaced, katakana) in zip(codes, kinds, strict=True):
        character = chr(code)
        assert [is_space, unspaced, katakana] == [
            character.isspace(),
            is_unspaced(character),
            is_katakana(character),
        ], hex(code)
