"""Bracketing F1 on the dev part of a treebank: our parsers, and a PCFG of the same trees.

    python -m benchmarks.parsing RUN… [--data-dir FOLDER]

Each RUN is the folder of a finished run of the kind parsing. Prints labelled and unlabelled F1, the share of outputs
that are no tree, with the constraint on well-formed trees and without, by sentence length and by label.
"""

import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import torch

from benchmarks.command import parser_of, run_command
from benchmarks.pcfg import Pcfg
from model.data.treebanks import load_treebank
from model.decoding.parser import MAX_WORDS
from model.text.bracket_scores import BracketCounts, corpus_scores, counts_by_label, scores_by_length
from model.text.trees import Tree, words
from model.training.parsing.measure import load_finished_parser


def main() -> None:
    """Print all."""
    parser = parser_of(__file__, __doc__)
    parser.add_argument("runs", nargs="*", type=Path, metavar="RUN", help="folders of finished runs")
    parser.add_argument("--treebank", default="gum")
    parser.add_argument("--data-dir", type=Path, help="folder of the treebank")
    given = parser.parse_args()
    train = load_treebank(given.treebank, "train", given.data_dir)
    gold = [tree for tree in load_treebank(given.treebank, "dev", given.data_dir) if len(words(tree)) <= MAX_WORDS]
    texts = [[word.text for word in words(tree)] for tree in gold]
    print(f"{len(train)} trees to train on, {len(gold)} dev trees of at most {MAX_WORDS} words\n")
    start = time.perf_counter()
    grammar = Pcfg(train)
    found = [grammar.parse(sentence) for sentence in texts]
    _report("PCFG, parent annotation, markovisation 1", found, gold, time.perf_counter() - start)
    print(f"  without a tree: {100 * sum(not tree for tree in found) / len(gold):.1f} %")
    for run in given.runs:
        ours, _ = load_finished_parser(run, torch.device("cpu"))
        for beam_size, well_formed in ((4, True), (1, True), (4, False)):
            start = time.perf_counter()
            trees = [ours.parse(sentence, beam_size=beam_size, well_formed=well_formed).tree for sentence in texts]
            name = f"{run.name}, beam {beam_size}, {'well-formed' if well_formed else 'free'}"
            _report(name, [tree or () for tree in trees], gold, time.perf_counter() - start)
            print(f"  malformed: {100 * sum(tree is None for tree in trees) / len(gold):.1f} %")


def _report(name: str, found: Sequence[Tree], gold: Sequence[Tree], seconds: float) -> None:
    print(f"{name}: {corpus_scores(found, gold)}, {1000 * seconds / len(gold):.0f} ms a sentence")
    by_label: dict[str, BracketCounts] = defaultdict(BracketCounts)
    for one, other in zip(found, gold, strict=True):
        for label, counts in counts_by_label(one, other).items():
            by_label[label] += counts
    by_length = scores_by_length(found, gold)
    print("  up to words:", ", ".join(f"{length} {100 * counts.f1:.1f}" for length, counts in by_length.items()))
    frequent = sorted(by_label, key=lambda label: -by_label[label].gold)[:8]
    print("  by label:", ", ".join(f"{label} {100 * by_label[label].f1:.1f}" for label in frequent))


if __name__ == "__main__":
    run_command(main)
