"""A trained parser: words in; a tree, how sure each symbol of it was, and attention out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.decoder import Backend, Decoder, NewDecoder, TorchBackend
from model.decoding.options import DecodingOptions
from model.decoding.search import Pattern, search_one
from model.decoding.tree_constraint import WellFormedTree, longest_tree
from model.hooks import is_hooked
from model.text.linear_trees import MalformedTreeError, Symbol, TreeSymbols, tree_of
from model.text.tokenizer import EOS_ID, UNKNOWN_ID, Tokenizer
from model.text.trees import Tree

MAX_WORDS = 80
BEAM_SIZE = 4
_N_ALTERNATIVES = 4


class TooManyWordsError(ValueError):
    """More words than a parser takes; ``given`` says how many there are, ``most`` how many there may be."""

    def __init__(self, n_words: int) -> None:
        """Keep the numbers."""
        super().__init__(f"{n_words} words were given; a parser takes at most {MAX_WORDS}")
        self.given, self.most = n_words, MAX_WORDS


@dataclass(frozen=True)
class EncodedWords:
    """The pieces of words, without the end: piece p belongs to word ``word_of[p]``."""

    ids: list[int]
    word_of: tuple[int, ...]

    def pieces_ahead(self, end_id: int) -> list[int]:
        """Return, for each word, the first piece of the word after it; ``end_id`` for the last."""
        return [*(self.ids[self.word_of.index(number)] for number in range(1, self.word_of[-1] + 1)), end_id]


def encode_words(words: Sequence[str], tokenizer: Tokenizer) -> EncodedWords:
    """Return the pieces of ``words``, each encoded alone, so that no piece belongs to two of them.

    A word that the tokenizer leaves out, such as a control character, is an unknown piece.
    """
    pieces = [tokenizer.encode(word) or [UNKNOWN_ID] for word in words]
    return EncodedWords(
        [token for word in pieces for token in word],
        tuple(number for number, word in enumerate(pieces) for _ in word),
    )


def looking_ahead(tokens: Sequence[int], encoded: EncodedWords, symbols: TreeSymbols) -> list[int]:
    """Return ``tokens`` with each XX replaced by the first piece of the next word."""
    pieces = iter(encoded.pieces_ahead(symbols.word_id))
    return [next(pieces) if token == symbols.word_id else token for token in tokens]


@dataclass(frozen=True)
class WrittenSymbol:
    """A symbol that was written, its probability, and the most probable symbols at its step with theirs."""

    symbol: Symbol
    probability: float
    alternatives: tuple[tuple[Symbol, float], ...]


@dataclass(frozen=True)
class Parse:
    """The parse of ``words``.

    ``tree`` is None where the symbols are no tree over them, and ``malformed`` then says why. ``patterns`` maps hook
    names to arrays [H, Q, K] that cannot be written to: query p predicts symbol p; keys are the pieces, or in the
    decoder's self-attention the symbols before, BOS first. Pieces ``starts[w]`` up to ``starts[w + 1]`` are word w.
    """

    words: tuple[str, ...]
    symbols: tuple[WrittenSymbol, ...]
    tree: Tree | None
    malformed: str
    patterns: Mapping[str, Pattern]
    starts: tuple[int, ...]


class _SymbolDecoder:
    """A decoder that never writes pieces, and reads ``words`` in the place of XX, one after another."""

    def __init__(self, decoder: Decoder, symbols: TreeSymbols, words: Sequence[int]) -> None:
        self._decoder, self._symbols = decoder, symbols
        # A target without the constraint may have more words than there are.
        self._words = torch.tensor([*words, symbols.word_id])
        self._n_read: Int[Tensor, " row"] | None = None

    def step(self, tokens: Int[Tensor, "row new"]) -> Float[Tensor, "row new vocabulary"]:
        logits = self._decoder.step(self._read(tokens.cpu()))
        logits[..., : self._symbols.first] = -torch.inf
        return logits

    def select(self, rows: Int[Tensor, " new_row"]) -> None:
        self._decoder.select(rows)
        if self._n_read is not None:
            self._n_read = self._n_read[rows.cpu()]

    def _read(self, tokens: Int[Tensor, "row new"]) -> Int[Tensor, "row new"]:
        if len(self._words) == 1:
            return tokens
        is_word = tokens == self._symbols.word_id
        before = torch.zeros(len(tokens), dtype=torch.int64) if self._n_read is None else self._n_read
        number = before[:, None] + is_word.cumsum(1) - 1  # [row, new]
        self._n_read = before + is_word.sum(1)
        return torch.where(is_word, self._words[number.clamp(0, len(self._words) - 1)], tokens)


class _SymbolBackend:
    """A parser's model among symbols alone, which reads ``words`` for XX where there are any."""

    def __init__(self, backend: Backend, symbols: TreeSymbols, words: Sequence[int]) -> None:
        self._backend, self._symbols, self._words = backend, symbols, words
        self.records_steps, self.config = backend.records_steps, backend.config

    def encode(self, source: Int[Tensor, "1 source"]) -> NewDecoder:
        new_decoder = self._backend.encode(source)
        return lambda n_tokens: _SymbolDecoder(new_decoder(n_tokens), self._symbols, self._words)


