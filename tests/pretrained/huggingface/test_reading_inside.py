"""What is read inside other people's models: the same as by hand with plain Transformers, and as plain loops give."""

from collections.abc import Callable
from tempfile import TemporaryFile
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from pretrained.huggingface.answer_file import read_found, write_found
from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.inside import KINDS, ForeignAttribution, ForeignLens, ForeignScores, Measure
from pretrained.huggingface.reading_inside import N_CANDIDATES, N_SHOWN, read_inside
from tests.fixtures.architectures import ARCHITECTURES
from tests.fixtures.foreign_models import TEXT, small_tokenizer

REPEATED = "the cat sat on the cat sat on the"
# Final norm, unembedding and what follows it, as the authors of each wrote them.
ENDS: dict[str, Callable[[Any, Tensor], Tensor]] = {
    "GPT-2": lambda model, x: model.lm_head(model.transformer.ln_f(x)),
    "GPT-NeoX": lambda model, x: model.get_output_embeddings()(model.gpt_neox.final_layer_norm(x)),
    "BLOOM": lambda model, x: model.lm_head(model.transformer.ln_f(x)),
    "Llama": lambda model, x: model.lm_head(model.model.norm(x)),
    "Gemma 2": lambda model, x: (model.lm_head(model.model.norm(x)) / 30).tanh() * 30,
    "Cohere": lambda model, x: model.lm_head(model.model.norm(x)) * model.logit_scale,
    "Granite": lambda model, x: model.lm_head(model.model.norm(x)) / model.config.logits_scaling,
    "Jamba": lambda model, x: model.lm_head(model.model.final_layernorm(x)),
}
ADDS_UP = [
    *("GPT-2", "GPT-Neo", "GPT-NeoX", "GPT-J", "OPT", "BLOOM", "MPT", "Llama", "Mistral", "Mixtral", "Qwen2", "Qwen3"),
    *("Gemma", "Gemma 2", "Gemma 3", "Phi", "Phi-3", "StableLM", "OLMo", "OLMo 2", "Granite", "Cohere", "DeepSeek V2"),
    *("DeepSeek V3", "GPT-OSS", "Jamba", "Granite hybrid", "Falcon-H1", "Qwen3-Next", "Falcon with ALiBi"),
]


def built(name: str) -> Any:
    architecture = ARCHITECTURES[name]
    values = architecture.values | {"attn_implementation": "eager"}
    return type(architecture)(architecture.model, values).build()


def read(model: Any, measure: Measure, text: str = TEXT, **options: Any) -> Any:
    found = read_inside(model, small_tokenizer(), text, measure, **options)
    with TemporaryFile() as file:
        write_found(found, file)
        return read_found(file, KINDS[measure])  # type: ignore[arg-type]


def states(model: Any, text: str = TEXT) -> tuple[Tensor, ...]:
    """Return the residual stream before and after each layer, by a hook on each layer."""
    layers = next(child for child in model.modules() if isinstance(child, torch.nn.ModuleList))
    seen: list[Tensor] = []
    first = layers[0].register_forward_pre_hook(lambda _, given: seen.append(given[0]))
    hooks = [
        layer.register_forward_hook(lambda _, __, out: seen.append(out[0] if isinstance(out, tuple) else out))
        for layer in layers
    ]
    with torch.no_grad():
        model(**small_tokenizer()(text, return_tensors="pt"))
    for hook in (first, *hooks):
        hook.remove()
    return tuple(seen)


