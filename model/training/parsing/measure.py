"""Scores the best weights of a finished run on the dev part of its treebank."""

from pathlib import Path
from typing import Any

import torch

from model.data.treebanks import load_treebank
from model.decoding.parser import BEAM_SIZE, MAX_WORDS, Parser
from model.text.bracket_scores import corpus_scores, scores_by_length
from model.text.trees import words
from model.training.encoder_decoder import load_best
from model.training.parsing.config import ParserTraining, parser_training


def load_finished_parser(folder: Path, device: torch.device) -> tuple[Parser, ParserTraining]:
    """Return the run in ``folder``, its model on ``device``; raises ValueError before it has validated."""
    training, model, tokenizer = load_best(folder, parser_training, device)
    return Parser(model, tokenizer, training.symbols, reads_ahead=training.data.reads_ahead), training


def measure_parser(folder: Path, *, device: torch.device, data_dir: Path | None = None) -> dict[str, Any]:
    """Return what the best weights of the run in ``folder`` reach, as :func:`score_parser` does.

    Raises:
        CorpusMissingError: the treebank is not in ``data_dir``.
        ValueError: ``folder`` holds no finished run.
    """
    parser, training = load_finished_parser(folder, device)
    return score_parser(parser, training.data.treebank, data_dir)


def score_parser(parser: Parser, treebank: str, data_dir: Path | None = None) -> dict[str, Any]:
    """Return labelled and unlabelled F1 on the dev part of ``treebank`` by a beam of 4.

    They are measured with and without the constraint on trees. Without it, ``malformed`` is the share of outputs that
    are no tree over the words; these count as trees without constituents.

    Raises:
        CorpusMissingError: the treebank is not in ``data_dir``.
    """
    gold = [tree for tree in load_treebank(treebank, "dev", data_dir) if len(words(tree)) <= MAX_WORDS]
    texts = [[word.text for word in words(tree)] for tree in gold]
    well_formed = [parser.parse(sentence).tree or () for sentence in texts]
    free = [parser.parse(sentence, well_formed=False).tree for sentence in texts]
    by_length = scores_by_length(well_formed, gold)
    of_free = corpus_scores([tree or () for tree in free], gold)
    return {
        **corpus_scores(well_formed, gold),
        **{f"free_{name}": value for name, value in of_free.items()},
        "malformed": round(100 * sum(tree is None for tree in free) / len(gold), 2),
        "f1_by_length": {str(length): round(100 * counts.f1, 2) for length, counts in by_length.items()},
        "sentences": len(gold),
        "beam_size": BEAM_SIZE,
    }
