"""What the Translate page spends its time on, from a sentence of 15 words to the figures sent to the browser.

    python -m benchmarks.translate_page

Prints the median over repetitions, in milliseconds on one thread, of each part, and the bytes of each figure's JSON.
The page's own budget is one second from Enter to maps on screen.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import torch

from model.decoding import GREEDY, DecodingOptions, beam_search, step_alternatives
from model.hooks import record
from pretrained import load_translator
from viz.attention import KINDS, AttentionMaps, attention_maps
from viz.figures.heatmap import heatmap
from viz.figures.mosaic import mosaic

SENTENCE = "The old man who lives next door told me that he wanted to learn German."


def milliseconds(call: Callable[[], object], repetitions: int) -> float:
    """Return the median duration of ``call``."""
    durations = []
    for _ in range(repetitions):
        start = time.perf_counter()
        call()
        durations.append((time.perf_counter() - start) * 1000)
    return statistics.median(durations)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--name", default="translation-en-de", help="folder in pretrained/")
    parser.add_argument("--repetitions", type=int, default=20)
    given = parser.parse_args()
    torch.set_num_threads(1)
    translator = load_translator(given.name, "cpu")
    source = torch.tensor([[*translator.tokenizer.encode(SENTENCE), translator.model.config.eos_id]])
    best = beam_search(translator.model, source)[0][0]

    def encode() -> object:
        with torch.inference_mode():
            return translator.model.encode(source)

    def look() -> object:
        return step_alternatives(translator.model, source, best.tokens, 6)

    def look_and_record() -> object:
        with record("*.pattern") as seen:
            look()
        return seen

    parts: dict[str, Callable[[], object]] = {
        "encode": encode,
        "decode, greedy (encode included)": lambda: beam_search(translator.model, source, GREEDY),
        "decode, beam 4 (encode included)": lambda: beam_search(translator.model, source, DecodingOptions()),
        "one pass over the result, nothing recorded": look,
        "one pass over the result, every pattern recorded": look_and_record,
        "translate(): all of it, beam 4": lambda: translator.translate(SENTENCE),
    }
    maps = {kind: attention_maps(translator.translate(SENTENCE), kind, "pieces") for kind in KINDS}
    for kind, shown in maps.items():

        def matrix(shown: AttentionMaps = shown) -> str:
            drawn = heatmap(shown.matrix(0, 0), shown.queries, shown.keys, theme="light")
            return str(drawn.to_json())

        def overview(shown: AttentionMaps = shown) -> str:
            return str(mosaic(shown.weights, theme="light", opened=(0, 0)).to_json())

        parts[f"figure and JSON of one {kind} head, {len(matrix()):,} bytes"] = matrix
        parts[f"figure and JSON of all {kind} heads, {len(overview()):,} bytes"] = overview
    print(f"{len(SENTENCE.split())} words, {source.shape[1]} source and {len(best.tokens)} target tokens, one thread")
    for name, call in parts.items():
        call()
        print(f"{milliseconds(call, given.repetitions):8.1f} ms  {name}")


if __name__ == "__main__":
    main()
