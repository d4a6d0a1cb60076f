"""A score is the sum of what every pair of writers adds to it, each as found by taking the writers away."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from model.analysis.circuits.frozen_pass import FrozenPass
from model.analysis.circuits.score_split import ScoreSplit, split_score
from model.hooks import record
from model.positional.registry import registered
from tests.model.analysis.circuits.held import Held, decoder, translator

CASES = [
    ("translator", "encoder.1.self_attention", (1, 3, 1)),
    ("translator", "decoder.2.self_attention", (0, 3, 2)),
    ("translator", "decoder.1.cross_attention", (1, 2, 4)),
    *(
        (name, "decoder.2.self_attention", (1, 3, 1))
        for name in ("sinusoidal", "rotary", "alibi", "t5", "learned", "fire", "none")
    ),
]


@pytest.mark.parametrize(("kind", "block", "place"), CASES)
def test_the_products_sum_to_the_score(
    make_model: Callable, kind: str, block: str, place: tuple[int, int, int]
) -> None:
    head, query, key = place
    model, read = translator(make_model) if kind == "translator" else decoder(kind)
    split = split_score(FrozenPass(model, read), block, head, query, key)
    with torch.no_grad(), record("*.scores", "*.position_bias") as seen:
        read(1)
    assert split.score == pytest.approx(float(seen[f"{block}.scores"][0, head, query, key]), abs=1e-5)
    assert float(split.products.sum()) + split.added == pytest.approx(split.score, abs=1e-5)
    bias = seen.get(f"{block}.position_bias")
    expected = 0.0 if bias is None else float(bias.detach()[0, head, query, key])
    assert split.added == pytest.approx(expected, abs=1e-5)
    assert split.products.shape == (len(split.query) + 1, len(split.key) + 1)


@pytest.mark.parametrize("kind", ["translator", "rotary"])
def test_a_row_is_what_the_score_loses_whose_query_lacks_the_writer(make_model: Callable, kind: str) -> None:
    model, read = translator(make_model) if kind == "translator" else decoder(kind)
    block, head, query, key = "decoder.2.self_attention", 1, 3, 1
    frozen, held = FrozenPass(model, read), Held(model, read)
    split = split_score(frozen, block, head, query, key)
    heads = [(row, part) for row, part in enumerate(split.query) if part.head is not None]
    assert len(heads) >= 4
    for row, part in heads:
        z = frozen.seen[part.point].detach()[0, part.head, query]
        W_O = frozen.attention[part.point.removesuffix(".z")].W_O.weight.detach()
        written = W_O[:, part.head * len(z) : (part.head + 1) * len(z)] @ z

        def unread(x: Tensor, gone: Tensor = written) -> Tensor:
            x = x.clone()
            x[0, query] -= gone
            return x

        _, seen = held({f"{block}.residual_before": unread})
        lost = held.seen[f"{block}.q"][0, head, query] - seen[f"{block}.q"][0, head, query]
        expected = float(lost @ held.seen[f"{block}.k"][0, head, key]) * len(lost) ** -0.5
        assert float(split.products[row].sum()) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("kind", ["translator", "rotary", "alibi"])
def test_against_other_keys_it_is_the_score_above_their_mean(make_model: Callable, kind: str) -> None:
    model, read = translator(make_model) if kind == "translator" else decoder(kind)
    block, others = "decoder.2.self_attention", [0, 2, 3]
    split = split_score(FrozenPass(model, read), block, 0, 3, 1, against=others)
    with torch.no_grad(), record("*.scores") as seen:
        read(1)
    scores = seen[f"{block}.scores"][0, 0, 3]
    assert split.score == pytest.approx(float(scores[1] - scores[others].mean()), abs=1e-5)
    assert float(split.products.sum()) + split.added == pytest.approx(split.score, abs=1e-5)


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("encoding", registered())
def test_what_is_left_to_biases_is_theirs_or_the_split_is_refused(encoding: str, norm: str) -> None:
    model, read = decoder(encoding, norm)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith(("bias", ".u")):
                parameter.zero_()
    frozen, place = FrozenPass(model, read), ("decoder.2.self_attention", 1, 3, 1)
    if norm == "post" or encoding == "pope":
        with pytest.raises(ValueError, match="norm 'pre'" if norm == "post" else "PoPE"):
            split_score(frozen, *place)
        return
    products = split_score(frozen, *place).products
    assert products[:-1, :-1].abs().max() > 1e-3
    assert torch.cat((products[-1], products[:, -1])).abs().max() < 1e-5


def test_writers_are_those_before_the_block(make_model: Callable) -> None:
    split: ScoreSplit = split_score(FrozenPass(*translator(make_model)), "decoder.1.cross_attention", 0, 2, 4)
    assert [(part.point, part.head) for part in split.query] == [
        ("decoder.embedding", None),
        ("decoder.positional.encoding", None),
        *((f"decoder.0.{block}.z", head) for block in ("self_attention", "cross_attention") for head in range(2)),
        ("decoder.0.feed_forward.output", None),
        *(("decoder.1.self_attention.z", head) for head in range(2)),
    ]
    assert [part.point for part in split.key if part.head is None] == [
        "encoder.embedding",
        "encoder.positional.encoding",
        "encoder.0.feed_forward.output",
        "encoder.1.feed_forward.output",
    ]


def test_a_key_that_the_mask_hides_has_no_score(make_model: Callable) -> None:
    with pytest.raises(ValueError, match="may not read the key at 3; choose a key that the mask allows"):
        split_score(FrozenPass(*translator(make_model)), "decoder.1.self_attention", 0, 2, 3)
