"""Turn a finished training run into a shipped model: ``python -m pretrained.publish CONFIGURATION.toml``."""

import argparse
import dataclasses
import hashlib
import subprocess
import sys
from pathlib import Path

from model.checkpoint import load_state, save_weights
from model.config import config_to_json
from model.data import PARALLEL_CORPORA
from model.training.config import TranslationTraining, load_training
from pretrained.loader import CARD, CONFIG, FOLDER, METRICS, TOKENIZER, WEIGHTS
from pretrained.metrics import write_metrics

_CARD = """# {name}

{source_language} to {target_language}, an encoder–decoder as in "Attention Is All You Need" with
{n_parameters:.1f} M parameters: {encoder} + {decoder} layers of {heads} heads, d_model {d_model}, d_ff {d_ff},
{norm}-norm, {positional} positions.

**Data.** {title}, {address}. {licence}. Weights derive from that corpus; keep this attribution with them.

**Training.** `python -m model.training {configuration}` (seed {seed}), mean of the last {average_last} checkpoints,
taken at step {step} of {n_steps}, the best on the dev set. Code: commit {commit}.

**Scores.** In `metrics.json`, by `python -m pretrained.evaluate {name}`.

**Use.** Short everyday sentences, as in the corpus. Rare words, long or technical sentences come out wrong, fluently.
"""


def publish(training: TranslationTraining, *, run: Path, configuration: Path) -> Path:
    """Write the best weights of ``run`` with configuration, tokenizer, metrics and card; return the folder.

    Raises:
        FileNotFoundError: the run has not validated yet.
    """
    best = load_state(run / "best.pt")
    folder = FOLDER / configuration.stem
    folder.mkdir(exist_ok=True)
    tokenizer = (run / TOKENIZER).read_bytes()
    (folder / TOKENIZER).write_bytes(tokenizer)
    (folder / CONFIG).write_text(config_to_json(training.model), encoding="utf-8")
    weights_sha256 = save_weights(best["weights"], folder / WEIGHTS)
    n_parameters = sum(tensor.numel() for tensor in best["weights"].values())
    commit = subprocess.run(["git", "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    write_metrics(
        folder / METRICS,
        sha256={WEIGHTS: weights_sha256, TOKENIZER: hashlib.sha256(tokenizer).hexdigest()},
        n_parameters=n_parameters,
        step=best["step"],
        commit=commit,
        training={key: value for key, value in dataclasses.asdict(training).items() if key != "model"},
    )
    corpus = PARALLEL_CORPORA[training.corpus]
    card = _CARD.format(
        name=configuration.stem,
        configuration=configuration.as_posix(),
        source_language=training.source_language,
        target_language=training.target_language,
        n_parameters=n_parameters / 1e6,
        encoder=training.model.n_encoder_layers,
        decoder=training.model.n_decoder_layers,
        heads=training.model.n_heads,
        d_model=training.model.d_model,
        d_ff=training.model.d_ff,
        norm=training.model.norm,
        positional=training.model.positional.name,
        title=corpus.title,
        address=corpus.address,
        licence=corpus.licence,
        seed=training.seed,
        average_last=training.average_last,
        step=best["step"],
        n_steps=training.n_steps,
        commit=commit,
    )
    (folder / CARD).write_text(card, encoding="utf-8")
    return folder


def main(arguments: list[str] | None = None) -> int:
    """Publish what the arguments name; return the process's exit status."""
    parser = argparse.ArgumentParser(prog="python -m pretrained.publish", description=__doc__)
    parser.add_argument("configuration", type=Path, help="the TOML file that the run was trained from")
    parser.add_argument("--run", type=Path, help="folder of the run (default: runs/NAME)")
    given = parser.parse_args(arguments)
    run = given.run or Path("runs") / given.configuration.stem
    try:
        folder = publish(load_training(given.configuration), run=run, configuration=given.configuration)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