@pytest.mark.parametrize("name", ENDS)
def test_the_lens_is_the_model_s_own_end_after_each_layer(name: str) -> None:
    model = built(name)
    found: ForeignLens = read(model, "lens")
    with torch.no_grad():
        spoken = torch.stack([ENDS[name](model, x)[0].softmax(dim=-1) for x in states(model)])
        logits = model(**small_tokenizer()(TEXT, return_tensors="pt")).logits[0]
    assert len(found.labels) == len(spoken)
    best = spoken.topk(N_SHOWN)
    torch.testing.assert_close(torch.from_numpy(found.probabilities), best.values)
    torch.testing.assert_close(spoken[-1], logits.softmax(dim=-1))
    final = logits.argmax(dim=-1)
    torch.testing.assert_close(torch.from_numpy(found.of_final), spoken[:, torch.arange(len(final)), final])
    np.testing.assert_array_equal(found.is_final, (best.indices[..., 0] == final).numpy())
    assert found.is_final[-1].all()
    ids = best.indices[1, 3]
    assert found.labels[1][3] == tuple(
        piece.removeprefix("##") for piece in small_tokenizer().convert_ids_to_tokens(ids.tolist())
    )


@torch.no_grad()
def test_heads_of_gpt2_write_what_their_slice_of_the_projection_makes_of_them() -> None:
    model = built("GPT-2")
    found: ForeignAttribution = read(model, "attribution", answers=("cat", "mat"))
    z: list[Tensor] = []
    hooks = [
        block.attn.c_proj.register_forward_pre_hook(lambda _, given: z.append(given[0][0, -1]))
        for block in model.transformer.h
    ]
    residuals = states(model)
    for hook in hooks:
        hook.remove()
    last, norm = residuals[-1][0, -1], model.transformer.ln_f
    deviation = (last.var(correction=0) + norm.eps).sqrt()
    vocabulary = small_tokenizer().get_vocab()
    # Whoever is asked about stands after the likeliest, unless it is one of these.
    places = [found.candidates.index(word) for word in ("cat", "mat")]
    direction = model.lm_head.weight[vocabulary["cat"]] - model.lm_head.weight[vocabulary["mat"]]
    for layer, block in enumerate(model.transformer.h):
        for head in range(4):
            rows = slice(4 * head, 4 * (head + 1))
            written = z[layer][rows] @ block.attn.c_proj.weight[rows]
            by_hand = ((written - written.mean()) / deviation * norm.weight) @ direction
            ours = found.heads[layer, head, places[0]] - found.heads[layer, head, places[1]]
            assert ours == pytest.approx(float(by_hand), abs=1e-6)


@torch.no_grad()
def test_heads_of_llama_write_through_a_norm_without_a_mean() -> None:
    model = built("Llama")
    found: ForeignAttribution = read(model, "attribution")
    z: list[Tensor] = []
    hooks = [
        layer.self_attn.o_proj.register_forward_pre_hook(lambda _, given: z.append(given[0][0, -1]))
        for layer in model.model.layers
    ]
    last, norm = states(model)[-1][0, -1], model.model.norm
    for hook in hooks:
        hook.remove()
    scale = (last.pow(2).mean() + norm.variance_epsilon).rsqrt()
    with torch.no_grad():
        ids = model(**small_tokenizer()(TEXT, return_tensors="pt")).logits[0, -1].topk(N_CANDIDATES).indices
    for layer, block in enumerate(model.model.layers):
        for head in range(4):
            rows = slice(8 * head, 8 * (head + 1))
            written = block.self_attn.o_proj.weight[:, rows] @ z[layer][rows]
            by_hand = model.lm_head.weight[ids] @ (written * scale * norm.weight)
            np.testing.assert_allclose(found.heads[layer, head], by_hand.detach().numpy(), atol=1e-6)


@pytest.mark.parametrize("name", ADDS_UP)
def test_all_parts_add_up_to_the_logits(name: str) -> None:
    model = built(name)
    found: ForeignAttribution = read(model, "attribution")
    total = np.nansum(found.heads, axis=(0, 1)) + found.rest.sum(axis=0) + found.start + found.bias
    np.testing.assert_allclose(total, found.logits, atol=1e-6)
    assert np.abs(np.nan_to_num(found.heads)).max() > 0
    with torch.no_grad():
        logits = model(**small_tokenizer()(TEXT, return_tensors="pt")).logits[0, -1].topk(N_CANDIDATES).values
    # A cap keeps the order, and here hardly changes the numbers.
    np.testing.assert_allclose(found.logits, logits.numpy(), rtol=1e-3)


