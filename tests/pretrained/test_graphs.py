"""The graphs that ship against the models that they are of: the same logits, patterns, intermediates and searches."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch
from torch import nn

from model.architectures.encoder_decoder import EncoderDecoder
from model.config import EncoderDecoderConfig, config_to_json, load_config
from model.decoding.decoder import Decoder, TorchBackend
from model.decoding.graph import CONFIG, GraphFiles, GraphModel, find_graphs, session
from model.decoding.options import DecodingOptions
from model.decoding.search import search_one
from model.hooks import intervene, record
from pretrained.graphs import GRAPHS, backend_of
from pretrained.parsers import load_parser, shipped_parsers
from pretrained.translators import load_translator, read_card, shipped
from tests.fixtures.each_translator import each_translator

FOLDERS = sorted(path.parent for path in GRAPHS.glob(f"*/{CONFIG}"))
SOURCE = [4, 9, 6, 7, 10, 8, 3]
TARGET = [2, 5, 5, 10, 7]
SENTENCES = [
    "A man in a red shirt is sitting on a bench and reading.",
    "Hi.",
    "犬が猫を追いかける。",
    "Le chat dort, je crois.",
]
OPTIONS = [DecodingOptions(beam_size=1), DecodingOptions(beam_size=4, n_best=3)]
CLOSE = {"atol": 1e-5, "rtol": 1e-5}


@pytest.fixture(scope="module", params=FOLDERS, ids=lambda folder: folder.name)
def model(request: pytest.FixtureRequest) -> EncoderDecoder:
    """Return a model of one of the architectures, with gains, shifts and biases that differ, as after training."""
    torch.manual_seed(0)
    made = EncoderDecoder(load_config(request.param / CONFIG)).eval()
    for module in made.modules():
        if isinstance(module, nn.LayerNorm):
            nn.init.normal_(module.weight, 1, 0.2)
            nn.init.normal_(module.bias, 0, 0.2)
        elif isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.normal_(module.bias, 0, 0.2)
    return made


@pytest.fixture(scope="module")
def graph(model: EncoderDecoder) -> GraphModel:
    files = find_graphs(GRAPHS, model.config)
    assert files
    return GraphModel(model, files)


def decoder(graph: GraphModel) -> Decoder:
    return graph.encode(torch.tensor([SOURCE]))(len(TARGET))


def test_every_translator_and_parser_that_ships_has_a_graph() -> None:
    for config in (read_card(name).config for name in shipped()):
        assert find_graphs(GRAPHS, config)
    assert all(find_graphs(GRAPHS, load_parser(name).parser.model.config) for name in shipped_parsers())


def test_a_damaged_graph_is_passed_over(model: EncoderDecoder, tmp_path: Path) -> None:
    for name, text in {"cut-off": "{", "of-nothing": "{}"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / CONFIG).write_text(text, encoding="utf-8")
    assert find_graphs(tmp_path, model.config) is None
    (tmp_path / "whole").mkdir()
    (tmp_path / "whole" / CONFIG).write_text(config_to_json(model.config), encoding="utf-8")
    assert find_graphs(tmp_path, model.config) == GraphFiles.of(tmp_path / "whole")


def test_another_architecture_has_none(model: EncoderDecoder) -> None:
    assert find_graphs(GRAPHS, replace(model.config, dropout=0.3))
    other = replace(model.config, d_ff=3 * model.config.d_ff)
    assert find_graphs(GRAPHS, other) is None
    assert isinstance(backend_of(EncoderDecoder(other)), TorchBackend)


def test_all_at_once_it_gives_the_logits_and_patterns_of_the_model(model: EncoderDecoder, graph: GraphModel) -> None:
    with record("*.pattern") as found:
        logits = decoder(graph).step(torch.tensor([TARGET]))
    with torch.inference_mode(), record("*.pattern") as seen:
        expected = model(torch.tensor([SOURCE]), torch.tensor([TARGET]))
    torch.testing.assert_close(logits, expected, **CLOSE)
    assert list(found) == list(seen)
    for name, pattern in found.items():
        torch.testing.assert_close(pattern, seen[name], **CLOSE)


def test_token_by_token_it_gives_what_it_gives_at_once(graph: GraphModel) -> None:
    at_once, by_steps = decoder(graph).step(torch.tensor([TARGET])), decoder(graph)
    parts = [by_steps.step(torch.tensor([TARGET[start:end]])) for start, end in ((0, 1), (1, 2), (2, 4), (4, 5))]
    torch.testing.assert_close(torch.cat(parts, dim=1), at_once, **CLOSE)


def test_rows_that_are_repeated_and_reordered_go_on_from_their_own_past(graph: GraphModel) -> None:
    several = decoder(graph)
    several.step(torch.tensor([[2]]))
    several.select(torch.tensor([0, 0, 0]))
    several.step(torch.tensor([[4], [5], [6]]))
    several.select(torch.tensor([2, 0]))
    logits = several.step(torch.tensor([[7], [8]]))
    for row, target in enumerate(([2, 6, 7], [2, 4, 8])):
        alone = decoder(graph).step(torch.tensor([target]))
        torch.testing.assert_close(logits[row, 0], alone[0, -1], **CLOSE)


def test_weights_that_change_later_change_nothing(model: EncoderDecoder, graph: GraphModel) -> None:
    before = decoder(graph).step(torch.tensor([TARGET]))
    kept = model.embedding.weight.detach().clone()
    with torch.no_grad():
        model.embedding.weight.zero_()
        after = decoder(graph).step(torch.tensor([TARGET]))
        model.embedding.weight.copy_(kept)
    assert torch.equal(before, after)


def test_several_sources_at_once_are_refused(graph: GraphModel) -> None:
    with pytest.raises(ValueError, match="one source at a time, and 2 were given"):
        graph.encode(torch.tensor([SOURCE, SOURCE]))


@pytest.mark.parametrize("options", OPTIONS, ids=["greedy", "beam"])
@each_translator()
def test_a_search_finds_and_shows_what_the_model_itself_does(name: str, options: DecodingOptions) -> None:
    translator = load_translator(name, "cpu")
    ours, theirs = backend_of(translator.model), TorchBackend(translator.model)
    assert isinstance(ours, GraphModel)
    for text in SENTENCES:
        source = [*translator.tokenizer.encode(text), translator.model.config.eos_id]
        found, expected = (search_one(backend, source, options, n_alternatives=3) for backend in (ours, theirs))
        assert [one.tokens for one in found.hypotheses] == [one.tokens for one in expected.hypotheses]
        torch.testing.assert_close(found.alternatives.probabilities, expected.alternatives.probabilities, **CLOSE)
        assert list(found.patterns) == list(expected.patterns)
        for point, pattern in found.patterns.items():
            np.testing.assert_allclose(pattern, expected.patterns[point], **CLOSE)


# What the graphs have besides: what interventions change, and what is seen inside.


def sessions(model: EncoderDecoder) -> tuple[onnxruntime.InferenceSession, onnxruntime.InferenceSession]:
    files = find_graphs(GRAPHS, model.config)
    assert isinstance(files, GraphFiles)
    weights = {name: tensor.numpy(force=True) for name, tensor in model.state_dict().items()}
    return session(files.encoder, weights), session(files.step, weights)


def blocks_of(config: EncoderDecoderConfig) -> Iterator[tuple[str, str]]:
    """Yield the stack, and the name of each block in it, in the order of the graphs' scales."""
    for layer in range(config.n_encoder_layers):
        yield from (("encoder", f"encoder.{layer}.{block}") for block in ("self_attention", "feed_forward"))
    for layer in range(config.n_decoder_layers):
        blocks = ("self_attention", "cross_attention", "feed_forward")
        yield from (("decoder", f"decoder.{layer}.{block}") for block in blocks)


