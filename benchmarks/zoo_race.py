"""How long the live race takes: every encoding that learns a task answers one input, one after the other.

    python -m benchmarks.zoo_race

Prints, in milliseconds on one thread, the median over repetitions for each encoding and for all of them, for the
published models of the task; for encodings without one, a fresh model of the zoo's size, marked so. The page's budget
is two seconds for all at 60 tokens.
"""

import argparse
import statistics
import time

import torch

from model.architectures.decoder_only import DecoderOnly
from model.tasks import find
from model.zoo.plan import entries, make_run
from pretrained.zoo import load_zoo_model, shipped_zoo
from viz.pages.length_generalization.study.race import answer, drawn

BUDGET = 2.0


def seconds(model: DecoderOnly, task: str, length: int) -> float:
    """Return how long ``model`` takes over one drawn input of ``length``."""
    inputs = drawn(find(task), length, 1)
    start = time.perf_counter()
    answer(model, find(task), inputs)
    return time.perf_counter() - start


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--task", default="reverse")
    parser.add_argument("--length", type=int, default=60)
    parser.add_argument("--repetitions", type=int, default=5)
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    shipped = {model.run.encoding: model for model in shipped_zoo() if model.run.task == given.task}
    total = 0.0
    encodings = tuple(dict.fromkeys(encoding for _, encoding, _ in entries((given.task,))))
    for encoding in encodings:
        is_shipped = encoding in shipped
        fresh = make_run(given.task, encoding, 1).model
        model = load_zoo_model(shipped[encoding]) if is_shipped else DecoderOnly(fresh).eval()
        seconds(model, given.task, given.length)
        median = statistics.median(seconds(model, given.task, given.length) for _ in range(given.repetitions))
        total += median
        print(f"{median * 1000:8.1f} ms  {encoding}{'' if is_shipped else ' (fresh)'}")
    print(f"{total * 1000:8.1f} ms  all {len(encodings)} at length {given.length}; budget {BUDGET * 1000:.0f} ms")


if __name__ == "__main__":
    main()