@pytest.mark.parametrize("name", ["GPT-2", "Llama", "BERT", "Jamba"])
def test_the_scores_of_all_heads_are_those_of_a_plain_loop(name: str) -> None:
    model = built(name)
    found: ForeignScores = read(model, "scores", REPEATED)
    text = small_tokenizer()(REPEATED, return_tensors="pt")["input_ids"]
    seen: list[Tensor] = []
    hook = model.register_forward_pre_hook(lambda _, __, given: seen.append(given["input_ids"]), with_kwargs=True)
    read(model, "scores", REPEATED)
    hook.remove()
    (_, random) = seen
    n = found.n_random
    # After [CLS] a sequence of tokens that are all different, twice.
    assert random.shape[1] == 1 + 2 * n
    assert random[0, 1 : n + 1].tolist() == random[0, n + 1 :].tolist()
    assert len({*random[0, 1 : n + 1].tolist()}) == n
    for at, ids in enumerate((text[0].tolist(), random[0].tolist())):
        with torch.no_grad():
            maps = model(torch.tensor([ids]), output_attentions=True).attentions
        for layer, pattern in enumerate(maps):
            for head, rows in enumerate(pattern[0].tolist()):
                before = [rows[place][place - 1] for place in range(1, len(ids))]
                after = []
                for place, token in enumerate(ids):
                    earlier = [other for other in range(place) if ids[other] == token]
                    if earlier:
                        after.append(rows[place][earlier[-1] + 1])
                assert found.previous[at, layer, head] == pytest.approx(np.mean(before), abs=1e-6)
                assert found.induction[at, layer, head] == pytest.approx(np.mean(after), abs=1e-6)


@pytest.mark.parametrize("measure", KINDS)
def test_a_tokenizer_with_more_tokens_than_the_model_has_rows_is_read(measure: Measure) -> None:
    architecture = ARCHITECTURES["GPT-2"]
    text = "the cat sat on the mat"
    known = 1 + max(small_tokenizer()(text)["input_ids"])
    model = type(architecture)(architecture.model, architecture.values | {"vocab_size": known}).build()
    model.set_attn_implementation("eager")
    assert known < len(small_tokenizer())
    assert read(model, measure, text)


def test_a_text_that_repeats_nothing_has_no_induction_score() -> None:
    found: ForeignScores = read(built("GPT-2"), "scores", "the cat sat")
    assert np.isnan(found.induction[0]).all()
    assert np.isfinite(found.induction[1]).all()


def test_scores_have_the_model_s_own_layers() -> None:
    assert read(built("Jamba"), "scores").layers == (1, 3)
    attribution = read(built("Jamba"), "attribution")
    assert [bool(np.isnan(layer).all()) for layer in attribution.heads] == [True, False, True, False]


@pytest.mark.parametrize(
    ("name", "measure", "key"),
    [
        ("BERT", "lens", "no final norm"),
        ("ModernBERT", "attribution", "no final norm"),
        ("GPT", "lens", "no final norm"),
        ("Zamba 2", "attribution", "no sum"),
        ("DiffLlama", "attribution", "no sum"),
        ("Marian", "lens", "no final norm"),
    ],
)
def test_a_model_that_is_none_for_this_is_refused(name: str, measure: Measure, key: str) -> None:
    with pytest.raises(ForeignModelError) as error:
        read(built(name), measure)
    assert error.value.key == key


BOTH_SIDES = ["T5", "mT5", "mBART", "M2M-100", "Pegasus", "Switch"]
TARGET = "the cat was tired the cat"


def run_both(model: Any) -> Any:
    """Return the output of ``model`` while it is made to write ``TARGET``."""
    source, labels = (small_tokenizer()(text, return_tensors="pt")["input_ids"] for text in (TEXT, TARGET))
    start = torch.full_like(labels[:, :1], model.config.decoder_start_token_id)
    with torch.no_grad():
        return model(
            source,
            decoder_input_ids=torch.cat([start, labels[:, :-1]], dim=1),
            output_attentions=True,
            output_hidden_states=True,
        )


