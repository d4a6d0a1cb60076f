"""Record a run of the zoo while it trains: ``python -m model.training.zoo.watch --out FILE``."""

import argparse
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save
from torch import Tensor

from model.analysis.circuits.induction import induction_circuit
from model.analysis.maps.head_scores import induction_score, previous_token_score
from model.analysis.representations.learned_positions import bias_by_distance, position_similarity
from model.architectures.decoder_only import DecoderOnly
from model.device import use_one_thread
from model.files import replace_file
from model.hooks import record
from model.tasks import Row, Task, Tokens, find, vocabulary_of
from model.training.config import read_toml
from model.training.history import commit
from model.training.zoo.train import Course, TrainingStep, answer_loss, fresh_model, take_steps
from model.zoo.data import TaskBatch, held_out_rows, make_batch
from model.zoo.evaluate import NOT_ASKED, forward, targets_of
from model.zoo.plan import ENCODINGS
from model.zoo.recording import Frame, recording_of
from model.zoo.watched_runs import OPTIONS, WatchedRun

_N_SCORED, _N_LONGER = 32, 8
# Of answers of one token there are more, so that a share of them is a curve.
_FEWEST_ASKED = 256
# Two of these words fill a picture in which single cells can still be seen.
_SHOWN_LENGTH = 10


class HeldOutInputs:
    """The held-out inputs for frames of a run: one of a trained length, and one of a longer length."""

    def __init__(self, task_name: str, n_traced: int = 0) -> None:
        """Draw them, the same ones for every run of the task.

        The circuit of induction is traced on ``n_traced`` of them.
        """
        task, self._n_traced = find(task_name), n_traced
        low, high = task.description.train_lengths
        length = min(max(_SHOWN_LENGTH, low), high)
        rows = _scored_rows(task, length)
        self.shown = make_batch(_as_long_as_the_first(rows))
        longest = task.description.test_lengths[-1]
        self.longer = make_batch(_as_long_as_the_first(held_out_rows(task, longest, _N_LONGER)))
        vocabulary = vocabulary_of(task)
        self.tokens: Tokens = tuple(vocabulary.tokens[index] for index in rows[0].ids[:-1])

    @torch.inference_mode()
    def look(self, model: DecoderOnly, step: int, taken: Sequence[TrainingStep], rate_factor: float = 1.0) -> Frame:
        """Return the frame of ``model`` after ``step`` steps; ``taken`` are those since the last frame."""
        model.eval()
        with record("*.self_attention.pattern") as seen:
            logits = forward(model, self.shown)
        longer = forward(model, self.longer)
        distance_bias = _array(bias_by_distance(model, len(self.tokens)))
        model.train()
        tokens, layers = self.shown.tokens[:, :-1], list(seen.values())
        return Frame(
            step,
            tuple(one.loss.item() for one in taken),
            tuple(_share_right(one.logits, one.targets) for one in taken),
            tuple(one.gradient_norm.item() for one in taken),
            rate_factor,
            held_out=_right_in(logits, self.shown),
            longer=_right_in(longer, self.longer),
            held_out_loss=float(answer_loss(logits, targets_of(self.shown))),
            confidence=_confidence(logits, targets_of(self.shown)),
            weight_norm=float(torch.nn.utils.get_total_norm(model.parameters())),
            previous=torch.stack([previous_token_score(pattern) for pattern in layers]).numpy(),
            induction=torch.stack([induction_score(pattern, tokens) for pattern in layers]).numpy(),
            patterns=torch.stack([pattern[0] for pattern in layers])
            .nan_to_num(0)
            .mul(255)
            .round()
            .numpy()
            .astype(np.uint8),
            distance_bias=distance_bias,
            position_similarity=_array(position_similarity(model, len(self.tokens))),
            **self._circuit(model),
        )

    def _circuit(self, model: DecoderOnly) -> dict[str, Any]:
        """Return the means of what is traced of a model in evaluation mode, by the names of a frame's fields."""
        if not self._n_traced:
            return {}
        with torch.inference_mode(mode=False):
            model.eval()
            traced = [induction_circuit(model, row) for row in self.shown.tokens[: self._n_traced].clone()]
            model.train()
        names = {"circuit_writes": "writes", "circuit_scores": "scores", "circuit_composed": "composed"}
        return {
            field: torch.stack([getattr(one, name) for one in traced]).mean(0).numpy() for field, name in names.items()
        }


def watch(
    watched: WatchedRun,
    held_out: HeldOutInputs,
    every: int,
    rate_factor: Callable[[int], float] | None = None,
    at_end: Callable[[DecoderOnly], object] = lambda _: None,
) -> Iterator[Frame]:
    """Train ``watched``; yield a frame at the start, every ``every`` steps, and at the last step.

    A step is taken only when its frame is asked for. Frames change no number of the run, nor do other runs that are
    trained in turn with it. ``rate_factor`` takes the place of that of
    ``watched``; ``at_end`` is called with the model when a frame after the last one is asked for.
    """
    frames = _frames(watched, held_out, every, rate_factor or watched.rate_factor, at_end)
    state = torch.get_rng_state()
    while True:
        with torch.random.fork_rng(devices=[]):
            torch.set_rng_state(state)
            frame = next(frames, None)
            state = torch.get_rng_state()
        if frame is None:
            return
        yield frame


def weights_as_file(watched: WatchedRun, model: DecoderOnly) -> bytes:
    """Return the weights of ``model``, trained as ``watched``, as safetensors with the configuration.

    ``DecoderOnly(Run.from_json(metadata["run"]).model)`` takes them.
    """
    weights = {name: tensor.detach().contiguous() for name, tensor in model.state_dict().items()}
    return save(weights, {"run": watched.run().to_json()})


