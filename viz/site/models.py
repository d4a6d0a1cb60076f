"""What the browser loads of a translator: weights of one byte, graphs, and what else is read of it."""

import json
from collections.abc import Iterator, Sequence

from model.config import config_to_json
from model.decoding.graph import find_graphs
from pretrained.graphs import GRAPHS
from viz.shared.shipped import translator
from viz.site.weights import site_weights


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
            "options": {"lengthPenalty": loaded.options.length_penalty},
            "graph": graph,
        }
        yield f"{name}.json", json.dumps(about, ensure_ascii=False, separators=(",", ":")).encode()
        yield f"{name}.weights", site_weights(loaded.model.state_dict())
