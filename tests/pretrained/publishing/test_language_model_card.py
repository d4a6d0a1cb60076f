"""The card of a shipped language model tells its metrics, and no step twice."""

import re

import pytest

from model.training.language_model.config import language_model_training
from pretrained.language_models import load_language_model, shipped_language_models
from pretrained.publishing.language_model import language_model_card
from pretrained.translators import CARD, FOLDER


@pytest.mark.parametrize("name", shipped_language_models())
def test_a_shipped_card_is_the_one_of_its_metrics_and_its_commits_follow_one_another(name: str) -> None:
    metrics = load_language_model(name).metrics
    card = language_model_card(name, language_model_training(metrics["training"]), metrics)
    assert (FOLDER / "language_models" / name / CARD).read_text(encoding="utf-8") == card
    steps = [int(step.replace(",", "")) for pair in re.findall(r"steps ([\d,]+) to ([\d,]+) on", card) for step in pair]
    assert steps == sorted(steps)
    assert (steps[0], steps[-1]) == (0, metrics["step"])
    assert steps[1:-1:2] == steps[2::2]
