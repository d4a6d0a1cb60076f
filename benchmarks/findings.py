"""What the findings on the entrance say, computed from what ships.

    python -m benchmarks.findings

Writes ``viz/pages/start/data/findings.json``, which the entrance reads, and prints each claim.
"""

import inspect

from benchmarks.command import parser_of, run_command
from pretrained import load_translator
from pretrained.head_catalogue import alignment_errors
from pretrained.language_models import language_model_results
from pretrained.minimal_pairs import mean_circuits
from pretrained.zoo import zoo_probes, zoo_results
from viz.pages.start.study.findings import FINDINGS, STORED, as_json
from viz.pages.training.study.shipped import shipped_recordings
from viz.shared.shipped import examples

NAME = "translation-en-de"
SOURCES = {
    "translator": lambda: load_translator(NAME, "cpu"),
    "example_sentences": lambda: examples("English", "everyday"),
    "head_alignment": lambda: alignment_errors(NAME),
    "mean_circuits": mean_circuits,
    "zoo_results": zoo_results,
    "zoo_probes": zoo_probes,
    "language_model_results": language_model_results,
    "layer_recordings": shipped_recordings,
}
"""What loads each argument of a finding."""


def main() -> None:
    """Compute all, keep and print them."""
    parser_of(__file__, __doc__).parse_args()
    loaded = {name: load() for name, load in SOURCES.items()}
    claims = {
        name: find(**{argument: loaded[argument] for argument in inspect.signature(find).parameters})
        for name, find in FINDINGS.items()
    }
    STORED.write_text(as_json(claims), encoding="utf-8")
    for name, claim in claims.items():
        print(f"{name}: {'holds' if claim.holds else 'DOES NOT HOLD'} {dict(claim.values)}")


if __name__ == "__main__":
    run_command(main)
