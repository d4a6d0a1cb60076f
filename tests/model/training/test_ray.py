"""The same sweep through a local Ray, where Ray is installed (requirements-ray.txt)."""

from pathlib import Path

import pandas as pd
import pytest

from model.training.engines import RayEngine
from model.training.runs import RESULTS
from model.training.sweep import sweep
from model.training.zoo.plan import train_and_save, zoo_plan
from model.zoo.plan import Recipe, make_run

ray = pytest.importorskip("ray")

SIZES = {"d_model": 16, "n_heads": 2, "d_key": 8, "d_value": 8, "d_ff": 32, "n_layers": 1}


@pytest.mark.filterwarnings("default")
def test_a_local_ray_trains_and_tells_what_failed(tmp_path: Path) -> None:
    recipe = Recipe(n_steps=4, n_training=70, n_test=2)
    good = make_run("parity", "none", 1, recipe, **SIZES)
    bad = make_run("parity", "sinusoidal", 1, recipe, **(SIZES | {"d_model": 15}))
    steps: list[int] = []
    engine = RayEngine(n_workers=1)
    try:
        outcomes = engine.run([good], tmp_path, train_and_save, steps.append)
        assert [outcome.error is None for outcome in outcomes] == [True]
        (failure,) = sweep(zoo_plan([good, bad]), tmp_path, engine)
    finally:
        ray.shutdown()
    assert steps == [4]
    assert failure.startswith(f"{bad.name}: ")
    assert set(pd.read_parquet(tmp_path / RESULTS).encoding) == {"none"}
