"""Every step of a cell gives what the model recorded, for every way in which an encoding enters attention."""

import csv
import io
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch

from model.architectures.encoder_decoder import EncoderDecoder
from model.config import EncoderDecoderConfig
from model.decoding.options import GREEDY
from model.decoding.translator import Translation, Translator
from model.positional import PositionalConfig
from model.positional.shaw import ShawEncoding, clipped_offsets, shaw_values
from model.text.tokenizer import Tokenizer
from tests.fixtures.translation_run import sentences
from viz.base.attention_maps import BLOCKS, BlockName, attention_kind
from viz.pages.translate.study.cell import AttentionCell, CellLabels
from viz.pages.translate.study.cell_steps import BlockRecording, block_name, cell_as_csv, cell_of, record_blocks

TEXT = "My dog sees the ball."
# None of them; on the scores; on queries and keys; on scores and values; on queries, keys and scores.
ENCODINGS = ("sinusoidal", "t5", "rotary", "shaw", "transformer_xl", "pope", "ssmax")
N_HEADS, D_KEY, D_VALUE = 2, 6, 5

Looked = tuple[Translator, Translation, dict[str, BlockRecording]]


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.train([text for pair in sentences() for text in pair], 320)


@pytest.fixture(scope="module")
def look(tokenizer: Tokenizer) -> Callable[[str], Looked]:
    """Return a small translator with this positional encoding, a translation and what made it, each made once."""
    made: dict[str, Looked] = {}

    def look_with(encoding: str) -> Looked:
        if encoding not in made:
            made[encoding] = _look(tokenizer, encoding)
        return made[encoding]

    return look_with


def _look(tokenizer: Tokenizer, encoding: str) -> Looked:
    torch.manual_seed(0)
    config = EncoderDecoderConfig(
        vocabulary_size=tokenizer.vocabulary_size,
        d_model=16,
        n_heads=N_HEADS,
        d_key=D_KEY,
        d_value=D_VALUE,
        d_ff=24,
        n_encoder_layers=1,
        n_decoder_layers=2,
        positional=PositionalConfig(encoding),
    )
    model = EncoderDecoder(config)
    with torch.no_grad():
        model.embedding.weight.mul_(3)
        # Fresh tables of encodings are near zero, where their terms would not be missed.
        for name, parameter in model.named_parameters():
            if "positional" in name:
                parameter.normal_()
    translator = Translator(model, tokenizer)
    translation = translator.translate(TEXT, replace(GREEDY, max_extra_length=3))
    return translator, translation, record_blocks(translator, translation)


def some_of_every_row(recording: dict[str, BlockRecording], kind: BlockName, *, layer: int = 0) -> list[AttentionCell]:
    n_heads, n_queries, n_keys = recording[block_name(kind, layer)].pattern.shape
    return [
        cell_of(recording, kind, layer, head=head, query=query, key=(2 * query + head) % n_keys)
        for head, query in np.ndindex(n_heads, n_queries)
    ]


def row_of_every_head(recording: dict[str, BlockRecording], kind: BlockName, query: int) -> list[AttentionCell]:
    n_heads, _, n_keys = recording[block_name(kind, 0)].pattern.shape
    places = np.ndindex(n_heads, n_keys)
    return [cell_of(recording, kind, 0, head=head, query=query, key=key) for head, key in places]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("kind", BLOCKS)
