"""Turn a finished run of a parser into a shipped one.

``python -m pretrained.publishing.publish_parser CONFIGURATION.toml``.
"""

import argparse
import dataclasses
import hashlib
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from model.checkpoint import load_state, save_weights
from model.config import config_to_json
from model.data.loading import DATA_DIR_VARIABLE, CorpusMissingError
from model.data.treebanks import TREEBANKS, load_treebank
from model.text.penn_words import penn_words
from model.text.trees import Tree, to_brackets, words
from model.training.config import read_toml
from model.training.history import commit, read_history
from model.training.parsing.config import ParserTraining, parser_training
from model.training.parsing.measure import measure_parser
from pretrained.parsers import FILES, GOLD, PARSERS
from pretrained.publishing.metrics import write_metrics
from pretrained.translators import CARD, CONFIG, METRICS, TOKENIZER, WEIGHTS

_N_GOLD, _GOLD_WORDS = 24, range(6, 19)


def publish(configuration: Path, *, run: Path, data_dir: Path | None) -> Path:
    """Write the best weights of ``run`` with configuration, tokenizer, metrics, card and a few gold trees.

    All of it is made beside the folder and put in its place at the end; returns the folder.

    Raises:
        FileNotFoundError: the run has not validated yet.
        CorpusMissingError: the treebank is not in ``data_dir``.
        ValueError: the run was trained by code that no commit holds.
    """
    training, best, history = parser_training(read_toml(configuration)), load_state(run / "best.pt"), read_history(run)
    if any(segment["commit"].endswith("-dirty") for segment in history):
        raise ValueError(f"files were changed since the commit that trained {run}; train it anew")
    scores = measure_parser(run, device=torch.device("cpu"), data_dir=data_dir)
    name = configuration.stem
    draft = PARSERS / f"{name}.unfinished"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    shutil.copyfile(run / TOKENIZER, draft / TOKENIZER)
    (draft / CONFIG).write_text(config_to_json(training.model), encoding="utf-8")
    save_weights(best["weights"], draft / WEIGHTS)
    dev = load_treebank(training.data.treebank, "dev", data_dir)
    short = [tree for tree in dev if len(words(tree)) in _GOLD_WORDS and _can_be_typed(tree)]
    gold = short[:: max(1, len(short) // _N_GOLD)][:_N_GOLD]
    (draft / GOLD).write_text("".join(f"{to_brackets(tree)}\n" for tree in gold), encoding="utf-8")
    dev_scores = scores | {"commit": commit(), "command": _command(configuration)}
    write_metrics(
        draft / METRICS,
        sha256={file: hashlib.sha256((draft / file).read_bytes()).hexdigest() for file in FILES},
        n_parameters=sum(tensor.numel() for tensor in best["weights"].values()),
        step=best["step"],
        training={key: value for key, value in dataclasses.asdict(training).items() if key != "model"},
        history=[{key: value for key, value in segment.items() if key != "training"} for segment in history],
        dev=dev_scores,
    )
    (draft / CARD).write_text(_card(name, training, scores, configuration), encoding="utf-8")
    shutil.rmtree(PARSERS / name, ignore_errors=True)
    return draft.rename(PARSERS / name)


def _can_be_typed(tree: Tree) -> bool:
    texts = [word.text for word in words(tree)]
    return penn_words(" ".join(texts)) == texts


def _command(configuration: Path) -> str:
    return f"python -m pretrained.publishing.publish_parser {configuration.name}"


def _card(name: str, training: ParserTraining, scores: Mapping[str, Any], configuration: Path) -> str:
    bank = TREEBANKS[training.data.treebank]
    return f"""# {name}

An encoder–decoder that writes the constituency tree of an English sentence, symbol by symbol (Vaswani et al. 2017,
§6.3; linear trees as in Vinyals et al. 2015).

| | on {scores["sentences"]} dev trees, beam {scores["beam_size"]} |
|---|---|
| labelled F1, well-formed trees only | {scores["f1"]:.2f} |
| unlabelled F1 | {scores["unlabelled_f1"]:.2f} |
| labelled F1 without the constraint | {scores["free_f1"]:.2f} |
| no tree without the constraint | {scores["malformed"]:.2f} % |

Trained on {bank.title}, {bank.address}. {bank.licence}: these weights and the trees beside them are shared under
CC BY-SA 4.0, with attribution. Made by `{_command(configuration)}`.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Publish what the arguments name; return the process's exit status."""
    parser = argparse.ArgumentParser(prog="python -m pretrained.publishing.publish_parser", description=__doc__)
    parser.add_argument("configuration", type=Path, help="TOML file of the run")
    parser.add_argument("--run", type=Path, help="folder of the run (default: runs/NAME)")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the treebank (else ${DATA_DIR_VARIABLE})")
    given = parser.parse_args(arguments)
    run = given.run or Path("runs") / given.configuration.stem
    try:
        folder = publish(given.configuration, run=run, data_dir=given.data_dir)
    except (OSError, ValueError, CorpusMissingError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
