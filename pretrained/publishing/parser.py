"""Ship a parser, with its card and a few gold trees, and compare parsers of one length."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import torch

from model.checkpoint import load_state, n_parameters, save_weights
from model.config import config_to_json
from model.data.treebanks import TREEBANKS, load_treebank
from model.device import use_one_thread
from model.text.penn_words import penn_words
from model.text.trees import Tree, to_brackets, words
from model.training.config import read_toml
from model.training.history import commit
from model.training.parsing.config import ParserTraining, parser_training
from model.training.parsing.measure import measure_parser, score_parser
from pretrained.parsers import COMPARED, COMPARISON, GOLD, PARSERS, read_parser
from pretrained.publishing.command import Configuration, DataDir, Run, command, command_line, run_folder
from pretrained.publishing.shipping import (
    Files,
    check_configuration,
    finished_history,
    history_entries,
    ship,
    training_entries,
    write_json,
)
from pretrained.translators import CONFIG, TOKENIZER, WEIGHTS

_N_GOLD, _GOLD_WORDS = 24, range(6, 19)


@command("parser")
def ship_parser(configuration: Configuration, *, run: Run = None, data_dir: DataDir = None) -> str:
    """Ship the best weights of a parser's run, with tokenizer, metrics, card and a few gold trees."""
    name = configuration.stem
    folder = run_folder(run, name)
    history, best = finished_history(folder), load_state(folder / "best.pt")
    training = parser_training(history[-1]["training"])
    check_configuration(folder, training, parser_training(read_toml(configuration)), configuration)
    shipping = command_line("parser", configuration.as_posix())

    def entries(unfinished: Path) -> Iterator[dict[str, Any]]:
        yield {
            "n_parameters": n_parameters(best["weights"].values()),
            "step": best["step"],
            "training": training_entries(training),
            "history": history_entries(history),
        }
        scores = score_parser(read_parser(unfinished).parser, training.data.treebank, data_dir)
        yield {"dev": scores | {"commit": commit(), "command": shipping}}

    files: Files = {
        WEIGHTS: partial(save_weights, best["weights"]),
        CONFIG: config_to_json(training.model).encode(),
        TOKENIZER: (folder / TOKENIZER).read_bytes(),
        GOLD: "".join(f"{to_brackets(tree)}\n" for tree in _gold(training, data_dir)).encode(),
    }
    return str(ship(PARSERS / name, files=files, entries=entries, card=partial(_card, name, training)))


@command("compare_parsers")
def compare_parsers(
    runs: Annotated[Sequence[str], f"NAME=RUN, where NAME is one of {', '.join(COMPARED)}"],
    *,
    data_dir: DataDir = None,
    path: Path = COMPARISON,
) -> str:
    """Measure parsers of one length side by side, on the dev part of their treebank.

    The runs differ in what a parser begins with, or in the symbols that it writes.
    """
    use_one_thread()
    folders = dict(map(_named, runs))
    histories = {name: finished_history(folder) for name, folder in folders.items()}
    steps = {name: history[-1]["training"]["schedule"]["n_steps"] for name, history in histories.items()}
    if len(set(steps.values())) > 1:
        raise ValueError(f"the runs have {', '.join(map(str, steps.values()))} steps; they must be of one length")
    scores = {
        name: {
            **measure_parser(folder, device=torch.device("cpu"), data_dir=data_dir),
            "n_steps": steps[name],
            "commit": histories[name][-1]["commit"],
        }
        for name, folder in folders.items()
    }
    write_json(scores, path)
    return path.read_text(encoding="utf-8").rstrip("\n")


def _named(text: str) -> tuple[str, Path]:
    name, _, folder = text.partition("=")
    if name not in COMPARED or not folder:
        raise ValueError(f"{text!r} names no run; name one as one of {', '.join(COMPARED)}, =, its folder")
    return name, Path(folder)


def _gold(training: ParserTraining, data_dir: Path | None) -> list[Tree]:
    """Return a few dev trees of sentences of moderate length that can be typed."""
    dev = load_treebank(training.data.treebank, "dev", data_dir)
    short = [tree for tree in dev if len(words(tree)) in _GOLD_WORDS and _can_be_typed(tree)]
    return short[:: max(1, len(short) // _N_GOLD)][:_N_GOLD]


def _can_be_typed(tree: Tree) -> bool:
    texts = [word.text for word in words(tree)]
    return penn_words(" ".join(texts)) == texts


def _card(name: str, training: ParserTraining, metrics: Mapping[str, Any]) -> str:
    scores, bank = metrics["dev"], TREEBANKS[training.data.treebank]
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
CC BY-SA 4.0, with attribution. Made by `{scores["command"]}`.
"""
