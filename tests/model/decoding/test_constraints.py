"""Characters written byte by byte: every one of UTF-8 can be written, and nothing that is none."""

import math
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
import torch

from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.constraints import NoRepeatedNgrams, NoTokens, WholeCharacters
from model.decoding.decoder import Backend, TorchBackend
from model.decoding.options import GREEDY, DecodingOptions, SamplingOptions
from model.decoding.search import search_one
from model.text.tokenizer import BOS_ID, EOS_ID

WORD = 4
FIRST_BYTE = 5
PIECES = ("<pad>", "<unk>", "<s>", "</s>", "▁word", *(f"<0x{byte:02X}>" for byte in range(256)))
BOUNDARIES = (0, 0x41, 0x7F, 0x80, 0xE9, 0x7FF, 0x800, 0x3042, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x1F60D, 0x10FFFF)
CUT_OFF = 3


@pytest.fixture(scope="module")
def rule() -> WholeCharacters:
    return WholeCharacters(PIECES)


def as_tokens(encoded: Iterable[int]) -> list[int]:
    return [FIRST_BYTE + byte for byte in encoded]


def text_of(tokens: Iterable[int]) -> str:
    """Return the text of ``tokens``; raises UnicodeDecodeError if some bytes are no character."""
    encoded = b"".join(bytes([token - FIRST_BYTE]) if token >= FIRST_BYTE else b" word" for token in tokens)
    return encoded.decode("utf-8")


def allowed_after(rule: WholeCharacters, tokens: list[int]) -> set[int]:
    return set(torch.nonzero(allowed(rule, [tokens])[0])[:, 0].tolist())


def allowed(rule: WholeCharacters, targets: list[list[int]]) -> torch.Tensor:
    """Return which tokens may follow each of ``targets``."""
    scores = torch.zeros(len(targets), len(PIECES))
    rule(targets, scores)
    return scores.isfinite()


@pytest.mark.parametrize("code", BOUNDARIES)
def test_every_character_can_be_written_and_then_anything(rule: WholeCharacters, code: int) -> None:
    written: list[int] = [WORD]
    for token in as_tokens(chr(code).encode()):
        assert token in allowed_after(rule, written)
        written.append(token)
    assert allowed_after(rule, written) == allowed_after(rule, [])
    assert {WORD, EOS_ID, FIRST_BYTE + 0x41} <= allowed_after(rule, written)


def test_what_may_follow_within_a_character_is_what_python_can_decode(rule: WholeCharacters) -> None:
    for first in range(256):
        begun = FIRST_BYTE + first in allowed_after(rule, [])
        assert begun == can_be_completed(bytes([first]))
        if not begun or first < 0x80:
            continue
        seconds = allowed_after(rule, as_tokens([first]))
        assert seconds == {FIRST_BYTE + second for second in range(256) if can_be_completed(bytes([first, second]))}


def can_be_completed(begun: bytes) -> bool:
    """Whether some character begins with these bytes, or is them."""
    return any(decodes(begun + bytes([fill] * n_more)) for n_more in range(4) for fill in (0x80, 0xA0))


def decodes(encoded: bytes) -> bool:
    try:
        return len(encoded.decode("utf-8")) == 1
    except UnicodeDecodeError:
        return False


def test_a_broken_beginning_does_not_stop_the_search(rule: WholeCharacters) -> None:
    for broken in ([0x80], [0xF0, 0x41], [0xC3, 0xA9, 0xA9], [0x80] * 5):
        assert allowed_after(rule, as_tokens(broken)) == allowed_after(rule, [])


def test_rows_have_rules_of_their_own(rule: WholeCharacters) -> None:
    rows = [[WORD, WORD], [WORD, *as_tokens([0xE2])], as_tokens([0xE2, 0x82])]
    together = allowed(rule, rows)
    assert all(together[row].equal(allowed(rule, [tokens])[0]) for row, tokens in enumerate(rows))
    assert not together[0].equal(together[1])
    assert allowed(rule, [rows[0]] * 3)[2].equal(together[0])


@pytest.mark.parametrize("size", [0, 1, 2, 3])
@pytest.mark.parametrize("max_repeats", [1, 2])
def test_an_n_gram_is_completed_as_often_as_it_may_occur(size: int, max_repeats: int) -> None:
    targets = [[4, 5, 4, 5, 4, 5, 4], [6, 6, 6, 6, 6, 6, 6], [4, 5, 6, 7, 8, 9, 4]]
    scores = torch.zeros(3, 12)
    NoRepeatedNgrams(size, max_repeats)(targets, scores)
    for tokens, row in zip(targets, scores, strict=True):
        for token, score in enumerate(row.tolist()):
            runs = [[*tokens, token][start : start + size] for start in range(len(tokens) - size + 2)]
            is_too_often = size > 0 and runs.count(runs[-1]) > max_repeats
            assert score == (-math.inf if is_too_often else 0)


def test_certain_tokens_never_follow() -> None:
    scores = torch.zeros(2, 6)
    NoTokens([1, 4])([[0], [0]], scores)
    assert scores.isinf().tolist() == [[False, True, False, False, True, False]] * 2


@pytest.fixture
def backend(make_model: Callable[..., EncoderDecoder]) -> Backend:
    torch.manual_seed(0)
    return TorchBackend(make_model(norm="pre", vocabulary_size=len(PIECES)))


@pytest.mark.parametrize(
    "options",
    [
        GREEDY,
        DecodingOptions(beam_size=4, n_best=4),
        *(DecodingOptions(beam_size=1, sampling=SamplingOptions(3.0), seed=seed) for seed in range(5)),
    ],
)
def test_no_search_writes_a_broken_character(backend: Backend, rule: WholeCharacters, options: DecodingOptions) -> None:
    for prefix in ([], [WORD, *as_tokens([0xF0, 0x9F])]):
        limited = replace(options, max_extra_length=40)
        found = search_one(backend, [WORD, EOS_ID], limited, prefix, constraints=[rule], n_alternatives=2)
        for hypothesis in found.hypotheses:
            if hypothesis.tokens[-1] == EOS_ID:
                text_of(hypothesis.tokens[:-1])
            else:
                assert any(can_be_written(hypothesis.tokens[: len(hypothesis.tokens) - n]) for n in range(CUT_OFF + 1))


def can_be_written(tokens: tuple[int, ...]) -> bool:
    try:
        return bool(text_of(tokens))
    except UnicodeDecodeError:
        return False


def test_a_search_without_the_rule_would_break_them(make_model: Callable[..., EncoderDecoder]) -> None:
    torch.manual_seed(0)
    model = make_model(norm="pre", vocabulary_size=len(PIECES))
    options = replace(GREEDY, max_extra_length=40)
    tokens = search_one(TorchBackend(model), [WORD, EOS_ID], options, n_alternatives=2).hypotheses[0].tokens
    assert BOS_ID not in tokens
    assert not any(can_be_written(tokens[: len(tokens) - n]) for n in range(CUT_OFF + 1))
