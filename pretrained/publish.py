"""Turn a finished training run into a shipped model: ``python -m pretrained.publish CONFIGURATION.toml``."""

import argparse
import dataclasses
import hashlib
import subprocess
import sys
from pathlib import Path

from model.checkpoint import load_state, save_weights
from model.config import config_to_json
from model.data import DATA_DIR_VARIABLE, CorpusMissingError
from model.training.config import load_training
from pretrained.card import card_text
from pretrained.evaluate import evaluate
from pretrained.loader import CARD, CONFIG, FOLDER, METRICS, TOKENIZER, WEIGHTS
from pretrained.metrics import read_metrics, write_metrics


def publish(configuration: Path, *, run: Path, data_dir: Path | None, device: str | None) -> Path:
    """Write the best weights of ``run`` with configuration, tokenizer, measured metrics and card; return the folder.

    Raises:
        FileNotFoundError: the run has not validated yet.
        CorpusMissingError: the dev set is not in ``data_dir``.
    """
    training = load_training(configuration)
    best = load_state(run / "best.pt")
    folder = FOLDER / configuration.stem
    folder.mkdir(exist_ok=True)
    tokenizer = (run / TOKENIZER).read_bytes()
    (folder / TOKENIZER).write_bytes(tokenizer)
    (folder / CONFIG).write_text(config_to_json(training.model), encoding="utf-8")
    weights_sha256 = save_weights(best["weights"], folder / WEIGHTS)
    write_metrics(
        folder / METRICS,
        sha256={WEIGHTS: weights_sha256, TOKENIZER: hashlib.sha256(tokenizer).hexdigest()},
        n_parameters=sum(tensor.numel() for tensor in best["weights"].values()),
        step=best["step"],
        averaged=best["averaged"],
        commit=_commit(),
        training={key: value for key, value in dataclasses.asdict(training).items() if key != "model"},
    )
    write_metrics(folder / METRICS, dev=evaluate(folder.name, data_dir=data_dir, device=device, beam_size=4))
    card = card_text(folder.name, training, configuration=configuration, metrics=read_metrics(folder / METRICS))
    (folder / CARD).write_text(card, encoding="utf-8")
    return folder


def _commit() -> str:
    """Return the commit of the working tree, or that it is not known outside a git checkout."""
    found = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return found.stdout.strip() or "unknown"


def main(arguments: list[str] | None = None) -> int:
    """Publish what the arguments name; return the process's exit status."""
    parser = argparse.ArgumentParser(prog="python -m pretrained.publish", description=__doc__)
    parser.add_argument("configuration", type=Path, help="the TOML file that the run was trained from")
    parser.add_argument("--run", type=Path, help="folder of the run (default: runs/NAME)")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the corpora (else ${DATA_DIR_VARIABLE})")
    parser.add_argument("--device", help="cuda, mps or cpu (default: the first that there is)")
    given = parser.parse_args(arguments)
    run = given.run or Path("runs") / given.configuration.stem
    try:
        folder = publish(given.configuration, run=run, data_dir=given.data_dir, device=given.device)
    except (OSError, ValueError, CorpusMissingError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write((folder / CARD).read_text(encoding="utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