def test_every_step_gives_what_the_model_recorded(
    look: Callable[[str], Looked], encoding: str, kind: BlockName
) -> None:
    _, _, recording = look(encoding)
    block = recording[block_name(kind, 0)]
    width = block.q.shape[-1]
    assert width == (2 * D_KEY if encoding == "pope" and kind != "cross" else D_KEY)
    for cell in some_of_every_row(recording, kind):
        at = (cell.head, cell.query)
        score = block.scores[(*at, cell.key)]
        bias = 0.0 if cell.row.position_bias is None else cell.row.position_bias[cell.key]
        if cell.is_allowed:
            assert cell.dot_product / math.sqrt(width) + bias == pytest.approx(score, abs=1e-5)
            assert cell.score == pytest.approx(score, abs=1e-5)
        else:
            assert cell.score == score == -math.inf
        np.testing.assert_allclose(cell.row.pattern, block.pattern[at], atol=1e-5)
        np.testing.assert_allclose(cell.row.z, block.z[at], atol=1e-5, rtol=1e-5)
        np.testing.assert_array_equal(cell.output, block.output[cell.query])
        assert cell.weight == pytest.approx(cell.row.exponentials[cell.key] / cell.row.exponentials.sum(), abs=1e-6)
        assert cell.difference < 3e-5
        assert cell.is_faithful


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("kind", BLOCKS)
def test_what_is_passed_on_adds_up_to_the_output(look: Callable[[str], Looked], encoding: str, kind: BlockName) -> None:
    _, _, recording = look(encoding)
    cells = row_of_every_head(recording, kind, query=1)
    by_head = {cell.head: cell for cell in cells}
    assert len(by_head) == N_HEADS
    np.testing.assert_allclose(sum(cell.row.head_output for cell in by_head.values()), cells[0].output, atol=1e-5)
    W_O = recording[block_name(kind, 0)].W_O
    added = [
        W_O[:, head * D_VALUE : (head + 1) * D_VALUE] @ cell.row.added
        for head, cell in by_head.items()
        if cell.row.added is not None
    ]
    total = sum(cell.contribution for cell in cells) + sum(added)
    np.testing.assert_allclose(total, cells[0].output, atol=1e-5)
    for cell in cells:
        assert cell.contribution_norms[cell.key] == pytest.approx(np.linalg.norm(cell.contribution), abs=1e-6)
    if not added:
        assert sum(cell.share for cell in cells) == pytest.approx(1, abs=1e-4)


def test_what_an_encoding_adds_to_the_values_is_what_its_formula_gives(look: Callable[[str], Looked]) -> None:
    translator, _, recording = look("shaw")
    pattern = torch.from_numpy(recording[block_name("decoder", 1)].pattern)
    positions = torch.arange(pattern.shape[-1])
    encoding = translator.model.get_submodule("decoder.positional.layers.1")
    assert isinstance(encoding, ShawEncoding)
    offsets = clipped_offsets(positions[:, None] - positions, encoding.clip)
    wanted = shaw_values(pattern[None], encoding.value_table, offsets)[0].detach().numpy()
    for cell in some_of_every_row(recording, "decoder", layer=1):
        assert cell.row.added is not None
        np.testing.assert_allclose(cell.row.added, wanted[cell.head, cell.query], atol=1e-5)


@pytest.mark.parametrize(
    ("encoding", "enters"),
    [
        ("sinusoidal", set()),
        ("t5", {"encoding", "bias"}),
        ("rotary", {"encoding", "q and k"}),
        ("shaw", {"encoding", "bias", "values"}),
        ("transformer_xl", {"encoding", "bias", "q and k"}),
    ],
)
def test_a_cell_says_where_the_encoding_enters(look: Callable[[str], Looked], encoding: str, enters: set[str]) -> None:
    _, _, recording = look(encoding)

    def found(kind: BlockName) -> set[str]:
        cell = cell_of(recording, kind, 0, head=0, query=0, key=0)
        said = {
            "encoding": cell.encoding is not None,
            "bias": cell.row.position_bias is not None,
            "q and k": cell.is_transformed,
            "values": cell.row.added is not None,
        }
        return {name for name, holds in said.items() if holds}

    assert found("encoder") == found("decoder") == enters
    assert found("cross") == set()


def test_the_mask_leaves_nothing_of_a_later_key(look: Callable[[str], Looked]) -> None:
    _, _, recording = look("t5")
    cell = cell_of(recording, "decoder", 0, head=0, query=0, key=1)
    assert not cell.is_allowed
    assert cell.score == -math.inf
    assert (cell.weight, cell.share) == (0, 0)
    assert not cell.contribution.any()
    assert np.isfinite(cell.dot_product)


