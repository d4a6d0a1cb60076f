"""Write the lists of common words by which languages are told: counted in the sentences of Tatoeba."""

import re
from calendar import day_name, month_name
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

from model.data.loading import load_parallel
from model.files import write_text
from model.text import languages
from pretrained.publishing.command import command

FOLDER = Path(languages.__file__).with_name("common_words")
CORPORA = {
    "English": ("tatoeba-eng-deu", "tatoeba-eng-fra", "tatoeba-eng-jpn"),
    "French": ("tatoeba-fra-eng",),
    "German": ("tatoeba-deu-eng",),
}
N_WORDS = 5000
# A word that is written with a capital within a sentence so often is a name, where nouns have none.
_NAME_SHARE = 0.95
_WORD = re.compile(r"[^\W\d_]+")
# These have a capital in English, and are no names.
_NO_NAMES = {
    *map(str.lower, (*day_name, *month_name)),
    "i",
    "english",
    "french",
    "german",
    "japanese",
    "god",
    "christmas",
}


@command("common_words")
def write_common_words(
    *,
    folder: Annotated[Path, "to write them to"] = FOLDER,
    data_dir: Annotated[Path | None, "folder of the corpora"] = None,
) -> Iterator[str]:
    """Write the lists of common words by which languages are told: counted in the sentences of Tatoeba."""
    counted = {language: _counted(language, data_dir) for language in CORPORA}
    names = {language: _names(capitals) for language, (_, capitals) in counted.items() if language != "German"}
    small = {word for language, own in names.items() for word in counted[language][0].keys() - own}
    # A German name is one where another language has it as a name, and none as a word.
    names["German"] = set[str]().union(*names.values()) - small
    for language, (words, _) in counted.items():
        kept = (word for word, count in words.most_common() if count > 1 and word not in names[language])
        lines = [word for word, _ in zip(kept, range(N_WORDS), strict=False)]
        write_text("".join(f"{word}\n" for word in lines), folder / f"{language}.txt")
        yield f"{language}: {len(lines):,} words"


def _counted(language: str, data_dir: Path | None) -> tuple[Counter[str], Counter[tuple[str, bool]]]:
    """Return how often each word occurs, and how often within a sentence with a capital and without."""
    sentences = dict.fromkeys(pair.source for name in CORPORA[language] for pair in load_parallel(name, data_dir))
    words, capitals = Counter[str](), Counter[tuple[str, bool]]()
    for sentence in sentences:
        for place, match in enumerate(_WORD.finditer(sentence)):
            words[match[0].lower()] += 1
            if place:
                capitals[match[0].lower(), match[0][0].isupper()] += 1
    return words, capitals


def _names(capitals: Counter[tuple[str, bool]]) -> set[str]:
    seen: Iterable[str] = {word for word, _ in capitals} - _NO_NAMES
    return {
        word for word in seen if capitals[word, True] > _NAME_SHARE * (capitals[word, True] + capitals[word, False])
    }
