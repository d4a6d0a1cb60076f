"""Measure a shipped translator on dev sentences that it was not trained on; each result is an entry of its metrics."""

import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Protocol

import numpy as np
from safetensors.torch import save_file

from model.analysis.interventions.ablation import blocks_of, corpus_means, positions_of, unit_points
from model.data.loading import Pair
from model.decoding.options import DecodingOptions
from model.decoding.translator import Translator
from model.files import replace_file
from model.text.fertility import fertility
from model.training.translation.score import bleu_for, corpus_scores
from pretrained.out_of_domain import FINELY_CUT, RATHER_UNSURE, UNSURE, doubtful_and_finely_cut, unfamiliar
from pretrained.publishing.command import DataDir, Device, Name, command, command_line
from pretrained.publishing.dev_sentences import dev_sentences, encoded_pairs
from pretrained.publishing.shipping import checksums, provenance, translator_metrics, write_metrics
from pretrained.translators import FOLDER, MEANS, METRICS, load_translator

LENGTH_PENALTIES = (0.6, 1.0, 1.2, 1.4, 1.6)
"""Those to choose from, the default first (Vaswani et al. 2017, §6.1)."""
ENOUGH = 0.5
"""Points of BLEU that another must gain: on 500 sentences, less means little."""
_N_STRANGE = 300


class _Measure(Protocol):
    """Measures one thing of the shipped translator ``name``."""

    def __call__(self, name: str, *, data_dir: Path | None, device: str | None) -> dict[str, Any]:
        """Return what was measured."""


@command("evaluate_translator")
def print_dev_scores(
    name: Name,
    *,
    data_dir: DataDir = None,
    device: Device = None,
    beam_size: Annotated[int, "1 is greedy"] = 4,
) -> Iterator[str]:
    """Print sacreBLEU and chrF of a translator on the dev sentences that did not select its checkpoint."""
    return _lines(dev_scores(name, data_dir=data_dir, device=device, beam_size=beam_size))


@command("length_penalty")
def write_length_penalty(name: Name, *, data_dir: DataDir = None, device: Device = None) -> Iterator[str]:
    """Choose the length penalty that a translator searches with.

    A model that ends its sentences too early needs a larger one than the default. It is selected on the sentences that
    selected the checkpoint, so that those which score the translator have no part in it.
    """
    return _write("length_penalty", name, data_dir, device)


@command("familiarity")
def write_familiarity(name: Name, *, data_dir: DataDir = None, device: Device = None) -> Iterator[str]:
    """Measure how sure a translator is of sentences of the kind trained on, and of others.

    The measures are the mean log-probability of a token of the translation (confidence) and the number of pieces that
    the text is cut into (fertility). ``pretrained.out_of_domain`` should notice few dev sentences, which are of the
    kind trained on, and nearly all texts of other kinds.
    """
    return _write("familiarity", name, data_dir, device)


@command("head_means")
def write_head_means(name: Name, *, data_dir: DataDir = None, device: Device = None) -> Iterator[str]:
    """Measure the mean output of each part of a translator, which mean ablation puts in its place.

    The means are over all tokens of the dev sentences that selected the checkpoint: the encoder reads the sources, the
    decoder the references. They ship as a file beside the weights.
    """
    return _write("head_means", name, data_dir, device)


def _write(entry: str, name: str, data_dir: Path | None, device: str | None) -> Iterator[str]:
    measured = MEASURES[entry](name, data_dir=data_dir, device=device)
    searched_with = translator_metrics(name).get("dev", {}).get("length_penalty")
    if entry == "length_penalty" and searched_with not in (None, measured["chosen"]):
        raise ValueError(
            f"{name} would search with a length penalty of {measured['chosen']}, and its scores are of one of "
            f"{searched_with}; ship it again, which measures both"
        )
    write_metrics(FOLDER / name / METRICS, **{entry: measured})
    return _lines(measured)


def _lines(measured: Mapping[str, Any]) -> Iterator[str]:
    return (f"{key}: {value}" for key, value in measured.items())


def dev_scores(name: str, *, data_dir: Path | None, device: str | None, beam_size: int = 4) -> dict[str, Any]:
    """Return sacreBLEU and chrF of ``name`` (cased, detokenised, one reference a sentence), with their signatures.

    They are measured on the part of the dev set that had no say in the choice of the checkpoint.
    """
    translator, dev = load_translator(name, device), dev_sentences(name, data_dir)
    options = replace(translator.options, beam_size=beam_size)
    start = time.perf_counter()
    translations = translator.translate_all([pair.source for pair in dev.scoring], options, as_typed=True)
    seconds = time.perf_counter() - start
    return {
        **corpus_scores(translations, [pair.target for pair in dev.scoring], dev.target_language),
        "sentences": len(dev.scoring),
        "beam_size": beam_size,
        "length_penalty": options.length_penalty,
        "sentences_per_second": round(len(dev.scoring) / seconds, 1),
        "command": command_line("evaluate_translator", name, "--beam-size", beam_size),
    }


