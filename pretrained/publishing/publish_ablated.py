"""Ship the models of telling rows of the paper's table 3.

``python -m pretrained.publishing.publish_ablated --run runs/ablations``.

Of each row the run of the first seed is taken; its scores are those in the results that were published.
"""

import argparse
import hashlib
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import torch

from model.checkpoint import load_state, save_weights
from model.config import config_to_json
from model.training.history import read_history
from model.training.translation.finished import load_finished
from pretrained.ablated_models import MODELS, ROWS
from pretrained.publishing.metrics import write_metrics
from pretrained.translators import CONFIG, METRICS, TOKENIZER, WEIGHTS

_SEED = 1


def publish(runs: Path, folder: Path = MODELS) -> None:
    """Write each row's weights, configuration and checksums, and their tokenizer, to ``folder``.

    Raises:
        ValueError: a run is not finished, is of code that no commit holds, or has a tokenizer of its own.
    """
    draft = folder.with_name(f"{folder.name}.unfinished")
    shutil.rmtree(draft, ignore_errors=True)
    for row in ROWS:
        run = runs / (f"ablation-{_SEED}" if row == "base" else f"ablation-{row}-{_SEED}")
        (commit,) = {segment["commit"] for segment in read_history(run)} or {""}
        if commit.endswith("-dirty"):
            raise ValueError(f"files were changed since the commit that trained {run}; train it anew")
        finished = load_finished(run, torch.device("cpu"))
        place = draft / row
        place.mkdir(parents=True)
        tokenizer = finished.translator.tokenizer.serialized
        if (draft / TOKENIZER).is_file() and (draft / TOKENIZER).read_bytes() != tokenizer:
            raise ValueError(f"{run} has another tokenizer than the runs before it; they must share one")
        (draft / TOKENIZER).write_bytes(tokenizer)
        (place / CONFIG).write_text(config_to_json(finished.training.model), encoding="utf-8")
        save_weights(load_state(run / "best.pt")["weights"], place / WEIGHTS)
        files = {WEIGHTS: place / WEIGHTS, CONFIG: place / CONFIG, TOKENIZER: draft / TOKENIZER}
        write_metrics(
            place / METRICS,
            sha256={name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()},
            commit=commit,
            seed=_SEED,
        )
    shutil.rmtree(folder, ignore_errors=True)
    draft.rename(folder)


def main(arguments: Sequence[str] | None = None) -> int:
    """Publish what the arguments name; return the process's exit status."""
    parser = argparse.ArgumentParser(prog="python -m pretrained.publishing.publish_ablated", description=__doc__)
    parser.add_argument("--run", type=Path, default=Path("runs/ablations"), help="folder of the sweep")
    given = parser.parse_args(arguments)
    try:
        publish(given.run)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{MODELS}: {len(ROWS)} models\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
