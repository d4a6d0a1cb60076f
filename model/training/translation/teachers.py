"""Adds translations by finished runs to the training pairs: data diversification (Nguyen et al. 2020).

A teacher of the same direction translates every source, one of the opposite direction every target back, so that the
model sees each sentence in several wordings. Runs that translate as an ensemble do it better than each of them alone
(Freitag et al. 2017).
"""

from collections.abc import Sequence
from pathlib import Path

import torch

from model.data.loading import Pair
from model.decoding.options import DecodingOptions
from model.decoding.translator import Translator
from model.files import write_text
from model.training.translation.ensemble import translate_together
from model.training.translation.finished import FinishedRun, load_finished

# The default length penalty of 0.6 makes captions too short, and a model that learns from these writes shorter ones.
_SEARCH = DecodingOptions(beam_size=4, length_penalty=1.4)


def teacher_pairs(
    teachers: Sequence[Sequence[Path]],
    pairs: Sequence[Pair],
    languages: tuple[str, str],
    *,
    folder: Path,
    device: torch.device,
) -> tuple[Pair, ...]:
    """Return by teacher all ``pairs`` with one side replaced by its translation of the other.

    A teacher is the folder of a finished run, or several that translate as an ensemble. ``languages`` are those of
    sources and targets. Translations are kept in ``folder`` and read from there the next time.

    Raises:
        ValueError: two teachers have the same name, a teacher is no finished run or translates between other
            languages, the runs of an ensemble differ in languages or vocabulary, or the kept translations are of other
            pairs.
    """
    names = ["+".join(run.name for run in teacher) for teacher in teachers]
    if len({*names}) < len(names):
        raise ValueError(f"the teachers' folders are called {', '.join(names)}; each must have a name of its own")
    return tuple(
        pair
        for name, teacher in zip(names, teachers, strict=True)
        for pair in _pairs_of([load_finished(run, device) for run in teacher], pairs, languages, folder / f"{name}.txt")
    )


def _pairs_of(
    teacher: Sequence[FinishedRun], pairs: Sequence[Pair], languages: tuple[str, str], path: Path
) -> list[Pair]:
    of_teacher = {run.training.data.languages for run in teacher}
    translators = [run.translator for run in teacher]
    if of_teacher == {languages}:
        lines = _translations(translators, [pair.source for pair in pairs], path)
        return [Pair(pair.source, line) for pair, line in zip(pairs, lines, strict=True)]
    if of_teacher == {languages[::-1]}:
        lines = _translations(translators, [pair.target for pair in pairs], path)
        return [Pair(line, pair.target) for pair, line in zip(pairs, lines, strict=True)]
    theirs = " and ".join(sorted(" to ".join(each) for each in of_teacher))
    raise ValueError(
        f"{path.stem} translates {theirs}; a teacher of {' to '.join(languages)} has these languages in either order"
    )


def _translations(teacher: Sequence[Translator], sentences: Sequence[str], path: Path) -> list[str]:
    if not path.is_file():
        translations = translate_together(teacher, sentences, _SEARCH)
        write_text("".join(f"{' '.join(text.split())}\n" for text in translations), path)
    lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    if len(lines) != len(sentences):
        raise ValueError(
            f"{path} has {len(lines)} translations of {len(sentences)} sentences; delete it and start again"
        )
    return lines
