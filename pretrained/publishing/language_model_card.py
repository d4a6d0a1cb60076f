"""The card of a shipped language model, written from what was configured and measured."""

from collections.abc import Mapping, Sequence
from typing import Any

from model.data.corpora import TEXT_CORPORA
from model.training.language_model.config import LanguageModelTraining

_CARD = """# {name}

A language model of characters with {n_parameters:.1f} M parameters: {n_layers} layers of {n_heads} heads, d_model
{d_model}, d_ff {d_ff}, {norm}-norm, {positional} positions, read in segments of {segment_length} characters with a
memory of {mem_len} positions (Dai et al. 2019; 0 cuts the segments apart).

**Data.** {data}

**Training.** `python -m model.training model/training/language_model/configurations/{configuration}.toml
--seed {seed}`, {n_steps:,} steps of {n_streams} streams, the {loss} loss; the weights are of step {step:,}, the best on
{n_validated:,} characters of the validation part. Code: {history}.

**Scores.** {bits:.4f} bits per character on {n_counted:,} characters of the test part, read as in training, with the
weights as they ship, by `{command}`.

**Use.** To be looked into. What it writes is in the manner of its one book, and its statements are invented.
"""


def language_model_card(name: str, training: LanguageModelTraining, metrics: dict[str, Any]) -> str:
    """Return the card of the model ``name`` in Markdown; ``metrics`` is what its metrics file holds."""
    corpus = TEXT_CORPORA.get(training.data.corpus)
    # The path of another text says nothing on another machine.
    data = f"{corpus.title}, {corpus.address}. {corpus.licence}." if corpus else "A text file of its trainer's own."
    model = training.model_config(metrics["vocabulary_size"])
    return _CARD.format(
        name=name,
        configuration=name,
        data=f"{data} The last twentieth is the test part, the one before it the validation part.",
        n_parameters=metrics["n_parameters"] / 1e6,
        n_layers=model.n_layers,
        n_heads=model.n_heads,
        d_model=model.d_model,
        d_ff=model.d_ff,
        norm=model.norm,
        positional=model.positional.name,
        segment_length=training.data.segment_length,
        mem_len=training.data.mem_len,
        seed=training.seed,
        n_steps=training.schedule.n_steps,
        n_streams=training.data.n_streams,
        loss=training.loss.counted,
        step=metrics["step"],
        n_validated=training.data.n_validated,
        history=_history(metrics["history"], metrics["step"]),
        bits=metrics["test"]["bits_per_character"],
        n_counted=metrics["test"]["n_counted"],
        command=metrics["test"]["command"],
    )


def _history(parts: Sequence[Mapping[str, Any]], last_step: int) -> str:
    """Return which commit took which steps, and the length of its schedule; the last ends with the best weights."""
    ends = [*(part["from_step"] for part in parts[1:]), last_step]
    return ", then ".join(
        f"commit `{part['commit']}`, steps {part['from_step']:,} to {end:,} on a schedule of {part['n_steps']:,}"
        for part, end in zip(parts, ends, strict=True)
    )
