"""Their positions, run by Streamlit without a browser."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file
from streamlit.testing.v1 import AppTest
from transformers import LlamaConfig, LlamaModel

from tests.app.running import charts, markdown, open_page, run, warnings, written
from tests.app.your_model.reading import read_and_leave
from tests.fixtures.foreign_models import SMALL, random_model, small_tokenizer
from viz.pages.your_model.allowed import FOLDER_VARIABLE
from viz.pages.your_model.asking import loaded_models
from viz.pages.your_model.examples import example_positions
from viz.pages.your_model.state import EXAMPLE_TABLE

MAPS = {"map-theirs", "map-ours", "itself"}


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    yield tmp_path
    loaded_models().end()


def save(model: object, folder: Path) -> None:
    model.save_pretrained(folder)
    small_tokenizer().save_pretrained(folder)


def test_it_opens_on_a_learned_table_whose_neighbours_are_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    monkeypatch.setenv("HF_HUB_CACHE", "none")
    app = open_page("their_positions")
    assert {*charts(app)} == MAPS
    assert not warnings(app)
    assert "has learned a vector for each position" in markdown(app)
    assert "Open a model of your own under" in written(app)
    table = example_positions().values
    assert table.shape == (512, 384)
    near, far = (np.mean([_cosine(table[i], table[i + d]) for i in range(100)]) for d in (1, 50))
    assert near > far + 0.1


def test_a_t5_shows_each_head_of_each_stack(models: Path) -> None:
    save(random_model("T5"), models / "t5")
    app = open_page("their_positions", **{"of-model": "t5", "their-place": "2", "their-head": "3"})
    assert not warnings(app)
    assert "**t5**, head 3" in markdown(app)
    assert {*charts(app)} == MAPS
    app.selectbox(key="of-model").set_value("")
    run(app)
    assert "L6\\-v2** has learned" in markdown(app)
    assert not warnings(app)


def test_another_model_under_the_same_name_is_read_again(models: Path) -> None:
    save(random_model("GPT-2"), models / "one")
    app = open_page("their_positions", **{"of-model": "one"})
    before = maps_of(app)
    assert maps_of(run(app)) == before
    save(random_model("GPT-2"), models / "one")
    assert maps_of(run(app)) != before


def maps_of(app: AppTest) -> str:
    return str(charts(app)["map-theirs"].spec)


def test_a_large_base_and_a_long_context_are_written_in_full(models: Path) -> None:
    config = LlamaConfig(
        **SMALL,
        **{"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2},
        **{"intermediate_size": 16, "max_position_embeddings": 1_048_576},
        rope_parameters={"rope_theta": 1e6, "rope_type": "default"},
    )
    save(LlamaModel(config), models / "llama")
    text = markdown(open_page("their_positions", **{"of-model": "llama", "ours": "rotary"}))
    assert "the base 1,000,000." in text
    assert "within 1,048,576 positions" in text


def test_stretched_frequencies_are_told_of_with_the_length_that_they_reach(models: Path) -> None:
    config = LlamaConfig(
        **SMALL,
        **{"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2},
        **{"intermediate_size": 16, "max_position_embeddings": 128},
        rope_parameters={
            **{"rope_theta": 500.0, "rope_type": "yarn", "factor": 4.0},
            "original_max_position_embeddings": 32,
        },
    )
    save(LlamaModel(config), models / "llama")
    app = open_page("their_positions", **{"of-model": "llama", "ours": "rotary"})
    assert not warnings(app)
    assert "YaRN" in markdown(app)
    assert "from 32 to 128 positions" in markdown(app)
    assert "Wavelengths" in markdown(app)


def test_a_model_whose_positions_are_not_known_is_one_sentence_and_the_example_stays(models: Path) -> None:
    (models / "bad").mkdir()
    (models / "bad" / "config.json").write_text('{"auto_map": {}}', encoding="utf-8")
    app = open_page("their_positions", **{"of-model": "bad"})
    (warning,) = warnings(app)
    assert "never run here" in warning
    assert {*charts(app)} == MAPS


@pytest.mark.parametrize(("page", "key"), [("their_positions", "of-model"), ("inside_model", "inside-of")])
def test_the_model_that_was_read_last_is_in_the_link(
    models: Path, page: str, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(random_model("BERT"), models / "bert")
    app = read_and_leave("the cat sat", models, page, monkeypatch)
    assert app.selectbox(key=key).value == "bert"
    assert app.query_params[key] in ("bert", ["bert"])
    app.selectbox(key=key).set_value("")
    # The example is what a link without a model opens on, whatever was read.
    assert key not in run(app).query_params
    assert open_page(page).selectbox(key=key).value == ""


def test_a_link_to_a_head_that_the_model_does_not_have_gets_one_sentence(models: Path) -> None:
    save(random_model("T5"), models / "t5")
    app = open_page("their_positions", **{"of-model": "t5", "their-head": "9"})
    assert len(warnings(app)) == 1
    assert {*charts(app)} == MAPS


def test_the_shipped_table_is_that_of_the_model_to_half_a_step(real_bert: Path) -> None:
    (weights,) = real_bert.glob("*/model.safetensors")
    wanted = load_file(weights)["embeddings.position_embeddings.weight"]
    with np.load(EXAMPLE_TABLE) as table:
        half_steps = table["scales"] / 2
    assert (np.abs(example_positions().values - wanted) <= half_steps * 1.001).all()


def _cosine(first: np.ndarray, second: np.ndarray) -> float:
    return float(first @ second / np.linalg.norm(first) / np.linalg.norm(second))
