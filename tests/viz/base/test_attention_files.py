"""Files of attention: what the app saves is read again, and a hostile file is refused in one sentence."""

import io
import json
import re
import zipfile
from collections.abc import Mapping
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from safetensors.numpy import save
from safetensors.torch import save as save_tensors

from model.text.tokenizer import Word
from viz.base.attention_files import MOST_NUMBERS, kinds_as_npz, kinds_of_file
from viz.base.attention_maps import AttentionKind, TokenRow, hook_name, token_row
from viz.base.given_maps import TEXT
from viz.base.words import InputError

TOKENS = ("[CLS]", "un", "·real", "[SEP]")


def maps(*shape: int) -> np.ndarray:
    drawn = np.random.default_rng(0).random(shape, dtype=np.float32)
    return drawn / drawn.sum(axis=-1, keepdims=True)


def npz(arrays: Mapping[str, np.ndarray]) -> bytes:
    archive = io.BytesIO()
    np.savez_compressed(archive, **arrays)
    return archive.getvalue()


def promising(shape: tuple[int, ...]) -> bytes:
    """Return an archive whose array says that it has ``shape``, and holds nothing."""
    header, archive = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": shape})
    with zipfile.ZipFile(archive, "w") as written:
        # Without a time: each process that runs tests names this case alike.
        written.writestr(zipfile.ZipInfo("encoder.npy"), header.getvalue())
    return archive.getvalue()


WHOLE = npz({"encoder": maps(2, 3, 4, 4), "encoder_keys": np.array(TOKENS)})


def test_what_is_saved_is_read_again() -> None:
    row, other = TokenRow(TOKENS), TokenRow(("a", "b"))
    kinds = (AttentionKind("encoder", maps(2, 3, 4, 4), row, row), AttentionKind("cross", maps(2, 3, 2, 4), other, row))
    found = kinds_of_file("a.npz", kinds_as_npz(kinds))
    assert [kind.name for kind in found] == ["encoder", "cross"]
    for kind, wanted in zip(found, kinds, strict=True):
        np.testing.assert_array_equal(kind.weights, wanted.weights)
        assert kind.queries.labels == wanted.queries.labels
        assert kind.keys.labels == wanted.keys.labels


def test_layers_keep_their_numbers_where_others_have_no_attention() -> None:
    row = TokenRow(TOKENS)
    kind = AttentionKind("decoder", maps(2, 3, 4, 4), row, row, layer_numbers=(4, 12))
    (found,) = kinds_of_file("a.npz", kinds_as_npz([kind]))
    assert found.own_layers == (4, 12)
    for wrong in ((12, 4), (-1, 3), (1, 1), (0, 1, 2), (0.5, 1.5)):
        (found,) = kinds_of_file("a.npz", npz({"decoder": kind.weights, "decoder_layers": np.array(wrong)}))
        assert found.own_layers == (0, 1)


def test_the_tokens_of_a_translation_keep_their_labels_and_words() -> None:
    pieces = ("▁un", "glaub", "lich", ".", "</s>")
    tokens = SimpleNamespace(pieces=pieces, words=(Word("unglaublich", 0, 3), Word(".", 3, 4), Word("</s>", 4, 5)))
    row = token_row(tokens)
    (found,) = kinds_of_file("a.npz", kinds_as_npz([AttentionKind("encoder", maps(1, 1, 5, 5), row, row)]))
    assert found.keys == row


def test_maps_by_the_names_of_hooks_are_read() -> None:
    arrays = {hook_name("cross", layer): maps(3, 2, 4) for layer in range(2)}
    (found,) = kinds_of_file("a.npz", npz({**arrays, "target_pieces": np.array(["▁a", "b"])}))
    assert (found.name, found.weights.shape) == ("cross", (2, 3, 2, 4))
    assert (found.queries.labels, found.keys.labels) == (("a", "·b"), ("1", "2", "3", "4"))


