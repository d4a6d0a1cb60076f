"""The site's translator does what Python's does: the same searches, probabilities, patterns and intermediates."""

from collections.abc import Mapping
from itertools import chain
from typing import Any

import numpy as np
from safetensors.torch import load

from benchmarks.site_translator import translate_by_node
from model.decoding.options import DecodingOptions
from model.decoding.translator import MAX_SOURCE_TOKENS, Translation, Translator
from model.hooks import intervene
from pretrained.quantization import dequantized, quantized
from pretrained.translators import FOLDER, WEIGHTS, load_translator
from tests.fixtures.each_translator import each_translator
from viz.site.weights import site_weights

SENTENCES = {
    "English": "A man in a red shirt is sitting on a bench and reading 🙂.",
    "German": "Der Hund, der im Garten schläft, gehört meiner Nachbarin.",
    "French": "L'homme que j'ai vu hier est parti sans dire un mot.",
    "Japanese": "彼女は毎朝コンピュータで新聞を読みます。",
}
ASKED: list[dict[str, Any]] = [
    {"beamSize": 1},
    {"beamSize": 4, "nBest": 3},
    {"beamSize": 2, "lengthPenalty": 1.5, "prefix": [300, 301]},
]


def in_python(translator: Translator, text: str, asked: Mapping[str, Any]) -> Translation:
    options = DecodingOptions(
        beam_size=asked["beamSize"],
        n_best=asked.get("nBest", 1),
        length_penalty=asked.get("lengthPenalty", translator.options.length_penalty),
    )
    return translator.translate(text, options, prefix=asked.get("prefix", ""))


def assert_alike(translation: Mapping[str, Any], expected: Translation) -> None:
    assert translation["text"] == expected.text
    for name in ("source", "read", "target"):
        sequence = getattr(expected, name)
        assert translation[name] == {"pieces": [*sequence.pieces], "words": [vars(word) for word in sequence.words]}
    assert [each["tokens"] for each in translation["hypotheses"]] == [[*each.tokens] for each in expected.hypotheses]
    scores = [each["score"] for each in translation["hypotheses"]]
    np.testing.assert_allclose(scores, [each.score for each in expected.hypotheses], atol=1e-4)
    for token, other in zip(translation["tokens"], expected.tokens, strict=True):
        assert (token["id"], token["piece"]) == (other.id, other.piece)
        probabilities = [each["probability"] for each in (token, *token["alternatives"])]
        np.testing.assert_allclose(
            probabilities, [each.probability for each in (other, *other.alternatives)], atol=1e-4
        )
        likely = [each.id for each in other.alternatives if each.probability > 1e-3]
        assert [each["id"] for each in token["alternatives"]][: len(likely)] == likely
    assert [*translation["patterns"]] == [*expected.patterns]
    for point, pattern in expected.patterns.items():
        np.testing.assert_allclose(translation["patterns"][point], pattern, atol=1e-5, rtol=0)


@each_translator()
def test_every_translator_writes_and_shows_what_it_does_in_python(name: str) -> None:
    translator = load_translator(name, "cpu")
    (language,) = ({"en": "English", "de": "German", "fr": "French", "ja": "Japanese"}[name.split("-")[1]],)
    weights = (FOLDER / name / WEIGHTS).read_bytes()
    texts = [SENTENCES[language], "Ja."]
    answers = translate_by_node(name, weights, texts, ASKED, looks_inside=True)
    for text, of_text in zip(texts, answers.by_text, strict=True):
        for asked, answer in zip(ASKED, of_text, strict=True):
            expected = in_python(translator, text, asked)
            assert_alike(answer["translation"], expected)
            seen = translator.look_inside(expected, *answer["seen"].keys() - {"logits"})
            assert seen.keys() == answer["seen"].keys() - {"logits"}
            for point, values in seen.items():
                np.testing.assert_allclose(answer["seen"][point], values, atol=1e-4, rtol=1e-4)


def test_texts_that_are_asked_for_at_once_get_the_translations_of_single_ones() -> None:
    name = "translation-en-de-multi30k"
    weights = (FOLDER / name / WEIGHTS).read_bytes()
    texts = ["The dog chases the cat.", "Hi.", SENTENCES["English"]]
    single, together = (
        chain(*translate_by_node(name, weights, texts, ASKED[:2], looks_inside=True, at_once=at_once).by_text)
        for at_once in (False, True)
    )
    for alone, other in zip(single, together, strict=True):
        assert alone["translation"]["hypotheses"] == other["translation"]["hypotheses"]
        for point, values in alone["seen"].items():
            np.testing.assert_array_equal(other["seen"][point], values)


def test_what_cannot_be_translated_is_refused_with_its_key_and_numbers() -> None:
    name = "translation-en-de-multi30k"
    texts, asked = ["", "dog " * 300, "Hi."], [{}, {"prefix": "Hund " * 300}, {"prefix": [3]}, {"prefix": [6000]}]
    answers = translate_by_node(name, (FOLDER / name / WEIGHTS).read_bytes(), texts, asked).by_text
    errors = [
        [(each["error"]["key"], each["error"]["given"]) for each in answer if "error" in each] for answer in answers
    ]
    assert errors[0] == [("no text", 0)] * 4
    assert {key for key, _ in errors[1]} == {"text too long"}
    assert [key for key, _ in errors[2]] == ["beginning too long", "beginning is no text", "beginning is no text"]
    assert errors[1][0][1] > MAX_SOURCE_TOKENS
    assert answers[0][0]["error"]["most"] == MAX_SOURCE_TOKENS


def test_a_head_that_is_switched_off_is_off_as_in_python() -> None:
    name = "translation-en-de"
    translator = load_translator(name, "cpu")
    config = translator.model.config
    heads = np.ones((2 * config.n_decoder_layers, config.n_heads), np.float32)
    heads[3, 2] = 0  # the second layer's cross-attention
    changes = {"decoder": {"heads": heads.ravel().tolist(), "blocks": [1] * 3 * config.n_decoder_layers}}
    text = SENTENCES["English"]
    weights = (FOLDER / name / WEIGHTS).read_bytes()
    ((answer,),) = translate_by_node(name, weights, [text], [{"beamSize": 4, "changes": changes}]).by_text

    def without_head(z: Any) -> Any:
        kept = z.clone()
        kept[:, 2] = 0
        return kept

    with intervene({"decoder.1.cross_attention.z": without_head}):
        assert_alike(answer["translation"], in_python(translator, text, {"beamSize": 4}))


def test_weights_in_eight_bits_are_read_as_python_reads_them() -> None:
    name = "translation-en-de-multi30k"
    translator = load_translator(name, "cpu")
    state = translator.model.state_dict()
    stored = load(site_weights(state))
    assert stored.keys() == quantized(state).keys()
    text = SENTENCES["English"]
    ((answer,),) = translate_by_node(name, site_weights(state), [text], [{"beamSize": 4}]).by_text
    translator.model.load_state_dict(dequantized(stored))
    assert_alike(answer["translation"], in_python(translator, text, {"beamSize": 4}))
