"""What the site's pages make of a translation in JavaScript is what the app's make of it in Python."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.torch import save

from model.decoding.translator import Translation, Translator
from pretrained import load_translator
from tests.fixtures.payload import unpack
from tests.node import run_module
from viz.base.attention_maps import token_row
from viz.base.languages import ENGLISH
from viz.base.tokens import label_alone
from viz.base.words import sections_in
from viz.components.browser import as_json, pack
from viz.pages.start.components.architecture import inside_blocks, inside_header, passage_blocks, passage_header
from viz.pages.start.study.architecture import passage
from viz.pages.start.study.inside import inside

SENTENCES = {"translation-en-de": "The dog chases the cat.", "translation-ja-en": "犬が猫を追いかける。"}
SPECIAL = dict(sections_in(ENGLISH, "base/tokens"))
SCRIPT = """
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { unpack } from "./viz/components/browser/payload.js";
import { Labels } from "./viz/site/browser/labels.js";
import { pack } from "./viz/site/browser/pack.js";
import { insideOf, passageOf } from "./viz/site/browser/passage.js";
import { readWeights } from "./viz/site/engine/weights.js";
const [given, weights, out] = process.argv.slice(1);
const { header, blocks } = unpack(new Uint8Array(readFileSync(given)));
const seen = Object.fromEntries(header.blocks.map(({ name, shape }) => [name, { values: blocks[name], shape }]));
const model = {
  config: header.config,
  pieces: header.pieces,
  ids: new Map(header.pieces.map((piece, id) => [piece, id])),
  weights: readWeights(new Uint8Array(readFileSync(weights))),
};
const parts = { translation: header.translation, seen, model, labels: new Labels(header.special) };
const [whole, opened] = [passageOf(parts), insideOf(parts, header.layer)];
// Of what is opened next, that layer of attention alone is computed.
for (const [name, block] of Object.entries(insideOf(parts, "encoder.1").blocks))
  assert.equal(block === opened.blocks[name], !name.startsWith("attention "), name);
assert.equal(passageOf(parts), whole);
writeFileSync(out, pack({ ...whole.header, ...opened.header }, { ...whole.blocks, ...opened.blocks }));
"""
LAYER = "cross.2"


def as_translated(translation: Translation) -> dict[str, Any]:
    """Return what the engine in the browser returns of the same translation."""
    sides = {
        name: {"pieces": tokens.pieces, "words": [vars(word) for word in tokens.words]}
        for name, tokens in (("source", translation.source), ("read", translation.read), ("target", translation.target))
    }
    tokens = [
        {
            "probability": token.probability,
            "alternatives": [{"piece": other.piece, "probability": other.probability} for other in token.alternatives],
        }
        for token in translation.tokens
    ]
    return {**sides, "tokens": tokens, "hypotheses": [{"tokens": translation.hypotheses[0].tokens}]}


def close(left: Any, right: Any) -> bool:
    """Whether two values of JSON are alike, numbers to 1e-3."""
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(close(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(close, left, right))
    if isinstance(left, float):
        return abs(left - right) <= 1e-3 * max(1, abs(left))
    return bool(left == right)


@pytest.mark.parametrize("name", SENTENCES)
def test_the_picture_of_the_architecture_is_that_of_the_app(name: str, tmp_path: Path) -> None:
    translator: Translator = load_translator(name, "cpu")
    translation = translator.translate(SENTENCES[name])
    seen = translator.look_inside(
        translation, "*.input", "*.[qkvz]", "*.pattern", "*.residual_after", "encoder.output", "logits"
    )
    header = {
        "config": json.loads(as_json(vars(translator.model.config))),
        "pieces": translator.tokenizer.pieces(range(translator.tokenizer.vocabulary_size)),
        "special": SPECIAL,
        "translation": as_translated(translation),
        "layer": LAYER,
    }
    given, weights, out = (tmp_path / name for name in ("given", "weights", "out"))
    given.write_bytes(pack(header, {key: np.ascontiguousarray(values, np.float32) for key, values in seen.items()}))
    weights.write_bytes(save({key: tensor.contiguous() for key, tensor in translator.model.state_dict().items()}))
    run_module(SCRIPT, given, weights, out)
    found, blocks = unpack(out.read_bytes())
    whole, opened = passage(translator, translation), inside(translator, translation)
    expected = json.loads(as_json({**passage_header(whole), "inside": {**inside_header(opened), "layer": LAYER}}))
    for key, value in expected["inside"].items():
        if key != "raised":
            assert close(value, found["inside"][key]), key
    assert found["inside"]["raised"]["decoder"] == expected["inside"]["raised"]["decoder"]
    assert all(close(value, found[key]) for key, value in expected.items() if key != "inside")
    for key, values in {**passage_blocks(whole), **inside_blocks(whole, opened, LAYER)}.items():
        if values.dtype == np.uint8:
            assert np.abs(values.astype(int) - blocks[key].astype(int)).max() <= 1, key
        else:
            np.testing.assert_allclose(blocks[key], values, atol=1e-4, err_msg=key)


LABELS = """
import { readFileSync } from "node:fs";
import { Labels } from "./viz/site/browser/labels.js";
const { special, pieces, sequence } = JSON.parse(readFileSync(process.argv[1], "utf8"));
const labels = new Labels(special);
console.log(JSON.stringify({ alone: pieces.map((piece) => labels.alone(piece)), row: labels.row(sequence) }));
"""


@pytest.mark.parametrize("name", ["translation-en-de", "translation-fr-en", "translation-en-ja"])
def test_every_piece_has_the_label_that_it_has_in_the_app(name: str, tmp_path: Path) -> None:
    tokenizer = load_translator(name, "cpu").tokenizer
    pieces = tokenizer.pieces(range(tokenizer.vocabulary_size))
    words = tokenizer.words(range(400))
    given = tmp_path / "given.json"
    sequence = {"pieces": pieces[:400], "words": [vars(word) for word in words]}
    given.write_text(as_json({"special": SPECIAL, "pieces": pieces, "sequence": sequence}), encoding="utf-8")
    found = json.loads(run_module(LABELS, given))
    assert found["alone"] == [label_alone(piece) for piece in pieces]

    class Tokens:
        pieces = tokenizer.pieces(range(400))
        words = tokenizer.words(range(400))

    row = token_row(Tokens())  # type: ignore[arg-type]
    assert found["row"] == json.loads(as_json(vars(row)))
