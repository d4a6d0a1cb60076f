"""What a GPU makes of translating and of training, beside transformers on the same weights and the same batches.

    python -m benchmarks.gpu [--data-dir FOLDER] [--turns 3] [--run FOLDER]

Without a GPU it says so and measures nothing. First the translations of the GPU are held against those of the CPU, with
all maps. Then it prints sentences a second of the translator of captions, ours and that of ``generate``; milliseconds
of one sentence with every map; target tokens a second in training, ours and transformers' Pegasus of the same shape,
as they are and compiled; and with ``--run`` what a whole run of ``ablation.toml`` takes and comes to. Rates are the
best of all turns. Needs the test requirements, and the corpora of Multi30k (docs/training.md).
"""

import dataclasses
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from itertools import cycle, islice
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from benchmarks.command import parser_of, run_command
from benchmarks.translation_peers import as_transformers, translate_with_transformers
from model.architectures.encoder_decoder import EncoderDecoder
from model.data.loading import load_parallel, load_split
from model.decoding.options import DecodingOptions
from model.text.padding import pad
from model.text.tokenizer import PAD_ID, Tokenizer
from model.training.kinds import load_training
from model.training.loop import LoopOptions, Trainer
from model.training.loss import sequence_loss
from model.training.translation import trainer as translation
from model.training.translation.batches import Batch, BucketedBatches, encode_pairs
from model.training.translation.config import TranslationTraining
from model.training.translation.finished import load_finished
from model.training.translation.score import bleu_for
from pretrained import load_translator

NAME = "translation-en-de-multi30k"
CONFIGURATION = Path(__file__).parents[1] / "model/training/translation/configurations/ablation.toml"
TEST, VALIDATION = "multi30k-test-2016-eng-deu", "multi30k-val-eng-deu"
N_COMPARED, N_TRANSLATED, BATCH = 100, 1000, 64
SENTENCE = "A man in a red shirt is sitting on a bench and reading."
TOKENS_PER_BATCH = (2_048, 25_000)
PRECISIONS = {"float32": torch.float32, "bfloat16": torch.bfloat16}
# So many that every shape of the batches has been seen.
WARM_UP_STEPS, TIMED_STEPS = 60, 40
_MAX_LENGTH = 128


def compare(captions: Sequence[str]) -> None:
    """Print how many translations are those of the CPU, and how far the maps of one differ."""
    there, here = (load_translator(NAME, device) for device in ("cuda", "cpu"))
    for beam_size in (1, 4):
        options = DecodingOptions(beam_size=beam_size)
        pairs = zip(
            there.translate_all(captions, options, as_typed=True),
            here.translate_all(captions, options, as_typed=True),
            strict=True,
        )
        print(f"beam {beam_size}: {sum(one == other for one, other in pairs)} of {len(captions)} as on the CPU")
    maps, expected = (translator.translate(SENTENCE).patterns for translator in (there, here))
    print(f"maps: at most {max(abs(maps[name] - expected[name]).max() for name in expected):.1e} apart")


def translate(captions: Sequence[str], turns: int) -> None:
    """Print sentences a second, ours and those of transformers, by beam and precision; and one sentence's time."""
    ours = load_translator(NAME, "cuda")
    sources = sorted(([*ours.tokenizer.encode(text), ours.model.config.eos_id] for text in captions), key=len)
    batches = [pad(sources[first : first + BATCH]).cuda() for first in range(0, len(sources), BATCH)]
    for beam_size in (1, 4):
        options = DecodingOptions(beam_size=beam_size)
        rate = len(captions) / best(lambda options=options: ours.translate_all(captions, options, as_typed=True), turns)
        print(f"beam {beam_size}, ours, float32: {rate:,.0f} sentences a second")
        for name, dtype in PRECISIONS.items():
            theirs = as_transformers(load_translator(NAME, "cpu").model).to("cuda", dtype)
            rate = len(captions) / best(lambda theirs=theirs, beam=beam_size: _generate(theirs, batches, beam), turns)
            print(f"beam {beam_size}, transformers, {name}: {rate:,.0f} sentences a second")
    seconds = best(lambda: ours.translate(SENTENCE), 5 * turns)
    print(f"one sentence, beam {ours.options.beam_size}, every map: {1000 * seconds:.1f} ms")


