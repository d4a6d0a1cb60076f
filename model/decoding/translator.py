"""A trained encoder–decoder with its tokenizer: text in; translation, alternatives and attention out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import torch
from jaxtyping import Float32, Int
from torch import Tensor

from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.beam_search import beam_search
from model.decoding.beam_tree import Candidate, beam_tree
from model.decoding.constraints import WholeCharacters, text_constraints
from model.decoding.decoder import Backend, Decoder, Hypothesis, TorchBackend
from model.decoding.options import DecodingOptions
from model.decoding.search import Pattern, SearchResult, search_one
from model.hooks import is_hooked, record
from model.text.normalization import join_elisions, lower_capitals, simplify
from model.text.padding import pad
from model.text.sentences import cut_to_length, split_sentences
from model.text.tokenizer import UNKNOWN_ID, Tokenizer, Word

MAX_SOURCE_TOKENS = 256
_N_ALTERNATIVES = 6
_BATCH = 64

StartDecoder = Callable[[Int[Tensor, "row source"]], Decoder]
"""Returns a fresh decoder of sources, which are padded on the right."""


class SourceTextError(ValueError):
    """A text or a beginning that cannot be translated; it has ``given`` tokens, ``most`` are allowed.

    ``key`` says why: there is no token, there are too many, or one of them is no text.
    """

    def __init__(
        self, key: Literal["no text", "text too long", "beginning too long", "beginning is no text"], n_tokens: int
    ) -> None:
        """Keep the key and the numbers."""
        super().__init__(f"{key}: {n_tokens:,} tokens, at most {MAX_SOURCE_TOKENS}")
        self.key, self.given, self.most = key, n_tokens, MAX_SOURCE_TOKENS


@dataclass(frozen=True)
class Token:
    """A token with its piece (``▁`` marks a word's start) and its probability where it stands."""

    id: int
    piece: str
    probability: float


@dataclass(frozen=True)
class TargetToken(Token):
    """A token of the translation, with the most probable tokens at its step; it is usually one of them."""

    alternatives: tuple[Token, ...]


@dataclass(frozen=True)
class TokenSequence:
    """A sequence of tokens: the pieces, and the words that they make."""

    pieces: tuple[str, ...]
    words: tuple[Word, ...]


@dataclass(frozen=True)
class Translation:
    """A translation, and the attention while it was generated.

    ``patterns`` maps hook names such as ``decoder.0.cross_attention.pattern`` to arrays [H, Q, K] that cannot be
    written to. In the decoder, query p reads token p of ``read`` (BOS first) and predicts token p of ``target``; in the
    encoder, queries and keys are ``source``. The first ``n_given`` tokens of the target were given; ``tree`` has the
    candidates of the search after them.
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

    def __init__(
        self,
        model: EncoderDecoder,
        tokenizer: Tokenizer,
        options: DecodingOptions | None = None,
        *,
        backend: Callable[[EncoderDecoder], Backend] = TorchBackend,
        has_capital_nouns: bool = False,
    ) -> None:
        """Put ``model`` in evaluation mode.

        Args:
            model: an encoder–decoder.
            tokenizer: its tokenizer.
            options: the default options of a search.
            backend: makes what runs the model for single texts, at the first one; for batches, and within ``record``
                and ``intervene``, PyTorch does.
            has_capital_nouns: whether the language that it reads writes nouns with a capital, as German does.
        """
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.options = options or DecodingOptions()
        self.has_capital_nouns = has_capital_nouns
        self._make_backend = backend
        self._whole_characters = WholeCharacters(tokenizer.pieces(range(tokenizer.vocabulary_size)))

    @cached_property
    def _backend(self) -> Backend:
        return self._make_backend(self.model)

    def translate(
        self,
        text: str,
        options: DecodingOptions | None = None,
        *,
        prefix: str | Sequence[int] = "",
        as_typed: bool = False,
    ) -> Translation:
        """Translate ``text``; the translation begins with ``prefix``, a text or tokens.

        The model reads plain forms (see :meth:`simplify`), or ``text`` itself where it is to be read ``as_typed``.

        Raises:
            SourceTextError: no token in ``text``, more than ``MAX_SOURCE_TOKENS`` in ``text`` or ``prefix``, or tokens
                in ``prefix`` that are no text.
        """
        read = text if as_typed else self.simplify(text)
        source, prefix_ids, options = self._encode(read), self._encode_prefix(prefix), options or self.options
        result = search_one(
            TorchBackend(self.model) if is_hooked() else self._backend,
            source,
            options,
            prefix_ids,
            constraints=[self._whole_characters],
            n_alternatives=_N_ALTERNATIVES,
        )
        return self._translation(source, result, beam_tree(result.steps, options, len(prefix_ids)), len(prefix_ids))

    def simplify(self, text: str) -> str:
        """Return ``text`` with plain forms of what the tokenizer would cut into bytes, or into letters."""
        plain = simplify(text, self.tokenizer.knows)
        return lower_capitals(plain, self._n_tokens, has_capital_nouns=self.has_capital_nouns)

    def text_of(self, tokens: Sequence[int]) -> str:
        """Return the text that the written ``tokens`` make."""
        return join_elisions(self.tokenizer.decode(tokens))

    def parts(self, text: str) -> tuple[str, ...]:
        """Return the sentences of ``text``, each cut to the length limit; none of an empty text."""
        return tuple(
            part
            for sentence in split_sentences(text)
            for part in cut_to_length(sentence, self._n_tokens, MAX_SOURCE_TOKENS)
            if self._n_tokens(part)
        )

    def _n_tokens(self, text: str) -> int:
        return len(self.tokenizer.encode(text))

    def translate_all(
        self,
        texts: Sequence[str],
        options: DecodingOptions | None = None,
        *,
        start: StartDecoder | None = None,
        as_typed: bool = False,
    ) -> list[str]:
        """Translate ``texts`` in batches; long ones are cut, and an empty one stays empty.

        They are read in plain forms or ``as_typed``, as by :meth:`translate`; a corpus is measured as it stands. The
        decoders that ``start`` returns take the place of this translator's model; the vocabulary is the same.
        """
        hypotheses = self.search_all(texts, options, start=start, as_typed=as_typed)
        return ["" if best is None else self.text_of(best.tokens) for best in hypotheses]

    def search_all(
        self,
        texts: Sequence[str],
        options: DecodingOptions | None = None,
        *,
        start: StartDecoder | None = None,
        as_typed: bool = False,
    ) -> list[Hypothesis | None]:
        """Return the best hypothesis of each text, as :meth:`translate_all`; None for an empty text."""
        n_best = self._search_all(texts, options or self.options, start, as_typed=as_typed)
        return [hypotheses[0] if hypotheses else None for hypotheses in n_best]

    def n_best_of_all(
        self, texts: Sequence[str], options: DecodingOptions, *, as_typed: bool = False
    ) -> list[list[str]]:
        """Return up to ``n_best`` translations of each of ``texts``, best first; none of an empty one."""
        n_best = self._search_all(texts, options, None, as_typed=as_typed)
        return [[self.text_of(hypothesis.tokens) for hypothesis in hypotheses] for hypotheses in n_best]

    @torch.inference_mode()
    def _search_all(
        self, texts: Sequence[str], options: DecodingOptions, start: StartDecoder | None, *, as_typed: bool
    ) -> list[list[Hypothesis]]:
        start = start or self._starting(options)
        read = texts if as_typed else map(self.simplify, texts)
        encoded = [self.tokenizer.encode(text)[:MAX_SOURCE_TOKENS] for text in read]
        by_length = sorted(
            (index for index in range(len(texts)) if encoded[index]), key=lambda index: len(encoded[index])
        )
        constraints = (*text_constraints(self.model.config, options), self._whole_characters)
        n_best: list[list[Hypothesis]] = [[] for _ in texts]
        for first in range(0, len(by_length), _BATCH):
            rows = by_length[first : first + _BATCH]
            sources = [[*encoded[row], self.model.config.eos_id] for row in rows]
            decoder = start(pad(sources, self.model.config.pad_id).to(self.model.embedding.weight.device))
            lengths = list(map(len, sources))
            searched = beam_search(decoder, self.model.config, lengths, options, constraints=constraints)
            for row, hypotheses in zip(rows, searched, strict=True):
                n_best[row] = hypotheses
        return n_best

    def _starting(self, options: DecodingOptions) -> StartDecoder:
        """Return what starts decoders of the model with its weights as they are now."""
        backend = TorchBackend(self.model)
        return lambda source: backend.encode(source)(options.max_length(source.shape[1], 0))

    def look_inside(self, translation: Translation, *names: str) -> dict[str, Float32[np.ndarray, "..."]]:
        """Return the tensors at the hook points ``names`` for ``translation``, without the batch axis.

        ``names`` may be globs, as for :func:`~model.hooks.record`. It takes one forward pass.
        """
        source = self.tokenizer.ids(translation.source.pieces)
        read = [self.model.config.bos_id, *translation.hypotheses[0].tokens[:-1]]
        device = self.model.embedding.weight.device
        with torch.inference_mode(), record(*names) as seen:
            self.model(torch.tensor([source], device=device), torch.tensor([read], device=device))
        # What an encoding adds is one for all rows, [P, D].
        return {name: (x[0] if x.ndim > 2 else x).float().cpu().numpy() for name, x in seen.items()}

    def _encode(self, text: str) -> list[int]:
        ids = self.tokenizer.encode(text)
        if not ids:
            raise SourceTextError("no text", 0)
        if len(ids) > MAX_SOURCE_TOKENS:
            raise SourceTextError("text too long", len(ids))
        return [*ids, self.model.config.eos_id]

    def _encode_prefix(self, prefix: str | Sequence[int]) -> list[int]:
        ids = self.tokenizer.encode(prefix) if isinstance(prefix, str) else list(prefix)
        if len(ids) > MAX_SOURCE_TOKENS:
            raise SourceTextError("beginning too long", len(ids))
        special = {self.model.config.pad_id, self.model.config.bos_id, self.model.config.eos_id, UNKNOWN_ID}
        if any(not 0 <= token < self.tokenizer.vocabulary_size or token in special for token in ids):
            raise SourceTextError("beginning is no text", len(ids))
        return ids

    def _translation(
        self, source: Sequence[int], result: SearchResult, tree: tuple[Candidate, ...], n_given: int
    ) -> Translation:
        best, alternatives = result.hypotheses[0], result.alternatives
        others = [
            tuple(self._token(token, probability) for token, probability in zip(tokens, probabilities, strict=True))
            for tokens, probabilities in zip(
                alternatives.tokens.tolist(), alternatives.probabilities.tolist(), strict=True
            )
        ]
        probabilities = np.exp(best.log_probabilities).tolist()
        return Translation(
            source=self._sequence(source),
            read=self._sequence([self.model.config.bos_id, *best.tokens[:-1]]),
            target=self._sequence(best.tokens),
            tokens=tuple(
                TargetToken(token, self.tokenizer.pieces([token])[0], probability, at_step)
                for token, probability, at_step in zip(best.tokens, probabilities, others, strict=True)
            ),
            text=self.text_of(best.tokens),
            hypotheses=result.hypotheses,
            patterns=result.patterns,
            n_given=n_given,
            tree=tree,
        )

    def _token(self, token: int, probability: float) -> Token:
        return Token(token, self.tokenizer.pieces([token])[0], probability)

    def _sequence(self, ids: Sequence[int]) -> TokenSequence:
        return TokenSequence(tuple(self.tokenizer.pieces(ids)), tuple(self.tokenizer.words(ids)))
