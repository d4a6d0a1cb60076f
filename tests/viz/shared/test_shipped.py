"""Shipped models on every page: damaged ones, and those that are gone."""

import pytest

from model.checkpoint import DamagedWeightsError
from pretrained import shipped
from viz.shared.shipped import DEFAULT_TRANSLATOR, damage, offered


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            DamagedWeightsError("no weights", file="a.safetensors"),
            "there is no weights file a.safetensors; restore it or train the model anew",
        ),
        (
            DamagedWeightsError("other checksum", file="a.safetensors", sha256="ab", recorded="cd"),
            "a.safetensors has SHA-256 ab, not the recorded cd; restore the file",
        ),
        (
            DamagedWeightsError("does not fit", file="a.safetensors", problem="no {size}"),
            "a.safetensors does not fit its configuration: no {size}",
        ),
        (
            DamagedWeightsError("not recorded", file="x/config.json"),
            "x/config.json is missing or not the recorded file; restore it",
        ),
        (
            DamagedWeightsError("no metrics", file="x/metrics.json"),
            "x/metrics.json is missing or damaged; restore it",
        ),
        (
            DamagedWeightsError("no training", model="x"),
            "x: the metrics do not say how it was trained; restore them",
        ),
        (
            DamagedWeightsError("damaged index", file="zoo/index.json"),
            "zoo/index.json is damaged; restore it, for example by git checkout pretrained/zoo",
        ),
        (
            DamagedWeightsError("no weights", file="a.safetensors", command="make it"),
            "there is no weights file a.safetensors; restore it or train the model anew; the command for that "
            "is make it",
        ),
        (OSError("the disk is gone"), "the disk is gone"),
    ],
)
def test_the_sentence_has_what_the_error_found(error: Exception, sentence: str) -> None:
    assert damage(error) == sentence


def test_a_translator_that_goes_while_it_is_listed_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viz.shared.shipped.shipped", lambda: (*shipped(), "gone"))
    assert "gone" not in offered()
    assert DEFAULT_TRANSLATOR in offered()
