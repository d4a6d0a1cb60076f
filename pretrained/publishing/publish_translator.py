"""Turn a finished training run into a shipped model.

``python -m pretrained.publishing.publish_translator CONFIGURATION.toml``.
"""

import argparse
import dataclasses
import hashlib
import shutil
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from model.checkpoint import load_state, save_weights
from model.config import config_to_json
from model.data.loading import DATA_DIR_VARIABLE, CorpusMissingError
from model.training.history import corpora_of, read_history
from model.training.translation.config import load_translation_training
from pretrained.publishing.evaluate_translator import evaluate
from pretrained.publishing.familiarity import familiarity
from pretrained.publishing.head_means import head_means
from pretrained.publishing.length_penalty import length_penalty
from pretrained.publishing.measuring import Measure
from pretrained.publishing.metrics import read_metrics, write_metrics
from pretrained.publishing.translator_card import card_text
from pretrained.translators import CARD, CONFIG, FOLDER, METRICS, TOKENIZER, WEIGHTS


def publish(configuration: Path, *, run: Path, data_dir: Path | None, device: str | None) -> Path:
    """Write the best weights of ``run`` with configuration, tokenizer, measured metrics and card; return the folder.

    All of it is made and measured beside the folder and put in its place at the end, so that weights never stand beside
    the scores of others.

    Raises:
        FileNotFoundError: the run has not validated yet.
        CorpusMissingError: the dev set is not in ``data_dir``.
    """
    training = load_translation_training(configuration)
    best = load_state(run / "best.pt")
    name = configuration.stem
    draft = FOLDER / f"{name}.unfinished"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    shutil.copyfile(run / TOKENIZER, draft / TOKENIZER)
    (draft / CONFIG).write_text(config_to_json(training.model), encoding="utf-8")
    save_weights(best["weights"], draft / WEIGHTS)
    write_metrics(
        draft / METRICS,
        sha256={file: hashlib.sha256((draft / file).read_bytes()).hexdigest() for file in (WEIGHTS, CONFIG, TOKENIZER)},
        n_parameters=sum(tensor.numel() for tensor in best["weights"].values()),
        step=best["step"],
        averaged=best["averaged"],
        training={key: value for key, value in dataclasses.asdict(training).items() if key != "model"},
        history=[_shipped_segment(segment) for segment in read_history(run)],
    )
    # The first of them decides what the others search with.
    measures: dict[str, Measure] = {
        "length_penalty": length_penalty,
        "dev": partial(evaluate, beam_size=4),
        "familiarity": familiarity,
        "head_means": head_means,
    }
    for entry, measure in measures.items():
        measured = measure(draft.name, data_dir=data_dir, device=device)
        write_metrics(draft / METRICS, **{entry: measured | {"command": measured["command"].replace(draft.name, name)}})
    card = card_text(name, training, configuration=configuration, metrics=read_metrics(draft / METRICS))
    (draft / CARD).write_text(card, encoding="utf-8")
    shutil.rmtree(FOLDER / name, ignore_errors=True)
    return draft.rename(FOLDER / name)


def _shipped_segment(segment: Mapping[str, Any]) -> dict[str, Any]:
    """Return what ships of a part of a run's history; where a run went on from a shipped model, it is that already."""
    told = {key: segment[key] for key in ("from_step", "commit", "torch", "parent") if key in segment}
    return told | ({"corpora": corpora} if (corpora := corpora_of(segment)) else {})


def main(arguments: list[str] | None = None) -> int:
    """Publish what the arguments name; return the process's exit status."""
    parser = argparse.ArgumentParser(prog="python -m pretrained.publishing.publish_translator", description=__doc__)
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