def chosen(scores: dict[float, float]) -> float:
    """Return the length penalty to search with: the first, unless the best is ahead of it by :data:`ENOUGH`.

    Args:
        scores: BLEU with each length penalty, at least one.
    """
    default, best = next(iter(scores)), max(scores, key=lambda penalty: scores[penalty])
    return best if scores[best] >= scores[default] + ENOUGH else default


def length_penalty(name: str, *, data_dir: Path | None, device: str | None) -> dict[str, Any]:
    """Return the length penalty that the translator ``name`` is to search with, and its sacreBLEU with each."""
    translator = load_translator(name, device)
    dev = dev_sentences(name, data_dir)
    sources, references = [pair.source for pair in dev.choosing], [[pair.target for pair in dev.choosing]]
    bleu = bleu_for(dev.target_language)
    scores: dict[float, float] = {}
    for penalty in LENGTH_PENALTIES:
        translations = translator.translate_all(sources, DecodingOptions(length_penalty=penalty), as_typed=True)
        scores[penalty] = round(bleu.corpus_score(translations, references).score, 2)
    return {
        "chosen": chosen(scores),
        "sacrebleu": {f"{penalty:g}": score for penalty, score in scores.items()},
        "sentences": len(sources),
        "command": command_line("length_penalty", name),
    }


def familiarity(name: str, *, data_dir: Path | None, device: str | None) -> dict[str, Any]:
    """Return quantiles of both measures on the dev sentences that had no say in the choice of the checkpoint.

    With them comes which share of these sentences, and of texts of other kinds, is noticed.
    """
    translator = load_translator(name, device)
    dev = dev_sentences(name, data_dir).scoring
    measured = _measured(translator, [pair.source for pair in dev])
    at = {share: np.quantile(measured[0], share) for share in (*UNSURE, RATHER_UNSURE)}
    known = {
        "confidence": {f"{share:g}": round(float(value), 4) for share, value in at.items()},
        "fertility": {f"{FINELY_CUT:g}": round(float(np.quantile(measured[1], 1 - FINELY_CUT)), 4)},
    }
    n_both = sum(doubtful_and_finely_cut(known, *one) for one in measured.T.tolist())
    # Of so many sentences, a smaller share than one cannot be measured.
    limits: dict[str, Any] = {**known, "both": round(max(1, n_both) / len(dev), 4)}
    strange = {
        kind: _measured(translator, [make(pair) for pair in dev[:_N_STRANGE]])
        for kind, make in _strange_kinds().items()
    }
    noticed = {
        kind: round(statistics.mean(unfamiliar(limits, *one) is not None for one in values.T.tolist()), 4)
        for kind, values in ({"known": measured} | strange).items()
    }
    return {"sentences": len(dev), **limits, "noticed": noticed, "command": command_line("familiarity", name)}


def _measured(translator: Translator, texts: Sequence[str]) -> np.ndarray:
    """Return confidence and fertility of each text, [2, N]."""
    measures = [
        (float(np.mean(best.log_probabilities)), fertility(translator.tokenizer, text))
        for text, best in zip(texts, translator.search_all(texts, as_typed=True), strict=True)
        if best is not None
    ]
    return np.array(measures).T


def _strange_kinds() -> dict[str, Callable[[Pair], str]]:
    """Return what makes a text of another kind from a pair: the other language, and noise."""
    rng = random.Random(1)

    def shuffled_letters(pair: Pair) -> str:
        return " ".join("".join(rng.sample(word, len(word))) for word in pair.source.split())

    def shuffled_words(pair: Pair) -> str:
        words = pair.source.split()
        return " ".join(rng.sample(words, len(words)))

    return {
        "target language": lambda pair: pair.target,
        "letters shuffled": shuffled_letters,
        "words shuffled": shuffled_words,
    }


def head_means(name: str, *, data_dir: Path | None, device: str | None) -> dict[str, Any]:
    """Write the means of the translator ``name``, and return what they are of and the checksum of their file."""
    translator, pairs = load_translator(name, device), dev_sentences(name, data_dir).choosing
    model, encoded = translator.model, encoded_pairs(translator, pairs)
    parts = (*blocks_of(model.config), *positions_of(model))
    points = dict.fromkeys((*(part.point for part in parts), *unit_points(model.config)))
    path = FOLDER / name / MEANS
    # Before the file is written, which the commit does not have yet.
    origin = provenance(name, command_line("head_means", name))
    means = corpus_means(model, encoded, points)
    replace_file(path, lambda draft: save_file(means, draft))
    return {
        "sentences": len(pairs),
        "source_tokens": sum(len(source) for source, _ in encoded),
        "target_tokens": sum(len(target) for _, target in encoded),
        "sha256": checksums([path])[MEANS],
        **origin,
    }


MEASURES: dict[str, _Measure] = {
    "length_penalty": length_penalty,
    "dev": dev_scores,
    "familiarity": familiarity,
    "head_means": head_means,
}
"""All measures, by their entry; the first decides what the others search with."""
