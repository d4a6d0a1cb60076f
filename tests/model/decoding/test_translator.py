"""Text in; translation, alternatives and attention out; one translator for every thread."""

import dataclasses
import math
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from torch import Tensor

from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.options import GREEDY, DecodingOptions
from model.decoding.translator import MAX_SOURCE_TOKENS, SourceTextError, Translation, Translator
from model.hooks import HOOKS, record
from model.text.tokenizer import Tokenizer

SHORT = DecodingOptions(beam_size=4, n_best=4, max_extra_length=3)
TEXT = "My dog sees the ball."


@pytest.fixture
def translator(make_model: Callable[..., EncoderDecoder], tokenizer: Tokenizer) -> Translator:
    model = make_model(vocabulary_size=tokenizer.vocabulary_size, n_encoder_layers=1, n_decoder_layers=2)
    return Translator(model.train(), tokenizer)


def test_plain_forms_are_read_unless_the_text_is_to_be_read_as_typed(translator: Translator) -> None:
    typed = "MY DOG SEES THE BALL"
    plain = translator.simplify(typed)
    assert plain != typed
    for text, as_typed in ((typed, True), (plain, False)):
        pieces = (*translator.tokenizer.pieces(translator.tokenizer.encode(text)), "</s>")
        assert translator.translate(typed, SHORT, as_typed=as_typed).source.pieces == pieces
        (best,) = translator.search_all([typed], SHORT, as_typed=as_typed)
        assert best == translator.search_all([text], SHORT, as_typed=True)[0]


def test_every_part_of_a_translation_tells_the_same_story(translator: Translator) -> None:
    found = translator.translate(TEXT, SHORT)
    best = found.hypotheses[0]
    assert len(found.hypotheses) == 4
    assert tuple(token.id for token in found.tokens) == best.tokens
    assert found.text == translator.tokenizer.decode(best.tokens)
    assert found.source.pieces == (*translator.tokenizer.pieces(translator.tokenizer.encode(TEXT)), "</s>")
    assert found.target.pieces == tuple(token.piece for token in found.tokens)
    assert found.read.pieces == ("<s>", *found.target.pieces[:-1])
    for sequence in (found.source, found.read, found.target):
        assert [word.start for word in sequence.words] == [0, *(word.end for word in sequence.words[:-1])]
        assert sequence.words[-1].end == len(sequence.pieces)
    assert [word.text for word in found.source.words] == ["My", "dog", "sees", "the", "ball", ".", "</s>"]
    for token, log_probability in zip(found.tokens, best.log_probabilities, strict=True):
        assert token.probability == pytest.approx(math.exp(log_probability), rel=1e-3)
        probabilities = [one.probability for one in token.alternatives]
        assert probabilities == sorted(probabilities, reverse=True)
        assert sum(probabilities) <= 1 + 1e-5
        same = [one for one in token.alternatives if one.id == token.id]
        assert all(one.probability == pytest.approx(token.probability, rel=1e-3) for one in same)
        assert same or token.probability <= probabilities[-1]
        assert all(one.piece == translator.tokenizer.pieces([one.id])[0] for one in token.alternatives)


@pytest.mark.parametrize("options", [SHORT, dataclasses.replace(GREEDY, max_extra_length=3)])
def test_after_a_search_the_maps_are_those_of_the_hypothesis_shown(translator: Translator, options) -> None:
    found = translator.translate(TEXT, options)
    model, eos = translator.model, translator.model.config.eos_id
    source = torch.tensor([[*translator.tokenizer.encode(TEXT), eos]])
    target = torch.tensor([[model.config.bos_id, *(token.id for token in found.tokens[:-1])]])
    with torch.inference_mode(), record("*.pattern") as seen:
        model(source, target)
    assert list(found.patterns) == list(seen)
    for name, pattern in found.patterns.items():
        assert not pattern.flags.writeable
        np.testing.assert_allclose(pattern, seen[name][0].numpy(), atol=1e-6)
        np.testing.assert_allclose(pattern.sum(-1), 1, atol=1e-5)
    n_source, n_target = source.shape[1], target.shape[1]
    shapes = {name: pattern.shape for name, pattern in found.patterns.items()}
    assert shapes["encoder.0.self_attention.pattern"] == (2, n_source, n_source)
    assert shapes["decoder.1.self_attention.pattern"] == (2, n_target, n_target)
    assert shapes["decoder.1.cross_attention.pattern"] == (2, n_target, n_source)


def test_recording_changes_no_translation(translator: Translator) -> None:
    plain = translator.translate(TEXT, SHORT)
    with record("*"):
        recorded = translator.translate(TEXT, SHORT)
    assert recorded.text == plain.text
    assert recorded.target == plain.target


def test_a_forced_beginning_begins_every_hypothesis(translator: Translator) -> None:
    found = translator.translate(TEXT, SHORT, prefix="Der alte")
    forced = tuple(translator.tokenizer.encode("Der alte"))
    assert all(hypothesis.tokens[: len(forced)] == forced for hypothesis in found.hypotheses)
    assert found.text.startswith("Der alte")


def test_translating_all_equals_translating_each(translator: Translator) -> None:
    texts = [TEXT, "", "Tom", "  ", "She hears the old man and finds bread.", "🙂", "Tom"]
    together = translator.translate_all(texts, SHORT)
    assert together == [translator.translate(text, SHORT).text if text.strip() else "" for text in texts]


