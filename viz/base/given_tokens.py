"""Tokens as other people's tokenizers write them, with the words that they are pieces of."""

import re
from collections.abc import Sequence

from viz.base.attention_maps import TokenRow
from viz.base.tokens import CONTINUATION, joined_bytes, visible

# SentencePiece, byte-level BPE.
_WORD_STARTS = ("▁", "Ġ")
# WordPiece, and the labels of this project.
_GOES_ON = ("##", CONTINUATION)
# BPE of GPT and XLM.
_WORD_END = "</w>"
_SPECIAL = re.compile(r"\[(?:CLS|SEP|PAD|MASK|UNK|BOS|EOS)\]|</?(?:s|bos|eos|pad|unk|mask)>|<\|[a-z_]+\|>|⟨[a-z]+⟩")


def row_of_tokens(
    tokens: Sequence[str], *, texts: Sequence[str] = (), special: Sequence[bool] = (), prettify: bool = True
) -> TokenRow:
    """Return ``tokens`` with labels that people read, and the words that they are pieces of.

    Args:
        tokens: as the vocabulary has them, with the marks of BPE, SentencePiece or WordPiece.
        texts: what each of them stands for; else it is the token without its mark.
        special: whether each is special; else the usual names of special tokens are.
        prettify: whether marks are left out; if not, labels are the tokens and nothing is known of words.
    """
    flags = tuple(special) or tuple(bool(_SPECIAL.fullmatch(token)) for token in tokens)
    if not prettify:
        return TokenRow(tuple(map(visible, tokens)), special=flags)
    starts = [at for at, is_start in enumerate(_starts(tokens, flags)) if is_start]
    shown = [visible(text) or "␣" for text in texts or map(_without_mark, tokens)]
    spans = tuple(zip(starts, [*starts[1:], len(tokens)], strict=True))
    first = {*starts}
    return TokenRow(
        labels=tuple(text if at in first else CONTINUATION + text for at, text in enumerate(shown)),
        words=spans if len(spans) < len(tokens) else (),
        special=flags,
        word_labels=tuple(joined_bytes("".join(shown[start:end])) for start, end in spans)
        if len(spans) < len(tokens)
        else (),
    )


def row_of_places(n: int) -> TokenRow:
    """Return a row that numbers its ``n`` places from 1, where no tokens are known."""
    return TokenRow(tuple(str(place) for place in range(1, n + 1)))


def _starts(tokens: Sequence[str], special: Sequence[bool]) -> list[bool]:
    """Return whether a word begins with each of ``tokens``, by the marks that any of them has."""
    plain = [token for token, is_special in zip(tokens, special, strict=True) if not is_special]
    if any(token.startswith(_WORD_STARTS) for token in plain):
        begins = [token.startswith(_WORD_STARTS) for token in tokens]
    elif any(token.endswith(_WORD_END) for token in plain):
        begins = [True, *(token.endswith(_WORD_END) for token in tokens[:-1])]
    else:
        begins = [not token.startswith(_GOES_ON) for token in tokens]
    # What follows a special token begins a word, with or without a mark.
    after = [True, *special[:-1]]
    return [any(reasons) for reasons in zip(begins, special, after, strict=True)]


def _without_mark(token: str) -> str:
    for mark in (*_WORD_STARTS, *_GOES_ON):
        token = token.removeprefix(mark)
    return token.removesuffix(_WORD_END)
