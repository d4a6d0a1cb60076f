"""Which change far back matters most in the sample text, and what such changes do as a rule.

    python -m benchmarks.memory_changes --results viz/pages/transformer_xl/data/memory_changes.json

Every third letter of the sample becomes x, one at a time, and the predictions up to a memory and a segment later are
compared. The file, which the page How far heads look back opens with, has the change that did most at least ``FAR``
characters back, and what all those changes did, in bits: the median, and what one of a thousand exceeds.
"""

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.command import parser_of, run_command
from model.analysis.interventions.memory_influence import divergence, read_changed, read_to
from model.attention import SegmentSpec
from model.device import use_one_thread
from model.training.history import commit
from pretrained.language_models import LanguageModel, load_language_model
from pretrained.translators import WEIGHTS
from viz.pages.transformer_xl.study.microscope import FAR, default_character

SAMPLE = Path(__file__).parents[1] / "viz" / "pages" / "transformer_xl" / "data" / "war_and_peace.txt"
EVERY = 3


def changes(loaded: LanguageModel, text: str) -> Iterator[tuple[int, int, float]]:
    """Yield place, changed place and bits of every change that comes to the place through memory."""
    spec = SegmentSpec(loaded.segment_length, loaded.mem_len)
    ids = loaded.vocabulary.encode(text).ids
    reach = spec.mem_len + spec.segment_length
    for border in range(reach, len(text) - spec.segment_length + 1, spec.segment_length):
        before = read_to(loaded.model, ids, border, spec, source=border - reach)
        for source in filter(lambda at: text[at].isalpha() and at % EVERY == 0, range(border - reach, border)):
            changed = ids.clone()
            changed[source] = loaded.vocabulary.encode(default_character(loaded.vocabulary, text[source])).ids[0]
            after = read_changed(loaded.model, changed, source, before, spec)
            bits = divergence(before.log_probabilities, after.log_probabilities)
            yield from ((border + at, source, value) for at, value in enumerate(bits.tolist()))


def main() -> None:
    """Measure and write."""
    parser = parser_of(__file__, __doc__)
    parser.add_argument("--results", type=Path, required=True)
    arguments = parser.parse_args()
    use_one_thread()
    loaded, text = load_language_model("transformer_xl"), SAMPLE.read_text(encoding="utf-8")
    far = [one for one in changes(loaded, text) if one[0] - one[1] >= FAR]
    place, source, bits = max(far, key=lambda one: one[2])
    median, of_thousand = np.quantile([one[2] for one in far], [0.5, 0.999])
    farthest = max(one[0] - one[1] for one in far)
    found = {
        "command": shlex.join(["python", "-m", "benchmarks.memory_changes", *sys.argv[1:]]),
        "commit": commit(),
        "sha256": loaded.metrics["sha256"][WEIGHTS],
        "place": place,
        "source": source,
        "bits": bits,
        "n": len(far),
        "farthest": farthest,
        "median": float(median),
        "of_thousand": float(of_thousand),
    }
    arguments.results.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    run_command(main)
