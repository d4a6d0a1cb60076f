"""Ship the weights that a run of a translator kept on the way: a translator as it learned.

``python -m pretrained.publishing.publish_snapshots --run runs/as-it-learned``.

The run is one of ``python -m model.training`` with ``--keep``. Every snapshot is measured as it ships, in eight bits,
on the dev captions that had no part in the training: the loss, the BLEU of greedy translations, and how well each head
of cross-attention aligns words.
"""

import argparse
import hashlib
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor

from model.architectures.encoder_decoder import EncoderDecoder
from model.checkpoint import load_state
from model.config import config_to_json
from model.data.corpora import PARALLEL_CORPORA
from model.data.loading import DATA_DIR_VARIABLE, CorpusMissingError, Pair, load_split
from model.decoding.translator import Translator
from model.device import use_one_thread
from model.text.tokenizer import Tokenizer
from model.training.history import commit, read_history
from model.training.kept_weights import kept_path, kept_steps
from model.training.loss import TokenLoss, sequence_loss
from model.training.translation.batches import Batch, BucketedBatches, encode_pairs
from model.training.translation.config import TranslationTraining, translation_training
from model.training.translation.score import mean_cross_entropy
from model.training.translation.trainer import greedy_bleu
from pretrained.publishing.caption_alignment import AlignedPair, aligned_pairs, alignment
from pretrained.publishing.metrics import write_metrics
from pretrained.quantization import dequantized, quantized
from pretrained.snapshots import SNAPSHOTS, weights_name
from pretrained.translators import CARD, CONFIG, METRICS, TOKENIZER