def test_safetensors_carry_tokens_among_their_metadata() -> None:
    written = save({"encoder": maps(2, 3, 4, 4)}, metadata={"encoder_keys": json.dumps(TOKENS), "by": "me"})
    (found,) = kinds_of_file("a.safetensors", written)
    assert (found.keys.labels, found.queries.labels) == (TOKENS, ("1", "2", "3", "4"))


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.txt", b"", "ends with none of"),
        ("a.npz", b"PK\x03\x04", "no NPZ archive"),
        ("a.npz", WHOLE[:-80], "no NPZ archive"),
        ("a.npz", WHOLE[:200] + bytes(40) + WHOLE[240:], "no NPZ archive"),
        ("a.npz", npz({"encoder": np.array([{}], dtype=object)}), "no NPZ archive"),
        ("a.npz", promising((10**6,) * 4), "no NPZ archive"),
        ("a.npz", promising((-1, 1, 1, 1)), "no NPZ archive"),
        ("a.npz", npz({"encoder": np.zeros((1, 1, 1, MOST_NUMBERS + 1), np.float32)}), "40,000,000 can be shown"),
        ("a.npz", npz({"`![](//e.example)": maps(1, 1, 2, 2)}), r"holds `'!\[\]"),
        ("a.npz", npz({}), "no attention"),
        ("a.npz", npz({"attentions_0": maps(2, 1, 4, 4), "attentions_1": maps(2, 1, 4, 4)}), "holds 2 texts"),
        ("a.npz", npz({"attention": maps(2, 3, 1, 4, 4)}), "holds 3 texts"),
        ("a.npz", npz({"attention_0": maps(1, 1, 4, 4), "attention_1": maps(1, 1, 3, 3)}), "layers of one shape"),
        ("a.npz", npz({"attention": maps(1, 1, 4, 4), "encoder_attention": maps(1, 1, 4, 4)}), "without it"),
        ("a.npz", npz({"attention": np.zeros((1, 1, 4, 4), "V3")}), "holds `attention`|no numbers"),
        ("a.npz", npz({"encoder": maps(3, 4, 4)}), r"shape \[3, 4, 4\]"),
        ("a.npz", npz({"encoder": maps(1, 1, 2, 2), "encoder_keys": np.array(["a"])}), "2 columns, and there are 1"),
        ("a.npz", npz({"encoder": np.full((1, 1, 2, 2), "a")}), "no numbers of 0 or more"),
        ("a.npz", npz({"encoder": np.full((1, 1, 2, 2), 1j)}), "no numbers of 0 or more"),
        ("a.npz", npz({"encoder": np.full((1, 1, 2, 2), 1e300)}), "no numbers of 0 or more"),
        ("a.safetensors", b"\xff" * 64, "no safetensors file"),
        ("a.safetensors", save({"encoder": maps(1, 1, 2, 2)}, metadata={"encoder_keys": "[1"}), "no safetensors file"),
        ("a.safetensors", save({"encoder": maps(1, 1, 2, 2)}, metadata={"encoder_keys": "[" * 10**5}), "no safe"),
        ("a.safetensors", save({"logits": maps(1, 1, 2, 2)}), "holds `logits`"),
    ],
    ids=lambda value: ascii(value[:12]),
)
def test_a_file_that_cannot_be_shown_is_refused_in_a_sentence(name: str, content: bytes, said: str) -> None:
    with pytest.raises(InputError) as refused:
        kinds_of_file(name, content)
    assert re.search(said, refused.value.sentence(TEXT))


def refusal(content: bytes) -> str:
    """Return why ``content`` cannot be shown; nothing where it can."""
    try:
        kinds_of_file("a.npz", content)
    except InputError as error:
        return error.sentence(TEXT)
    return ""


def test_damaged_bytes_of_an_archive_are_refused_in_a_sentence_if_at_all() -> None:
    written = io.BytesIO()
    np.savez_compressed(written, encoder=maps(2, 3, 4, 4), encoder_keys=np.array(TOKENS))
    rng = np.random.default_rng(0)
    damaged = np.frombuffer(written.getvalue(), np.uint8) + np.zeros((500, 1), np.uint8)
    for content in damaged:
        content[rng.integers(len(content), size=4)] = rng.integers(256, size=4)
    assert any(refusal(content.tobytes()) for content in damaged)


@pytest.mark.parametrize(
    "header",
    ["{'descr': '<f4', 'shape': (1,", "{'descr': (), 'fortran_order': False, 'shape': (1,)}", "[" * 5_000, "\0" * 60],
    ids=["cut", "untyped", "[[", "0"],
)
def test_a_header_that_is_no_header_is_refused(header: str) -> None:
    content, archive = np.lib.format.magic(1, 0) + len(header).to_bytes(2, "little") + header.encode(), io.BytesIO()
    with zipfile.ZipFile(archive, "w") as written:
        written.writestr("encoder.npy", content)
    assert refusal(archive.getvalue())


LAYERS = [maps(1, 3, 4, 4) for _ in range(2)]
BOTH = [maps(1, 3, 2, 4) for _ in range(2)]


