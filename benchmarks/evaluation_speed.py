"""How fast a text is evaluated with a memory over segments, and through a window that moves by one character.

    python -m benchmarks.evaluation_speed --results pretrained/language_models/evaluation_speed.json

The model is the one that model/training/language_model/configurations names, with fresh weights: they do not change the
time. With a memory every character is read once; through a window all of the context is read again for each. Prints
milliseconds per character, and how many times faster the memory is, beside what Dai et al. 2019 report in table 9. The
file of results, which the page What memory is worth reads, names the machine.
"""

import json
import os
import platform
import shlex
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch

import model.training.language_model
from benchmarks.command import parser_of, run_command
from model.architectures.decoder_only import DecoderOnly
from model.training.history import commit
from model.training.kinds import load_training
from viz.pages.transformer_xl.study.paper import paper

CONFIGURATIONS = Path(model.training.language_model.__file__).parent / "configurations"
CONTEXTS = (256, 512, 1024, 2048)
VOCABULARY_SIZE = 83
CPU_INFO = Path("/proc/cpuinfo")


def milliseconds(call: Callable[[], object], repetitions: int) -> float:
    """Return the median duration of ``call``, after one that warms up."""
    call()
    durations = []
    for _ in range(repetitions):
        start = time.perf_counter()
        call()
        durations.append(1000 * (time.perf_counter() - start))
    return statistics.median(durations)


def with_memory(decoder: DecoderOnly, context: int, segment_length: int, repetitions: int) -> float:
    """Return milliseconds per character of reading a segment when the memory is full."""
    memory = decoder.new_memory(context)
    decoder(torch.randint(VOCABULARY_SIZE, (1, context)), memory=memory)
    segment = torch.randint(VOCABULARY_SIZE, (1, segment_length))
    return milliseconds(lambda: decoder(segment, memory=memory), repetitions) / segment_length


def through_window(decoder: DecoderOnly, context: int, repetitions: int) -> float:
    """Return milliseconds per character of reading all of its context."""
    window = torch.randint(VOCABULARY_SIZE, (1, context))
    return milliseconds(lambda: decoder(window), repetitions)


def build(name: str) -> DecoderOnly:
    """Return the model of the configuration ``name``, with fresh weights."""
    training = load_training(CONFIGURATIONS / f"{name}.toml")
    return DecoderOnly(training.model_config(VOCABULARY_SIZE)).eval()


def machine() -> dict[str, str | int]:
    """Return what the times depend on, by name."""
    lines = CPU_INFO.read_text().splitlines() if CPU_INFO.is_file() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return {
        "processor": next(named, platform.processor() or platform.machine()),
        "n_cores": os.cpu_count() or 1,
        "system": platform.system(),
        "torch": torch.__version__,
        "n_threads": torch.get_num_threads(),
    }


def write(path: Path, rows: list[dict[str, float]], segment_length: int) -> None:
    """Keep what was measured, with what made it."""
    found = {
        "command": f"python -m benchmarks.evaluation_speed {shlex.join(sys.argv[1:])}",
        "commit": commit(),
        "machine": machine(),
        "segment_length": segment_length,
        "milliseconds_per_character": rows,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


@torch.inference_mode()
def main() -> None:
    """Print the table."""
    parser = parser_of(__file__, __doc__)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--segment-length", type=int, default=64)
    parser.add_argument("--contexts", type=int, nargs="+", default=CONTEXTS)
    parser.add_argument("--results", type=Path, help="JSON file to write")
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    remembering, absolute = build("transformer_xl"), build("absolute")
    print(f"torch {torch.__version__}, 1 thread, batch 1, segments of {given.segment_length}; ms per character")
    print("context   memory   window, same model   window, absolute   faster than same   than absolute")
    rows = []
    for context in given.contexts:
        memory = with_memory(remembering, context, given.segment_length, given.repetitions)
        same = through_window(remembering, context, given.repetitions)
        other = through_window(absolute, context, given.repetitions)
        print(f"{context:7} {memory:8.3f} {same:20.1f} {other:18.1f} {same / memory:17.0f} × {other / memory:13.0f} ×")
        rows.append({"context": context, "memory": memory, "window": same, "window_absolute": other})
    if given.results:
        write(given.results, rows, given.segment_length)
    reported = ", ".join(f"{ratio:,} × at {length:,}" for length, ratio in paper().slowdown.items())
    print(f"Dai et al. 2019, table 9, on one GPU and their models: {reported}")


if __name__ == "__main__":
    run_command(main)
