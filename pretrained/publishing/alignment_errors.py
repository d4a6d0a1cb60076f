"""Measure how well the cross-attention of shipped translators aligns words, against links that people made."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import pandas as pd

from model.analysis.maps.aligning_maps import Aligner, aligning_maps
from model.analysis.maps.alignment import STEPS, GoldLinks, Link, Step, alignment_error_rate, links_of, read_gold
from pretrained.alignments import EN_DE, EncodedGoldPair, GoldPair, gold_pairs
from pretrained.head_catalogue import alignment_path
from pretrained.publishing.command import Device, Names, command, command_line
from pretrained.publishing.shipping import provenance, translator_metrics, write_table
from pretrained.translators import load_translator

CODES = {"English": "en", "French": "fr", "German": "de", "Japanese": "ja"}
_UNSPACED = "ja"
EVERY = "all"
"""What the rows are of that count all pairs, whatever their kind."""


@command("alignment_errors")
def write_alignment_errors(
    names: Names, *, gold: Annotated[Path, "folder or file of links"] = EN_DE, device: Device = None
) -> Iterator[str]:
    """Measure how well the cross-attention of translators aligns words, against links that people made.

    By default the links are those of ``pretrained/alignments``. A folder has a name that ends in two languages, such as
    ``hansards-en-fr``, tokenised sentences in both (``en.txt``, ``fr.txt``) and their links (``gold.txt``), the word of
    the first language first. The decoder reads the reference. The table goes to
    ``pretrained/head_catalogue/NAME-alignment.parquet``: the error rate of every head and of the mean of every layer
    (head 0) and of all (layer 0), at the step that writes a word and at the one that reads it, by α and by ‖αvW_O‖.
    """
    for name in names:
        table = alignment_errors(name, gold, device=device)
        write_table(table, alignment_path(name))
        every = table[table["part"] == EVERY].sort_values("error")
        yield f"{name}: {every['sentences'].iloc[0]} of {every['given'].iloc[0]} sentences"
        yield every.head(6)[["layer", "head", "step", "weighing", "error"]].to_string(index=False)


def gold_languages(gold: Path) -> tuple[str, str]:
    """Return the codes of the two languages in which the name of ``gold`` ends.

    Raises:
        ValueError: it ends in none.
    """
    ends = gold.stem.split("-")[-2:]
    if len(ends) < 2:
        raise ValueError(f"{gold.name} names no two languages; its name must end in two, as hansards-en-fr does")
    return ends[0], ends[1]


def alignment_errors(name: str, gold: Path, *, device: str | None) -> pd.DataFrame:
    """Return the error rates of the translator ``name`` on the pairs of ``gold``, a folder or a file of blocks.

    Raises:
        FileNotFoundError: a file of ``gold`` is missing.
        ValueError: it is not of the translator's languages, or damaged.
    """
    translator = load_translator(name, device)
    data = translator_metrics(name)["training"]["data"]
    languages = [CODES[data[f"{side}_language"]] for side in ("source", "target")]
    first, second = gold_languages(gold)
    if sorted(languages) != sorted((first, second)):
        raise ValueError(f"{gold.name} aligns {first} and {second}; {name} translates {' to '.join(languages)}")
    pairs = folder_pairs(gold, first, second) if gold.is_dir() else gold_pairs(gold)
    encoded = [(pair if languages[0] == first else pair.turned()).encoded(translator.tokenizer) for pair in pairs]
    sentences = [sentence for sentence in encoded if sentence is not None]
    links_by_map: dict[tuple[Aligner, Step], list[tuple[set[Link], GoldLinks]]] = {}
    for sentence in sentences:
        for aligner, rows in aligning_maps(translator.model, sentence.source, sentence.target):
            for step in STEPS:
                links = links_of(sentence.word_weights(rows, step))
                links_by_map.setdefault((aligner, step), []).append((links, sentence.gold))
    of_gold = ("--gold", gold.name) if gold.resolve() != EN_DE.resolve() else ()
    about = {
        "given": len(pairs),
        "gold": gold.stem,
        **provenance(name, command_line("alignment_errors", name, *of_gold)),
    }
    table = [
        {
            "part": part,
            "layer": aligner.layer,
            "head": aligner.head,
            "step": step,
            "weighing": aligner.weighing,
            "error": alignment_error_rate([links[place] for place in places]),
            "sentences": len(places),
            **about,
        }
        for part, places in _parts(sentences).items()
        for (aligner, step), links in links_by_map.items()
    ]
    return pd.DataFrame(table).sort_values(["part", "weighing", "step", "layer", "head"], ignore_index=True)


def _parts(sentences: Sequence[EncodedGoldPair]) -> dict[str, list[int]]:
    """Return the places of all sentences, and of those of each kind where there are several."""
    kinds = sorted({sentence.kind for sentence in sentences})
    of_kind = {kind: [place for place, sentence in enumerate(sentences) if sentence.kind == kind] for kind in kinds}
    return {EVERY: [*range(len(sentences))], **(of_kind if len(kinds) > 1 else {})}


def folder_pairs(folder: Path, first: str, second: str) -> list[GoldPair]:
    """Return the pairs of a folder as the module describes it.

    Raises:
        FileNotFoundError: a file is missing.
        ValueError: the files have not as many lines, or a link has another form.
    """
    files = [folder / f"{name}.txt" for name in (first, second, "gold")]
    texts = [path.read_text(encoding="utf-8").splitlines() for path in files]
    if len(set(map(len, texts))) > 1:
        lengths = ", ".join(f"{path.name} {len(lines)}" for path, lines in zip(files, texts, strict=True))
        raise ValueError(f"the files in {folder} must have a line for each pair; they have: {lengths}")
    return [
        GoldPair("", (_text(one, first), _text(other, second)), (one.split(), other.split()), read_gold(links))
        for one, other, links in zip(*texts, strict=True)
    ]


def _text(line: str, language: str) -> str:
    return ("" if language == _UNSPACED else " ").join(line.split())
