"""The dev sentences of a shipped translator, which its training never saw."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from model.data.loading import Pair, load_split
from pretrained.publishing.metrics import read_metrics
from pretrained.translators import FOLDER, METRICS


@dataclass(frozen=True)
class DevSentences:
    """The pairs that chose between checkpoints, and the others, which had no say and can score the chosen one."""

    choosing: Sequence[Pair]
    scoring: Sequence[Pair]
    target_language: str


def dev_sentences(name: str, data_dir: Path | None) -> DevSentences:
    """Return the dev sentences of the shipped translator ``name``.

    Raises:
        CorpusMissingError: they are not in ``data_dir``.
    """
    training = read_metrics(FOLDER / name / METRICS)["training"]
    split = load_split(
        [training["corpus"]], training["n_dev"], dev_corpus=training.get("dev_corpus", ""), data_dir=data_dir
    )
    n = training["n_validated"]
    return DevSentences(split.dev[:n], split.dev[n:], training["target_language"])
