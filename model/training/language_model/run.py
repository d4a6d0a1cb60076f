"""The folder of a run: its vocabulary, its history and its best weights."""

from dataclasses import dataclass
from pathlib import Path

from model.architectures.decoder_only import DecoderOnly
from model.checkpoint import load_state
from model.files import write_text
from model.text.characters import CharacterVocabulary
from model.training.history import read_history
from model.training.language_model.config import LanguageModelTraining, language_model_training

VOCABULARY = "vocabulary.json"


@dataclass(frozen=True)
class LanguageModelRun:
    """A trained model in evaluation mode, and its vocabulary, configuration, step and commit."""

    model: DecoderOnly
    vocabulary: CharacterVocabulary
    training: LanguageModelTraining
    step: int
    commit: str


def keep_vocabulary(vocabulary: CharacterVocabulary, folder: Path) -> None:
    """Write ``vocabulary`` to the run in ``folder``; raises ValueError if it began with another."""
    path = folder / VOCABULARY
    if path.is_file() and CharacterVocabulary.from_json(path.read_text(encoding="utf-8")) != vocabulary:
        raise ValueError(f"{path} is of another text; train into another folder, or as before")
    write_text(vocabulary.to_json(), path)


def run_name(folder: Path, seed: int) -> str:
    """Return the name of the model in ``folder``: the folder's, without the seed."""
    return folder.name.removesuffix(f"-{seed}")


def load_run(folder: Path) -> LanguageModelRun:
    """Return the run in ``folder`` with its best weights.

    Raises:
        FileNotFoundError: the run has not validated yet, or there is none.
    """
    best = load_state(folder / "best.pt")
    vocabulary = CharacterVocabulary.from_json((folder / VOCABULARY).read_text(encoding="utf-8"))
    last = read_history(folder)[-1]
    training = language_model_training(last["training"])
    model = DecoderOnly(training.model_config(vocabulary.size))
    model.load_state_dict(best["weights"])
    return LanguageModelRun(model.eval(), vocabulary, training, best["step"], last["commit"])
