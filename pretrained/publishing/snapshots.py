"""Ship the weights that a run of a translator kept on the way: a translator as it learned."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from jaxtyping import Float64
from safetensors.torch import save_file
from torch import Tensor

from model.analysis.maps.alignment import Link, Span, at_step, links_of, word_weights
from model.architectures.encoder_decoder import EncoderDecoder
from model.checkpoint import load_state, n_parameters
from model.config import config_to_json
from model.data.corpora import PARALLEL_CORPORA
from model.data.loading import Pair, Split, load_split
from model.decoding.translator import Translator
from model.device import use_one_thread
from model.hooks import record
from model.text.tokenizer import Tokenizer, Word
from model.training.history import commit
from model.training.kept_weights import kept_path, kept_steps
from model.training.translation.config import TranslationTraining, translation_training
from model.training.translation.score import pair_loss
from model.training.translation.trainer import greedy_bleu
from model.training.translation.word_alignment import align
from pretrained.publishing.command import DataDir, command, command_line
from pretrained.publishing.shipping import (
    Files,
    committed_history,
    finished_history,
    history_entries,
    ship,
    training_entries,
)
from pretrained.quantization import dequantized, quantized
from pretrained.snapshots import SNAPSHOTS, weights_name
from pretrained.translators import CONFIG, TOKENIZER


@dataclass(frozen=True)
class _AlignedPair:
    """Tokens of a pair, the spans of its words in them, and the links between words that align each other."""

    source: list[int]
    target: list[int]
    source_words: list[Span]
    target_words: list[Span]
    links: frozenset[Link]


@command("snapshots")
def ship_snapshots(
    *,
    run: Annotated[Path, "folder of the run"] = Path("runs/as-it-learned"),
    data_dir: DataDir = None,
    folder: Path = SNAPSHOTS,
) -> Iterator[str]:
    """Ship the weights that a run of ``python -m model.training`` with --keep kept on the way.

    Every snapshot is measured as it ships, in eight bits, on the dev captions that had no part in the training: the
    loss, the BLEU of greedy translations, and how well each head of cross-attention aligns words.
    """
    use_one_thread()
    history, steps = committed_history(run), kept_steps(run)
    if not history or not steps:
        raise ValueError(f"{run} kept no weights; train it with --keep STEP …")
    finished_history(run)
    training = translation_training(history[-1]["training"])
    data = training.data
    split = load_split(data.corpora, data.n_dev, dev_corpus=data.dev_corpus, data_dir=data_dir)
    pairs, tokenizer = split.dev[data.n_validated :], Tokenizer.load(run / TOKENIZER)
    aligned = aligned_pairs(split, pairs, tokenizer)
    weights = {step: load_state(kept_path(run, step))["weights"] for step in steps}
    snapshots = [
        {"step": step, **measures(whole, training, tokenizer, pairs, aligned)} for step, whole in weights.items()
    ]

    def entries(_: Path) -> Iterator[dict[str, Any]]:
        yield {
            "n_parameters": n_parameters(weights[steps[0]].values()),
            "training": training_entries(training),
            "history": history_entries(history),
            "snapshots": snapshots,
            "sentences": len(pairs),
            "aligned_words": sum(len(pair.links) for pair in aligned),
            "commit": commit(),
            "command": command_line("snapshots", "--run", f"runs/{run.name}"),
        }

    files: Files = {
        **{weights_name(step): partial(save_file, quantized(whole)) for step, whole in weights.items()},
        CONFIG: config_to_json(training.model).encode(),
        TOKENIZER: tokenizer.serialized,
    }
    ship(folder, files=files, entries=entries, card=partial(_card, training))
    for one in snapshots:
        yield f"{one['step']}: loss {one['loss']}, BLEU {one['bleu']} ({one['bleu_of_32_bits']:.2f} in 32 bits)"
    yield str(folder)


def measures(
    weights: Mapping[str, Tensor],
    training: TranslationTraining,
    tokenizer: Tokenizer,
    pairs: Sequence[Pair],
    aligned: Sequence[_AlignedPair],
) -> dict[str, Any]:
    """Return the loss, the BLEU and the alignment of a model in eight bits, as a ``Snapshot`` names them.

    With them comes the BLEU of its ``weights`` as they are, in 32 bits.
    """
    data = training.data
    model, whole = (_model(training, each) for each in (dequantized(quantized(weights)), weights))
    loss = pair_loss(
        Translator(model, tokenizer),
        pairs,
        max_length=data.max_length,
        tokens_per_batch=data.tokens_per_batch,
        seed=training.seed,
    )
    return {
        "loss": round(loss, 4),
        "bleu": round(greedy_bleu(model, tokenizer, pairs, data.target_language), 2),
        "alignment": [[round(share, 4) for share in layer] for layer in alignment(model, aligned).tolist()],
        "bleu_of_32_bits": round(greedy_bleu(whole, tokenizer, pairs, data.target_language), 2),
    }


def _model(training: TranslationTraining, weights: Mapping[str, Tensor]) -> EncoderDecoder:
    model = EncoderDecoder(training.model)
    model.load_state_dict(weights)
    return model.eval()


def _card(
    training: TranslationTraining,
    metrics: Mapping[str, Any],
) -> str:
    data, model, snapshots = training.data, training.model, metrics["snapshots"]
    corpus, dev = PARALLEL_CORPORA[data.corpus], PARALLEL_CORPORA[data.dev_corpus or data.corpus]
    steps = " ".join(str(one["step"]) for one in snapshots)
    rows = "\n".join(
        f"| {one['step']:,} | {one['loss']:.2f} | {one['bleu']:.1f} | {one['bleu_of_32_bits']:.1f} | "
        f"{max(map(max, one['alignment'])):.2f} |"
        for one in snapshots
    )
    trained_by = ", then ".join(
        f"commit `{part['commit']}` from step {part['from_step']:,}" for part in metrics["history"]
    )
    return f"""# as-it-learned