def _generate(engine: nn.Module, batches: Iterable[Tensor], beam_size: int) -> None:
    for sources in batches:
        translate_with_transformers(engine, sources, beam_size, sources.shape[1] + DecodingOptions().max_extra_length)


def best(call: Callable[[], object], turns: int) -> float:
    """Return the least seconds of ``turns`` calls, after one for warmth."""
    seconds = []
    for _ in range(turns + 1):
        torch.cuda.synchronize()
        start = time.perf_counter()
        call()
        torch.cuda.synchronize()
        seconds.append(time.perf_counter() - start)
    return min(seconds[1:])


def train(data_dir: Path | None) -> None:
    """Print target tokens a second of training: ours by its own trainer, theirs by a loop of the same steps."""
    training = load_training(CONFIGURATION)
    assert isinstance(training, TranslationTraining)
    data = training.data
    split = load_split(data.corpora, data.n_dev, dev_corpus=data.dev_corpus, data_dir=data_dir)
    texts = (sentence for pair in split.train for sentence in (pair.source, pair.target))
    tokenizer = Tokenizer.train(texts, training.model.vocabulary_size)
    encoded = encode_pairs(split.train, tokenizer, max_length=data.max_length)
    for tokens_per_batch in TOKENS_PER_BATCH:
        source = BucketedBatches(encoded, tokens_per_batch=tokens_per_batch, seed=1)
        batches = list(islice(cycle(source.epoch(0)), WARM_UP_STEPS + TIMED_STEPS))
        for precision in PRECISIONS:
            for is_compiled in (False, True):
                for name, timed in (("ours", _ours), ("Pegasus", _pegasus)):
                    torch.manual_seed(1)
                    torch.compiler.reset()
                    model = EncoderDecoder(training.model).cuda().train()
                    try:
                        rate = timed(model, batches, precision, is_compiled=is_compiled, training=training)
                    except (RuntimeError, torch.cuda.OutOfMemoryError) as error:
                        print(f"{name} failed: {str(error).splitlines()[0]}")
                        continue
                    how = "compiled" if is_compiled else "eager"
                    print(
                        f"{tokens_per_batch:,} a batch, {precision}, {how}, {name}: {rate:,.0f} tokens a second",
                        flush=True,
                    )


class _Fixed:
    """Batches that are there already."""

    def __init__(self, batches: Sequence[Batch]) -> None:
        self._batches = batches

    def epoch(self, number: int, *, start: int = 0) -> Iterable[Batch]:
        del number
        return iter(self._batches[start:])


def _ours(
    model: EncoderDecoder, batches: Sequence[Batch], precision: str, *, is_compiled: bool, training: TranslationTraining
) -> float:
    if is_compiled:
        model.encode = torch.compile(model.encode, dynamic=True)
        model.decode_hidden = torch.compile(model.decode_hidden, dynamic=True)
    clock = _Clock(batches)
    # One step more than there are batches: what is done at the end of a run is not timed.
    trainer = Trainer(
        model=model,
        batches=_Fixed(batches),
        loss=lambda batch: sequence_loss(
            model, batch.source, batch.target, label_smoothing=training.loss.label_smoothing
        ),
        rate=partial(training.schedule.rate, d_model=training.model.d_model),
        validate=lambda: {"score": 0.0},
        options=LoopOptions(
            n_steps=len(batches) + 1,
            gradient_clip=training.schedule.gradient_clip,
            precision=precision,
            validation=dataclasses.replace(training.validation, validate_every=10**6),
        ),
        folder=Path(tempfile.mkdtemp()),
        device=torch.device("cuda"),
    )
    trainer.run(lambda _: clock.tick())
    return clock.rate


