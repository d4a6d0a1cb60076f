"""A run that is watched: the numbers of the trainer, the same each time, and what was seen comes back from its file."""

import shlex
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors import safe_open

from model.analysis.maps.head_scores import induction_targets
from model.architectures.decoder_only import DecoderOnly
from model.hooks import record
from model.training.zoo.train import Course, answer_loss, fresh_model, take_steps
from model.training.zoo.watch import HeldOutInputs, main, watch
from model.zoo.evaluate import NOT_ASKED, forward, targets_of
from model.zoo.messages import Messages, SeenFrame, to_bytes
from model.zoo.plan import Run
from model.zoo.recording import Frame, load_recording, recording_of
from model.zoo.watched_runs import WatchedRun

TINY = WatchedRun(n_layers=2, n_heads=2, d_model=16, n_steps=6)

pytestmark = pytest.mark.unchecked


@pytest.fixture(scope="module")
def held_out() -> HeldOutInputs:
    return HeldOutInputs("induction")


def losses(frames: list[Frame]) -> list[float]:
    return [loss for frame in frames for loss in frame.loss]


def test_to_watch_a_run_changes_none_of_its_numbers(held_out: HeldOutInputs) -> None:
    run = TINY.run()
    unwatched = [step.loss.item() for step in take_steps(Course(run).next_batch, fresh_model(run), run.recipe)]
    assert losses(list(watch(TINY, held_out, 4))) == unwatched


def test_a_run_that_rests_goes_on_with_the_same_numbers(held_out: HeldOutInputs) -> None:
    whole = list(watch(TINY, held_out, 2))
    rested = watch(TINY, held_out, 2)
    first = list(islice(rested, 2))
    # Another run meanwhile draws from the same random numbers.
    list(watch(WatchedRun(d_model=16, n_steps=3, seed=9), held_out, 1))
    assert losses([*first, *rested]) == losses(whole)


def test_the_file_of_the_command_holds_what_was_seen(held_out: HeldOutInputs, tmp_path: Path) -> None:
    out = tmp_path / "run.safetensors"
    sizes = ["--layers", "2", "--heads", "2", "--d-model", "16", "--steps", "6", "--every", "4"]
    assert main([*sizes, "--out", str(out)]) == 0
    found, frames = load_recording(out), list(watch(TINY, held_out, 4))
    assert found.watched == TINY
    assert found.steps.tolist() == [0, 4, 6]
    assert found.loss.tolist() == pytest.approx(losses(frames))
    assert "--layers 2" in found.command
    assert found.commit
    np.testing.assert_array_equal(found.patterns, np.stack([frame.patterns for frame in frames]))


def test_a_frame_shows_the_pattern_of_the_model_on_the_shown_input(held_out: HeldOutInputs) -> None:
    model = fresh_model(TINY.run())
    frame = next(watch(TINY, held_out, 4))
    with torch.no_grad(), record("decoder.1.self_attention.pattern") as seen:
        forward(model.eval(), held_out.shown)
    pattern = seen["decoder.1.self_attention.pattern"][0].numpy()
    assert np.abs(frame.patterns[1] / 255 - pattern).max() <= 0.5 / 255 + 1e-6
    assert len(held_out.tokens) == pattern.shape[-1]
    # Everything that is asked for can be found by induction.
    asked = held_out.shown.is_answer[:, 1:]
    assert (induction_targets(held_out.shown.tokens[:, :-1])[asked] > 0).all()


