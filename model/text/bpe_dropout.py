"""BPE-dropout (Provilkov et al. 2020, arXiv:1910.13267): the same text in other pieces each time, by a seed.

SentencePiece can do this too, but salts its random numbers anew in every process: no seed brings them back, so that a
resumed run, or several processes, would not meet the same batches.
"""

import random
from collections.abc import Sequence

import sentencepiece

_SPACE = "▁"


class PieceDropout:
    """Cuts normalised text into the pieces of a BPE vocabulary, leaving out merges at random."""

    def __init__(self, processor: sentencepiece.SentencePieceProcessor) -> None:
        """Take the pieces of ``processor``, and their order, from its vocabulary."""
        text_pieces = [
            token
            for token in range(processor.get_piece_size())
            if not (processor.is_control(token) or processor.is_unknown(token) or processor.is_byte(token))
        ]
        self._ids: dict[str, int] = {processor.id_to_piece(token): token for token in text_pieces}
        # SentencePiece scores a piece by minus its place in the order of merges.
        self._ranks: dict[str, float] = {
            processor.id_to_piece(token): -processor.get_score(token) for token in text_pieces
        }
        self._bytes: list[int] = [processor.piece_to_id(f"<0x{value:02X}>") for value in range(256)]

    def cut(self, texts: Sequence[str], *, dropout: float, seed: int) -> list[list[int]]:
        """Return the ids of each of ``texts``, every merge left out with probability ``dropout`` whenever it is due."""
        rng = random.Random(seed)
        return [
            [
                token
                for word in text.split()
                for symbol in self._merged(list(_SPACE + word), dropout, rng)
                for token in self._tokens(symbol)
            ]
            for text in texts
        ]

    def _merged(self, symbols: list[str], dropout: float, rng: random.Random) -> list[str]:
        draw, ranks = rng.random, self._ranks
        while True:
            best, place = None, 0
            for index in range(len(symbols) - 1):
                rank = ranks.get(symbols[index] + symbols[index + 1])
                if rank is not None and (best is None or rank < best) and draw() >= dropout:
                    best, place = rank, index
            if best is None:
                return symbols
            symbols[place : place + 2] = [symbols[place] + symbols[place + 1]]

    def _tokens(self, symbol: str) -> list[int]:
        known = self._ids.get(symbol)
        return [self._bytes[value] for value in symbol.encode()] if known is None else [known]
