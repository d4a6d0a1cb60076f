"""Begin a run with what another one learned, or make a finished run of a shipped translator."""

import dataclasses
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import torch
from torch import Tensor

from model.checkpoint import save_state
from model.config import EncoderDecoderConfig
from model.decoding.translator import Translator
from model.files import replace_file
from model.text.tokenizer import Tokenizer
from model.training.config import read_toml
from model.training.history import check_not_begun, commit, corpora_of, read_history, write_history
from model.training.parsing.config import parser_training
from model.training.parsing.trainer import parser_trainer
from model.training.translation.config import load_translation_training
from model.training.translation.finished import load_finished
from model.training.translation.trainer import translation_trainer
from pretrained.publishing.command import Configuration, DataDir, Name, Run, command, run_folder
from pretrained.publishing.shipping import committed_history
from pretrained.translators import TOKENIZER, load_translator, read_card

_EMBEDDING = "embedding.weight"
_CPU = torch.device("cpu")


@command("resume_from_shipped")
def resume_from_shipped(configuration: Configuration, *, run: Run = None, data_dir: DataDir = None) -> str:
    """Continue the training of the shipped translator that the configuration is named after.

    The optimizer, whose state does not ship, begins afresh.
    """
    training, name = load_translation_training(configuration), configuration.stem
    folder, card = run_folder(run, name), read_card(name)
    if card.config != training.model:
        raise ValueError(f"{name} ships with other sizes than {configuration} asks for; train that from the start")
    check_not_begun(folder, configuration)
    shipped = load_translator(name, "cpu")
    _write_tokenizer(shipped.tokenizer, folder)
    trainer = translation_trainer(training, folder=folder, device=_CPU, data_dir=data_dir)
    trainer.begin_at(shipped.model.state_dict(), card.metrics["step"])
    write_history(card.metrics["history"], folder=folder)
    return f"{folder} stands at step {trainer.progress.step:,}; {_continues(configuration)}"


@command("warm_start")
def warm_start(
    parent: Annotated[str, "shipped translator, or folder of a finished run, to begin with"],
    configuration: Configuration,
    *,
    run: Run = None,
    data_dir: DataDir = None,
) -> str:
    """Begin a run with the layers of another model and the embeddings of their common pieces.

    It takes over all layers, as Zoph et al. 2016, and the embeddings of the pieces that both vocabularies have, as Aji
    et al. 2020; its vocabulary and its other embeddings are its own. Where its feed-forward blocks are wider, the
    additional units contribute nothing at first, as in Net2Net (Chen et al. 2016).
    """
    training, folder = load_translation_training(configuration), run_folder(run, configuration.stem)
    known, history = _parent(parent)
    if not _fits(known.model.config, training.model):
        raise ValueError(
            f"{parent} has layers of other sizes than {configuration} asks for; only d_ff may be larger there"
        )
    check_not_begun(folder, configuration)
    trainer = translation_trainer(training, folder=folder, device=_CPU, data_dir=data_dir)
    own, shared = shared_pieces(Tokenizer.load(folder / TOKENIZER), known.tokenizer)
    weights = known.model.state_dict()
    trainer.begin_at(_transferred(trainer.model.state_dict(), weights, own=own, shared=shared), 0)
    _write_origin(folder, parent, history)
    return (
        f"{folder} begins with the layers of {parent} and the embeddings of {len(own):,} pieces; "
        f"{_continues(configuration)}"
    )


@command("begin_parser")
def begin_parser(
    translator: Annotated[str, "shipped translator from English"],
    configuration: Configuration,
    *,
    run: Run = None,
    data_dir: DataDir = None,
) -> str:
    """Begin a parser's run with the encoder of a shipped translator.

    The run takes over the tokenizer, the embeddings of all pieces and the encoder; its decoder and the symbols of trees
    begin from nothing.
    """
    training, folder = parser_training(read_toml(configuration)), run_folder(run, configuration.stem)
    shipped = load_translator(translator, "cpu")
    check_not_begun(folder, configuration)
    _write_tokenizer(shipped.tokenizer, folder)
    trainer = parser_trainer(training, folder=folder, device=_CPU, data_dir=data_dir)
    weights, learned = trainer.model.state_dict(), shipped.model.state_dict()
    encoder = {key: value for key, value in learned.items() if key.startswith("encoder.")}
    own = {key: value.shape for key, value in weights.items() if key.startswith("encoder.")}
    if {key: value.shape for key, value in encoder.items()} != own:
        raise ValueError(f"the encoder of {translator} has other sizes than {configuration} asks for")
    embedding = weights[_EMBEDDING].clone()
    embedding[: training.symbols.first] = learned[_EMBEDDING]
    trainer.begin_at({**weights, **encoder, _EMBEDDING: embedding}, 0)
    _write_origin(folder, translator, read_card(translator).metrics["history"])
    return f"{folder} begins with the encoder of {translator}; {_continues(configuration)}"


@command("as_teacher")
def as_teacher(name: Name, *, run: Run = None) -> str:
    """Make a shipped translator a finished run again, for others to learn from.

    A configuration names its teachers, and the run that made its candidates, by the folders of finished runs. These do
    not ship; the weights that they ended with do.
    """
    folder, card, translator = run_folder(run, name), read_card(name), load_translator(name, "cpu")
    training = {**card.metrics["training"], "model": dataclasses.asdict(card.config)}
    if read_history(folder):
        raise ValueError(f"{folder} has begun already; name a folder that holds no run")
    _write_tokenizer(translator.tokenizer, folder)
    entries = {entry: card.metrics[entry] for entry in ("step", "averaged")}
    save_state({"weights": translator.model.state_dict(), **entries}, folder / "best.pt")
    *before, last = card.metrics["history"]
    write_history([*before, {**last, "training": training}], folder=folder)
    return f"{folder} is the finished run of {name}; a configuration can name it as a teacher"


def _write_tokenizer(tokenizer: Tokenizer, folder: Path) -> None:
    replace_file(folder / TOKENIZER, lambda unfinished: unfinished.write_bytes(tokenizer.serialized))


def _write_origin(folder: Path, parent: str, history: Iterable[Mapping[str, Any]]) -> None:
    """Write the history of a run that begins with ``parent``, which has this ``history``."""
    corpora = list(dict.fromkeys(corpus for part in history for corpus in corpora_of(part)))
    origin = {"from_step": 0, "commit": commit(), "torch": torch.__version__, "corpora": corpora, "parent": parent}
    write_history([origin], folder=folder)


def _continues(configuration: Path) -> str:
    return f"python -m model.training {configuration} continues it"


def _parent(name: str) -> tuple[Translator, list[dict[str, Any]]]:
    """Return the shipped translator or finished run ``name``, and its history."""
    folder = Path(name)
    if folder.is_dir():
        history = committed_history(folder)
        return load_finished(folder, _CPU).translator, history
    return load_translator(name, "cpu"), read_card(name).metrics["history"]


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