def test_what_cannot_be_trained_is_refused_with_numbers(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["--heads", "3", "--d-model", "16", "--out", str(tmp_path / "x")]) == 2
    assert "d_model is 16; it must be a multiple of 6" in capsys.readouterr().err
    assert main(["--every", "0", "--out", str(tmp_path / "x")]) == 2
    assert capsys.readouterr().err == "--every is 0; it must be at least 1\n"
    (tmp_path / "file").touch()
    assert main(["--out", str(tmp_path / "file" / "x")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(f"'{tmp_path / 'file'}'")


def test_the_folder_of_the_file_is_made(tmp_path: Path) -> None:
    out = tmp_path / "new" / "run.safetensors"
    assert main(["--layers", "1", "--heads", "1", "--d-model", "16", "--steps", "1", "--out", str(out)]) == 0
    assert [*out.parent.iterdir()] == [out]


def test_a_factor_of_the_rate_holds_from_its_step_on(held_out: HeldOutInputs) -> None:
    plain, changed = (list(watch(one, held_out, 2)) for one in (TINY, replace(TINY, rate_factors=((3, 0.1), (5, 1.0)))))
    assert [frame.rate_factor for frame in changed] == [1.0, 1.0, 0.1, 1.0]
    assert [replace(TINY, rate_factors=((5, 2.0), (3, 0.5))).rate_factor(step) for step in (2, 4, 6)] == [1.0, 0.5, 2.0]
    # The loss of a step is that of the model before it.
    assert [ours == theirs for ours, theirs in zip(losses(plain), losses(changed), strict=True)] == [True] * 3 + [
        False
    ] * 3


def test_the_command_that_a_run_names_is_that_run(tmp_path: Path) -> None:
    changed = {"warmup_share": 0.5, "weight_decay": 0.3, "rate_factors": ((3, 0.1),)}
    run = replace(TINY, encoding="none", norm="post", feed_forward=True, **changed)
    out = tmp_path / "run.safetensors"
    assert main(shlex.split(run.command(str(out), 3))[3:]) == 0
    assert load_recording(out).watched == run
    assert WatchedRun().command("x", 4) == "python -m model.training.zoo.watch --every 4 --out x"


def test_a_configuration_is_that_run_and_its_weights_give_the_model_that_was_seen(
    held_out: HeldOutInputs, tmp_path: Path
) -> None:
    run = replace(TINY, encoding="none", norm="post", feed_forward=True, warmup_share=0.5, rate_factors=((3, 0.1),))
    configuration, out, kept = (tmp_path / name for name in ("run.toml", "run.safetensors", "weights.safetensors"))
    configuration.write_text(run.to_toml())
    assert main([str(configuration), "--every", "3", "--out", str(out), "--weights", str(kept)]) == 0
    recording = load_recording(out)
    assert recording.watched == run
    with safe_open(kept, "pt") as file:
        model = DecoderOnly(Run.from_json(file.metadata()["run"]).model)
        model.load_state_dict({name: file.get_tensor(name) for name in file.keys()})  # noqa: SIM118  # no mapping
    np.testing.assert_array_equal(held_out.look(model, run.n_steps, []).patterns, recording.patterns[-1])


@pytest.mark.parametrize(("text", "problem"), [("n_layer = 2", "n_layer"), ("n_layers =", "is no TOML")])
def test_a_configuration_that_is_none_is_refused(capsys, tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "run.toml").write_text(text)
    assert main([str(tmp_path / "run.toml"), "--out", str(tmp_path / "x")]) == 2
    assert problem in capsys.readouterr().err


def test_smoothed_answers_are_trained_on_and_what_is_held_out_is_measured_without_smoothing(
    held_out: HeldOutInputs,
) -> None:
    smooth = replace(TINY, n_steps=1, label_smoothing=0.1)
    first, _ = watch(smooth, held_out, 1)
    _, second = watch(replace(smooth, label_smoothing=0.0), held_out, 1)
    run = smooth.run()
    model, batch = fresh_model(run), Course(run).next_batch()
    logits, targets = forward(model, batch), targets_of(batch)
    asked, right = logits.log_softmax(-1)[targets != NOT_ASKED], targets[targets != NOT_ASKED]
    by_hand = -(0.9 * asked.gather(1, right[:, None]).mean() + 0.1 * asked.mean())
    (_, smoothed) = watch(smooth, held_out, 1)
    assert smoothed.loss == pytest.approx((by_hand.item(),), rel=1e-5)
    assert smoothed.loss != second.loss
    with torch.no_grad():
        shown, answers = forward(model.eval(), held_out.shown), targets_of(held_out.shown)
    likely = shown.softmax(-1)[answers != NOT_ASKED]
    assert first.confidence == pytest.approx(float(likely.amax(-1).mean()), rel=1e-5)
    right = likely.gather(1, answers[answers != NOT_ASKED][:, None])
    assert first.held_out_loss == pytest.approx(float(-right.log().mean()), rel=1e-5)


def test_weight_decay_takes_its_share_off_every_weight_and_the_norm_is_that_of_all(held_out: HeldOutInputs) -> None:
    run = replace(TINY, n_steps=2)
    plain, decayed = ([*watch(replace(run, weight_decay=decay), held_out, 1)] for decay in (0.0, 10.0))
    squares = sum(float((weight.detach() ** 2).sum()) for weight in fresh_model(run.run()).parameters())
    assert plain[0].weight_norm == decayed[0].weight_norm == pytest.approx(squares**0.5)
    assert decayed[1].weight_norm < 0.99 * plain[1].weight_norm


def test_a_negative_weight_decay_is_refused() -> None:
    with pytest.raises(ValueError, match="weight_decay is -1"):
        WatchedRun(weight_decay=-1)


@pytest.mark.parametrize(("encoding", "name"), [("kerple", "distance_bias"), ("learned", "position_similarity")])
def test_what_an_encoding_learns_of_positions_is_seen_in_every_frame_and_kept(
    held_out: HeldOutInputs, tmp_path: Path, encoding: str, name: str
) -> None:
    run = replace(TINY, encoding=encoding, n_steps=2)
    frames = list(watch(run, held_out, 1))
    assert not np.array_equal(getattr(frames[0], name), getattr(frames[-1], name))
    (sent,) = Messages().take(to_bytes(SeenFrame(0, frames[-1])))
    np.testing.assert_array_equal(getattr(sent.frame, name), getattr(frames[-1], name))
    recording_of(run, held_out.tokens, frames, command="", commit="").save(tmp_path / "run.safetensors")
    kept = load_recording(tmp_path / "run.safetensors").arrays()
    np.testing.assert_array_equal(kept[name], np.stack([getattr(frame, name) for frame in frames]))
    assert {"distance_bias", "position_similarity"} & kept.keys() == {name}


def test_the_circuit_is_traced_in_every_frame_where_it_is_asked_for_and_kept(tmp_path: Path) -> None:
    run = replace(TINY, task="induction", n_layers=2, n_heads=2, n_steps=2)
    traced = HeldOutInputs("induction", n_traced=2)
    frames, plain = list(watch(run, traced, 1)), list(watch(run, HeldOutInputs("induction"), 1))
    assert all(frame.circuit_writes is None for frame in plain)
    np.testing.assert_array_equal(plain[-1].loss, frames[-1].loss)
    recording_of(run, traced.tokens, frames, command="", commit="").save(tmp_path / "run.safetensors")
    kept = load_recording(tmp_path / "run.safetensors")
    assert kept.circuit_writes.shape == kept.circuit_scores.shape == (3, 2)
    assert kept.circuit_composed.shape == (3, 2, 2)
    np.testing.assert_array_equal(kept.circuit_composed[-1], frames[-1].circuit_composed)


@pytest.mark.parametrize("share", [-0.1, 1.0])
def test_a_smoothing_that_leaves_nothing_to_the_answer_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="label_smoothing is"):
        WatchedRun(label_smoothing=share)


def test_the_norm_of_the_gradients_is_that_before_they_are_clipped(held_out: HeldOutInputs) -> None:
    (_, frame) = watch(replace(TINY, n_steps=1), held_out, 1)
    run = replace(TINY, n_steps=1).run()
    model, batch = fresh_model(run), Course(run).next_batch()
    answer_loss(forward(model, batch), targets_of(batch)).backward()
    squares = sum(float((weight.grad**2).sum()) for weight in model.parameters())
    assert frame.gradient_norm == pytest.approx((squares**0.5,))


def test_a_damaged_file_is_no_recording(tmp_path: Path) -> None:
    (tmp_path / "x.safetensors").write_bytes(b"{")
    with pytest.raises(ValueError, match=r"^x\.safetensors is no recording"):
        load_recording(tmp_path / "x.safetensors")
