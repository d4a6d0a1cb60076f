"""What is written on a memory over everything is what the unsegmented model writes; and its cost stays the same."""

import pytest
import torch
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.attention import SegmentSpec
from model.decoding.options import SamplingOptions
from model.decoding.sampling import sampling_distribution
from model.decoding.segmented import MemoryGenerator
from model.hooks import record
from tests.fixtures.language_model_run import strong_model

OPTIONS = SamplingOptions(0.9, 0.8)

pytestmark = pytest.mark.unchecked


@pytest.fixture
def model() -> DecoderOnly:
    return strong_model(2, **dict.fromkeys(("pad_id", "bos_id", "eos_id"), 0))


@pytest.fixture
def prompt() -> Tensor:
    return torch.randint(1, 11, (30,))


def write(generator: MemoryGenerator, n: int) -> list[int]:
    return [generator.write(OPTIONS) for _ in range(n)]


def test_a_memory_over_everything_writes_what_the_unsegmented_model_writes(model: DecoderOnly, prompt: Tensor) -> None:
    generator = MemoryGenerator(model, prompt, SegmentSpec(7, 100), seed=3)
    text, draws = prompt, torch.Generator().manual_seed(3)
    for _ in range(25):
        with torch.inference_mode():
            scores = model(text[None])[0, -1]
        scores = torch.cat((torch.tensor([-torch.inf]), scores[1:]))
        expected = sampling_distribution(scores, OPTIONS)
        chosen = int(torch.multinomial(expected, 1, generator=draws))
        assert generator.write(OPTIONS) == chosen
        assert generator.drawn_from is not None
        torch.testing.assert_close(generator.drawn_from, expected, rtol=1e-4, atol=1e-5)
        text = torch.cat((text, torch.tensor([chosen])))
    assert generator.written == text[30:].tolist()
    assert len(set(generator.written)) > 3


def test_a_seed_writes_the_same_again_and_another_something_else(model: DecoderOnly, prompt: Tensor) -> None:
    one, again, other = (write(MemoryGenerator(model, prompt, SegmentSpec(5, 8), seed=seed), 20) for seed in (1, 1, 2))
    assert one == again
    assert one != other


def test_no_step_looks_further_than_the_memory(model: DecoderOnly, prompt: Tensor) -> None:
    generator = MemoryGenerator(model, prompt, SegmentSpec(5, 8), seed=1)
    generator.write(OPTIONS)  # a token is read when the next one is asked for
    for _ in range(15):
        with record("decoder.*.pattern") as seen:
            generator.write(OPTIONS)
        assert {pattern.shape[-2:] for pattern in seen.values()} == {(1, 8 + 1)}


def test_what_cannot_reach_is_not_read(model: DecoderOnly, prompt: Tensor) -> None:
    spec = SegmentSpec(5, 5)
    other = prompt.clone()
    other[:15] = other[:15].flip(0)
    one, two = (MemoryGenerator(model, text, spec, seed=1) for text in (prompt, other))
    assert one.n_read == 5 + 2 * 5
    assert write(one, 10) == write(two, 10)


def test_the_symbol_for_unknown_tokens_is_never_written(model: DecoderOnly, prompt: Tensor) -> None:
    with torch.no_grad():
        model.embedding.weight[0] = 50 * model.embedding.weight[0]
    generator = MemoryGenerator(model, prompt, SegmentSpec(5, 8), seed=1)
    assert 0 not in write(generator, 30)


def test_an_empty_prompt_is_refused(model: DecoderOnly) -> None:
    with pytest.raises(ValueError, match=r"^the prompt is empty"):
        MemoryGenerator(model, torch.zeros(0, dtype=torch.long), SegmentSpec(5, 8), seed=1)
