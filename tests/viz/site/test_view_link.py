"""A link of the explorer says the same in the app and on the site."""

import json
from dataclasses import asdict

import pytest

from tests.node import run_module
from viz.base.link_parameters import link_of
from viz.components.attention_explorer.view import ExplorerView

SCRIPT = """
import { linkOf, readView } from "./viz/site/browser/view_link.js";
const { view, link } = JSON.parse(process.argv[1]);
const site = {
  link: new URLSearchParams(link),
  linked(key, isAllowed) {
    const text = this.link.get(key);
    return text !== null && isAllowed(text) ? text : null;
  },
};
const read = readView(site, { n_encoder_layers: 3, n_decoder_layers: 3, n_heads: 8 });
console.log(JSON.stringify({ link: linkOf(view), view: read }));
"""
VIEWS = [
    ExplorerView(),
    ExplorerView(kind="cross", heads=((1, 0), (2, 7)), combine="max", grain="words"),
    ExplorerView(kind="all", pins=((2, None), (3, 1)), threshold=0.125, hide_special=True, normalise=True),
    ExplorerView(kind="decoder", sort="entropy", compare="heads", step=4),
]


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_written_and_read_as_in_the_app(view: ExplorerView) -> None:
    # The kind is always there: without any parameter, the page opens on another view.
    expected = {**link_of(view), "kind": view.kind}
    link = {name: text for name, text in expected.items() if text is not None}
    given = json.dumps({"view": asdict(view), "link": link})
    found = json.loads(run_module(SCRIPT, given))
    assert {name: text for name, text in found["link"].items() if text is not None} == link
    assert found["view"] == json.loads(json.dumps(asdict(view)))
