"""The arithmetic of the positional-encoding playground, in a real Chromium, beside Python's."""

from pathlib import Path

import numpy as np
import pytest
import torch
from playwright.sync_api import Page

from model.positional.sinusoidal import sinusoidal_encoding
from viz.components.browser import bundle
from viz.pages.positional_encoding.components import playground

ENCODING = Path(playground.__file__).with_name("encoding.js")
IN_BROWSER = """async ([source, d_model, base, positions, offset]) => {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { dot, encodingRow, frequencies, residual, similarities } = await import(url);
  const omega = frequencies(d_model, base);
  const rows = positions.map((position) => encodingRow(position, omega));
  const residuals = positions.map((position, index) =>
    residual(rows[index], encodingRow(position + offset, omega), offset, omega));
  return { rows: rows.map((row) => [...row]), similarity: similarities(4096, omega)[offset], residuals };
}"""


@pytest.mark.parametrize(("d_model", "base"), [(4, 2.0), (6, 1e6), (512, 10000.0), (1024, 10000.0)])
def test_the_browser_computes_what_python_does(page: Page, d_model: int, base: float) -> None:
    positions, offset = [0, 1, 17, 1000, 4095], 3071
    page.goto("about:blank")
    found = page.evaluate(IN_BROWSER, [bundle(ENCODING), d_model, base, positions, offset])
    exact = sinusoidal_encoding(torch.tensor(positions), d_model, base)
    assert np.abs(np.array(found["rows"]) - exact.numpy()).max() < 1e-5
    ends = sinusoidal_encoding(torch.tensor([500, 500 + offset]), d_model, base).double()
    assert abs(found["similarity"] - float(ends[0] @ ends[1])) < 1e-5 * d_model
    assert max(found["residuals"]) < 1e-9
