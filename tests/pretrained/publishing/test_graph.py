"""Graphs are exported without any weight, and what is exported runs the model."""

from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from onnx import TensorProto, helper, numpy_helper

from model.architectures.encoder_decoder import EncoderDecoder
from model.config import load_config
from model.decoding.graph import CONFIG, GraphFiles, GraphModel
from pretrained.graphs import GRAPHS
from pretrained.publishing.graph import export_graphs, without_weights

NAMES = sorted(path.parent.name for path in GRAPHS.glob(f"*/{CONFIG}"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("part", ["encoder", "step"])
def test_what_ships_names_each_weight_and_holds_none_and_no_path_of_a_machine(name: str, part: str) -> None:
    content = (GRAPHS / name / f"{part}.onnx").read_bytes()
    graph = onnx.load_model_from_string(content).graph
    weights = [one for one in graph.initializer if one.data_location == TensorProto.EXTERNAL]
    assert all([(entry.key, entry.value) for entry in one.external_data] == [("location", one.name)] for one in weights)
    held = [one for one in graph.initializer if one.data_location != TensorProto.EXTERNAL]
    assert all(numpy_helper.to_array(one).ndim < 2 for one in held)
    assert b".py" not in content


@pytest.mark.slow
@pytest.mark.unchecked
@pytest.mark.filterwarnings("ignore")  # those of the exporter
def test_an_export_runs_its_model(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = EncoderDecoder(load_config(GRAPHS / NAMES[0] / CONFIG)).eval()
    export_graphs(model, GraphFiles.of(tmp_path))
    source, target = torch.tensor([[5, 6, 7, 3]]), torch.tensor([[2, 8, 9]])
    logits = GraphModel(model, GraphFiles.of(tmp_path)).encode(source)(3).step(target)
    with torch.inference_mode():
        torch.testing.assert_close(logits, model(source, target), atol=1e-5, rtol=1e-5)


def test_a_matrix_that_is_no_weight_is_refused() -> None:
    matrix = numpy_helper.from_array(np.eye(20, dtype=np.float32), "val_1")
    graph = onnx.ModelProto(graph=helper.make_graph([], "graph", [], [], [matrix]))
    with pytest.raises(ValueError, match="val_1 of the graph is a matrix"):
        without_weights(graph, {"other": np.zeros((20, 20), np.float32)})
