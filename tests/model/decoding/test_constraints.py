"""Characters written byte by byte: every one of UTF-8 can be written, and nothing that is none."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
import torch

from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.beam_search import GREEDY, DecodingOptions, beam_search
from model.decoding.compiled.packed_model import PackedModel
from model.decoding.constraints import WholeCharacters
from model.decoding.sampling import SamplingOptions
from model.decoding.sentence_search import ModelSearch, PackedSearch, SentenceSearch
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
    return set(torch.nonzero(~rule(torch.tensor([tokens], dtype=torch.long))[0])[:, 0].tolist())


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
    together = rule(torch.tensor(rows))
    assert all(together[row].equal(rule(torch.tensor([tokens]))[0]) for row, tokens in enumerate(rows))
    assert not together[0].equal(together[1])
    alike = rule(torch.tensor([rows[0]] * 3)).expand(3, -1)
    assert alike[2].equal(together[0])


@pytest.fixture(params=["model", "packed"])
def search(
    make_model: Callable[..., EncoderDecoder], request: pytest.FixtureRequest, rule: WholeCharacters
) -> SentenceSearch:
    torch.manual_seed(0)
    model = make_model(norm="pre", vocabulary_size=len(PIECES))
    return ModelSearch(model, rule) if request.param == "model" else PackedSearch(PackedModel(model), rule)


@pytest.mark.parametrize(
    "options",
    [
        GREEDY,
        DecodingOptions(beam_size=4, n_best=4),
        *(DecodingOptions(beam_size=1, sampling=SamplingOptions(3.0), seed=seed) for seed in range(5)),
    ],
)
def test_no_search_writes_a_broken_character(search: SentenceSearch, options: DecodingOptions) -> None:
    for prefix in ([], [WORD, *as_tokens([0xF0, 0x9F])]):
        found = search([WORD, EOS_ID], replace(options, max_extra_length=40), prefix, 2)
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
    (found,) = beam_search(model, torch.tensor([[WORD, EOS_ID]]), replace(GREEDY, max_extra_length=40))
    tokens = found[0].tokens
    assert BOS_ID not in tokens
    assert not any(can_be_written(tokens[: len(tokens) - n]) for n in range(CUT_OFF + 1))
