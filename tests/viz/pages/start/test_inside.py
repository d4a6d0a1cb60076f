"""What opened parts show of a translation is what the model's hook points hold."""

import numpy as np
import pandas as pd
import pytest
import torch

from model.decoding.options import GREEDY
from model.decoding.translator import Translation, Translator
from model.hooks import record
from viz.base.attention_maps import AttentionKind, TokenRow
from viz.pages.start.components.architecture import inside_blocks
from viz.pages.start.study.architecture import passage
from viz.pages.start.study.clearness import clearness, resting_step
from viz.pages.start.study.inside import inside
from viz.pages.start.study.records import TEMPERATURES, Inside, TranslationToken
from viz.shared.head_roles import head_roles

MOST_BYTES = 200_000
LONGEST = 200
LONG = "The old man who lives in the small house next to the river told me that he had lost his keys in the park. "
BLOCKS = {
    "encoder": "encoder.{}.self_attention",
    "decoder": "decoder.{}.self_attention",
    "cross": "decoder.{}.cross_attention",
}


@pytest.fixture(scope="module")
def translation(translator: Translator) -> Translation:
    return translator.translate("The dog chases the cat.", GREEDY)


@pytest.fixture(scope="module")
def held(translator: Translator, translation: Translation) -> Inside:
    return inside(translator, translation)


def recorded(translator: Translator, translation: Translation) -> dict[str, np.ndarray]:
    """Return what every hook point of the model holds in one pass."""
    model = translator.model
    source = torch.tensor([translator.tokenizer.ids(translation.source.pieces)])
    read = torch.tensor([[model.config.bos_id, *translation.hypotheses[0].tokens[:-1]]])
    with torch.inference_mode(), record("*") as recording:
        model(source, read)
    return {name: tensor.numpy() if tensor.ndim < 3 else tensor[0].numpy() for name, tensor in recording.items()}


@pytest.fixture(scope="module")
def seen(translator: Translator, translation: Translation) -> dict[str, np.ndarray]:
    return recorded(translator, translation)


@pytest.mark.parametrize("kind", BLOCKS)
@pytest.mark.parametrize("layer", range(3))
def test_attention_is_what_the_hook_points_hold(
    held: Inside, seen: dict[str, np.ndarray], kind: str, layer: int
) -> None:
    block, shown = BLOCKS[kind].format(layer), held.attention[f"{kind}.{layer + 1}"]
    for name in ("q", "k", "v", "output"):
        np.testing.assert_allclose(getattr(shown, name), seen[f"{block}.{name}"], atol=1e-4)
    # The steps that the browser computes from these lead to what the model recorded.
    d_head = shown.q.shape[-1]
    scores = shown.q @ shown.k.swapaxes(1, 2) / np.sqrt(d_head)
    if kind == "decoder":
        scores[:, np.triu_indices(scores.shape[1], 1)[0], np.triu_indices(scores.shape[1], 1)[1]] = -np.inf
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    pattern = exponentials / exponentials.sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(pattern, seen[f"{block}.pattern"], atol=1e-4)
    np.testing.assert_allclose(pattern @ shown.v, seen[f"{block}.z"], atol=1e-3)


def test_what_the_heads_add_sums_to_the_blocks_output(
    translator: Translator, held: Inside, seen: dict[str, np.ndarray]
) -> None:
    block = translator.model.decoder.layers[1].cross_attention
    z = seen["decoder.1.cross_attention.z"]
    parts = np.stack(
        [z[head] @ block.W_O.weight.detach().numpy()[:, head * 32 : (head + 1) * 32].T for head in range(8)]
    )
    np.testing.assert_allclose(parts.sum(axis=0), held.attention["cross.2"].output, atol=1e-3)
    np.testing.assert_allclose(np.linalg.norm(parts, axis=2), held.attention["cross.2"].added, rtol=1e-3)


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_hidden_units_give_the_blocks_output(
    translator: Translator, held: Inside, seen: dict[str, np.ndarray], stack: str
) -> None:
    for layer, hidden in enumerate(held.feed_forward[stack].hidden):
        block = getattr(translator.model, stack).layers[layer].feed_forward
        with torch.inference_mode():
            output = block.W_2(torch.from_numpy(hidden)).numpy()
        np.testing.assert_allclose(output, seen[f"{stack}.{layer}.feed_forward.output"], atol=1e-3)
        assert hidden.min() == 0


