"""How long the live race takes: every encoding of the zoo answers one input, one after the other.

    python -m benchmarks.zoo_race

Prints, in milliseconds on one thread, the median over repetitions for each encoding and for all of them. The models
are fresh, of the zoo's size: they are wrong from the first token, so that every token is written one by one, which is
the slowest case. The page's budget is two seconds for all at 60 tokens.
"""

import argparse
import statistics
import time

import torch

from model.decoder_only import DecoderOnly
from model.tasks import find
from model.training.zoo.plan import ENCODINGS, make_run
from viz.zoo_race import answer, drawn

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
    total = 0.0
    for encoding in ENCODINGS:
        model = DecoderOnly(make_run(given.task, encoding, 1).model).eval()
        # Such a model never ends before its time.
        with torch.no_grad():
            model.embedding.weight[model.config.eos_id].zero_()
        seconds(model, given.task, given.length)
        median = statistics.median(seconds(model, given.task, given.length) for _ in range(given.repetitions))
        total += median
        print(f"{median * 1000:8.1f} ms  {encoding}")
    print(f"{total * 1000:8.1f} ms  all {len(ENCODINGS)} at length {given.length}; budget {BUDGET * 1000:.0f} ms")


if __name__ == "__main__":
    main()
