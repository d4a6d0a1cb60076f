"""The dev sentences of a shipped translator, which it was not trained on."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from model.data.loading import Pair, load_split
from pretrained.publishing.shipping import translator_metrics


@dataclass(frozen=True)
class DevSentences:
    """The pairs that selected the checkpoint, and the others, which had no part in that and score it."""

    choosing: Sequence[Pair]
    scoring: Sequence[Pair]
    target_language: str


def dev_sentences(name: str, data_dir: Path | None) -> DevSentences:
    """Return the dev sentences of the shipped translator ``name``.

    Raises:
        CorpusMissingError: they are not in ``data_dir``.
    """
    data = translator_metrics(name)["training"]["data"]
    split = load_split([data["corpus"]], data["n_dev"], dev_corpus=data["dev_corpus"], data_dir=data_dir)
    n = data["n_validated"]
    return DevSentences(split.dev[:n], split.dev[n:], data["target_language"])