class Parser:
    """A parser, which writes the trees of sentences; safe to share between threads."""

    def __init__(
        self,
        model: EncoderDecoder,
        tokenizer: Tokenizer,
        symbols: TreeSymbols,
        backend: Callable[[EncoderDecoder], Backend] = TorchBackend,
        *,
        reads_ahead: bool,
    ) -> None:
        """Put ``model`` in evaluation mode.

        Its vocabulary has the tokenizer's pieces first, then the ``symbols``. ``reads_ahead`` says whether its decoder
        was trained to read the next word in the place of XX.
        """
        self.model, self.tokenizer, self.symbols, self.reads_ahead = model.eval(), tokenizer, symbols, reads_ahead
        self._make_backend = backend

    @cached_property
    def _backend(self) -> Backend:
        return self._make_backend(self.model)

    def parse(self, words: Sequence[str], *, beam_size: int = BEAM_SIZE, well_formed: bool = True) -> Parse:
        """Return the tree of ``words``, the best of a beam of ``beam_size``.

        With ``well_formed`` only trees over all the words can be written.

        Raises:
            ValueError: no word, or one that is blank.
            TooManyWordsError: more than :data:`MAX_WORDS` words.
        """
        if not words or not all(map(str.strip, words)):
            raise ValueError(f"{list(words)!r} was given to be parsed; give at least one word, and no blank one")
        if len(words) > MAX_WORDS:
            raise TooManyWordsError(len(words))
        encoded = encode_words(words, self.tokenizer)
        options = DecodingOptions(
            beam_size=beam_size, length_penalty=0.0, max_extra_length=longest_tree(len(words)), ngram_size=0
        )
        backend = TorchBackend(self.model) if is_hooked() else self._backend
        result = search_one(
            _SymbolBackend(
                backend, self.symbols, encoded.pieces_ahead(self.symbols.word_id) if self.reads_ahead else ()
            ),
            [*encoded.ids, EOS_ID],
            options,
            constraints=[WellFormedTree(self.symbols, len(words))] if well_formed else [],
            n_alternatives=_N_ALTERNATIVES,
        )
        best, others = result.hypotheses[0], result.alternatives
        symbols = tuple(
            WrittenSymbol(self.symbols.symbol(token), probability, self._alternatives(tokens, probabilities))
            for token, probability, tokens, probabilities in zip(
                best.tokens,
                np.exp(best.log_probabilities).tolist(),
                others.tokens.tolist(),
                others.probabilities.tolist(),
                strict=True,
            )
        )
        tree, malformed = None, ""
        try:
            tree = tree_of([written.symbol for written in symbols], words)
        except MalformedTreeError as error:
            malformed = error.key
        n_pieces = [encoded.word_of.count(number) for number in range(len(words))]
        return Parse(tuple(words), symbols, tree, malformed, result.patterns, (0, *accumulate(n_pieces)))

    def _alternatives(self, tokens: Sequence[int], probabilities: Sequence[float]) -> tuple[tuple[Symbol, float], ...]:
        return tuple(
            (self.symbols.symbol(token), probability) for token, probability in zip(tokens, probabilities, strict=True)
        )