def test_steps_that_are_not_the_model_s_own_are_found_out(look: Callable[[str], Looked]) -> None:
    _, _, recording = look("sinusoidal")
    name = block_name("encoder", 0)
    for point in ("scores", "pattern", "z", "output"):
        changed = replace(recording[name], **{point: getattr(recording[name], point) + np.float32(0.5)})
        cell = cell_of({name: changed}, "encoder", 0, head=1, query=2, key=1)
        assert cell.difference >= 0.4, point
        assert not cell.is_faithful, point


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ({"head": 2}, r"head 2 of .* was asked for; give one from 0 to 1"),
        ({"query": -1}, "query -1 of"),
        ({"key": 999}, "key 999 of"),
    ],
)
def test_a_cell_that_is_not_there_is_named(look: Callable[[str], Looked], place: dict[str, int], message: str) -> None:
    _, _, recording = look("sinusoidal")
    with pytest.raises(ValueError, match=message):
        cell_of(recording, "encoder", 0, **({"head": 0, "query": 0, "key": 0} | place))


def test_only_the_blocks_asked_for_are_recorded(look: Callable[[str], Looked]) -> None:
    translator, translation, _ = look("sinusoidal")
    name = block_name("cross", 1)
    recording = record_blocks(translator, translation, name)
    assert list(recording) == [name]
    with pytest.raises(ValueError, match=r"encoder\.0\.self_attention was asked for, and recorded were decoder\.1"):
        cell_of(recording, "encoder", 0, head=0, query=0, key=0)
    with pytest.raises(ValueError, match=r"there is no attention block 'decoder\.7\.cross_attention'"):
        record_blocks(translator, translation, "decoder.7.cross_attention")


@pytest.mark.parametrize("encoding", ["sinusoidal", "shaw"])
def test_the_csv_holds_every_number_of_the_calculation(look: Callable[[str], Looked], encoding: str) -> None:
    _, _, recording = look(encoding)
    cell = cell_of(recording, "decoder", 1, head=1, query=2, key=1)
    labels = CellLabels("q", tuple("=1+1" for _ in cell.row.scores))
    rows = list(csv.DictReader(io.StringIO(cell_as_csv(cell, labels))))
    values: dict[str, list[float]] = {}
    for row in rows:
        values.setdefault(row["step"], []).append(float(row["value"]))
        assert int(row["index"]) == len(values[row["step"]])
        assert not row["label"].startswith("=")
    wanted = {
        "q": cell.q,
        "k": cell.k,
        "product": cell.products,
        "sum so far": cell.running_sum,
        "scaled": cell.row.scaled,
        "position_bias": cell.row.position_bias,
        "score": cell.row.scores,
        "exponential": cell.row.exponentials,
        "weight": cell.row.pattern,
        "contribution length": cell.contribution_norms,
        "v": cell.v,
        "weight times v": cell.weighed,
        "sum over keys": cell.row.summed,
        "added by the encoding": cell.row.added,
        "z": cell.row.z,
        "contribution": cell.contribution,
        "head output": cell.row.head_output,
        "output": cell.output,
    }
    present = {step: numbers for step, numbers in wanted.items() if numbers is not None}
    assert values.keys() == present.keys()
    for step, numbers in present.items():
        np.testing.assert_array_equal(np.array(values[step], dtype=np.float32), numbers, err_msg=step)


def test_the_shipped_translator_is_taken_apart_exactly(translator: Translator) -> None:
    translation = translator.translate("The animal didn't cross the street because it was too tired.", GREEDY)
    recording = record_blocks(translator, translation)
    for kind in BLOCKS:
        shown = attention_kind(translation, kind)
        for layer, head in np.ndindex(*shown.weights.shape[:2]):
            cell = cell_of(recording, kind, layer, head=head, query=3, key=1)
            assert cell.difference < 3e-5
            assert cell.weight == pytest.approx(shown.weights[layer, head, 3, 1], abs=1e-5)