def _frames(
    watched: WatchedRun,
    held_out: HeldOutInputs,
    every: int,
    rate_factor: Callable[[int], float],
    at_end: Callable[[DecoderOnly], object],
) -> Iterator[Frame]:
    run = watched.run()
    model = fresh_model(run)
    taken: list[TrainingStep] = []
    yield held_out.look(model, 0, taken)
    for step in take_steps(Course(run).next_batch, model, run.recipe, rate_factor, watched.label_smoothing):
        taken.append(step)
        if step.number % every == 0 or step.number == run.n_steps:
            yield held_out.look(model, step.number, taken, rate_factor(step.number))
            taken = []
    at_end(model)


def _array(tensor: Tensor | None) -> Any:
    return None if tensor is None else tensor.numpy()


def _scored_rows(task: Task, length: int) -> list[Row]:
    first, *_ = rows = held_out_rows(task, length, _N_SCORED)
    n_asked = len(first.ids) - first.n_prompt
    return rows if n_asked * _N_SCORED >= _FEWEST_ASKED else held_out_rows(task, length, _FEWEST_ASKED // n_asked)


def _as_long_as_the_first(rows: list[Row]) -> list[Row]:
    # Rows of other lengths would have other positions to look at.
    return [row for row in rows if len(row.ids) == len(rows[0].ids)]


def _right_in(logits: Tensor, batch: TaskBatch) -> float:
    return _share_right(logits, targets_of(batch))


def _confidence(logits: Tensor, targets: Tensor) -> float:
    """Return the mean of the largest probability over the tokens of answers."""
    return float(logits.softmax(-1).amax(-1)[targets != NOT_ASKED].mean())


def _share_right(logits: Tensor, targets: Tensor) -> float:
    is_asked = targets != NOT_ASKED
    return float(((logits.argmax(-1) == targets) & is_asked).sum() / is_asked.sum())


def main(arguments: list[str] | None = None) -> int:
    """Record the run that the arguments describe; return the process's exit status."""
    use_one_thread()
    try:
        chosen = _chosen(arguments)
        out, every, weights, n_traced = (chosen.pop(name) for name in ("out", "every", "weights", "trace"))
        if every < 1:
            raise ValueError(f"--every is {every}; it must be at least 1")
        watched = WatchedRun.from_dict(chosen)
        for path in filter(None, (out, weights)):  # before the training, which may take long
            path.parent.mkdir(parents=True, exist_ok=True)
        # Asked before the training, in which files may change.
        made_by, held_out = commit(), HeldOutInputs(watched.task, n_traced)

        def keep(model: DecoderOnly) -> None:
            if weights:
                replace_file(weights, lambda unfinished: unfinished.write_bytes(weights_as_file(watched, model)))

        frames = list(watch(watched, held_out, every, at_end=keep))
    except (OSError, TypeError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    command = shlex.join(
        ["python", "-m", "model.training.zoo.watch", *(sys.argv[1:] if arguments is None else arguments)]
    )
    replace_file(out, recording_of(watched, held_out.tokens, frames, command=command, commit=made_by).save)
    return 0


def _chosen(arguments: list[str] | None) -> dict[str, Any]:
    """Return what is chosen: by the options, and where there is none, by the configuration file."""
    parser = _parser()
    configuration = parser.parse_args(arguments).configuration
    if configuration is not None:
        parser.set_defaults(**read_toml(configuration))
    return {name: value for name, value in vars(parser.parse_args(arguments)).items() if name != "configuration"}


def _parser() -> argparse.ArgumentParser:
    default = WatchedRun()
    parser = argparse.ArgumentParser(
        prog="python -m model.training.zoo.watch", description="Record a small run while it trains."
    )
    what = "TOML file of such a run; options take the place of its entries"
    parser.add_argument("configuration", type=Path, nargs="?", help=what)
    parser.add_argument(OPTIONS["task"], default=default.task, help=f"see model/tasks (default: {default.task})")
    parser.add_argument(OPTIONS["encoding"], default=default.encoding, choices=tuple(ENCODINGS))
    for name, what in (
        ("n_layers", "layers"),
        ("n_heads", "heads of a layer"),
        ("d_model", "width of the residual stream"),
        ("seed", "seed"),
        ("n_steps", "steps to train"),
        ("warmup_share", "share of the steps for which the rate rises"),
        ("label_smoothing", "share of an answer's probability that all tokens get"),
        ("weight_decay", "weight decay of AdamW"),
    ):
        value = getattr(default, name)
        help_text = f"{what} (default: {value})"
        parser.add_argument(OPTIONS[name], dest=name, type=type(value), default=value, help=help_text)
    parser.add_argument(OPTIONS["norm"], default=default.norm, choices=("pre", "post"))
    parser.add_argument(OPTIONS["feed_forward"], action="store_true", help="with feed-forward blocks")
    parser.add_argument(
        OPTIONS["rate_factors"],
        dest="rate_factors",
        type=_rate_factor,
        action="append",
        default=[],
        metavar="STEP:FACTOR",
        help="from this step on, the rate is times the factor",
    )
    parser.add_argument("--every", type=int, default=4, help="steps from one frame to the next (default: 4)")
    parser.add_argument(
        "--trace", type=int, default=0, help="inputs on which the circuit of induction is traced (default: 0)"
    )
    parser.add_argument("--out", type=Path, required=True, help="safetensors file to write")
    parser.add_argument("--weights", type=Path, help="safetensors file to write the weights into, too")
    return parser


def _rate_factor(text: str) -> tuple[int, float]:
    step, _, factor = text.partition(":")
    return int(step), float(factor)


if __name__ == "__main__":
    sys.exit(main())