@pytest.mark.parametrize("name", BOTH_SIDES)
def test_the_decoder_of_an_encoder_decoder_is_read_inside(name: str) -> None:
    model = built(name)
    output = run_both(model)
    lens: ForeignLens = read(model, "lens", target=TARGET)
    spoken = output.logits[0].softmax(dim=-1)
    np.testing.assert_allclose(lens.of_final[-1], spoken.max(dim=-1).values, atol=1e-6)
    assert lens.is_final[-1].all()
    assert len(lens.tokens) == len(spoken)
    found: ForeignAttribution = read(model, "attribution", target=TARGET)
    total = np.nansum(found.heads, axis=(0, 1)) + found.rest.sum(axis=0) + found.start + found.bias
    np.testing.assert_allclose(total, found.logits, atol=1e-5)
    best = output.logits[0, -1].topk(N_CANDIDATES).values
    np.testing.assert_allclose(found.logits, best.numpy(), rtol=1e-4)
    assert found.blocks == ("decoder", "cross") * (len(found.layers) // 2)
    assert np.isfinite(found.heads).all()


def test_heads_of_a_decoder_that_reads_a_source_say_what_their_projection_writes() -> None:
    model = built("Pegasus")
    seen: dict[str, Tensor] = {}

    def keep(name: str) -> Callable[..., None]:
        return lambda _, given: seen.update({name: given[0][0, -1].double()})

    layer, norm = model.model.decoder.layers[1], model.model.decoder.layer_norm
    blocks = {"decoder": layer.self_attn.out_proj, "cross": layer.encoder_attn.out_proj}
    hooks = [module.register_forward_pre_hook(keep(name)) for name, module in (*blocks.items(), ("norm", norm))]
    run_both(model)
    for hook in hooks:
        hook.remove()
    found: ForeignAttribution = read(model, "attribution", target=TARGET)
    ids = small_tokenizer().convert_tokens_to_ids([*found.candidates])
    sigma = seen["norm"].var(correction=0).add(norm.eps).sqrt()
    unembedding = model.lm_head.weight[ids].double()
    n_heads = found.heads.shape[1]
    for name, projection in blocks.items():
        row = list(zip(found.layers, found.blocks, strict=True)).index((1, name))
        size = projection.weight.shape[1] // n_heads
        for head in range(n_heads):
            part = slice(head * size, (head + 1) * size)
            x = projection.weight[:, part].double() @ seen[name][part]
            wanted = unembedding @ ((x - x.mean()) * norm.weight.double() / sigma)
            np.testing.assert_allclose(found.heads[row, head], wanted.detach().numpy(), atol=1e-6)


@pytest.mark.parametrize("name", ["T5", "BART", "Marian"])
def test_scores_of_both_parts_are_those_of_a_plain_loop(name: str) -> None:
    model = built(name)
    found: ForeignScores = read(model, "scores", target=TARGET)
    output = run_both(model)
    maps = {"encoder": output.encoder_attentions, "decoder": output.decoder_attentions}
    assert found.blocks == tuple(part for part, layers in maps.items() for _ in layers)
    for row, (part, layer) in enumerate(zip(found.blocks, found.layers, strict=True)):
        for head, rows in enumerate(maps[part][layer][0].tolist()):
            before = [rows[place][place - 1] for place in range(1, len(rows))]
            assert found.previous[0, row, head] == pytest.approx(np.mean(before), abs=1e-6)
        assert np.isnan(found.previous[0, row, maps[part][layer].shape[1] :]).all()


def test_a_pair_is_read_as_the_tokenizer_joins_it() -> None:
    model = built("BERT")
    found: ForeignScores = read(model, "scores", "the cat", second="the cat sat")
    inputs = small_tokenizer()("the cat", "the cat sat", return_tensors="pt")
    with torch.no_grad():
        maps = model(**inputs, output_attentions=True).attentions
    rows = maps[1][0, 2]
    before = np.mean([float(rows[place, place - 1]) for place in range(1, len(rows))])
    assert found.previous[0, 1, 2] == pytest.approx(before, abs=1e-6)