@pytest.mark.unchecked
def test_a_batch_cuts_a_text_that_is_too_long(translator: Translator) -> None:
    options = DecodingOptions(beam_size=1, max_extra_length=1)
    assert all(translator.translate_all(["Tom " * (2 * MAX_SOURCE_TOKENS), "Tom"], options))


@pytest.mark.parametrize("text", ["", "   ", "\n\x00\x1b"])
def test_a_text_without_a_token_is_refused(translator: Translator, text: str) -> None:
    with pytest.raises(SourceTextError) as refused:
        translator.translate(text)
    assert (refused.value.key, refused.value.given) == ("no text", 0)


def test_a_text_that_is_too_long_is_refused_with_both_numbers(translator: Translator) -> None:
    text = "Tom sees. " * 1000
    n_tokens = len(translator.tokenizer.encode(text))
    with pytest.raises(SourceTextError, match=f"text too long: {n_tokens:,} tokens, at most {MAX_SOURCE_TOKENS}"):
        translator.translate(text)
    with pytest.raises(SourceTextError) as refused:
        translator.translate(TEXT, prefix=text)
    error = refused.value
    assert (error.key, error.given, error.most) == ("beginning too long", n_tokens, MAX_SOURCE_TOKENS)


def test_a_beginning_of_tokens_that_are_no_text_is_refused(translator: Translator) -> None:
    with pytest.raises(SourceTextError, match="beginning is no text"):
        translator.translate(TEXT, prefix=[translator.model.config.eos_id])


N_THREADS, N_TRANSLATIONS = 8, 100


@pytest.mark.unchecked
def test_no_thread_sees_another_s_tensors(make_model: Callable[..., EncoderDecoder], tokenizer: Tokenizer) -> None:
    sizes = {"vocabulary_size": tokenizer.vocabulary_size, "n_encoder_layers": 1, "n_decoder_layers": 1}
    model = make_model(norm="pre", **sizes)
    with torch.no_grad():
        # Eager to end, so that 800 translations take seconds; its maps still differ from text to text.
        model.decoder.final_norm.bias.copy_(3 * model.embedding.weight[model.config.eos_id])
    translator = Translator(model, tokenizer)
    options = DecodingOptions(beam_size=1, max_extra_length=3)
    texts = ["Tom", "bread", "She", "Tom sees", "My dog", "Maria", "a", "the ball"]
    points = ["*.z", "*.pattern", "encoder.*", "decoder.*", "logits", "*.k", "*.residual_after", "*"]
    assert len(texts) == len(points) == N_THREADS

    def translate(thread: int) -> tuple[Translation, dict[str, tuple[Tensor, ...]]]:
        with record(points[thread]) as seen:
            translation = translator.translate(texts[thread], options)
        return translation, {name: seen.every(name) for name in seen}

    def assert_same(found: Mapping[str, tuple[Tensor, ...]], expected: Mapping[str, tuple[Tensor, ...]]) -> None:
        assert list(found) == list(expected)
        for name, tensors in expected.items():
            assert len(found[name]) == len(tensors), name
            for ours, theirs in zip(found[name], tensors, strict=True):
                assert torch.equal(ours, theirs), name

    alone = [translate(thread) for thread in range(N_THREADS)]
    assert len({translation.source.pieces for translation, _ in alone}) == N_THREADS
    together = threading.Barrier(N_THREADS)

    def work(thread: int) -> int:
        together.wait()
        translation, seen = alone[thread]
        for done in range(N_TRANSLATIONS):
            found, heard = translate(thread)
            assert found.text == translation.text, done
            assert_same(heard, seen)
            for name, pattern in translation.patterns.items():
                np.testing.assert_array_equal(found.patterns[name], pattern)
        return N_TRANSLATIONS

    with ThreadPoolExecutor(N_THREADS) as threads:
        assert sum(threads.map(work, range(N_THREADS))) == N_THREADS * N_TRANSLATIONS


def test_looking_inside_sees_what_made_the_patterns(translator: Translator) -> None:
    translation = translator.translate("My dog sees the ball.")
    for block in ("encoder.0.self_attention", "decoder.0.cross_attention"):
        seen = translator.look_inside(translation, f"{block}.[qk]", f"{block}.pattern")
        np.testing.assert_allclose(seen[f"{block}.pattern"], translation.patterns[f"{block}.pattern"], atol=1e-6)
        q, k = (torch.from_numpy(seen[f"{block}.{name}"]) for name in "qk")
        pattern = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
        np.testing.assert_allclose(pattern, seen[f"{block}.pattern"], atol=1e-6)


def test_what_is_inside_has_the_shape_of_its_hook_point_without_the_batch(translator: Translator) -> None:
    translation = translator.translate(TEXT, SHORT)
    source, read = len(translation.source.pieces), len(translation.read.pieces)
    config, found = translator.model.config, translator.look_inside(translation, "*")
    assert len({name.partition(".")[0] for name in found}) == 3
    shapes = {point.name.format(layer=layer): point.shape for point in HOOKS for layer in range(2)}
    for name, values in found.items():
        of_encoder = name.startswith("encoder.")
        queries = source if of_encoder else read
        keys = source if of_encoder or ".cross_attention." in name else read
        sizes = {"Q": queries, "P": queries, "K": keys, "H": config.n_heads, "D": config.d_model, "1": 1}
        sizes |= {"E": config.d_value if name.endswith((".v", ".z")) else config.d_key, "F": config.d_ff}
        sizes["V"] = config.vocabulary_size
        axes = [axis for axis in shapes[name].strip("[]").split(", ") if axis[0] != "B"]
        assert values.shape == tuple(sizes[axis] for axis in axes), name
