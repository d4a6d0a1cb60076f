"""Models that write together, against the mean of what each of them alone would find probable."""

from collections.abc import Callable

import pytest
import torch

from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.beam_search import beam_search
from model.decoding.constraints import text_constraints
from model.decoding.decoder import TorchDecoder
from model.decoding.options import GREEDY, DecodingOptions
from model.decoding.translator import Translator
from model.text.tokenizer import BOS_ID, EOS_ID, PAD_ID, UNKNOWN_ID, Tokenizer
from model.training.translation.ensemble import AveragingDecoder, translate_together

SOURCE = torch.tensor([[4, 5, 6, EOS_ID], [9, EOS_ID, PAD_ID, PAD_ID]])
NO_TEXT = {PAD_ID, BOS_ID, UNKNOWN_ID}
TEXTS = ("My dog sees the ball.", "", "She loves bread.", "Tom hears the street and my dog sees the ball.")


@pytest.fixture
def make_models(make_model: Callable[..., EncoderDecoder]) -> Callable[..., list[EncoderDecoder]]:
    """Return so many models of one shape and different weights."""

    def make(n: int, **changes: int) -> list[EncoderDecoder]:
        return [make_model(n_encoder_layers=1, n_decoder_layers=1, **changes) for _ in range(n)]

    return make


@torch.inference_mode()
def mean_probabilities(models: list[EncoderDecoder], source: list[int], target: list[int]) -> torch.Tensor:
    """The mean over ``models`` of the probabilities after ``target``, each by a pass over everything."""
    read = torch.tensor([[BOS_ID, *target]])
    return torch.stack([model(torch.tensor([source]), read)[0, -1].softmax(-1) for model in models]).mean(0)


@torch.inference_mode()
def test_each_token_is_as_probable_as_on_average(make_models) -> None:
    models = make_models(3)
    decoder = AveragingDecoder([TorchDecoder(model, *model.encode(SOURCE)) for model in models])
    first = decoder.step(torch.tensor([[BOS_ID, 5], [BOS_ID, 6]]))
    decoder.select(torch.tensor([1, 0, 1]))
    second = decoder.step(torch.tensor([[7], [8], [9]]))
    short, long = [9, EOS_ID], [4, 5, 6, EOS_ID]
    for found, source, target in (
        (first[0, 1], long, [5]),
        (first[1, 1], short, [6]),
        (second[0, 0], short, [6, 7]),
        (second[1, 0], long, [5, 8]),
        (second[2, 0], short, [6, 9]),
    ):
        torch.testing.assert_close(found.exp(), mean_probabilities(models, source, target))


def test_a_greedy_search_takes_what_is_most_probable_on_average(make_models) -> None:
    models, source = make_models(2), [4, 5, 6, EOS_ID]
    decoder = AveragingDecoder([TorchDecoder(model, *model.encode(torch.tensor([source]))) for model in models])
    options, config = DecodingOptions(beam_size=1, max_extra_length=4, ngram_size=0), models[0].config
    ((found,),) = beam_search(decoder, config, [len(source)], options, constraints=text_constraints(config, options))
    tokens: list[int] = []
    while EOS_ID not in tokens and len(tokens) < 8:
        is_text = ~torch.isin(torch.arange(models[0].config.vocabulary_size), torch.tensor(list(NO_TEXT)))
        probabilities = mean_probabilities(models, source, tokens) * is_text
        tokens.append(int(probabilities.argmax()))
    assert list(found.tokens) == tokens


def test_one_translator_twice_writes_what_it_writes_alone(make_models, tokenizer: Tokenizer) -> None:
    (model,) = make_models(1, vocabulary_size=tokenizer.vocabulary_size)
    alone = Translator(model, tokenizer)
    expected = alone.translate_all(TEXTS, GREEDY)
    assert translate_together([alone, alone], TEXTS, GREEDY) == expected
    assert expected[1] == ""
    assert len({*expected}) > 2


def test_two_write_otherwise_than_each_alone(make_models, tokenizer: Tokenizer) -> None:
    first, second = (
        Translator(model, tokenizer) for model in make_models(2, vocabulary_size=tokenizer.vocabulary_size)
    )
    together = translate_together([first, second], TEXTS, GREEDY)
    assert together == translate_together([second, first], TEXTS, GREEDY)
    assert together not in (first.translate_all(TEXTS, GREEDY), second.translate_all(TEXTS, GREEDY))


def test_translators_of_different_vocabularies_are_refused(make_models, tokenizer: Tokenizer) -> None:
    first, second = make_models(2, vocabulary_size=tokenizer.vocabulary_size)
    other = Tokenizer.train(["Ein ganz anderer Text.", "Und noch einer dazu."] * 20, 300)
    with pytest.raises(ValueError, match="have different vocabularies; only those with the same one can write"):
        translate_together([Translator(first, tokenizer), Translator(second, other)], TEXTS)
