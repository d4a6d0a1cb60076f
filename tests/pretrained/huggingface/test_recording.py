"""What a model of others reads, and what is recorded of it."""

import torch
from transformers import PreTrainedTokenizerFast

from pretrained.huggingface.recording import record
from tests.fixtures.foreign_models import TEXT, random_model, small_tokenizer


def test_the_second_text_of_a_pair_has_a_token_type_of_its_own() -> None:
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=small_tokenizer().backend_tokenizer,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )
    model = random_model("BERT").eval()
    (reading,) = record(model, tokenizer, TEXT, second="the cat was tired")
    pair = tokenizer(TEXT, "the cat was tired", return_tensors="pt")
    types = pair["token_type_ids"]
    assert types.sum() == 5
    wanted = model(**pair, output_attentions=True).attentions
    torch.testing.assert_close(reading.blocks[0].layers, wanted)
    alike = model(**pair | {"token_type_ids": torch.zeros_like(types)}, output_attentions=True).attentions
    assert not torch.equal(reading.blocks[0].layers[0], alike[0])
    assert reading.blocks[0].queries.texts[-5:] == ("the", "cat", "was", "tired", "[SEP]")
