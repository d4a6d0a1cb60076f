"""How long it takes to measure what every head is worth, and to translate with heads switched off.

``python -m benchmarks.head_ablation [--threads 2]``: milliseconds, the median of ten, for a sentence of 15 words.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import torch

from model.analysis.ablation import ablation, ablation_effects, blocks_of, heads_of, positions_of
from model.hooks import intervene
from pretrained import load_translator

SENTENCE = "Yesterday I saw my old friend at the station, but he did not see me."
N = 10


def milliseconds(run: Callable[[], object]) -> float:
    run()
    times = []
    for _ in range(N):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2, help="of PyTorch (default: 2)")
    parser.add_argument("--translator", default="translation-en-de", help="folder in pretrained/")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    translator = load_translator(given.translator, "cpu")
    model = translator.model
    translation = translator.translate(SENTENCE)
    source, target = (translator.tokenizer.ids(side.pieces) for side in (translation.source, translation.target))
    heads = heads_of(model.config)
    parts = (*heads, *blocks_of(model.config), *positions_of(model))

    def translate_without(n: int) -> None:
        with intervene(ablation(heads[-n:])):
            translator.translate(SENTENCE)

    print(f"{len(SENTENCE.split())} words, {len(source)} and {len(target)} tokens, {given.threads} threads")
    print(f"{len(heads)} heads: {milliseconds(lambda: ablation_effects(model, source, target, heads)):.0f} ms")
    print(f"{len(parts)} parts: {milliseconds(lambda: ablation_effects(model, source, target, parts)):.0f} ms")
    for n in (1, 8):
        print(f"translate with {n} heads off: {milliseconds(lambda n=n: translate_without(n)):.0f} ms")
    print(f"translate with all heads: {milliseconds(lambda: translator.translate(SENTENCE)):.0f} ms")


if __name__ == "__main__":
    main()
