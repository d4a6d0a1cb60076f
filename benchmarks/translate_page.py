"""What the Translate page spends its time on, from a sentence of 15 words to what is sent to the browser.

    python -m benchmarks.translate_page

Prints the median over repetitions, in milliseconds on one thread, of each part, and the bytes that are sent.
The page's own budget is one second from Enter to maps on screen.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial

import torch

from model.decoding.beam_search import beam_search
from model.decoding.constraints import text_constraints
from model.decoding.decoder import TorchDecoder
from model.decoding.options import GREEDY, DecodingOptions
from model.device import use_one_thread
from model.hooks import record
from pretrained import load_translator
from viz.base.attention_maps import attention_kinds
from viz.base.words import page_text
from viz.components.attention_explorer.payload import pack
from viz.pages.translate.components.cell_view import cell_view
from viz.pages.translate.study.cell import CellLabels
from viz.pages.translate.study.cell_steps import block_name, cell_of, record_blocks
from viz.pages.translate.study.measures import MEASURES
from viz.pages.translate.study.written_tokens import steps_of

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
    use_one_thread()
    translator = load_translator(given.name, "cpu")
    source = torch.tensor([[*translator.tokenizer.encode(SENTENCE), translator.model.config.eos_id]])
    model = translator.model
    read = torch.tensor([[model.config.bos_id, *translator.translate(SENTENCE).hypotheses[0].tokens[:-1]]])

    def encode() -> object:
        with torch.inference_mode():
            return model.encode(source)

    def decode(options: DecodingOptions) -> object:
        with torch.inference_mode():
            decoder, constraints = TorchDecoder(model, *model.encode(source)), text_constraints(model.config, options)
            return beam_search(decoder, model.config, [source.shape[1]], options, constraints=constraints)

    def look() -> object:
        with torch.inference_mode():
            return model(source, read)

    def look_and_record() -> object:
        with record("*.pattern") as seen:
            look()
        return seen

    parts: dict[str, Callable[[], object]] = {
        "encode": encode,
        "decode, greedy (encode included)": lambda: decode(GREEDY),
        "decode, beam 4 (encode included)": lambda: decode(DecodingOptions()),
        "one pass over the result, nothing recorded": look,
        "one pass over the result, every pattern recorded": look_and_record,
        "translate(): all of it, beam 4": lambda: translator.translate(SENTENCE),
    }
    translation = translator.translate(SENTENCE)
    kinds = attention_kinds(translation)

    def explorer() -> bytes:
        return pack(
            kinds,
            steps=steps_of(translation),
            theme="light",
            header={"text": dict(page_text("components/attention_explorer"))},
        )

    def cell() -> str:
        recording = record_blocks(translator, translation, block_name("cross", 2))
        found = cell_of(recording, "cross", 2, head=0, query=1, key=1)
        labels = CellLabels(kinds[2].queries.labels[1], kinds[2].keys.labels)
        return cell_view(found, labels, theme="light", text=page_text("pages/translate/cell"))

    for name, measure in MEASURES.items():
        parts[f"every map of every head: {name}"] = partial(measure, translator, translation)
    parts[f"all that the explorer is sent, {len(explorer()):,} bytes"] = explorer
    parts[f"one cell from the inside, {len(cell()):,} bytes of HTML"] = cell
    print(f"{len(SENTENCE.split())} words, {source.shape[1]} source and {read.shape[1]} target tokens, one thread")
    for name, call in parts.items():
        call()
        print(f"{milliseconds(call, given.repetitions):8.1f} ms  {name}")


if __name__ == "__main__":
    main()
