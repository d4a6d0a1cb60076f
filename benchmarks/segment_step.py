"""How long the page Transformer-XL reads for a step to another part of a text, at its start and far into it.

    python -m benchmarks.segment_step

Prints medians in milliseconds on as many threads as the page takes, of the shipped models; without any, of the same
configurations with fresh weights, which take as long. The page's budget is 300 ms.
"""

import argparse
from functools import partial
from itertools import cycle, islice

import torch

from benchmarks.by_hand import milliseconds
from benchmarks.evaluation_speed import VOCABULARY_SIZE, build
from model.attention import SegmentSpec
from model.device import use_one_thread
from model.text.characters import CharacterVocabulary
from pretrained.language_models import LanguageModel, load_language_model, shipped_language_models
from viz.pages.transformer_xl.state import CUT_APART, MAIN, MAX_CHARACTERS, sample_text
from viz.pages.transformer_xl.study.reading import Memories
from viz.pages.transformer_xl.study.segments import n_segments, read_stretch

BUDGET = 300


def load(name: str, mem_len: int) -> LanguageModel:
    """Return the shipped model ``name``, or its like."""
    if name in shipped_language_models():
        return load_language_model(name)
    characters = "".join(sorted({*sample_text(), *map(chr, range(0x400, 0x480))}))[: VOCABULARY_SIZE - 1]
    return LanguageModel(name, build(name), CharacterVocabulary(characters), 64, mem_len, {})


def read(remembering: LanguageModel, cut_apart: LanguageModel, text: str, segment: int) -> None:
    """Read what is shown of ``segment``, as for a visitor who was elsewhere before."""
    ids = remembering.vocabulary.encode(text).ids
    spec = SegmentSpec(remembering.segment_length, remembering.mem_len)
    read_stretch(remembering, text, Memories(remembering.model, ids[None], spec), segment, cut_apart)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=5)
    given = parser.parse_args()
    use_one_thread()
    remembering, cut_apart = load(MAIN, 128), load(CUT_APART, 0)
    text = "".join(islice(cycle(sample_text()), MAX_CHARACTERS))
    last = n_segments(len(text), remembering.segment_length) - 1
    print(f"torch {torch.__version__}, one thread, a text of {len(text):,} characters; ms, budget {BUDGET}")
    for name, segment in (("first", 0), ("in the middle", last // 2), ("last", last)):
        taken = milliseconds(partial(read, remembering, cut_apart, text, segment), given.repetitions)
        print(f"segment {segment + 1:5}, {name:14} {taken:7.0f}")


if __name__ == "__main__":
    main()
