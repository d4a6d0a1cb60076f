"""How translators do on the captions of Multi30k's test set of 2016, as published work measures it.

    python -m benchmarks.multi30k NAME_OR_RUN_FOLDER… [--data-dir FOLDER] [--beam-size 5] [--results FILE]

Prints for each shipped translator or finished run, and as mean and range over all of one direction: BLEU of lower-cased
text, normalised and tokenised as Moses does (Wu et al. 2021, and what they compare with), and sacreBLEU of cased,
detokenised text with its signature. The two cannot be compared with each other. The length penalty, which favours
longer translations, is the one that the first measure on the validation set is best with. A file of results keeps what
is found, with seed and commits, beside what it has of other translators, and all of it counts in mean and range;
``benchmarks/multi30k.json`` is such a file. Needs the test requirements (`make test` installs them).
"""

import dataclasses
import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sacrebleu
import torch

from benchmarks.command import parser_of, run_command
from model.checkpoint import n_parameters
from model.data.loading import Pair, load_parallel
from model.decoding.options import DecodingOptions
from model.decoding.translator import Translator
from model.device import choose_device
from model.training.history import read_history
from model.training.translation.finished import load_finished
from model.training.translation.score import tokenized_bleu
from pretrained import load_translator, read_card, shipped

LANGUAGES = {"multi30k-eng-deu": ("eng-deu", "German"), "multi30k-eng-fra": ("eng-fra", "French")}
LENGTH_PENALTIES = (0.6, 1.0, 1.2, 1.4, 1.6)


@dataclass(frozen=True)
class Result:
    """What was found of the translator ``name``: BLEU of tokens on both sets, sacreBLEU on the test set.

    ``trained_by`` are the parts of its training: the commit of the code, and what the run began with, if anything.
    """

    name: str
    corpus: str
    seed: int
    n_parameters: int
    trained_by: list[dict[str, str]]
    beam_size: int
    length_penalty: float
    validation_bleu: float
    test_bleu: float
    test_sacrebleu: float
    signature: str

    @property
    def line(self) -> str:
        """What is printed of it."""
        return (
            f"{self.test_bleu:6.2f} {self.test_sacrebleu:6.2f}  {self.name}, seed {self.seed}, "
            f"{self.n_parameters / 1e6:.2f} M parameters, length penalty {self.length_penalty}; "
            f"tokenised on the validation set {self.validation_bleu:.2f}"
        )


def load(name: str, device: torch.device) -> tuple[Translator, Mapping[str, Any], list[dict[str, Any]]]:
    """Return a shipped translator by its name, or that of the best weights in the run folder ``name``.

    With it come the entries of its training and the parts of its history.
    """
    if name in shipped():
        metrics = read_card(name).metrics
        return load_translator(name, str(device)), metrics["training"], metrics["history"]
    run = load_finished(Path(name), device)
    return run.translator, dataclasses.asdict(run.training), read_history(Path(name))


def written(translator: Translator, pairs: Sequence[Pair], options: DecodingOptions) -> list[str]:
    """Return the translations of the sources of ``pairs``."""
    return translator.translate_all([pair.source for pair in pairs], options, as_typed=True)


def references(pairs: Sequence[Pair]) -> list[str]:
    """Return the targets of ``pairs``."""
    return [pair.target for pair in pairs]


def measured(name: str, data_dir: Path | None, beam_size: int, device: torch.device) -> Result:
    """Return what is found of what :func:`load` calls ``name``."""
    translator, training, history = load(name, device)
    corpus = training["data"]["corpus"]
    pair_name, language = LANGUAGES[corpus]
    validation, test = (load_parallel(f"multi30k-{part}-{pair_name}", data_dir) for part in ("val", "test-2016"))

    def validated(penalty: float) -> float:
        options = DecodingOptions(beam_size=beam_size, length_penalty=penalty)
        return tokenized_bleu(written(translator, validation, options), references(validation), language)

    bleu_of = {penalty: validated(penalty) for penalty in LENGTH_PENALTIES}
    best = max(bleu_of, key=lambda penalty: bleu_of[penalty])
    translations = written(translator, test, DecodingOptions(beam_size=beam_size, length_penalty=best))
    cased = sacrebleu.BLEU()
    found = cased.corpus_score(translations, [references(test)])
    return Result(
        name=Path(name).name,
        corpus=corpus,
        seed=training["seed"],
        n_parameters=n_parameters(translator.model.parameters()),
        trained_by=[{key: part[key] for key in ("commit", "parent") if key in part} for part in history],
        beam_size=beam_size,
        length_penalty=best,
        validation_bleu=round(bleu_of[best], 2),
        test_bleu=round(tokenized_bleu(translations, references(test), language), 2),
        test_sacrebleu=round(found.score, 2),
        signature=str(cased.get_signature()),
    )


def keep(found: Sequence[Result], path: Path) -> list[Result]:
    """Write ``found`` to ``path``, beside what that has of other translators; return all, by direction and seed."""
    names = {result.name for result in found}
    kept = [Result(**entry) for entry in json.loads(path.read_text(encoding="utf-8"))] if path.is_file() else []
    both = sorted(
        [*(result for result in kept if result.name not in names), *found],
        key=lambda result: (result.corpus, result.seed, result.name),
    )
    entries = [dataclasses.asdict(result) for result in both]
    path.write_text(json.dumps(entries, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return both


def summary(results: Sequence[Result]) -> str:
    """Return mean and range over the ``results``, which are of one direction, in a line for each measure."""
    measures = {
        "tokenised lower-cased BLEU": [result.test_bleu for result in results],
        "sacreBLEU": [result.test_sacrebleu for result in results],
    }
    return "\n".join(
        f"{name}: mean {statistics.mean(values):.2f} of {len(values)}, {min(values):.2f} to {max(values):.2f}"
        for name, values in measures.items()
    )


def main() -> None:
    """Print all."""
    parser = parser_of(__file__, __doc__)
    parser.add_argument("names", nargs="+", help="shipped translators, or folders of finished runs")
    parser.add_argument("--data-dir", type=Path, help="folder of the corpora")
    parser.add_argument("--beam-size", type=int, default=5, help="as Wu et al. 2021 (default: 5)")
    parser.add_argument("--results", type=Path, help="JSON file to keep what is found in")
    parser.add_argument("--device", help="cuda, mps or cpu (default: the first that there is)")
    given = parser.parse_args()
    device = choose_device(given.device)
    found = [measured(name, given.data_dir, given.beam_size, device) for name in given.names]
    results = keep(found, given.results) if given.results else found
    print("tokenised lower-cased BLEU, sacreBLEU; test_2016")
    for corpus in dict.fromkeys(result.corpus for result in results):
        of_corpus = [result for result in results if result.corpus == corpus]
        print(f"\n{corpus}", *(result.line for result in of_corpus), summary(of_corpus), sep="\n")
    print(f"\n{results[0].signature}")


if __name__ == "__main__":
    run_command(main)
