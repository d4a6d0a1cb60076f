"""How often a translation shows a slip that can be told without the right one: in ours, and in those that people made.

    python -m benchmarks.translation_slips NAME… [--data-dir FOLDER] [--n 500]

Prints for each shipped translator how many of its dev sentences have a slip of each kind, in greedy translations and in
those of the corpus, which people made: what is found there is nearly always none.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from model.data.loading import Pair
from model.decoding.options import GREEDY
from pretrained import load_translator
from pretrained.publishing.dev_sentences import dev_sentences
from viz.pages.translate.study.slips import slips
from viz.shared.shipped import TranslatorInfo, translator_info


def main() -> None:
    """Print all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.translation_slips", description=__doc__)
    parser.add_argument("names", nargs="+", metavar="NAME", help="shipped translators")
    parser.add_argument("--data-dir", type=Path, help="folder of the corpora")
    parser.add_argument("--n", type=int, default=500, help="sentences (default: 500)")
    given = parser.parse_args()
    for name in given.names:
        info = translator_info(name)
        pairs = dev_sentences(name, given.data_dir).scoring[: given.n]
        translations = load_translator(name).translate_all([pair.source for pair in pairs], GREEDY, as_typed=True)

        ours = _counts(pairs, translations, info)
        print(f"{name}, {len(pairs)} sentences: ours {ours}")
        print(f"  the corpus's {_counts(pairs, [pair.target for pair in pairs], info)}")


def _counts(pairs: Sequence[Pair], targets: Sequence[str], info: TranslatorInfo) -> dict[str, int]:
    languages = {"source_language": info.source_language, "target_language": info.target_language}
    found = (slips(pair.source, target, **languages) for pair, target in zip(pairs, targets, strict=True))
    return dict(Counter(slip.kind for of_one in found for slip in of_one))


if __name__ == "__main__":
    main()
