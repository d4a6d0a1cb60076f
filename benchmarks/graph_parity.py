"""How far the exported graphs are from PyTorch, over every output of both, in float32.

    python -m benchmarks.graph_parity [NAME…] [--data-dir FOLDER] [--sentences 200]

Prints for each translator the largest difference of each output, of a number above 1 relative to it, on the first dev
sentences with their reference translations; and the same with every head and block scaled, and every pattern added to.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import torch
from onnxruntime import InferenceSession

from benchmarks.command import parser_of, run_command
from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.graph import find_graphs, session
from model.device import use_one_thread
from model.hooks import Edit, intervene, record
from pretrained import load_translator, shipped
from pretrained.graphs import GRAPHS
from pretrained.publishing.dev_sentences import dev_sentences

_ENCODER, _DECODER = ("self_attention", "feed_forward"), ("self_attention", "cross_attention", "feed_forward")
_ATTENTION = _DECODER[:2]


class Changes:
    """What is done to a pass: a scale for each head and block, and what is added to each pattern."""

    def __init__(self, model: EncoderDecoder, n_source: int, n_target: int, rng: np.random.Generator | None) -> None:
        """Draw them from ``rng``; without it nothing is changed."""
        config = model.config

        def drawn(centre: float, *shape: int) -> np.ndarray:
            moved = np.zeros(shape) if rng is None else rng.uniform(-0.1, 0.1, shape)
            return (centre + moved).astype(np.float32)

        n_encoder, n_decoder, n_heads = config.n_encoder_layers, config.n_decoder_layers, config.n_heads
        self.encoder = {
            "heads": drawn(1, n_encoder, n_heads),
            "blocks": drawn(1, 2 * n_encoder),
            "added": drawn(0, n_encoder, 1, n_heads, n_source, n_source),
        }
        self.step = {
            "heads": drawn(1, 2 * n_decoder, n_heads),
            "blocks": drawn(1, 3 * n_decoder),
            "self_added": drawn(0, n_decoder, 1, n_heads, n_target, n_target),
            "cross_added": drawn(0, n_decoder, 1, n_heads, n_target, n_source),
        }

    def edits(self) -> dict[str, Edit]:
        """Return the same for PyTorch."""
        added = {
            "encoder.self_attention": self.encoder["added"],
            "decoder.self_attention": self.step["self_added"],
            "decoder.cross_attention": self.step["cross_added"],
        }
        edits: dict[str, Edit] = {}
        for stack, blocks, inputs in (("encoder", _ENCODER, self.encoder), ("decoder", _DECODER, self.step)):
            n_attention = len(blocks) - 1
            for place, scale in enumerate(inputs["blocks"]):
                layer, number = divmod(place, len(blocks))
                edits[f"{stack}.{layer}.{blocks[number]}.output"] = _times(scale)
            for place, scales in enumerate(inputs["heads"]):
                layer, number = divmod(place, n_attention)
                block = blocks[number]
                edits[f"{stack}.{layer}.{block}.z"] = _times(scales[:, None, None])
                edits[f"{stack}.{layer}.{block}.pattern"] = _plus(added[f"{stack}.{block}"][layer])
        return edits


def outputs_of_graph(
    encoder: InferenceSession, step: InferenceSession, source: list[int], target: list[int], changes: Changes
) -> dict[str, np.ndarray]:
    """Return every output of both graphs, the whole target in one step."""
    encoded = _run(encoder, {"source": np.array([source]), **changes.encoder})
    nothing = encoded["cross_k"][:, :, :, :0]
    read = {name: encoded[name] for name in ("cross_k", "cross_v")}
    stepped = _run(step, {"tokens": np.array([target]), "k": nothing, "v": nothing, **read, **changes.step})
    return {f"encoder {name}": value for name, value in encoded.items()} | {
        f"step {name}": value for name, value in stepped.items()
    }


@torch.inference_mode()
def outputs_of_model(
    model: EncoderDecoder, source: list[int], target: list[int], changes: Changes
) -> dict[str, np.ndarray]:
    """Return the same of PyTorch, by the names of the hook points."""
    with record("*") as seen, intervene(changes.edits()):
        logits = model(torch.tensor([source]), torch.tensor([target]))

    def stacked(stack: str, blocks: tuple[str, ...], name: str) -> np.ndarray:
        n_layers = len(getattr(model, stack).layers)
        return np.stack(
            [seen[f"{stack}.{layer}.{block}.{name}"].numpy() for layer in range(n_layers) for block in blocks]
        )

    def residual(stack: str, blocks: tuple[str, ...]) -> np.ndarray:
        after = stacked(stack, blocks, "residual_after")
        return np.concatenate([seen[f"{stack}.input"].numpy()[None], after])

    own, cross = ("self_attention",), ("cross_attention",)
    return {
        "encoder cross_k": stacked("decoder", cross, "k"),
        "encoder cross_v": stacked("decoder", cross, "v"),
        **{f"encoder {name}": stacked("encoder", own, name) for name in ("pattern", "q", "k", "v", "z")},
        "encoder residual": residual("encoder", _ENCODER),
        "encoder memory": seen["encoder.output"].numpy(),
        "step logits": logits.numpy(),
        "step new_k": stacked("decoder", own, "k"),
        "step new_v": stacked("decoder", own, "v"),
        "step self_pattern": stacked("decoder", own, "pattern"),
        "step cross_pattern": stacked("decoder", cross, "pattern"),
        **{f"step {name}": stacked("decoder", _ATTENTION, name) for name in ("q", "z")},
        "step residual": residual("decoder", _DECODER),
    }


def differences(name: str, data_dir: Path | None, n_sentences: int, *, is_changed: bool) -> Iterator[tuple[str, float]]:
    """Yield each output of the graphs of ``name``, and how far it is from PyTorch's at most."""
    translator = load_translator(name, "cpu")
    model, tokenizer = translator.model, translator.tokenizer
    files = find_graphs(GRAPHS, model.config)
    assert files is not None
    weights = {name: tensor.numpy(force=True) for name, tensor in model.state_dict().items()}
    graphs = session(files.encoder, weights), session(files.step, weights)
    rng = np.random.default_rng(0) if is_changed else None
    largest: dict[str, float] = {}
    for pair in dev_sentences(name, data_dir).scoring[:n_sentences]:
        source = [*tokenizer.encode(pair.source), model.config.eos_id]
        target = [model.config.bos_id, *tokenizer.encode(pair.target)]
        changes = Changes(model, len(source), len(target), rng)
        expected = outputs_of_model(model, source, target, changes)
        given = outputs_of_graph(*graphs, source, target, changes)
        assert given.keys() == expected.keys()
        for output, value in given.items():
            apart = np.abs(value - expected[output]) / np.maximum(1, np.abs(expected[output]))
            largest[output] = max(largest.get(output, 0.0), float(apart.max()))
    yield from largest.items()


def _run(graph: InferenceSession, inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    names = [one.name for one in graph.get_outputs()]
    return dict(zip(names, graph.run(None, dict(inputs)), strict=True))


def _times(scale: np.ndarray) -> Edit:
    return lambda tensor: tensor * torch.as_tensor(scale)


def _plus(added: np.ndarray) -> Edit:
    return lambda tensor: tensor + torch.from_numpy(added)


def main() -> None:
    """Compare what is asked for."""
    parser = parser_of(__file__, __doc__)
    parser.add_argument("names", nargs="*", help="shipped translators; all when none is given")
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--sentences", type=int, default=200)
    arguments = parser.parse_args()
    use_one_thread()
    for name in arguments.names or shipped():
        for kind, is_changed in (("as it is", False), ("changed", True)):
            largest = dict(differences(name, arguments.data_dir, arguments.sentences, is_changed=is_changed))
            worst = max(largest, key=largest.__getitem__)
            print(f"{name}, {kind}, {arguments.sentences} sentences: at most {largest[worst]:.1e} ({worst})")
            print("  " + ", ".join(f"{output} {value:.1e}" for output, value in largest.items()), flush=True)


if __name__ == "__main__":
    run_command(main)
