"""A trained encoder–decoder with its tokenizer: text in; translation, alternatives and attention out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from types import MappingProxyType

import numpy as np
import torch
from jaxtyping import Float32, Int
from torch import Tensor

from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.beam_search import DecodingOptions, Hypothesis, ModelWriter, Writer, search, step_alternatives
from model.decoding.beam_tree import Candidate, beam_tree
from model.decoding.compiled.packed_model import NotPackableError, PackedModel
from model.decoding.constraints import WholeCharacters
from model.decoding.sentence_search import ModelSearch, PackedSearch, Pattern, Searched, SentenceSearch
from model.hooks import anyone_listens, record
from model.text.padding import pad
from model.text.sentences import cut_to_length, split_sentences
from model.text.tokenizer import UNKNOWN_ID, Tokenizer, Word

MAX_SOURCE_TOKENS = 256
_N_ALTERNATIVES = 6
_BATCH = 64

SourceWriter = Callable[[Int[Tensor, "row source"]], Writer]
"""Begins to write the targets of sources, padded on the right."""


class SourceTextError(ValueError):
    """A text that cannot be translated; the message says why and what to do."""


@dataclass(frozen=True)
class Token:
    """A token with its piece (``▁`` marks a word's start) and its probability where it stands."""

    id: int
    piece: str
    probability: float


@dataclass(frozen=True)
class TargetToken(Token):
    """A token of the translation, with the most probable tokens at its step, itself often among them."""

    alternatives: tuple[Token, ...]


@dataclass(frozen=True)
class TokenSequence:
    """A sequence as the model reads it: the pieces, and the words they make."""

    pieces: tuple[str, ...]
    words: tuple[Word, ...]


@dataclass(frozen=True)
class Translation:
    """A translation and how attention stood while it was written.

    ``patterns`` maps hook names such as ``decoder.0.cross_attention.pattern`` to [H, Q, K]. In the decoder, query p
    reads token p of ``read`` (BOS first) and writes token p of ``target``; in the encoder, queries and keys are
    ``source``. The target begins with ``n_given`` tokens that were given; ``tree`` is what the search weighed after
    them.
    """

    source: TokenSequence
    read: TokenSequence
    target: TokenSequence
    tokens: tuple[TargetToken, ...]
    text: str
    hypotheses: tuple[Hypothesis, ...]
    patterns: Mapping[str, Pattern]
    n_given: int
    tree: tuple[Candidate, ...]


class Translator:
    """Translates text with one model; safe to share between threads."""

    def __init__(self, model: EncoderDecoder, tokenizer: Tokenizer, options: DecodingOptions | None = None) -> None:
        """Put ``model`` in evaluation mode and keep it with its ``tokenizer``.

        ``options`` say how it searches where nothing else is asked for.
        """
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.options = options or DecodingOptions()
        self._rule = WholeCharacters(tokenizer.pieces(range(tokenizer.vocabulary_size)))
        self._search: SentenceSearch = ModelSearch(model, self._rule)

    def translate(
        self, text: str, options: DecodingOptions | None = None, *, prefix: str | Sequence[int] = ""
    ) -> Translation:
        """Translate ``text``; ``prefix`` is what the translation is made to begin with, as text or as tokens.

        Raises:
            SourceTextError: nothing to translate, or more than ``MAX_SOURCE_TOKENS`` tokens, in ``text`` or ``prefix``,
                or tokens in ``prefix`` that are no text.
        """
        source = self._encode(text)
        forced = self._given(prefix)
        options = options or self.options
        sentence_search = self._search if anyone_listens() else self._quick_search
        found = sentence_search(source, options, forced, _N_ALTERNATIVES)
        return self._shown(source, found, beam_tree(found.steps, options, len(forced)), len(forced))

    def parts(self, text: str) -> tuple[str, ...]:
        """Return the sentences of ``text``, each cut if it is too long for :meth:`translate`; none of an empty text."""
        return tuple(
            part
            for sentence in split_sentences(text)
            for part in cut_to_length(sentence, self._n_tokens, MAX_SOURCE_TOKENS)
            if self._n_tokens(part)
        )

    def _n_tokens(self, text: str) -> int:
        return len(self.tokenizer.encode(text))

    @cached_property
    def _quick_search(self) -> SentenceSearch:
        """What searches where nobody listens: with the weights as they are at the first translation, if they pack."""
        if self.model.embedding.weight.device.type != "cpu":
            return self._search
        try:
            return PackedSearch(PackedModel(self.model), self._rule)
        except NotPackableError:
            return self._search

    def translate_all(
        self, texts: Sequence[str], options: DecodingOptions | None = None, *, writer: SourceWriter | None = None
    ) -> list[str]:
        """Translate ``texts`` in batches, cutting those that are too long; an empty text gives an empty translation.

        A ``writer`` writes in place of this translator's model, with its vocabulary.
        """
        found = self.search_all(texts, options, writer=writer)
        return ["" if best is None else self.tokenizer.decode(best.tokens) for best in found]

    def search_all(
        self, texts: Sequence[str], options: DecodingOptions | None = None, *, writer: SourceWriter | None = None
    ) -> list[Hypothesis | None]:
        """Return the best hypothesis of each of ``texts``, as :meth:`translate_all`; None for one that is empty."""
        return [said[0] if said else None for said in self._search_all(texts, options or self.options, writer)]

    def n_best_of_all(self, texts: Sequence[str], options: DecodingOptions) -> list[list[str]]:
        """Return the ``n_best`` translations of each of ``texts``, best first; none of an empty one."""
        found = self._search_all(texts, options, None)
        return [[self.tokenizer.decode(hypothesis.tokens) for hypothesis in said] for said in found]

    @torch.inference_mode()
    def _search_all(
        self, texts: Sequence[str], options: DecodingOptions, writer: SourceWriter | None
    ) -> list[list[Hypothesis]]:
        encoded = [self.tokenizer.encode(text)[:MAX_SOURCE_TOKENS] for text in texts]
        by_length = sorted(
            (index for index in range(len(texts)) if encoded[index]), key=lambda index: len(encoded[index])
        )
        found: list[list[Hypothesis]] = [[] for _ in texts]
        writer = writer or partial(ModelWriter, self.model)
        for start in range(0, len(by_length), _BATCH):
            rows = by_length[start : start + _BATCH]
            source = self._tensor([encoded[row] for row in rows])
            lengths = [len(encoded[row]) + 1 for row in rows]
            searched = search(
                writer(source), self.model.config, lengths, options, rule=self._rule, device=source.device
            )
            for row, hypotheses in zip(rows, searched, strict=True):
                found[row] = hypotheses
        return found

    def look_inside(self, translation: Translation, *names: str) -> dict[str, Float32[np.ndarray, "..."]]:
        """Return what the attention hook points ``names`` saw when ``translation`` was read and written, without batch.

        ``names`` may be globs, as for :func:`~model.hooks.record`. It takes one pass over the known translation.
        """
        source = torch.tensor(
            [self.tokenizer.ids(translation.source.pieces)], device=self.model.embedding.weight.device
        )
        with record(*names) as seen:
            step_alternatives(self.model, source, translation.hypotheses[0].tokens, 1)
        return {name: tensor[0].float().cpu().numpy() for name, tensor in seen.items()}

    def _encode(self, text: str) -> list[int]:
        ids = self.tokenizer.encode(text)
        if not ids:
            raise SourceTextError("There is nothing to translate: type a sentence.")
        if len(ids) > MAX_SOURCE_TOKENS:
            raise SourceTextError(
                f"This text has {len(ids):,} tokens, and at most {MAX_SOURCE_TOKENS} are translated at a time: "
                "shorten it."
            )
        return [*ids, self.model.config.eos_id]

    def _given(self, prefix: str | Sequence[int]) -> list[int]:
        given = self.tokenizer.encode(prefix) if isinstance(prefix, str) else list(prefix)
        if len(given) > MAX_SOURCE_TOKENS:
            raise SourceTextError(
                f"This beginning has {len(given):,} tokens, and at most {MAX_SOURCE_TOKENS} can be given: shorten it."
            )
        special = {self.model.config.pad_id, self.model.config.bos_id, self.model.config.eos_id, UNKNOWN_ID}
        if any(not 0 <= token < self.tokenizer.vocabulary_size or token in special for token in given):
            raise SourceTextError("This beginning holds a token that stands for no text: give another one, or none.")
        return given

    def _tensor(self, sequences: Sequence[Sequence[int]]) -> Tensor:
        source = pad([[*ids, self.model.config.eos_id] for ids in sequences])
        return source.to(self.model.embedding.weight.device)

    def _shown(self, source: Sequence[int], found: Searched, tree: tuple[Candidate, ...], n_given: int) -> Translation:
        best, steps = found.hypotheses[0], found.alternatives
        options = [
            tuple(self._token(token, probability) for token, probability in zip(tokens, probabilities, strict=True))
            for tokens, probabilities in zip(steps.tokens.tolist(), steps.probabilities.tolist(), strict=True)
        ]
        probabilities = np.exp(best.log_probabilities).tolist()
        return Translation(
            source=self._sequence(source),
            read=self._sequence([self.model.config.bos_id, *best.tokens[:-1]]),
            target=self._sequence(best.tokens),
            tokens=tuple(
                TargetToken(token, self.tokenizer.pieces([token])[0], probability, alternatives)
                for token, probability, alternatives in zip(best.tokens, probabilities, options, strict=True)
            ),
            text=self.tokenizer.decode(best.tokens),
            hypotheses=found.hypotheses,
            patterns=MappingProxyType(dict(found.patterns)),
            n_given=n_given,
            tree=tree,
        )

    def _token(self, token: int, probability: float) -> Token:
        return Token(token, self.tokenizer.pieces([token])[0], probability)

    def _sequence(self, ids: Sequence[int]) -> TokenSequence:
        return TokenSequence(tuple(self.tokenizer.pieces(ids)), tuple(self.tokenizer.words(ids)))
