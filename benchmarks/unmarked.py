"""What a sentence's full stop is worth to translators: none has one while it is being typed.

    python -m benchmarks.unmarked NAME_OR_RUN_FOLDER… [--data-dir FOLDER] [--n 500]

Prints for each shipped translator or finished run the sacreBLEU of greedy translations of the first dev sentences that
had no say in its choice, as they are and without their marks at the end, and how much longer the second ones are. The
marks of translations and references are left out of both.
"""

from collections.abc import Sequence
from pathlib import Path

import torch

from benchmarks.command import parser_of, run_command
from model.data.loading import Pair, load_split
from model.decoding.options import GREEDY
from model.decoding.translator import Translator
from model.device import choose_device
from model.training.translation.drop_end_marks import END_MARKS
from model.training.translation.finished import load_finished
from model.training.translation.score import bleu_for
from pretrained import load_translator, shipped
from pretrained.publishing.dev_sentences import dev_sentences


def loaded(name: str, data_dir: Path | None, device: torch.device) -> tuple[Translator, Sequence[Pair], str]:
    """Return a translator, its dev sentences that had no say, and the language that it writes."""
    if name in shipped():
        dev = dev_sentences(name, data_dir)
        return load_translator(name, str(device)), dev.scoring, dev.target_language
    run = load_finished(Path(name), device)
    data = run.training.data
    split = load_split([data.corpus], data.n_dev, dev_corpus=data.dev_corpus, data_dir=data_dir)
    return run.translator, split.dev[data.n_validated :], data.target_language


def main() -> None:
    """Print all."""
    parser = parser_of(__file__, __doc__)
    parser.add_argument("names", nargs="+", metavar="NAME", help="shipped translators or folders of finished runs")
    parser.add_argument("--data-dir", type=Path, help="folder of the corpora")
    parser.add_argument("--n", type=int, default=500, help="sentences (default: 500)")
    given = parser.parse_args()
    for name in given.names:
        translator, dev, language = loaded(name, given.data_dir, choose_device(None))
        pairs, bleu = dev[: given.n], bleu_for(language)
        marked = [pair.source for pair in pairs]
        with_marks, without = (
            _without_marks(translator.translate_all(sources, GREEDY, as_typed=True))
            for sources in (marked, _without_marks(marked))
        )
        references = [_without_marks([pair.target for pair in pairs])]
        scores = [bleu.corpus_score(translations, references).score for translations in (with_marks, without)]
        longer = sum(map(len, without)) / sum(map(len, with_marks)) - 1
        print(
            f"{scores[0]:6.2f} with marks, {scores[1]:6.2f} without, which are {100 * longer:+.1f} % longer  "
            f"{Path(name).name}, {len(pairs)} sentences"
        )


def _without_marks(sentences: Sequence[str]) -> list[str]:
    return [END_MARKS.sub("", sentence, count=1) for sentence in sentences]


if __name__ == "__main__":
    run_command(main)
