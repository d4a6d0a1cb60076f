"""The sum of embedding and encoding is the same on the site as in the app, and drawn alike."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.node import run_module
from viz.pages.positional_encoding.embedding_sum import lengths_figure, parts_figure
from viz.pages.positional_encoding.study.word_order import read_sentence, sum_as_trained, sum_unscaled
from viz.shared.shipped import DEFAULT_TRANSLATOR, translator
from viz.site.weights import site_weights

SCRIPT = """
import { readFileSync } from "node:fs";
import { rowsOf, norm } from "./viz/site/browser/arrays.js";
import { alignedFigure, barsFigure, sumOf } from "./viz/site/browser/embedding_sum.js";
import { readWeights } from "./viz/site/engine/weights.js";
const { ids, labels, isScaled, d_model, weights, parts, lengths } = JSON.parse(readFileSync(process.argv[1]));
const model = { config: { d_model }, weights: readWeights(new Uint8Array(readFileSync(weights))) };
const sum = sumOf(ids, model, isScaled);
const shown = [sum.embedding, sum.encoding, sum.total];
console.log(JSON.stringify({
  ratio: sum.ratio,
  cosine: sum.cosine,
  parts: alignedFigure(parts, shown, labels),
  lengths: barsFigure(lengths, shown.map((part) => rowsOf(part).map(norm)), labels),
}));
"""
# Of the weights, which the site has in eight bits.
WITHIN = 0.02


@pytest.mark.parametrize("is_scaled", [True, False])
def test_the_site_adds_up_and_draws_as_the_app_does(tmp_path: Path, is_scaled: bool) -> None:
    loaded = translator(DEFAULT_TRANSLATOR)
    compute = sum_as_trained if is_scaled else sum_unscaled
    example, sentence = (read_sentence(loaded, text) for text in ("I love it", "Dogs <b> & cats chase birds"))
    expected = compute(loaded, sentence)
    weights = tmp_path / "weights"
    weights.write_bytes(site_weights(loaded.model.state_dict()))
    template = compute(loaded, example)
    given = tmp_path / "given.json"
    given.write_text(
        json.dumps(
            {
                "ids": sentence.ids,
                "labels": sentence.labels,
                "isScaled": is_scaled,
                "d_model": loaded.model.config.d_model,
                "weights": str(weights),
                "parts": json.loads(parts_figure(example, template).to_json()),
                "lengths": json.loads(lengths_figure(example, template).to_json()),
            }
        )
    )
    drawn = json.loads(run_module(SCRIPT, str(given)))
    assert drawn["ratio"] == pytest.approx(expected.ratio, rel=WITHIN)
    assert drawn["cosine"] == pytest.approx(expected.mean_cosine, abs=WITHIN)
    for trace, part in zip(drawn["parts"]["data"], vars(expected).values(), strict=True):
        np.testing.assert_allclose(trace["z"], part, atol=WITHIN * np.abs(part).max())
    for bar, part in zip(drawn["lengths"]["data"], vars(expected).values(), strict=True):
        np.testing.assert_allclose(bar["y"], np.linalg.norm(part, axis=1), rtol=WITHIN)
    whole = parts_figure(sentence, expected)
    layout, wanted = drawn["parts"]["layout"], json.loads(whole.to_json())["layout"]
    for name in ("height", "shapes", "annotations", "xaxis"):
        assert layout[name] == wanted[name]
    assert layout["yaxis"]["tickvals"] == [*whole.layout.yaxis.tickvals]
    assert layout["yaxis"]["ticktext"] == wanted["yaxis"]["ticktext"]
    assert [trace["y0"] for trace in drawn["parts"]["data"]] == [trace.y0 for trace in whole.data]
