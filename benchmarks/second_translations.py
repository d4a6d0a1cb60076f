"""How far one reference can tell: what a second person's translation scores against the first one's, and what ours do.

    python -m benchmarks.second_translations [NAME…] [--data-dir FOLDER]

Takes the dev sentences of shipped translators that had no say in their choice and that the corpus translates more than
once. Prints sacreBLEU of the next of these translations, and of the translator's own, against the one that is the dev
set's reference; and of the translator's own against all of them.
"""

from collections import defaultdict
from itertools import zip_longest
from pathlib import Path

from benchmarks.command import parser_of, run_command
from model.data.loading import load_parallel, sentence_key
from model.training.translation.score import bleu_for
from pretrained import load_translator
from pretrained.publishing.dev_sentences import dev_sentences
from pretrained.publishing.shipping import read_metrics
from pretrained.translators import FOLDER, METRICS

_EVERYDAY = tuple(f"translation-{pair}" for pair in ("en-de", "de-en", "en-fr", "fr-en", "en-ja", "ja-en"))


def report(name: str, data_dir: Path | None) -> str:
    """Return a line of scores, on the sentences of ``name`` that have a second translation."""
    dev = dev_sentences(name, data_dir)
    corpus = read_metrics(FOLDER / name / METRICS)["training"]["data"]["corpus"]
    translations: dict[str, dict[str, str]] = defaultdict(dict)
    for pair in load_parallel(corpus, data_dir):
        translations[sentence_key(pair.source)].setdefault(sentence_key(pair.target), pair.target)
    # The reference is the corpus's first translation of its sentence, as it is of the dev set's.
    everybody = [list(translations[sentence_key(pair.source)].values()) for pair in dev.scoring]
    several = [at for at, theirs in enumerate(everybody) if len(theirs) > 1]
    translator, bleu = load_translator(name), bleu_for(dev.target_language)
    ours = translator.translate_all([dev.scoring[at].source for at in several], as_typed=True)
    first, second, *others = zip_longest(*(everybody[at] for at in several))
    theirs_score, ours_score = (bleu.corpus_score(one, [list(first)]).score for one in (list(second), ours))
    of_all = bleu.corpus_score(ours, [list(references) for references in (first, second, *others)]).score
    return (
        f"{name}: {len(several)} of {len(dev.scoring)} sentences; sacreBLEU of a second person {theirs_score:.2f}, "
        f"ours {ours_score:.2f}, ours against every translation {of_all:.2f}"
    )


def main() -> None:
    """Print a line for each translator."""
    parser = parser_of(__file__, __doc__)
    parser.add_argument("names", nargs="*", default=_EVERYDAY, metavar="NAME", help="default: the everyday ones")
    parser.add_argument("--data-dir", type=Path, help="folder of the corpora")
    given = parser.parse_args()
    for name in given.names:
        print(report(name, given.data_dir), flush=True)


if __name__ == "__main__":
    run_command(main)
