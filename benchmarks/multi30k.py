"""How translators do on the captions of Multi30k's test set of 2016, as published work measures it.

    python -m benchmarks.multi30k NAME_OR_RUN_FOLDER… [--data-dir FOLDER] [--beam-size 5]

Prints for each shipped translator or finished run, and as mean and range over all: BLEU of lower-cased text, normalised
and tokenised as Moses does (Wu et al. 2021, and what they compare with), and sacreBLEU of cased, detokenised text with
its signature. The two cannot be compared with each other. The length penalty, which favours longer translations, is the
one that the first measure on the validation set is best with. Needs the test requirements (`make test` installs them).
"""

import argparse
import statistics
from collections.abc import Sequence
from pathlib import Path

import sacrebleu
import torch
from sacremoses import MosesPunctNormalizer, MosesTokenizer

from model.data import Pair, load_parallel
from model.decoding import DecodingOptions
from model.device import choose_device
from model.training.finished import load_finished
from model.translator import Translator
from pretrained import load_translator, read_card, shipped

LANGUAGES = {"multi30k-eng-deu": ("eng-deu", "de"), "multi30k-eng-fra": ("eng-fra", "fr")}
LENGTH_PENALTIES = (0.6, 1.0, 1.2, 1.4, 1.6)


def tokenized(sentences: Sequence[str], language: str) -> list[str]:
    """Return ``sentences`` normalised, in small letters and cut into tokens: of the references, the published form."""
    normalizer, tokenizer = MosesPunctNormalizer(language), MosesTokenizer(language)
    return [tokenizer.tokenize(normalizer.normalize(text).lower(), return_str=True) for text in sentences]


def load(name: str, device: torch.device) -> tuple[Translator, str, int]:
    """Return a shipped translator by its name, or that of the best weights in the run folder ``name``.

    With it come the corpus that it was trained on and the seed.
    """
    if name in shipped():
        training = read_card(name).metrics["training"]
        return load_translator(name, str(device)), training["corpus"], training["seed"]
    run = load_finished(Path(name), device)
    return run.translator, run.training["corpus"], run.training["seed"]


def written(translator: Translator, pairs: Sequence[Pair], options: DecodingOptions) -> list[str]:
    """Return the translations of the sources of ``pairs``."""
    return translator.translate_all([pair.source for pair in pairs], options)


def published_bleu(translations: Sequence[str], pairs: Sequence[Pair], language: str) -> float:
    """Return BLEU as published work measures it."""
    references = tokenized([pair.target for pair in pairs], language)
    in_tokens = sacrebleu.BLEU(tokenize="none", force=True)
    return float(in_tokens.corpus_score(tokenized(translations, language), [references]).score)


def scores(name: str, data_dir: Path | None, beam_size: int, device: torch.device) -> tuple[float, float, str]:
    """Return the tokenised lower-cased BLEU, the sacreBLEU and its signature of what :func:`load` calls ``name``."""
    translator, trained_on, seed = load(name, device)
    pair_name, language = LANGUAGES[trained_on]
    validation, test = (load_parallel(f"multi30k-{part}-{pair_name}", data_dir) for part in ("val", "test-2016"))
    candidates = [DecodingOptions(beam_size=beam_size, length_penalty=penalty) for penalty in LENGTH_PENALTIES]
    options = max(
        candidates, key=lambda one: published_bleu(written(translator, validation, one), validation, language)
    )
    translations = written(translator, test, options)
    published = published_bleu(translations, test, language)
    cased = sacrebleu.BLEU()
    found = cased.corpus_score(translations, [[pair.target for pair in test]])
    n_parameters = sum(parameter.numel() for parameter in translator.model.parameters())
    print(
        f"{published:6.2f} {found.score:6.2f}  {Path(name).name}, seed {seed}, {n_parameters / 1e6:.2f} M parameters, "
        f"length penalty {options.length_penalty}"
    )
    return published, found.score, str(cased.get_signature())


def main() -> None:
    """Print all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.multi30k", description=__doc__)
    parser.add_argument("names", nargs="+", help="shipped translators, or folders of finished runs")
    parser.add_argument("--data-dir", type=Path, help="folder of the corpora")
    parser.add_argument("--beam-size", type=int, default=5, help="as Wu et al. 2021 (default: 5)")
    parser.add_argument("--device", help="cuda, mps or cpu (default: the first that there is)")
    given = parser.parse_args()
    print("tokenised lower-cased BLEU, sacreBLEU; test_2016")
    device = choose_device(given.device)
    found = [scores(name, given.data_dir, given.beam_size, device) for name in given.names]
    for name, values in zip(
        ("tokenised lower-cased BLEU", "sacreBLEU"), list(zip(*found, strict=True))[:2], strict=True
    ):
        print(f"{name}: mean {statistics.mean(values):.2f}, {min(values):.2f} to {max(values):.2f}")
    print(found[0][2])


if __name__ == "__main__":
    main()
