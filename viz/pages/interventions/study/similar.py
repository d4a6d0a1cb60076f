"""A sentence that differs from another in one word or piece, which a model holds for similar."""

import re
from collections.abc import Iterator

from torch.nn.functional import normalize

from model.decoding.translator import Translator
from model.text.scripts import main_script

_WORD = re.compile(r"[^\W\d_]{3,}")
_WORD_START = "▁"
_N_NEIGHBOURS = 12


def similar_sentences(translator: Translator, text: str) -> Iterator[str]:
    """Yield ``text`` with one word exchanged for its nearest neighbours in the translator's embedding.

    The nearest comes first. Rare words come first, since they say most; after all words come pieces within words, and
    those of scripts without spaces. The word and its neighbour are one token each, so both sentences have as many.
    """
    yield from _with_another_word(translator, text)
    yield from _with_another_piece(translator, text)


def _with_another_word(translator: Translator, text: str) -> Iterator[str]:
    pieces = translator.tokenizer.pieces(range(translator.tokenizer.vocabulary_size))
    ids = {piece: number for number, piece in enumerate(pieces)}
    words = [match for match in _WORD.finditer(text) if _WORD_START + match[0] in ids]
    # The vocabulary is ordered by how frequent its tokens are.
    for word in sorted(words, key=lambda match: -ids[_WORD_START + match[0]]):
        nearest = [pieces[other] for other in _nearest(translator, ids[_WORD_START + word[0]])]
        neighbours = [piece.removeprefix(_WORD_START) for piece in nearest if piece.startswith(_WORD_START)]
        for neighbour in neighbours:
            if _WORD.fullmatch(neighbour) and neighbour.istitle() == word[0].istitle():
                yield text[: word.start()] + neighbour + text[word.end() :]


def _with_another_piece(translator: Translator, text: str) -> Iterator[str]:
    tokenizer = translator.tokenizer
    ids = tokenizer.encode(text)
    for place in sorted(range(len(ids)), key=lambda place: -ids[place]):
        before, after = ids[:place], ids[place + 1 :]
        for other in _nearest(translator, ids[place]):
            old, new = tokenizer.pieces([ids[place], other])
            changed = [*before, other, *after]
            # Not every row of pieces is how its text is cut.
            if _form(old) == _form(new) is not None and tokenizer.encode(tokenizer.decode(changed)) == changed:
                yield tokenizer.decode(changed)


def _form(piece: str) -> tuple[bool, bool, str | None] | None:
    """Return what a ``piece`` of letters shares with those that can take its place; None of any other."""
    letters = piece.removeprefix(_WORD_START)
    return (letters != piece, letters[0].isupper(), main_script(letters)) if letters.isalpha() else None


def _nearest(translator: Translator, token: int) -> list[int]:
    """Return the tokens whose embeddings have the largest cosines with that of ``token``."""
    embedding = normalize(translator.model.embedding.weight.detach(), dim=1)
    nearest: list[int] = (embedding @ embedding[token]).argsort(descending=True)[1 : 1 + _N_NEIGHBOURS].tolist()
    return nearest