def causal(n_layers: int = 2) -> np.ndarray:
    drawn = np.tril(maps(n_layers, 1, 3, 4, 4))
    return drawn / drawn.sum(axis=-1, keepdims=True)


def halves(array: np.ndarray) -> np.ndarray:
    """Return ``array`` in bfloat16, as PyTorch rounds it, as whole numbers of 16 bits."""
    return torch.from_numpy(array).bfloat16().view(torch.uint16).numpy()


@pytest.mark.parametrize(
    ("arrays", "names"),
    [
        ({f"attentions_{n}": layer for n, layer in enumerate(LAYERS)}, ["encoder"]),
        ({f"attn_weights.{n}": layer[0] for n, layer in enumerate(LAYERS)}, ["encoder"]),
        ({f"layers/{n}/attention": layer for n, layer in enumerate(LAYERS)}, ["encoder"]),
        ({f"arr_{n}": layer for n, layer in enumerate(LAYERS)}, ["encoder"]),
        ({"attention": np.stack(LAYERS)}, ["encoder"]),
        ({"attentions": np.concatenate(LAYERS)}, ["encoder"]),
        ({"arr_0": np.concatenate(LAYERS)}, ["encoder"]),
        ({"attention": causal()}, ["decoder"]),
        (
            {
                **{f"encoder_attentions_{n}": layer for n, layer in enumerate(LAYERS)},
                **{f"cross_attentions_{n}": layer for n, layer in enumerate(BOTH)},
                "decoder_attentions": maps(2, 1, 3, 2, 2),
            },
            ["encoder", "decoder", "cross"],
        ),
    ],
    ids=lambda value: "-".join(value)[:40],
)
@pytest.mark.parametrize("form", ["float32", "float16", "bfloat16 as bytes", "bfloat16 as numbers", "safetensors"])
def test_what_other_people_s_code_saves_is_read(arrays: dict[str, np.ndarray], names: list[str], form: str) -> None:
    tokens = {"tokens": TOKENS, "encoder_tokens": TOKENS, "decoder_tokens": ("a", "b")}
    labels = {name: np.array(texts) for name, texts in tokens.items()}
    match form:
        case "safetensors":
            tensors = {name: torch.from_numpy(array).bfloat16() for name, array in arrays.items()}
            metadata = {name: json.dumps(texts) for name, texts in tokens.items()}
            found = kinds_of_file("a.safetensors", save_tensors(tensors, metadata=metadata))
        case "bfloat16 as bytes":
            found = kinds_of_file(
                "a.npz", npz({name: halves(array).view("V2") for name, array in arrays.items()} | labels)
            )
        case "bfloat16 as numbers":
            found = kinds_of_file("a.npz", npz({name: halves(array) for name, array in arrays.items()} | labels))
        case _:
            found = kinds_of_file("a.npz", npz({name: array.astype(form) for name, array in arrays.items()} | labels))
    assert [kind.name for kind in found] == names
    wanted = {"encoder": LAYERS, "cross": BOTH, "decoder": causal() if "attention" in arrays else maps(2, 1, 3, 2, 2)}
    for kind in found:
        expected = np.stack(wanted[kind.name])[:, 0]
        np.testing.assert_allclose(kind.weights, expected, atol=1e-7 if form == "float32" else 4e-3)
        if form in ("safetensors", "bfloat16 as bytes"):
            np.testing.assert_array_equal(kind.weights, torch.from_numpy(expected).bfloat16().float().numpy())
        assert kind.keys.labels == (("a", "b") if kind.keys == kind.queries and len(kind.keys) == 2 else TOKENS)


def test_ten_layers_and_more_stand_in_the_order_of_their_numbers() -> None:
    arrays = {f"attentions_{n}": np.full((1, 1, 2, 2), n / 20, np.float32) for n in range(12)}
    (found,) = kinds_of_file("a.npz", npz(arrays))
    np.testing.assert_allclose(found.weights[:, 0, 0, 0], np.arange(12) / 20, rtol=1e-6)


def test_tokens_in_bytes_are_texts() -> None:
    content = npz({"attention": np.stack(LAYERS), "tokens": np.array([b"a", b"b", "é".encode(), b"d"])})
    (found,) = kinds_of_file("a.npz", content)
    assert found.keys.labels == ("a", "b", "é", "d")


def test_a_hard_map_of_zeros_and_ones_is_no_bfloat16() -> None:
    ones = np.eye(4, dtype=np.uint16)[None, None]
    (found,) = kinds_of_file("a.npz", npz({"encoder": ones}))
    np.testing.assert_array_equal(found.weights[0, 0], np.eye(4))
