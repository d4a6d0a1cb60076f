"""How long a translation takes: our decoder, CTranslate2 and transformers' ``generate``, on the same weights.

    python -m benchmarks.translation_speed

Prints, on one thread, the milliseconds of one sentence of 15 tokens, by greedy search and by a beam of 4: ours with
every attention pattern of every head and every step's alternatives; the others record nothing. Then sentences a second
in batches of 64, and by how much each engine makes the process grow. The engines take turns, so that a slow moment of
the machine is everyone's; medians are over all turns. Whoever writes another translation is named.
"""

import multiprocessing
import os
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path

# Before NumPy loads its BLAS; child processes inherit it.
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import torch

from benchmarks.command import parser_of, run_command
from benchmarks.translation_peers import (
    as_ctranslate2,
    as_transformers,
    translate_with_ctranslate2,
    translate_with_transformers,
)
from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.beam_search import beam_search
from model.decoding.constraints import text_constraints
from model.decoding.decoder import Backend, TorchBackend
from model.decoding.options import DecodingOptions
from model.decoding.search import search_one
from model.device import use_one_thread
from model.text.padding import pad
from model.text.sentences import split_sentences
from pretrained import load_translator
from pretrained.graphs import backend_of

SENTENCE = "A man in a red shirt is sitting on a bench and reading."
TEXT = Path(__file__).parents[1] / "viz" / "pages" / "transformer_xl" / "data" / "war_and_peace.txt"
BEAMS = (1, 4)
BATCH = 64
_LONGEST_SOURCE = 40

Source = Sequence[int]
Translate = Callable[[Sequence[Source], int], list[list[int]]]


def peers(model: EncoderDecoder) -> dict[str, Callable[[], Translate]]:
    """Return, by name, what makes each other engine: it takes sources and a beam, and returns tokens without EOS."""
    return {
        "CTranslate2 float32": lambda: partial(_with_ctranslate2, as_ctranslate2(model, "float32")),
        "CTranslate2 int8": lambda: partial(_with_ctranslate2, as_ctranslate2(model, "int8")),
        "transformers generate": lambda: partial(_with_transformers, as_transformers(model)),
    }


def engines(model: EncoderDecoder) -> dict[str, Callable[[], Translate]]:
    """Return all that translate one sentence: ours too."""
    return {
        "ours, by the graph": lambda: partial(_search, backend_of(model)),
        "ours, in PyTorch": lambda: partial(_search, TorchBackend(model)),
        **peers(model),
    }


def _search(backend: Backend, sources: Sequence[Source], beam: int) -> list[list[int]]:
    (source,) = sources
    result = search_one(backend, source, DecodingOptions(beam_size=beam), n_alternatives=6)
    return [list(result.hypotheses[0].tokens[:-1])]


@torch.inference_mode()
def _in_batches(model: TorchBackend, sources: Sequence[Source], beam: int) -> list[list[int]]:
    decoder, options = model.encode(pad(sources))(_longest(sources)), DecodingOptions(beam_size=beam)
    constraints = text_constraints(model.config, options)
    n_best = beam_search(decoder, model.config, list(map(len, sources)), options, constraints=constraints)
    return [list(hypotheses[0].tokens[:-1]) for hypotheses in n_best]


def _with_ctranslate2(engine: object, sources: Sequence[Source], beam: int) -> list[list[int]]:
    return translate_with_ctranslate2(engine, sources, beam, _longest(sources))


def _with_transformers(engine: object, sources: Sequence[Source], beam: int) -> list[list[int]]:
    return translate_with_transformers(engine, pad(sources), beam, _longest(sources))


def _longest(sources: Sequence[Source]) -> int:
    return max(map(len, sources)) + DecodingOptions().max_extra_length


def take_turns(calls: Mapping[str, Callable[[], object]], turns: int, repetitions: int) -> dict[str, list[float]]:
    """Return the seconds of each of ``calls``: each is called twice for warmth, then timed, at every turn."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(turns):
        for name, call in calls.items():
            for repetition in range(-2, repetitions):
                start = time.perf_counter()
                call()
                if repetition >= 0:
                    seconds[name].append(time.perf_counter() - start)
    return seconds


def growth(model_name: str, engine: str) -> float:
    """Return by how many MiB building ``engine`` and translating once lets a fresh process grow."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_grow, (model_name, engine))


def _grow(model_name: str, engine: str) -> float:
    use_one_thread()
    translator = load_translator(model_name, "cpu")
    source = _tokens(translator.tokenizer.encode(SENTENCE), translator.model)
    before = _resident()
    translate = engines(translator.model)[engine]()
    translate([source], 1)
    return (_resident() - before) / 2**20


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _tokens(ids: Sequence[int], model: EncoderDecoder) -> list[int]:
    return [*ids, model.config.eos_id]


def main() -> None:
    """Print the tables."""
    parser = parser_of(__file__, __doc__)
    parser.add_argument("--name", default="translation-en-de", help="folder in pretrained/")
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--repetitions", type=int, default=5, help="timed calls a turn")
    given = parser.parse_args()
    use_one_thread()
    translator = load_translator(given.name, "cpu")
    model, tokenizer = translator.model, translator.tokenizer
    source = _tokens(tokenizer.encode(SENTENCE), model)
    text = " ".join(TEXT.read_text(encoding="utf-8").split())
    encoded = [_tokens(tokenizer.encode(sentence), model) for sentence in split_sentences(text)]
    short = [tokens for tokens in encoded if len(tokens) <= _LONGEST_SOURCE]
    batch = list(islice(cycle(short), BATCH))
    ready = {name: make() for name, make in engines(model).items()}
    for beam in BEAMS:
        written = {name: translate([source], beam)[0] for name, translate in ready.items()}
        expected = next(iter(written.values()))
        print(f"\nbeam {beam}, {len(source)} tokens read, {len(expected) + 1} written: milliseconds, median and least")
        calls = {name: partial(ready[name], [source], beam) for name in ready}
        for name, seconds in take_turns(calls, given.turns, given.repetitions).items():
            other = "" if written[name] == expected else f"   writes: {tokenizer.decode(written[name])}"
            print(f"{statistics.median(seconds) * 1000:8.2f} {min(seconds) * 1000:8.2f}  {name}{other}")
    at_once: dict[str, Translate] = {"ours, in PyTorch": partial(_in_batches, TorchBackend(model))}
    at_once |= {name: ready[name] for name in peers(model)}
    for beam in BEAMS:
        print(f"\nbeam {beam}, {len(batch)} sentences at once, {len(short)} different: sentences a second, median")
        calls = {name: partial(translate, batch, beam) for name, translate in at_once.items()}
        for name, seconds in take_turns(calls, 1, 3).items():
            print(f"{len(batch) / statistics.median(seconds):8.1f}  {name}")
    print("\nmemory: MiB that the process grows by, building the engine and translating once")
    for name in ready:
        print(f"{growth(given.name, name):8.1f}  {name}")


if __name__ == "__main__":
    run_command(main)
