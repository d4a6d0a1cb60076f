"""Ship a translator, with its card."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from model.checkpoint import load_state, n_parameters, save_weights
from model.config import config_to_json
from model.data.corpora import PARALLEL_CORPORA
from model.training.history import corpora_of
from model.training.translation.config import (
    Teacher,
    TranslationTraining,
    load_translation_training,
    translation_training,
)
from pretrained.publishing.command import Configuration, DataDir, Device, Run, command, run_folder
from pretrained.publishing.shipping import (
    check_configuration,
    finished_history,
    ship,
    training_entries,
    written_bleu,
)
from pretrained.publishing.translator_measures import MEASURES
from pretrained.translators import CARD, CONFIG, FOLDER, TOKENIZER, WEIGHTS

_CARD = """# {name}

{source_language} to {target_language}, an encoder–decoder as in "Attention Is All You Need" with {n_parameters:.1f} M
parameters: {encoder} + {decoder} layers of {heads} heads, d_model {d_model}, d_ff {d_ff}, {norm}-norm, {positional}
positions.

**Data.** {data}{taught}{weighed} The weights derive from them; keep this attribution with them.

**Training.** {begun}`{command_of_training}`, seed {seed}, {n_steps} steps; {which} at step {step}, the
best on {n_validated} dev sentences{since}. Code: {history}.

**Scores.** sacreBLEU {bleu} and chrF {chrf} on {sentences:,} other dev sentences, {apart},
beam {beam_size}, length penalty {length_penalty}, one reference each, cased and detokenised, by `{command}`.
Signatures: `{sacrebleu_signature}`, `{chrf_signature}`.

**Use.** Short sentences of the kind trained on. Rare words, long or technical sentences come out wrong, fluently.
"""

_BEGUN = (
    "Begun with the layers of `{parent}` and the embeddings of their common pieces "
    "(`warm_start` of `pretrained.publishing`), then "
)
_UNSEEN = "whose source and target are in no training pair"
_UNSEEN_BY_IT = f"{_UNSEEN} of its own (a source may be in one of the other language that it began with)"
_TAUGHT = " Learned from as well: what earlier runs made of the same pairs, {teachers}."


_WEIGHED = " Learned from as well: what `{candidates}` made of the same sources, weighed by sentence BLEU."


@command("translator")
def ship_translator(
    configuration: Configuration, *, run: Run = None, data_dir: DataDir = None, device: Device = None
) -> str:
    """Ship the best weights of a translator's run, with tokenizer, metrics and card."""
    configured, name = load_translation_training(configuration), configuration.stem
    folder = run_folder(run, name)
    history, best = finished_history(folder), load_state(folder / "best.pt")
    training = translation_training(history[-1]["training"])
    check_configuration(folder, training, configured, configuration)
    command_of_training = f"python -m model.training {configuration.as_posix()}"
    if training.seed != configured.seed:
        command_of_training += f" --seed {training.seed}"

    def entries(draft: Path) -> Iterator[dict[str, Any]]:
        yield {
            "n_parameters": n_parameters(best["weights"].values()),
            "step": best["step"],
            "averaged": best["averaged"],
            "training": training_entries(training),
            "history": [_shipped_part(part) for part in history],
        }
        for entry, measure in MEASURES.items():
            measured = measure(draft.name, data_dir=data_dir, device=device)
            yield {entry: measured | {"command": measured["command"].replace(draft.name, name)}}

    shipped = ship(
        FOLDER / name,
        files={
            WEIGHTS: partial(save_weights, best["weights"]),
            CONFIG: config_to_json(training.model).encode(),
            TOKENIZER: (folder / TOKENIZER).read_bytes(),
        },
        entries=entries,
        card=lambda metrics: card_text(name, training, command_of_training, metrics),
    )
    return (shipped / CARD).read_text(encoding="utf-8").rstrip("\n")


def _shipped_part(part: Mapping[str, Any]) -> dict[str, Any]:
    """Return what ships of a part of a run's history; a part that a shipped model brought along stays as it is."""
    kept = {key: part[key] for key in ("from_step", "commit", "torch", "parent") if key in part}
    return kept | ({"corpora": corpora} if (corpora := corpora_of(part)) else {})


def card_text(name: str, training: TranslationTraining, command_of_training: str, metrics: dict[str, Any]) -> str:
    """Return the card of the model ``name`` in Markdown.

    Args:
        name: of its folder.
        training: what it was trained by.
        command_of_training: what trains it again.
        metrics: the content of its metrics file, dev scores included.
    """
    model, data, augment = training.model, training.data, training.augment
    earlier = (corpus for part in metrics["history"] for corpus in part.get("corpora", ()))
    names = dict.fromkeys((*data.corpora, *earlier))
    corpora = [PARALLEL_CORPORA[corpus] for corpus in names]
    parents = [part["parent"] for part in metrics["history"] if "parent" in part]
    n_averaged = metrics["averaged"]
    dev_corpus = PARALLEL_CORPORA.get(data.dev_corpus)
    return _CARD.format(
        name=name,
        source_language=data.source_language,
        target_language=data.target_language,
        n_parameters=metrics["n_parameters"] / 1e6,
        encoder=model.n_encoder_layers,
        decoder=model.n_decoder_layers,
        heads=model.n_heads,
        d_model=model.d_model,
        d_ff=model.d_ff,
        norm=model.norm,
        positional=model.positional.name,
        data=" ".join(f"{corpus.title}, {corpus.address}. {corpus.licence}." for corpus in corpora),
        taught=_TAUGHT.format(teachers=", ".join(map(_named, augment.teachers))) if augment.teachers else "",
        weighed=_WEIGHED.format(candidates=training.loss.mrt_candidates) if training.loss.mrt_candidates else "",
        begun="".join(_BEGUN.format(parent=parent) for parent in parents),
        command_of_training=command_of_training,
        seed=training.seed,
        n_steps=training.schedule.n_steps,
        apart=f"of {dev_corpus.title}" if dev_corpus else _UNSEEN_BY_IT if parents else _UNSEEN,
        which="the newest weights" if n_averaged == 1 else f"the mean of the last {n_averaged} checkpoints",
        step=metrics["step"],
        n_validated=data.n_validated,
        since=f" from step {training.validation.select_from_step:,} on" if training.validation.select_from_step else "",
        history=", then ".join(
            f"commit `{part['commit']}` from step {part['from_step']}"
            for part in metrics["history"]
            if "parent" not in part
        ),
        bleu=written_bleu(metrics["dev"]),
        **metrics["dev"],
    )


def _named(teacher: Teacher) -> str:
    runs = (teacher,) if isinstance(teacher, str) else teacher
    return f"`{' + '.join(runs)}`"
