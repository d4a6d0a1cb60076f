"""How long it takes to measure what every head is worth, and to translate with heads switched off.

``python -m benchmarks.head_ablation [--threads 1] [--repeat 1]``: milliseconds by the clock, and of processors, the
median of ten, for a sentence of 15 words, or for the same several times over.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import torch

from model.analysis.interventions.ablation import ablation, ablation_effects, blocks_of, heads_of, positions_of
from model.hooks import intervene
from pretrained import load_translator

SENTENCE = "Yesterday I saw my old friend at the station, but he did not see me."
N = 10


def milliseconds(run: Callable[[], object]) -> str:
    run()
    clocks = time.perf_counter, time.process_time
    times = []
    for _ in range(N):
        start = [clock() for clock in clocks]
        run()
        times.append([1000 * (clock() - before) for clock, before in zip(clocks, start, strict=True)])
    by_clock, of_processors = map(statistics.median, zip(*times, strict=True))
    return f"{by_clock:.0f} ms, of processors {of_processors:.0f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch (default: 1, as in the app)")
    parser.add_argument("--repeat", type=int, default=1, help="how often the sentence stands in the text (default: 1)")
    parser.add_argument("--translator", default="translation-en-de", help="folder in pretrained/")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    translator = load_translator(given.translator, "cpu")
    model = translator.model
    text = " ".join([SENTENCE] * given.repeat)
    translation = translator.translate(text)
    source, target = (translator.tokenizer.ids(side.pieces) for side in (translation.source, translation.target))
    heads = heads_of(model.config)
    parts = (*heads, *blocks_of(model.config), *positions_of(model))

    def translate_without(n: int) -> None:
        with intervene(ablation(heads[-n:])):
            translator.translate(text)

    print(f"{len(text.split())} words, {len(source)} and {len(target)} tokens, {given.threads} threads")
    print(f"{len(heads)} heads: {milliseconds(lambda: ablation_effects(model, source, target, heads))}")
    print(f"{len(parts)} parts: {milliseconds(lambda: ablation_effects(model, source, target, parts))}")
    for n in (1, 8):
        print(f"translate with {n} heads off: {milliseconds(lambda n=n: translate_without(n))}")
    print(f"translate with all heads: {milliseconds(lambda: translator.translate(text))}")


if __name__ == "__main__":
    main()
