"""Your model opens a real model of others: what is shown is what Transformers gives."""

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer, BertModel

from tests.app.running import markdown
from tests.app.your_model.reading import read_text
from tests.fixtures.payload import unpack
from tests.fixtures.real_bert import NAME
from viz.base.attention_maps import RowAddress, exact_rows
from viz.base.markdown import plain
from viz.components.attention_explorer.payload import pack

TEXT = "The animal didn't cross the street because it was too tired."
PINNED = RowAddress("encoder", 3, 1, 9)


def test_a_real_bert_is_shown_as_it_attends(real_bert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = read_text(TEXT, real_bert, monkeypatch)
    assert f"**{plain(NAME)}**" in markdown(app)
    kinds = app.session_state["viz.pages.your_model.state.Recordings"].whole.kinds
    tokenizer = AutoTokenizer.from_pretrained(real_bert / NAME)
    model = BertModel.from_pretrained(real_bert / NAME, attn_implementation="eager").eval()
    with torch.inference_mode():
        output = model(**tokenizer(TEXT, return_tensors="pt"), output_attentions=True)
    wanted = torch.cat(output.attentions).numpy()
    assert wanted.shape[:2] == (6, 12)
    (pinned,) = exact_rows(kinds, [PINNED])
    _, blocks = unpack(pack(kinds, exact=[pinned], theme="light", header={}))
    shown = blocks["weights 0 encoder"] * (blocks["scales 0 encoder"][..., None, None] / np.float32(255))
    np.testing.assert_allclose(shown, wanted, atol=1 / 255, rtol=0)
    at = (PINNED.layer, PINNED.head, PINNED.query)
    np.testing.assert_allclose(blocks["exact 0"], wanted[at], atol=1e-6)
