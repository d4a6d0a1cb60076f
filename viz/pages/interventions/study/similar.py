"""A sentence that differs from another in one word, which a model holds for similar."""

import re
from collections.abc import Iterator

from torch.nn.functional import normalize

from model.decoding.translator import Translator

_WORD = re.compile(r"[^\W\d_]{3,}")
_WORD_START = "▁"
_N_NEIGHBOURS = 12


def similar_sentences(translator: Translator, text: str) -> Iterator[str]:
    """Yield ``text`` with one word exchanged for a neighbour in the embedding of ``translator``, the nearest first.

    Rare words come first, since they say most. Word and neighbour are one token each, so both sentences have as many.
    """
    pieces = translator.tokenizer.pieces(range(translator.tokenizer.vocabulary_size))
    ids = {piece: number for number, piece in enumerate(pieces)}
    words = [match for match in _WORD.finditer(text) if _WORD_START + match[0] in ids]
    # The vocabulary is ordered by how frequent its tokens are.
    for word in sorted(words, key=lambda match: -ids[_WORD_START + match[0]]):
        for neighbour in _neighbours(translator, ids[_WORD_START + word[0]], pieces):
            if neighbour.istitle() == word[0].istitle():
                yield text[: word.start()] + neighbour + text[word.end() :]


def _neighbours(translator: Translator, token: int, pieces: list[str]) -> list[str]:
    """Return the whole words whose embeddings have the largest cosines with that of ``token``."""
    embedding = normalize(translator.model.embedding.weight.detach(), dim=1)
    nearest = (embedding @ embedding[token]).argsort(descending=True)[1 : 1 + _N_NEIGHBOURS].tolist()
    words = [pieces[other] for other in nearest if pieces[other].startswith(_WORD_START)]
    return [word[1:] for word in words if _WORD.fullmatch(word[1:])]
