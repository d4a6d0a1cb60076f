"""Begin a run with the weights of another one.

``python -m pretrained.publishing.warm_start NAME_OR_RUN CONFIGURATION.toml``.

It takes over all layers, as Zoph et al. 2016, and the embeddings of the pieces that both vocabularies have, as Aji et
al. 2020; its vocabulary and its other embeddings are its own. Where its feed-forward blocks are wider, the additional
units contribute nothing at first, as in Net2Net (Chen et al. 2016).
"""

import argparse
import dataclasses
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor

from model.checkpoint import DamagedWeightsError
from model.config import EncoderDecoderConfig
from model.data.loading import DATA_DIR_VARIABLE, CorpusMissingError
from model.decoding.translator import Translator
from model.text.tokenizer import Tokenizer
from model.training.history import check_not_begun, commit, corpora_of, read_history, write_history
from model.training.translation.config import load_translation_training
from model.training.translation.finished import load_finished
from model.training.translation.trainer import translation_trainer
from pretrained.translators import TOKENIZER, load_translator, read_card

_EMBEDDING = "embedding.weight"


def warm_start(parent: str, configuration: Path, *, run: Path, data_dir: Path | None) -> int:
    """Write to ``run`` its first state, with the weights of ``parent``; return how many pieces they have in common.

    ``parent`` is the name of a shipped translator or the folder of a finished run.

    Raises:
        CorpusMissingError: a corpus is not in ``data_dir``.
        DamagedWeightsError: the parent's files are not the recorded ones.
        ValueError: no model of that name ships, that run has not validated yet, its layers do not fit, or ``run`` has
            begun already.
    """
    training = load_translation_training(configuration)
    known, corpora = _parent(parent)
    if not _fits(known.model.config, training.model):
        raise ValueError(
            f"{parent} has layers of other sizes than {configuration} asks for; only d_ff may be larger there"
        )
    check_not_begun(run, configuration)
    trainer = translation_trainer(training, folder=run, device=torch.device("cpu"), data_dir=data_dir)
    own, shared = shared_pieces(Tokenizer.load(run / TOKENIZER), known.tokenizer)
    weights = known.model.state_dict()
    trainer.begin_at(_transferred(trainer.model.state_dict(), weights, own=own, shared=shared), 0)
    origin = {"from_step": 0, "commit": commit(), "torch": torch.__version__, "corpora": corpora, "parent": parent}
    write_history([origin], folder=run)
    return len(own)


def _parent(name: str) -> tuple[Translator, list[str]]:
    """Return the shipped translator or finished run ``name``, and the corpora that it, and what it began with, saw."""
    folder = Path(name)
    if folder.is_dir():
        known, history = load_finished(folder, torch.device("cpu")).translator, read_history(folder)
    else:
        known, history = load_translator(name, "cpu"), read_card(name).metrics["history"]
    seen = (corpus for part in history for corpus in corpora_of(part))
    return known, list(dict.fromkeys(seen))


def shared_pieces(tokenizer: Tokenizer, other: Tokenizer) -> tuple[list[int], list[int]]:
    """Return the ids that the pieces of both vocabularies have in ``tokenizer``, and in the ``other``, in one order."""
    own = {piece: token for token, piece in enumerate(tokenizer.pieces(range(tokenizer.vocabulary_size)))}
    others = {piece: token for token, piece in enumerate(other.pieces(range(other.vocabulary_size)))}
    both = [piece for piece in own if piece in others]
    return [own[piece] for piece in both], [others[piece] for piece in both]


def _fits(parent: EncoderDecoderConfig, child: EncoderDecoderConfig) -> bool:
    same = dataclasses.replace(parent, vocabulary_size=child.vocabulary_size, dropout=child.dropout, d_ff=child.d_ff)
    return same == child and child.d_ff >= parent.d_ff


def _transferred(
    fresh: Mapping[str, Tensor], learned: Mapping[str, Tensor], *, own: list[int], shared: list[int]
) -> dict[str, Tensor]:
    embedding = fresh[_EMBEDDING].clone()  # vocabulary_size × d_model
    embedding[own] = learned[_EMBEDDING][shared]
    layers = {name: _widened(name, fresh[name], learned[name]) for name in learned if name != _EMBEDDING}
    return {**layers, _EMBEDDING: embedding}


def _widened(name: str, fresh: Tensor, learned: Tensor) -> Tensor:
    # The outputs of additional hidden units begin at zero; their inputs must differ between them.
    widened = torch.zeros_like(fresh) if name.endswith("feed_forward.W_2.weight") else fresh.clone()
    widened[tuple(slice(size) for size in learned.shape)] = learned
    return widened


def main(arguments: Sequence[str] | None = None) -> int:
    """Begin what the arguments name; return the process's exit status."""
    parser = argparse.ArgumentParser(prog="python -m pretrained.publishing.warm_start", description=__doc__)
    parser.add_argument("parent", help="shipped translator, or folder of a finished run, to learn on from")
    parser.add_argument("configuration", type=Path, help="TOML file of the run, with layers of the same sizes")
    parser.add_argument("--run", type=Path, help="folder of the run (default: runs/NAME)")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the corpora (else ${DATA_DIR_VARIABLE})")
    given = parser.parse_args(arguments)
    run = given.run or Path("runs") / given.configuration.stem
    try:
        n_known = warm_start(given.parent, given.configuration, run=run, data_dir=given.data_dir)
    except (OSError, ValueError, CorpusMissingError, DamagedWeightsError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(
        f"{run} begins with the layers of {given.parent} and the embeddings of {n_known:,} pieces; "
        f"python -m model.training {given.configuration} continues it\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
