"""A run that is watched: the numbers of the trainer, the same each time, and what was seen comes back from its file."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import torch

from model.analysis.head_scores import induction_targets
from model.hooks import record
from model.training.zoo.train import Course, fresh_model, take_steps
from model.training.zoo.watch import Probe, main, watch
from model.zoo.evaluate import forward
from model.zoo.recording import Frame, load_recording
from model.zoo.watched import Watched

TINY = Watched(n_layers=2, n_heads=2, d_model=16, n_steps=6)

pytestmark = pytest.mark.usefixtures("unchecked")


@pytest.fixture(scope="module")
def probe() -> Probe:
    return Probe("induction")


def losses(frames: list[Frame]) -> list[float]:
    return [loss for frame in frames for loss in frame.loss]


def test_to_watch_a_run_changes_none_of_its_numbers(probe: Probe) -> None:
    run = TINY.run()
    unwatched = [step.loss.item() for step in take_steps(Course(run), fresh_model(run), run.recipe)]
    assert losses(list(watch(TINY, probe, 4))) == unwatched


def test_a_run_that_rests_goes_on_with_the_same_numbers(probe: Probe) -> None:
    whole = list(watch(TINY, probe, 2))
    rested = watch(TINY, probe, 2)
    first = list(islice(rested, 2))
    # Another run meanwhile draws from the same random numbers.
    list(watch(Watched(d_model=16, n_steps=3, seed=9), probe, 1))
    assert losses([*first, *rested]) == losses(whole)


def test_the_file_of_the_command_holds_what_was_seen(probe: Probe, tmp_path: Path) -> None:
    out = tmp_path / "run.safetensors"
    sizes = ["--layers", "2", "--heads", "2", "--d-model", "16", "--steps", "6", "--every", "4"]
    assert main([*sizes, "--out", str(out)]) == 0
    found, frames = load_recording(out), list(watch(TINY, probe, 4))
    assert found.watched == TINY
    assert found.steps.tolist() == [0, 4, 6]
    assert found.loss.tolist() == pytest.approx(losses(frames))
    assert "--layers 2" in found.command
    assert found.commit
    np.testing.assert_array_equal(found.patterns, np.stack([frame.patterns for frame in frames]))


def test_a_frame_shows_the_pattern_of_the_model_on_the_shown_input(probe: Probe) -> None:
    model = fresh_model(TINY.run())
    frame = next(watch(TINY, probe, 4))
    with torch.no_grad(), record("decoder.1.self_attention.pattern") as seen:
        forward(model.eval(), probe.shown)
    pattern = seen["decoder.1.self_attention.pattern"][0].numpy()
    assert np.abs(frame.patterns[1] / 255 - pattern).max() <= 0.5 / 255 + 1e-6
    assert len(probe.tokens) == pattern.shape[-1]
    # Everything that is asked for can be found by induction.
    asked = probe.shown.is_answer[:, 1:]
    assert (induction_targets(probe.shown.tokens[:, :-1])[asked] > 0).all()


def test_what_cannot_be_trained_is_refused_with_numbers(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["--heads", "3", "--d-model", "16", "--out", str(tmp_path / "x")]) == 2
    assert "d_model is 16; it must be a multiple of 6" in capsys.readouterr().err


def test_a_damaged_file_is_no_recording(tmp_path: Path) -> None:
    (tmp_path / "x.safetensors").write_bytes(b"{")
    with pytest.raises(ValueError, match=r"^x\.safetensors is no recording"):
        load_recording(tmp_path / "x.safetensors")
