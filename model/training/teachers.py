"""Pairs that finished translators add to those they learned from: data diversification (Nguyen et al. 2020).

A teacher of the same direction translates every source again, one of the opposite direction every target back. Whoever
learns from all of them sees each sentence said in several ways.
"""

from collections.abc import Sequence
from pathlib import Path

import torch

from model.data import Pair
from model.decoding import DecodingOptions
from model.training.finished import FinishedRun, load_finished

# The usual length penalty of 0.6 makes captions too short, and who learns from short ones writes shorter ones.
_SEARCH = DecodingOptions(beam_size=4, length_penalty=1.4)


def taught_pairs(
    teachers: Sequence[Path], pairs: Sequence[Pair], languages: tuple[str, str], *, folder: Path, device: torch.device
) -> tuple[Pair, ...]:
    """Return for each of the ``teachers``, folders of finished runs, a pair for each of ``pairs``, one side translated.

    ``languages`` are those of the sources and the targets. What a teacher wrote is kept in ``folder`` and read from
    there the next time.

    Raises:
        ValueError: two teachers have one name, a teacher is no finished run or is of other languages, or what it wrote
            is of other pairs.
    """
    names = [teacher.name for teacher in teachers]
    if len({*names}) < len(names):
        raise ValueError(f"the teachers' folders are called {', '.join(names)}; each must have a name of its own")
    return tuple(
        pair
        for teacher in teachers
        for pair in _taught(load_finished(teacher, device), pairs, languages, folder / f"{teacher.name}.txt")
    )


def _taught(teacher: FinishedRun, pairs: Sequence[Pair], languages: tuple[str, str], path: Path) -> list[Pair]:
    of_teacher = (teacher.training["source_language"], teacher.training["target_language"])
    if of_teacher == languages:
        lines = _written(teacher, [pair.source for pair in pairs], path)
        return [Pair(pair.source, line) for pair, line in zip(pairs, lines, strict=True)]
    if of_teacher == languages[::-1]:
        lines = _written(teacher, [pair.target for pair in pairs], path)
        return [Pair(line, pair.target) for pair, line in zip(pairs, lines, strict=True)]
    raise ValueError(
        f"{path.stem} translates {' to '.join(of_teacher)}; a teacher of {' to '.join(languages)} has these languages "
        "in either order"
    )


def _written(teacher: FinishedRun, sentences: Sequence[str], path: Path) -> list[str]:
    if not path.is_file():
        translations = teacher.translator.translate_all(sentences, _SEARCH)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{' '.join(text.split())}\n" for text in translations), encoding="utf-8")
    lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    if len(lines) != len(sentences):
        raise ValueError(
            f"{path} has {len(lines)} translations of {len(sentences)} sentences; delete it and start again"
        )
    return lines
