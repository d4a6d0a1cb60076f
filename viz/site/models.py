"""A translator's files for the browser: 8-bit weights, graphs, and everything else that it reads."""

import json
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from model.architectures.encoder_decoder import EncoderDecoder
from model.config import config_to_json
from model.decoding.graph import find_graphs
from model.decoding.translator import Translator
from pretrained.graphs import GRAPHS
from pretrained.quantization import dequantized, quantized
from viz.shared.shipped import translator, translator_info
from viz.site.weights import site_weights


@cache
def largest_difference(name: str) -> float:
    """Return the largest error of an attention weight of the translator ``name`` in 8 bits.

    Both precisions read the same tokens: the translator's examples and what it writes for them.
    """
    loaded = translator(name)
    model = EncoderDecoder(loaded.model.config)
    model.load_state_dict(dequantized(quantized(loaded.model.state_dict())))
    in_bytes, most = Translator(model, loaded.tokenizer), 0.0
    for example in translator_info(name).examples:
        translation = loaded.translate(example)
        whole, other = (one.look_inside(translation, "*.pattern") for one in (loaded, in_bytes))
        most = max(most, *(float(np.abs(whole[point] - other[point]).max()) for point in whole))
    return most


def model_files(names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of every file of the shipped translators ``names``, a graph once.

    Raises:
        DamagedWeightsError: a model that cannot be loaded.
        ValueError: one whose architecture has no graph.
    """
    graphs = set()
    for name in names:
        loaded = translator(name)
        files = find_graphs(GRAPHS, loaded.model.config)
        if files is None:
            raise ValueError(f"the architecture of {name} has no graph; run python -m pretrained.publishing graphs")
        graph = f"graph-{files.encoder.parent.name}"
        if graph not in graphs:
            graphs.add(graph)
            yield f"{graph}.encoder", files.encoder.read_bytes()
            yield f"{graph}.step", files.step.read_bytes()
        about = {
            "config": json.loads(config_to_json(loaded.model.config)),
            "pieces": loaded.tokenizer.pieces(range(loaded.tokenizer.vocabulary_size)),
            "hasCapitalNouns": loaded.has_capital_nouns,
            "options": {"lengthPenalty": loaded.options.length_penalty},
            "graph": graph,
        }
        yield f"{name}.json", json.dumps(about, ensure_ascii=False, separators=(",", ":")).encode()
        yield f"{name}.weights", site_weights(loaded.model.state_dict())
