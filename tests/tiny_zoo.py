"""A published zoo of models so small that each is trained in a moment."""

from pathlib import Path

from model.training.engines import train_alone
from model.training.zoo.plan import train_and_save
from model.zoo.plan import Recipe, Run, make_run
from pretrained.publishing.publish_zoo import publish

SIZES = {"d_model": 16, "n_heads": 2, "d_key": 8, "d_value": 8, "d_ff": 32, "n_layers": 2}
RECIPE = Recipe(n_steps=2, n_training=70, n_test=4, evaluate_every=2)


def train_zoo_run(run: Run, folder: Path) -> None:
    """Train ``run`` and finish it in ``folder``, as a sweep does."""
    train_alone(run, folder, train_and_save, lambda _: None)


def publish_tiny_zoo(folder: Path, *models: tuple[str, str]) -> Path:
    """Train a model of each task and encoding on two batches, publish them below ``folder``, and return where."""
    for task, encoding in models:
        train_zoo_run(make_run(task, encoding, 1, RECIPE, **SIZES), folder / "sweep")
    publish(folder / "sweep", folder=folder / "zoo")
    return folder / "zoo"
