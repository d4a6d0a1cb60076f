"""BPE-dropout: random segmentations of a text (Provilkov et al. 2020, arXiv:1910.13267).

SentencePiece has BPE-dropout as well, but its random numbers differ in every process: a resumed run, or several
processes, would get different batches.
"""

import random
from collections.abc import Sequence

import sentencepiece

from model.text.normalization import WORD_START


class BPEDropout:
    """Encode normalised text with a BPE vocabulary, leaving out merges at random."""

    def __init__(self, processor: sentencepiece.SentencePieceProcessor) -> None:
        """Take the pieces and the order of merges from the vocabulary of ``processor``."""
        text_pieces = [
            token
            for token in range(processor.get_piece_size())
            if not (processor.is_control(token) or processor.is_unknown(token) or processor.is_byte(token))
        ]
        self._ids: dict[str, int] = {processor.id_to_piece(token): token for token in text_pieces}
        # SentencePiece scores a piece by minus its rank in the order of merges.
        self._ranks: dict[str, float] = {
            processor.id_to_piece(token): -processor.get_score(token) for token in text_pieces
        }
        self._bytes: list[int] = [processor.piece_to_id(f"<0x{value:02X}>") for value in range(256)]

    def encode(self, texts: Sequence[str], *, dropout: float, seed: int) -> list[list[int]]:
        """Return the ids of each text; every merge is left out with probability ``dropout``."""
        rng = random.Random(seed)
        return [
            [
                token
                for word in text.split()
                for symbol in self._merged(list(WORD_START + word), dropout, rng)
                for token in self._tokens(symbol)
            ]
            for text in texts
        ]

    def _merged(self, symbols: list[str], dropout: float, rng: random.Random) -> list[str]:
        draw, ranks = rng.random, self._ranks
        while True:
            best, best_index = None, 0
            for index in range(len(symbols) - 1):
                rank = ranks.get(symbols[index] + symbols[index + 1])
                if rank is not None and (best is None or rank < best) and draw() >= dropout:
                    best, best_index = rank, index
            if best is None:
                return symbols
            symbols[best_index : best_index + 2] = [symbols[best_index] + symbols[best_index + 1]]

    def _tokens(self, symbol: str) -> list[int]:
        known = self._ids.get(symbol)
        return [self._bytes[value] for value in symbol.encode()] if known is None else [known]
