"""Numbers and addresses that people type: how many a translation keeps, and how many the app names.

    python -m benchmarks.typed_numbers

The lines of ``typed_numbers.tsv`` are a direction, a sentence, and for each number or address what a translation may
have for it. Prints for each direction how many sentences keep all (greedy search, read as the app reads them), how many
of the others have a number or an address named, and how many of those that keep all: false alarms.
"""

import argparse
import csv
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from model.decoding.options import GREEDY
from pretrained import load_translator
from viz.pages.translate.study.slips import slips
from viz.shared.shipped import translator_info

INPUTS = Path(__file__).with_suffix(".tsv")
KINDS = ("number", "new number", "address")


@dataclass(frozen=True)
class TypedLine:
    """A sentence and, for each of its numbers and addresses, the forms that a translation may have."""

    direction: str
    text: str
    forms: tuple[tuple[str, ...], ...]

    def is_kept_in(self, translation: str) -> bool:
        """Whether each number and address is in ``translation``."""
        return all(any(_stands_in(translation, form) for form in forms) for forms in self.forms)


def typed_lines() -> list[TypedLine]:
    """Return all."""
    with INPUTS.open(encoding="utf-8") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [TypedLine(row[0], row[1], tuple(tuple(forms.split(";")) for forms in row[2:])) for row in rows]


def main() -> None:
    """Print all."""
    argparse.ArgumentParser(prog="python -m benchmarks.typed_numbers", description=__doc__).parse_args()
    of_direction = defaultdict(list)
    for line in typed_lines():
        of_direction[line.direction].append(line)
    of_all = {direction: [*_outcomes(direction, lines)] for direction, lines in of_direction.items()}
    of_all["all"] = [*chain.from_iterable(of_all.values())]
    for direction, outcomes in of_all.items():
        kept = [is_named for is_kept, is_named in outcomes if is_kept]
        lost = [is_named for is_kept, is_named in outcomes if not is_kept]
        print(
            f"{direction:6} {len(kept)} of {len(outcomes)} kept, {sum(lost)} of {len(lost)} lost ones named, ", end=""
        )
        print(f"{sum(kept)} false alarms")


def _outcomes(direction: str, lines: Sequence[TypedLine]) -> Iterator[tuple[bool, bool]]:
    """Yield for each of ``lines`` whether its translation keeps all, and whether something is named."""
    info, translator = translator_info(f"translation-{direction}"), load_translator(f"translation-{direction}", "cpu")
    languages = {"source_language": info.source_language, "target_language": info.target_language}
    for line in lines:
        translation = translator.translate(line.text, GREEDY).text
        is_named = any(slip.kind in KINDS for slip in slips(line.text, translation, **languages))
        yield line.is_kept_in(translation), is_named


def _stands_in(translation: str, form: str) -> bool:
    before = r"(?<!\d)(?<!\d[.,])" if form[0].isdecimal() else r"(?<![^\W_])" if form.isascii() else ""
    after = r"(?!\d)(?![.,]\d)" if form[-1].isdecimal() else r"(?![a-z])" if form.isascii() else ""
    return re.search(before + re.escape(form) + after, translation, re.IGNORECASE) is not None


if __name__ == "__main__":
    main()
