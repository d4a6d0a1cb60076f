"""What each part of a decoder says to a logit: the parts sum to it, and each is what hooks of PyTorch see by hand."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from model.analysis.interventions.direct_attribution import NotASumError, direct_attribution
from model.architectures.encoder_decoder import EncoderDecoder
from model.positional.base import PositionalConfig
from model.text.tokenizer import BOS_ID, EOS_ID

SOURCE = [4, 9, 6, 7, EOS_ID]
TARGET = [5, 8, 8, 10, EOS_ID]
FOIL = 7


@pytest.fixture
def model(make_model: Callable[..., EncoderDecoder]) -> EncoderDecoder:
    torch.manual_seed(2)
    model = make_model(norm="pre")
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" in name or name.endswith("W_2.bias"):
                parameter.add_(torch.randn_like(parameter) / 3)
    return model


@torch.no_grad()
def by_hand(model: EncoderDecoder, step: int, token: int, foil: int) -> dict[str, float]:
    """Return every contribution at ``step``, from the inputs and outputs of PyTorch's own modules."""
    seen: dict[str, Tensor] = {}
    handles = []
    for number, layer in enumerate(model.decoder.layers):
        for block in ("self_attention", "cross_attention"):

            def keep_input(_: object, given: tuple[Tensor], name: str = f"{number} {block}") -> None:
                seen[name] = given[0]

            handles.append(getattr(layer, block).W_O.register_forward_pre_hook(keep_input))

        def keep_output(_: object, __: object, out: Tensor, name: str = f"{number} feed_forward") -> None:
            seen[name] = out

        handles.append(layer.feed_forward.register_forward_hook(keep_output))
    handles.append(model.decoder.final_norm.register_forward_pre_hook(lambda _, given: seen.update(last=given[0])))
    model(torch.tensor([SOURCE]), torch.tensor([[BOS_ID, *TARGET[:-1]]]))
    for handle in handles:
        handle.remove()
    last, norm = seen["last"][0, step], model.decoder.final_norm
    scale = torch.sqrt(((last - last.mean()) ** 2).mean() + norm.eps)

    def toward(vector: Tensor) -> float:
        normed = (vector - vector.mean()) / scale * norm.weight
        return float(normed @ (model.embedding.weight[token] - model.embedding.weight[foil]))

    found = {"embedding": toward(model.embedding.weight[[BOS_ID, *TARGET][step]] * model.config.d_model**0.5)}
    for name, x in seen.items():
        if "attention" in name:
            number, block = name.split()
            W_O = getattr(model.decoder.layers[int(number)], block).W_O.weight
            size = model.config.d_value
            for head in range(model.config.n_heads):
                part = slice(head * size, (head + 1) * size)
                found[f"{name} {head}"] = toward(W_O[:, part] @ x[0, step, part])
        elif name != "last":
            found[name] = toward(x[0, step])
    return found


@pytest.mark.parametrize("step", [0, 3])
def test_every_part_is_what_hooks_of_pytorch_see(model: EncoderDecoder, step: int) -> None:
    found = direct_attribution(model, SOURCE, TARGET)
    expected = by_hand(model, step, TARGET[step], FOIL)
    contributions = found.contributions(step, TARGET[step], FOIL).tolist()
    for part, contribution in zip(found.parts, contributions, strict=True):
        _, *place = part.point.split(".")
        if place[0] == "positional":
            continue
        name = " ".join([*place[:2], str(part.head)]) if part.head is not None else " ".join(place[:2])
        assert contribution == pytest.approx(expected.pop(name.removesuffix(" output")), abs=1e-5), part
    assert not expected


@pytest.mark.parametrize("positional", ["sinusoidal", "alibi", "learned"])
def test_all_parts_sum_to_the_difference_of_the_logits(
    make_model: Callable[..., EncoderDecoder], positional: str
) -> None:
    model = make_model(norm="pre", positional=PositionalConfig(positional))
    found = direct_attribution(model, SOURCE, TARGET)
    with torch.no_grad():
        logits = model(torch.tensor([SOURCE]), torch.tensor([[BOS_ID, *TARGET[:-1]]]))[0]
    for step, token in enumerate(TARGET):
        total = float(found.contributions(step, token, FOIL).sum()) + found.of_bias(token, FOIL)
        assert total == pytest.approx(float(logits[step, token] - logits[step, FOIL]), abs=1e-4)
        assert found.difference(step, token, FOIL) == pytest.approx(total, abs=1e-4)


@pytest.mark.parametrize("changes", [{"norm": "post"}, {"norm": "pre", "residual": "none"}])
def test_a_model_whose_residual_is_no_sum_is_refused(
    make_model: Callable[..., EncoderDecoder], changes: dict[str, str]
) -> None:
    with pytest.raises(NotASumError, match="norm 'pre' and residual 'add'"):
        direct_attribution(make_model(**changes), SOURCE, TARGET)
