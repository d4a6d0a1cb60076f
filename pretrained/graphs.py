"""The graphs that ship, one for each architecture of translators and parsers."""

from pathlib import Path

from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.decoder import Backend, TorchBackend
from model.decoding.graph import GraphModel, find_graphs

GRAPHS = Path(__file__).parent / "graphs"


def backend_of(model: EncoderDecoder) -> Backend:
    """Return the fastest backend of ``model`` for one text: its graph on the CPU, where one ships."""
    graphs = find_graphs(GRAPHS, model.config) if model.embedding.weight.device.type == "cpu" else None
    return TorchBackend(model) if graphs is None else GraphModel(model, graphs)