def test_scales_and_added_weights_are_what_interventions_are_to_the_model(model: EncoderDecoder) -> None:
    config, rng = model.config, np.random.default_rng(1)
    n, heads = len(SOURCE), config.n_heads
    n_read, layers = len(TARGET), config.n_decoder_layers
    added = {
        f"{stack}.{{}}.{block}.pattern": single(rng.normal(0, 0.1, (n_layers, 1, heads, *shape)))
        for stack, block, n_layers, shape in (
            ("encoder", "self_attention", config.n_encoder_layers, (n, n)),
            ("decoder", "self_attention", layers, (n_read, n_read)),
            ("decoder", "cross_attention", layers, (n_read, n)),
        )
    }
    of_encoder, of_self, of_cross = added.values()
    scales = {
        "encoder": (rng.random((config.n_encoder_layers, heads)), rng.random(2 * config.n_encoder_layers)),
        "decoder": (rng.random((2 * config.n_decoder_layers, heads)), rng.random(3 * config.n_decoder_layers)),
    }
    edits = {
        name.format(layer): plus(of_layer)
        for name, by_layer in added.items()
        for layer, of_layer in enumerate(by_layer)
    }
    for stack, (by_head, by_block) in scales.items():
        own = [name for its, name in blocks_of(config) if its == stack]
        attention = [name for name in own if name.endswith("attention")]
        edits |= {f"{name}.z": times(by_head[index][:, None, None]) for index, name in enumerate(attention)}
        edits |= {f"{name}.output": times(by_block[index]) for index, name in enumerate(own)}
    encoder, step = sessions(model)
    (by_head, by_block), (step_by_head, step_by_block) = scales["encoder"], scales["decoder"]
    inputs = {"source": np.array([SOURCE]), "heads": single(by_head), "blocks": single(by_block), "added": of_encoder}
    encoded = dict(zip([one.name for one in encoder.get_outputs()], encoder.run(None, inputs), strict=True))
    empty = encoded["cross_k"][:, :, :, :0]
    inputs = {"tokens": np.array([TARGET]), "k": empty, "v": empty, "heads": single(step_by_head)}
    inputs |= {name: encoded[name] for name in ("cross_k", "cross_v")} | {"blocks": single(step_by_block)}
    inputs |= {"self_added": of_self, "cross_added": of_cross}
    stepped = dict(zip([one.name for one in step.get_outputs()], step.run(None, inputs), strict=True))
    with torch.inference_mode(), record("*") as seen, intervene(edits):
        logits = model(torch.tensor([SOURCE]), torch.tensor([TARGET]))
    np.testing.assert_allclose(stepped["logits"], logits.numpy(), **CLOSE)
    for index in range(config.n_encoder_layers):
        for name in ("pattern", "q", "k", "v", "z"):
            np.testing.assert_allclose(encoded[name][index], seen[f"encoder.{index}.self_attention.{name}"], **CLOSE)
    for index in range(config.n_decoder_layers):
        for place, block in enumerate(("self_attention", "cross_attention")):
            for name in ("q", "z"):
                np.testing.assert_allclose(
                    stepped[name][2 * index + place], seen[f"decoder.{index}.{block}.{name}"], **CLOSE
                )
        np.testing.assert_allclose(stepped["new_k"][index], seen[f"decoder.{index}.self_attention.k"], **CLOSE)
        np.testing.assert_allclose(encoded["cross_v"][index], seen[f"decoder.{index}.cross_attention.v"], **CLOSE)
    for stack, found in (("encoder", encoded["residual"]), ("decoder", stepped["residual"])):
        names = [f"{name}.residual_after" for its, name in blocks_of(config) if its == stack]
        for stream, name in zip(found, [f"{stack}.input", *names], strict=True):
            np.testing.assert_allclose(stream, seen[name], **CLOSE)
    np.testing.assert_allclose(encoded["memory"], seen["encoder.output"], **CLOSE)


def times(scale: np.ndarray):
    return lambda tensor: tensor * torch.from_numpy(np.asarray(scale, np.float32))


def plus(added: np.ndarray):
    return lambda tensor: tensor + torch.from_numpy(added)


def single(values: np.ndarray) -> np.ndarray:
    return values.astype(np.float32)
