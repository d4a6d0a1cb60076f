"""What people type first, and a corpus has hardly any of: single words, capitals, times and prices, long sentences.

    python -m benchmarks.typed_inputs NAME_OR_RUN_FOLDER…

Texts are read as the app reads them: characters that a vocabulary lacks, and capitals, in plain forms. Prints for each
English–German translator how many of the words are right; how alike a line in capitals is translated to the same line
without (chrF, of small letters); how many of the times and prices stand in the translation; and of long sentences the
share of source words on which some written token's largest weight falls (mean of all cross-attention).
"""

import csv
from pathlib import Path
from statistics import fmean

from sacrebleu import sentence_chrf

from benchmarks.command import parser_of, run_command
from model.analysis.maps.words_read import words_read
from model.decoding.translator import Translator
from model.device import choose_device
from model.training.translation.finished import load_finished
from pretrained import load_translator, shipped

INPUTS = Path(__file__).with_suffix(".tsv")


def main() -> None:
    """Print all."""
    parser = parser_of(__file__, __doc__)
    parser.add_argument("names", nargs="+", metavar="NAME", help="shipped translators or folders of finished runs")
    for name in parser.parse_args().names:
        is_shipped = name in shipped()
        translator = (
            load_translator(name, "cpu") if is_shipped else load_finished(Path(name), choose_device("cpu")).translator
        )
        print(Path(name).name)
        for line in figures(translator):
            print(f"  {line}")


def figures(translator: Translator) -> list[str]:
    """Return a line for each kind of input."""
    with INPUTS.open(encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    of_kind = {kind: [row[1:] for row in rows if row[0] == kind] for kind in ("word", "capitals", "time", "long")}
    right = [
        _text(translator, word).rstrip(".").lower() in accepted.lower().split(";") for word, accepted in of_kind["word"]
    ]
    alike = [
        sentence_chrf(_text(translator, text.upper()).lower(), [_text(translator, text).lower()]).score
        for (text,) in of_kind["capitals"]
    ]
    kept = [any(form in _text(translator, text) for form in forms.split(";")) for text, forms in of_kind["time"]]
    read = [words_read(translator.translate(text)).share for (text,) in of_kind["long"]]
    return [
        f"{sum(right)} of {len(right)} words right",
        f"capitals: chrF {fmean(alike):.1f} to the same lines without",
        f"{sum(kept)} of {len(kept)} times and prices kept",
        f"long sentences: {fmean(read):.1%} of the source words are read",
    ]


def _text(translator: Translator, text: str) -> str:
    return translator.translate(text).text


if __name__ == "__main__":
    run_command(main)
