"""The explorer of a notebook: what it shows is what the model computed, and what is wrong is one sentence."""

import base64
import gzip
import html
import inspect
import io
import re
from pathlib import Path
from typing import Any

import bertviz
import numpy as np
import pytest
import torch

from tests.fixtures.architectures import ARCHITECTURES
from tests.fixtures.foreign_models import FAMILIES, TEXT, random_model, small_tokenizer
from tests.fixtures.payload import unpack
from viz.base.attention_files import kinds_of_file
from viz.components.attention_explorer.page_file import MOST_EXACT
from viz.notebook import AttentionView, explore, explore_model

HOSTILE = "</script><script>alert(1)</script>"


def shown(view: AttentionView) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Read what the page of ``view`` draws: its header, and by kind what its bytes stand for."""
    (payload,) = re.findall(r"data-payload>([^<]*)</script>", view.to_html())
    header, blocks = unpack(gzip.decompress(base64.b64decode(payload)))
    names = [kind["name"] for kind in header["recordings"][0]]
    weights = {
        name: blocks[f"weights 0 {name}"] * (blocks[f"scales 0 {name}"][..., None, None] / np.float32(255))
        for name in names
    }
    return header | {"in full": {name: blocks.get(f"numbers 0 {name}") for name in names}}, weights


def stacked(layers: Any) -> np.ndarray:
    return torch.cat(tuple(layers)).detach().numpy()


def attention(n_layers: int = 2, n_heads: int = 3, n: int = 4, *, batch: int = 1) -> tuple[torch.Tensor, ...]:
    return tuple(torch.rand(batch, n_heads, n, n).softmax(dim=-1) for _ in range(n_layers))


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_shown_of_a_model_is_what_it_gives(family: str) -> None:
    model = random_model(family)
    is_both = model.config.is_encoder_decoder
    view = explore_model(model, small_tokenizer(), TEXT, "the cat was tired ." if is_both else None)
    assert model.training
    inputs = small_tokenizer()(TEXT, return_tensors="pt")
    if is_both:
        labels = small_tokenizer()("the cat was tired .", return_tensors="pt")["input_ids"]
        read = torch.cat([torch.full((1, 1), model.config.decoder_start_token_id), labels[:, :-1]], dim=1)
        output = model.eval()(**inputs, decoder_input_ids=read, output_attentions=True)
        wanted = {name: stacked(output[f"{name}_attentions"]) for name in ("encoder", "decoder", "cross")}
    else:
        output = model.eval()(**inputs, output_attentions=True)
        name = "decoder" if not np.triu(stacked(output.attentions), 1).any() else "encoder"
        wanted = {name: stacked(output.attentions)}
    header, found = shown(view)
    assert {*found} == {*wanted}
    for name, maps in wanted.items():
        np.testing.assert_allclose(found[name], maps, atol=1 / 255, rtol=0)
        np.testing.assert_allclose(header["in full"][name], maps, atol=1e-6)
    labels = header["rows"][header["recordings"][0][0]["queries"]]
    assert labels["labels"] == ["[CLS]", *["the", "cat", "sat", "on", "the", "un", "·real", "mat", ".", "[SEP]"]]
    assert labels["special"] == [True, *[False] * 9, True]
    assert labels["word_labels"][6] == "unreal"


def test_a_sliding_window_hides_the_keys_before_it() -> None:
    (maps,) = shown(explore_model(random_model("Mistral"), small_tokenizer(), TEXT))[1].values()
    n = maps.shape[-1]
    distance = np.arange(n)[:, None] - np.arange(n)
    assert not maps[..., (distance < 0) | (distance >= 3)].any()
    assert maps[..., (distance >= 0) & (distance < 3)].all()


def test_an_encoder_decoder_writes_by_itself() -> None:
    model = random_model("Marian").eval()
    view = explore_model(model, small_tokenizer(), TEXT)
    inputs = small_tokenizer()(TEXT, return_tensors="pt")
    ids = model.generate(**inputs, max_new_tokens=64, do_sample=False, num_beams=1)[0]
    cross = next(kind for kind in view.kinds if kind.name == "cross")
    assert len(cross.queries) == len(ids) - 1
    assert len(cross.keys) == inputs["input_ids"].shape[1]


def test_heads_that_are_switched_off_change_the_layers_after_them() -> None:
    model = random_model("Marian").eval()
    whole, changed = (
        {kind.name: kind.weights for kind in explore_model(model, small_tokenizer(), TEXT, "the cat", off=off).kinds}
        for off in ((), [("encoder", 0, 1)])
    )
    np.testing.assert_array_equal(whole["encoder"][0], changed["encoder"][0])
    assert not np.array_equal(whole["encoder"][1], changed["encoder"][1])
    with pytest.raises(ValueError, match="no head 4 in layer 1 of its cross attention"):
        explore_model(model, small_tokenizer(), TEXT, off=[("cross", 0, 3)])


def test_layers_of_a_hybrid_have_the_model_s_own_numbers() -> None:
    model = ARCHITECTURES["Jamba"].build()
    model.set_attn_implementation("eager")
    view = explore_model(model, small_tokenizer(), TEXT)
    header, _ = shown(view)
    assert header["recordings"][0][0]["layer_numbers"] == [1, 3]
    without = explore_model(model, small_tokenizer(), TEXT, off=[(1, 0)], layer=3)
    assert not np.array_equal(without.kinds[0].weights[1], view.kinds[0].weights[1])
    with pytest.raises(ValueError, match="no head 1 in layer 1 of"):
        explore_model(model, small_tokenizer(), TEXT, off=[(0, 0)])


def test_maps_are_taken_from_torch_and_numpy_in_any_float_type() -> None:
    layers = attention()
    tokens = list("abcd")
    exact = explore(layers, tokens).kinds[0].weights
    np.testing.assert_array_equal(explore([layer.numpy() for layer in layers], tokens).kinds[0].weights, exact)
    np.testing.assert_array_equal(explore(torch.cat(layers).numpy(), tokens).kinds[0].weights, exact)
    np.testing.assert_allclose(
        explore([layer.bfloat16() for layer in layers], tokens).kinds[0].weights, exact, atol=0.01
    )


def test_an_encoder_decoder_is_taken_by_bertviz_s_names() -> None:
    cross = tuple(torch.rand(1, 3, 2, 4).softmax(dim=-1) for _ in range(2))
    view = explore(
        encoder_attention=attention(),
        decoder_attention=attention(n=2),
        cross_attention=cross,
        encoder_tokens=["▁the", "▁c", "at", "</s>"],
        decoder_tokens=["a", "b"],
        layer=0,
        heads=[1],
    )
    assert [kind.name for kind in view.kinds] == ["encoder", "decoder", "cross"]
    assert view.kinds[0].keys.labels == ("the", "c", "·at", "</s>")
    assert (view.view.kind, view.view.heads) == ("cross", ((0, 1),))


def test_what_bertviz_takes_is_taken_by_the_same_names() -> None:
    data = {name for name in inspect.signature(bertviz.head_view).parameters if "attention" in name or "token" in name}
    ours = inspect.signature(explore).parameters
    assert {*data, "sentence_b_start", "layer", "heads"} <= ours.keys()
    # In the same order, too.
    assert [*ours][:3] == [*inspect.signature(bertviz.head_view).parameters][:3]
    assert explore(attention(), list("abcd"), 2).view.pins == ((2, None),)


def test_arrays_of_bfloat16_that_are_no_tensors_are_read() -> None:
    layers = attention()
    halves = [layer.bfloat16().view(torch.uint16).numpy().view("V2") for layer in layers]
    exact = torch.cat(layers).bfloat16().float().numpy()
    np.testing.assert_array_equal(explore(halves, list("abcd")).kinds[0].weights, exact)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "no attention to show"),
        ({"attention": attention(), "tokens": list("abcd"), "sentence_b_start": 4}, "there are 4 tokens"),
        ({"attention": attention(), "encoder_attention": attention()}, "pass it alone"),
        ({"attention": (), "tokens": list("abcd")}, 'attn_implementation="eager"'),
        ({"attention": (None, None), "tokens": list("abcd")}, 'Layer 1 .* None.*attn_implementation="eager"'),
        ({"attention": (attention(), attention()), "tokens": list("abcd")}, r"generate"),
        ({"attention": [layer[0] for layer in attention()], "tokens": list("abcd")}, r"shape \[3, 4, 4\]"),
        ({"attention": attention(batch=2), "tokens": list("abcd")}, "2 texts"),
        ({"attention": (*attention(1), *attention(1, n_heads=2)), "tokens": list("abcd")}, "Layer 2 .* layer 1"),
        ({"attention": attention()}, "no tokens: pass `tokens`"),
        ({"attention": attention(), "tokens": list("abc")}, "4 rows, and there are 3 tokens"),
        ({"attention": [layer.log() for layer in attention()], "tokens": list("abcd")}, "after the softmax"),
        ({"attention": [layer * torch.nan for layer in attention()], "tokens": list("abcd")}, "after the softmax"),
        ({"attention": [np.full((1, 1, 4, 4), "a")], "tokens": list("abcd")}, "after the softmax"),
        ({"attention": 3, "tokens": list("abcd")}, "not a sequence of layers"),
        ({"cross_attention": attention(), "encoder_tokens": list("abcd")}, "`decoder_tokens`"),
        ({"attention": attention(), "tokens": list("abcd"), "layer": 2}, "layers 0 to 1"),
        ({"attention": attention(), "tokens": list("abcd"), "heads": [0, 3]}, "heads 0 to 2"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_a_sentence(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        explore(**given)


def test_rows_that_do_not_add_up_to_1_are_shown_with_a_warning() -> None:
    with pytest.warns(UserWarning, match="24 of 24 rows"):
        explore([layer / 2 for layer in attention()], list("abcd"))


def test_a_model_that_keeps_no_attention_is_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match='attn_implementation="eager"'):
        explore_model(random_model("BERT", "sdpa"), small_tokenizer(), TEXT)


def test_a_target_for_a_model_without_a_decoder_is_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="leave the target out"):
        explore_model(random_model("GPT-2"), small_tokenizer(), TEXT, "the cat")


def test_tokens_stay_text_in_the_frame_and_in_the_page(tmp_path: Path) -> None:
    view = explore(attention(), [HOSTILE, "<img src=x onerror=alert(1)>", "&", '"'])
    frame = view._repr_html_()
    assert re.match(r'<iframe sandbox="allow-scripts allow-downloads" [^<>]*srcdoc="[^"<>]*"></iframe>$', frame)
    page = html.unescape(re.search(r'srcdoc="([^"]*)"', frame)[1])
    view.save(tmp_path / "view.html")
    for written in (page, (tmp_path / "view.html").read_text(encoding="utf-8")):
        assert "alert(1)" not in written
        assert "default-src 'none'" in written
    assert shown(view)[0]["rows"][0]["labels"][0] == HOSTILE


def test_what_is_saved_opens_as_a_file_of_the_app(tmp_path: Path) -> None:
    view = explore(attention(), ["[CLS]", "un", "##real", "[SEP]"])
    view.save(tmp_path / "view.npz")
    assert (tmp_path / "view.npz").read_bytes() == view.to_npz()
    (read,) = kinds_of_file("view.npz", view.to_npz())
    assert read.queries == view.kinds[0].queries
    np.testing.assert_array_equal(read.weights, view.kinds[0].weights)
    with np.load(io.BytesIO(view.to_npz()), allow_pickle=False) as archive:
        assert archive["encoder_queries"].tolist() == ["[CLS]", "un", "·real", "[SEP]"]
    with pytest.raises(ValueError, match=r"'view.txt' ends with none of .html and .npz"):
        view.save(tmp_path / "view.txt")


def test_a_large_view_is_sent_as_bytes_alone() -> None:
    n = 10 + int((MOST_EXACT / 6) ** 0.5)
    header, weights = shown(explore(attention(n=n), ["a"] * n))
    assert header["in full"]["encoder"] is None
    assert weights["encoder"].shape == (2, 3, n, n)