{data.source_language} to {data.target_language} after {len(snapshots)} numbers of steps of one run:
{model.n_encoder_layers} + {model.n_decoder_layers} layers of {model.n_heads} heads, d_model {model.d_model}, d_ff
{model.d_ff}, {model.vocabulary_size:,} pieces, plain cross-entropy. The translator of captions that ships,
`translation-en-de-multi30k`, is larger and learned from teachers as well; this run shows the same task from nothing.

| steps | loss | BLEU, greedy | the same in 32 bits | best head's alignment |
|---|---|---|---|---|
{rows}

Measured on {metrics["sentences"]} captions of {dev.title}, none of which was trained on.
Matrices ship as int8 with a scale of each row. The alignment is the share of the word links of IBM Model 1 that a
head's largest weights find.

**Data.** {corpus.title}, {corpus.address}. {corpus.licence}.
The weights derive from them; keep this attribution with them.

**Training.** `python -m model.training model/training/translation/configurations/as-it-learned.toml --keep {steps}`,
seed {training.seed}. Code: {trained_by}.
"""


def aligned_pairs(split: Split, pairs: Sequence[Pair], tokenizer: Tokenizer) -> list[_AlignedPair]:
    """Return those of ``pairs`` that have links, which IBM Model 1 learns from the training pairs and from these."""
    every = [*split.train, *pairs]
    encoded = [(tokenizer.encode(pair.source), tokenizer.encode(pair.target)) for pair in every]
    words = [tuple(map(tokenizer.words, both)) for both in encoded]
    texts = [[[word.text.lower() for word in sides[side]] for sides in words] for side in (0, 1)]
    links = align(texts[0], texts[1])
    all_aligned = [
        _AlignedPair(*both, _spans(sides[0]), _spans(sides[1]), frozenset(linked))
        for both, sides, linked in zip(encoded, words, links, strict=True)
    ]
    return [pair for pair in all_aligned[len(split.train) :] if pair.links]


def alignment(model: EncoderDecoder, aligned: Sequence[_AlignedPair]) -> Float64[np.ndarray, "layer head"]:
    """Return the share of links that each head finds by its largest weight."""
    n_linked = np.zeros((model.config.n_decoder_layers, model.config.n_heads))
    for pair in aligned:
        for layer, heads in enumerate(_maps(model, pair)):
            for head, rows in enumerate(heads):
                weights = word_weights(at_step(rows, "output"), pair.target_words, pair.source_words)
                n_linked[layer, head] += len(links_of(weights) & pair.links)
    return n_linked / sum(len(pair.links) for pair in aligned)


def _maps(model: EncoderDecoder, pair: _AlignedPair) -> Iterator[np.ndarray]:
    """Yield the maps [head, row, source token] of every layer; the rows read BOS and the reference."""
    config = model.config
    source, read = torch.tensor([[*pair.source, config.eos_id]]), torch.tensor([[config.bos_id, *pair.target]])
    with torch.inference_mode(), record("decoder.*.cross_attention.pattern") as seen:
        model(source, read)
    for layer in range(config.n_decoder_layers):
        yield seen[f"decoder.{layer}.cross_attention.pattern"][0].numpy()


def _spans(words: Sequence[Word]) -> list[Span]:
    return [(word.start, word.end) for word in words]