def test_the_stream_is_the_sum_of_what_is_added(held: Inside, seen: dict[str, np.ndarray]) -> None:
    stream = held.residual["decoder"]
    names = ["decoder.input", *(f"decoder.{layer}.{block}.output" for layer, block in stream.blocks)]
    np.testing.assert_allclose(stream.lengths, [np.linalg.norm(seen[name], axis=1) for name in names], rtol=1e-3)
    np.testing.assert_allclose(
        sum(seen[name] for name in names), seen["decoder.2.feed_forward.residual_after"], atol=1e-3
    )


def test_the_last_word_of_the_stream_is_the_first_candidate(held: Inside) -> None:
    words = [word for word, _ in held.residual["decoder"].words[-1]]
    assert words == [labels[0] for labels in held.candidates.labels]


@pytest.mark.parametrize("temperature", [0.1, 0.5, 1.0, 2.0])
def test_candidates_are_a_softmax_at_every_temperature(
    held: Inside, seen: dict[str, np.ndarray], temperature: float
) -> None:
    place = TEMPERATURES.index(temperature)
    expected = torch.from_numpy(seen["logits"] / temperature).softmax(-1)
    shares = np.exp(held.candidates.logs / temperature - held.candidates.totals[:, [place]])
    np.testing.assert_allclose(shares, expected.topk(shares.shape[1]).values.numpy(), atol=1e-4)


def test_no_part_takes_more_than_its_share_of_the_way(translator: Translator) -> None:
    translation = translator.translate((LONG * 2)[:LONGEST], GREEDY)
    found, held = passage(translator, translation), inside(translator, translation)
    sizes = {name: block.nbytes for name, block in inside_blocks(found, held, "encoder.1").items()}
    attention = sum(size for name, size in sizes.items() if name.startswith("attention"))
    assert attention < MOST_BYTES
    # The other parts come together: the numbers of the two inputs, the encoder's output, and the two kinds of units.
    assert sum(sizes.values()) - attention < 5 * MOST_BYTES
    assert max(size for name, size in sizes.items() if not name.startswith("attention")) < MOST_BYTES


def test_clearness_is_one_for_a_permutation_and_low_where_all_read_the_same() -> None:
    weights = np.zeros((1, 3, 4, 4), dtype=np.float32)
    weights[0, 0] = np.eye(4)[[2, 0, 1, 3]]
    weights[0, 1] = 1 / 4
    weights[0, 2, :, 1] = 1
    row = TokenRow(tuple("abcd"))
    assert clearness(AttentionKind("cross", weights, row, row))[0].tolist() == [1, 0.25, 0.25]


def test_it_rests_on_the_content_word_that_reads_one_word_most_clearly() -> None:
    written = [TranslationToken(label, 1.0, ()) for label in ("Die", "Katze", "Hund", ".", "⟨end⟩")]
    keys = TokenRow(("The", "cat", "dog", "⟨end⟩"))
    queries = TokenRow(tuple(token.label for token in written))
    weights = np.array(
        [[1.0, 0, 0, 0], [0.3, 0.7, 0, 0], [0.1, 0, 0.9, 0], [0, 0, 0, 1.0], [0, 0, 0, 1.0]], dtype=np.float32
    )
    cross = AttentionKind("cross", weights[None, None], queries, keys)
    assert resting_step(cross, written) == 2
    assert resting_step(cross, [TranslationToken("…", 1.0, ())] * 5) == 4


def test_a_role_is_what_a_head_spends_most_of_its_weight_on() -> None:
    shares = {"previous": 0.0, "next": 0.0, "same": 0.0, "sink": 0.0}
    catalogue = pd.DataFrame(
        [
            {"kind": "encoder", "layer": 2, "head": 3, **shares, "previous": 0.7},
            {"kind": "decoder", "layer": 1, "head": 1, **shares, "same": 0.4},
        ]
    )
    alignment = pd.DataFrame(
        [
            {"part": "all", "layer": 2, "head": 1, "step": "output", "weighing": "weights", "error": 0.3},
            {"part": "all", "layer": 2, "head": 2, "step": "output", "weighing": "weights", "error": 0.8},
        ]
    )
    assert head_roles(catalogue, alignment) == {"encoder.2.3": "previous", "cross.2.1": "alignment"}
    assert head_roles(catalogue.iloc[:0], alignment.iloc[:0]) == {}
