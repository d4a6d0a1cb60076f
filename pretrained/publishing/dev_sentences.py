"""The dev sentences of a shipped translator, which it was not trained on, and what is measured on them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from model.data.corpora import PARALLEL_CORPORA
from model.data.loading import Pair, load_split
from model.decoding.options import DecodingOptions
from model.decoding.translator import Translator
from model.training.translation.score import bleu_for
from pretrained.publishing.shipping import translator_metrics

EncodedPair = tuple[list[int], list[int]]
"""The tokens of a source and of its translation, each with its end."""
# A model that is changed may never end a translation by itself.
_SEARCH = DecodingOptions(beam_size=1, max_extra_length=20)


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


def may_be_passed_on(corpus: str) -> bool:
    """Whether sentences of ``corpus`` may ship."""
    return PARALLEL_CORPORA[corpus].kind == "everyday"


def encoded_pairs(translator: Translator, pairs: Iterable[Pair]) -> list[EncodedPair]:
    """Return ``pairs`` as ``translator`` reads them."""
    encode, eos = translator.tokenizer.encode, translator.model.config.eos_id
    return [([*encode(pair.source), eos], [*encode(pair.target), eos]) for pair in pairs]


def greedy_bleu(translator: Translator, pairs: Sequence[Pair], language: str) -> float:
    """Return BLEU of greedy translations of ``pairs`` into ``language``, also by a model that is changed."""
    translations = translator.translate_all([pair.source for pair in pairs], _SEARCH, as_typed=True)
    return float(bleu_for(language).corpus_score(translations, [[pair.target for pair in pairs]]).score)
