"""Record a run of the zoo while it trains: ``python -m model.training.zoo.watch --layers 2 --out two.safetensors``."""

import argparse
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from model.analysis.head_scores import induction_score, previous_token_score
from model.architectures.decoder_only import DecoderOnly
from model.device import use_one_thread
from model.hooks import record
from model.tasks import Tokens, find, vocabulary_of
from model.training.history import commit
from model.training.zoo.train import Course, Step, fresh_model, take_steps
from model.zoo.data import Batch, held_out_rows, make_batch
from model.zoo.evaluate import NOT_ASKED, forward, targets_of
from model.zoo.plan import ENCODINGS
from model.zoo.recording import Frame, recording_of
from model.zoo.watched import Watched

_N_SCORED = 32
# Two of these words fill a picture in which single cells can still be seen.
_SHOWN_LENGTH = 10


class Probe:
    """The held-out inputs by which a model is looked at while it trains: of a trained length, and of a longer one."""

    def __init__(self, task_name: str) -> None:
        """Draw them, the same ones for every run of the task."""
        task = find(task_name)
        low, high = task.description.train_lengths
        length = min(max(_SHOWN_LENGTH, low), high)
        rows = held_out_rows(task, length, _N_SCORED)
        # Rows of other lengths would have other positions to look at.
        self.shown = make_batch([row for row in rows if len(row.ids) == len(rows[0].ids)])
        self.longer = make_batch(held_out_rows(task, task.description.test_lengths[-1], _N_SCORED)[:1])
        vocabulary = vocabulary_of(task)
        self.tokens: Tokens = tuple(vocabulary.tokens[index] for index in rows[0].ids[:-1])

    @torch.inference_mode()
    def look(self, model: DecoderOnly, step: int, taken: list[Step]) -> Frame:
        """Return the frame of ``model`` after ``step`` steps, of which ``taken`` are since the last frame."""
        model.eval()
        with record("*.self_attention.pattern") as seen:
            logits = forward(model, self.shown)
        longer = forward(model, self.longer)
        model.train()
        tokens, layers = self.shown.tokens[:, :-1], list(seen.values())
        return Frame(
            step,
            tuple(one.loss.item() for one in taken),
            tuple(_share_right(one.logits, one.targets) for one in taken),
            held_out=_right_in(logits, self.shown),
            longer=_right_in(longer, self.longer),
            previous=torch.stack([previous_token_score(pattern) for pattern in layers]).numpy(),
            induction=torch.stack([induction_score(pattern, tokens) for pattern in layers]).numpy(),
            patterns=torch.stack([pattern[0] for pattern in layers]).mul(255).round().numpy().astype(np.uint8),
        )


def watch(watched: Watched, probe: Probe, every: int) -> Iterator[Frame]:
    """Train ``watched``, and yield a frame of the fresh model, of every ``every`` steps, and of the last step.

    A step is only taken when its frame is asked for, so who does not ask lets the run rest. What is looked at changes
    no number of the run.
    """
    run = watched.run()
    model = fresh_model(run)
    taken: list[Step] = []
    yield probe.look(model, 0, taken)
    for step in take_steps(Course(run), model, run.recipe):
        taken.append(step)
        if step.number % every == 0 or step.number == run.n_steps:
            yield probe.look(model, step.number, taken)
            taken = []


def _right_in(logits: Tensor, batch: Batch) -> float:
    return _share_right(logits, targets_of(batch))


def _share_right(logits: Tensor, targets: Tensor) -> float:
    is_asked = targets != NOT_ASKED
    return float(((logits.argmax(-1) == targets) & is_asked).sum() / is_asked.sum())


def main(arguments: list[str] | None = None) -> int:
    """Record the run that the arguments describe; return the process's exit status."""
    given = _parser().parse_args(arguments)
    chosen = vars(given)
    out, every = chosen.pop("out"), chosen.pop("every")
    use_one_thread()
    try:
        watched = Watched(**chosen)
        probe = Probe(watched.task)
        frames = list(watch(watched, probe, every))
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    command = shlex.join(
        ["python", "-m", "model.training.zoo.watch", *(sys.argv[1:] if arguments is None else arguments)]
    )
    recording_of(watched, probe.tokens, frames, command=command, commit=commit()).save(out)
    return 0


def _parser() -> argparse.ArgumentParser:
    default = Watched()
    parser = argparse.ArgumentParser(
        prog="python -m model.training.zoo.watch", description="Record a small run while it trains."
    )
    parser.add_argument("--task", default=default.task, help=f"see model/tasks (default: {default.task})")
    parser.add_argument("--encoding", default=default.encoding, choices=tuple(ENCODINGS))
    for option, name, what in (
        ("--layers", "n_layers", "layers"),
        ("--heads", "n_heads", "heads of a layer"),
        ("--d-model", "d_model", "width of the residual stream"),
        ("--seed", "seed", "seed"),
        ("--steps", "n_steps", "steps to train"),
    ):
        value = getattr(default, name)
        parser.add_argument(option, dest=name, type=int, default=value, help=f"{what} (default: {value})")
    parser.add_argument("--feed-forward", action="store_true", help="with feed-forward blocks")
    parser.add_argument("--every", type=int, default=4, help="steps from one frame to the next (default: 4)")
    parser.add_argument("--out", type=Path, required=True, help="safetensors file to write")
    return parser


if __name__ == "__main__":
    sys.exit(main())
