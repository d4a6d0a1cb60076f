"""Begin a parser's run with the encoder of a shipped translator.

``python -m pretrained.publishing.begin_parser NAME CONFIGURATION.toml``.

The run takes over the tokenizer, the embeddings of all pieces and the encoder; its decoder and the symbols of trees
begin from nothing.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import torch

from model.checkpoint import DamagedWeightsError
from model.data.loading import DATA_DIR_VARIABLE, CorpusMissingError
from model.training.config import read_toml
from model.training.history import check_not_begun, commit, corpora_of, write_history
from model.training.parsing.config import parser_training
from model.training.parsing.trainer import parser_trainer
from pretrained.translators import TOKENIZER, load_translator, read_card

_EMBEDDING = "embedding.weight"


def begin_parser(name: str, configuration: Path, *, run: Path, data_dir: Path | None) -> None:
    """Write to ``run`` its first state, with the encoder of the shipped translator ``name``.

    Raises:
        CorpusMissingError: the treebank is not in ``data_dir``.
        DamagedWeightsError: the translator's files are not the recorded ones.
        ValueError: no model of that name ships, its encoder does not fit, or ``run`` has begun already.
    """
    training, translator = parser_training(read_toml(configuration)), load_translator(name, "cpu")
    check_not_begun(run, configuration)
    run.mkdir(parents=True, exist_ok=True)
    (run / TOKENIZER).write_bytes(translator.tokenizer.serialized)
    trainer = parser_trainer(training, folder=run, device=torch.device("cpu"), data_dir=data_dir)
    weights, learned = trainer.model.state_dict(), translator.model.state_dict()
    encoder = {key: value for key, value in learned.items() if key.startswith("encoder.")}
    own = {key: value.shape for key, value in weights.items() if key.startswith("encoder.")}
    if {key: value.shape for key, value in encoder.items()} != own:
        raise ValueError(f"the encoder of {name} has other sizes than {configuration} asks for")
    embedding = weights[_EMBEDDING].clone()
    embedding[: training.symbols.first] = learned[_EMBEDDING]
    trainer.begin_at({**weights, **encoder, _EMBEDDING: embedding}, 0)
    seen = (corpus for part in read_card(name).metrics["history"] for corpus in corpora_of(part))
    origin = {"from_step": 0, "commit": commit(), "torch": torch.__version__, "parent": name}
    write_history([origin | {"corpora": list(dict.fromkeys(seen))}], folder=run)


def main(arguments: Sequence[str] | None = None) -> int:
    """Begin what the arguments name; return the process's exit status."""
    parser = argparse.ArgumentParser(prog="python -m pretrained.publishing.begin_parser", description=__doc__)
    parser.add_argument("translator", help="name of a shipped translator from English")
    parser.add_argument("configuration", type=Path, help="TOML file of the run, with an encoder of the same sizes")
    parser.add_argument("--run", type=Path, help="folder of the run (default: runs/NAME)")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the treebank (else ${DATA_DIR_VARIABLE})")
    given = parser.parse_args(arguments)
    run = given.run or Path("runs") / given.configuration.stem
    try:
        begin_parser(given.translator, given.configuration, run=run, data_dir=given.data_dir)
    except (OSError, ValueError, CorpusMissingError, DamagedWeightsError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(
        f"{run} begins with the encoder of {given.translator}; python -m model.training {given.configuration} "
        "continues it\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