def publish(run: Path, *, data_dir: Path | None, folder: Path = SNAPSHOTS) -> Path:
    """Write every snapshot that ``run`` kept, with what was measured of it, to ``folder``, and return that.

    Raises:
        CorpusMissingError: the captions are not in ``data_dir``.
        ValueError: the run kept nothing, or was trained by code that no commit holds.
    """
    history, steps = read_history(run), kept_steps(run)
    if not history or not steps:
        raise ValueError(f"{run} kept no weights; train it with --keep STEP …")
    if any(segment["commit"].endswith("-dirty") for segment in history):
        raise ValueError(f"files were changed since the commit that trained {run}; train it anew")
    training = translation_training(history[-1]["training"])
    data = training.data
    split = load_split(data.corpora, data.n_dev, dev_corpus=data.dev_corpus, data_dir=data_dir)
    pairs, tokenizer = split.dev[data.n_validated :], Tokenizer.load(run / TOKENIZER)
    aligned = aligned_pairs(split, pairs, tokenizer)
    draft = folder.with_name(f"{folder.name}.unfinished")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    shutil.copyfile(run / TOKENIZER, draft / TOKENIZER)
    (draft / CONFIG).write_text(config_to_json(training.model), encoding="utf-8")
    snapshots = []
    for step in steps:
        weights = load_state(kept_path(run, step))["weights"]
        stored = quantized(weights)
        save_file(stored, draft / weights_name(step))
        measured = measures(dequantized(stored), training, tokenizer, pairs, aligned)
        whole = Translator(_model(training, weights), tokenizer)
        bleu = greedy_bleu(whole.model, tokenizer, pairs, data.target_language)
        snapshots.append({"step": step, **measured, "bleu_of_32_bits": round(bleu, 2)})
        sys.stdout.write(f"{step}: loss {measured['loss']}, BLEU {measured['bleu']} ({bleu:.2f} in 32 bits)\n")
    names = (*map(weights_name, steps), CONFIG, TOKENIZER)
    write_metrics(
        draft / METRICS,
        sha256={name: hashlib.sha256((draft / name).read_bytes()).hexdigest() for name in names},
        n_parameters=sum(tensor.numel() for tensor in weights.values()),
        training={key: value for key, value in history[-1]["training"].items() if key != "model"},
        history=[{key: value for key, value in segment.items() if key != "training"} for segment in history],
        snapshots=snapshots,
        sentences=len(pairs),
        aligned_words=sum(len(pair.links) for pair in aligned),
        commit=commit(),
        command=f"python -m pretrained.publishing.publish_snapshots --run runs/{run.name}",
    )
    (draft / CARD).write_text(_card(training, history, snapshots, len(pairs)), encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    return draft.rename(folder)


def measures(
    weights: Mapping[str, Tensor],
    training: TranslationTraining,
    tokenizer: Tokenizer,
    pairs: Sequence[Pair],
    aligned: Sequence[AlignedPair],
) -> dict[str, Any]:
    """Return the loss, the BLEU and the alignment of a model, as :class:`~pretrained.snapshots.Snapshot` names them."""
    model, data = _model(training, weights), training.data
    encoded = encode_pairs(pairs, tokenizer, max_length=data.max_length)
    batches = BucketedBatches(encoded, tokens_per_batch=data.tokens_per_batch, seed=training.seed)

    def cross_entropy(batch: Batch) -> TokenLoss:
        return sequence_loss(model, batch.source, batch.target, label_smoothing=0.0)

    with torch.inference_mode():
        loss = mean_cross_entropy(cross_entropy, batches.epoch(0), torch.device("cpu"))
    return {
        "loss": round(loss, 4),
        "bleu": round(greedy_bleu(model, tokenizer, pairs, data.target_language), 2),
        "alignment": [[round(share, 4) for share in layer] for layer in alignment(model, aligned).tolist()],
    }


def _model(training: TranslationTraining, weights: Mapping[str, Tensor]) -> EncoderDecoder:
    model = EncoderDecoder(training.model)
    model.load_state_dict(weights)
    return model.eval()


def _card(
    training: TranslationTraining,
    history: Sequence[Mapping[str, Any]],
    snapshots: Sequence[Mapping[str, Any]],
    n_sentences: int,
) -> str:
    data, model = training.data, training.model
    corpus, dev = PARALLEL_CORPORA[data.corpus], PARALLEL_CORPORA[data.dev_corpus or data.corpus]
    steps = " ".join(str(one["step"]) for one in snapshots)
    rows = "\n".join(
        f"| {one['step']:,} | {one['loss']:.2f} | {one['bleu']:.1f} | {one['bleu_of_32_bits']:.1f} | "
        f"{max(map(max, one['alignment'])):.2f} |"
        for one in snapshots
    )
    trained_by = ", then ".join(f"commit `{part['commit']}` from step {part['from_step']:,}" for part in history)
    return f"""# as-it-learned

{data.source_language} to {data.target_language} after {len(snapshots)} numbers of steps of one run:
{model.n_encoder_layers} + {model.n_decoder_layers} layers of {model.n_heads} heads, d_model {model.d_model}, d_ff
{model.d_ff}, {model.vocabulary_size:,} pieces, plain cross-entropy. The translator of captions that ships,
`translation-en-de-multi30k`, is larger and learned from teachers as well; this run shows the same task from nothing.

| steps | loss | BLEU, greedy | the same in 32 bits | best head's alignment |
|---|---|---|---|---|
{rows}

Measured on {n_sentences} captions of {dev.title}, none of which was trained on.
Matrices ship as int8 with a scale of each row. The alignment is the share of the word links of IBM Model 1 that a
head's largest weights find.

**Data.** {corpus.title}, {corpus.address}. {corpus.licence}.
The weights derive from them; keep this attribution with them.

**Training.** `python -m model.training model/training/translation/configurations/as-it-learned.toml --keep {steps}`,
seed {training.seed}. Code: {trained_by}.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Publish what the arguments name; return the process's exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m pretrained.publishing.publish_snapshots", description=(__doc__ or "").splitlines()[0]
    )
    default = Path("runs/as-it-learned")
    parser.add_argument("--run", type=Path, default=default, help=f"folder of the run (default: {default})")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the corpora (else ${DATA_DIR_VARIABLE})")
    given = parser.parse_args(arguments)
    use_one_thread()
    try:
        folder = publish(given.run, data_dir=given.data_dir)
    except (OSError, ValueError, CorpusMissingError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