def _pegasus(
    model: EncoderDecoder, batches: Sequence[Batch], precision: str, *, is_compiled: bool, training: TranslationTraining
) -> float:
    theirs = as_transformers(model).cuda().train()
    call = torch.compile(theirs, dynamic=True) if is_compiled else theirs
    optimizer = torch.optim.Adam(theirs.parameters(), lr=1e-4, betas=(0.9, 0.98), eps=1e-9, fused=True)
    clock = _Clock(batches)
    precise: Callable[[], AbstractContextManager[object]] = (
        partial(torch.autocast, "cuda", torch.bfloat16) if precision == "bfloat16" else nullcontext
    )
    for batch in batches:
        source, target = batch.source.cuda(), batch.target.cuda()
        with precise():
            logits = call(
                input_ids=source,
                attention_mask=(source != PAD_ID).long(),
                decoder_input_ids=target[:, :-1],
                use_cache=False,
            ).logits
            loss = F.cross_entropy(
                logits.flatten(0, 1),
                target[:, 1:].flatten(),
                ignore_index=PAD_ID,
                label_smoothing=training.loss.label_smoothing,
            )
        loss.backward()
        nn.utils.clip_grad_norm_(theirs.parameters(), training.schedule.gradient_clip)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        clock.tick()
    return clock.rate


class _Clock:
    """Times the steps over ``batches``, but for the first ones."""

    def __init__(self, batches: Sequence[Batch]) -> None:
        self._n_tokens = sum(int((batch.target[:, 1:] != PAD_ID).sum()) for batch in batches[WARM_UP_STEPS:])
        self._n, self._last = 0, len(batches)
        self._start = self._end = 0.0

    def tick(self) -> None:
        """Count a step."""
        self._n += 1
        if self._n in (WARM_UP_STEPS, self._last):
            torch.cuda.synchronize()
            self._start, self._end = self._end or time.perf_counter(), time.perf_counter()

    @property
    def rate(self) -> float:
        """Target tokens a second."""
        return self._n_tokens / (self._end - self._start)


def run(folder: Path, data_dir: Path | None) -> None:
    """Print the seconds of a whole run of the configuration, and its BLEU on the validation captions."""
    training = load_training(CONFIGURATION)
    assert isinstance(training, TranslationTraining)
    start = time.perf_counter()
    trainer = translation.translation_trainer(training, folder=folder, device=torch.device("cuda"), data_dir=data_dir)
    trainer.run(lambda _: None)
    seconds = time.perf_counter() - start
    pairs = load_parallel(VALIDATION, data_dir)[training.data.n_validated :]
    translator = load_finished(folder, torch.device("cuda")).translator
    written = translator.translate_all([pair.source for pair in pairs], DecodingOptions(beam_size=4), as_typed=True)
    score = bleu_for("German").corpus_score(written, [[pair.target for pair in pairs]]).score
    print(f"{training.schedule.n_steps:,} steps: {seconds:.0f} s; BLEU on {len(pairs)} captions, beam 4: {score:.2f}")


def main() -> int:
    """Print all of it."""
    parser = parser_of(__file__, __doc__)
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--run", type=Path, metavar="FOLDER", help="train ablation.toml there, too")
    given = parser.parse_args()
    if not torch.cuda.is_available():
        print("There is no GPU here: nothing was measured.", file=sys.stderr)
        return 1
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}")
    captions = [pair.source for pair in load_parallel(TEST, given.data_dir)[:N_TRANSLATED]]
    compare(captions[:N_COMPARED])
    translate(captions, given.turns)
    train(given.data_dir)
    if given.run:
        run(given.run, given.data_dir)
    return 0


if __name__ == "__main__":
    run_command(main)
