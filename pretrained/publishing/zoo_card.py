"""The card of the zoo: what ships, from which data, by which command, how well it does."""

from collections.abc import Sequence

import pandas as pd

from model.tasks import find
from model.zoo.evaluate import LEARNED
from pretrained.zoo import ZooModel

_CARD = """# The zoo of length generalization

{n_models} causal decoders of {smallest:,} to {largest:,} parameters ({n_layers} layers of {n_heads} heads,
d_model {d_model}), alike but for their positional encoding: each learned one algorithmic task on short inputs and was
measured on longer ones.

**Data.** Drawn by the generators in `model/tasks`, the same for a seed; nothing is copied from elsewhere. No input is
both trained on and tested on. The protocol is that of Kazemnejad et al. 2023 (arXiv:2305.19466), much smaller.

**Licence.** Apache-2.0, as the code.

**Training.** `python -m model.training.zoo`, seed {seeds}; the checkpoint with the most held-out inputs of trained
lengths right, in half precision. `results.parquet` holds every run's configuration, seed, commit and measurements.
Code: {commits}.

**Scores.** Exact match by greedy decoding, on held-out inputs of trained lengths. Below {learned:g} a model counts as
not trained.

| task | trained on | models | exact match, least to most | not trained |
|---|---|---|---|---|
{rows}

**Use.** To see where models of each encoding fail past the lengths they were trained on. They can do nothing else.
"""


def zoo_card(models: Sequence[ZooModel], results: pd.DataFrame) -> str:
    """Return the card of ``models``, of which ``results`` tell the scores.

    Raises:
        ValueError: no models.
    """
    if not models:
        raise ValueError("there are no models to write a card of")
    shipped = {(model.run.task, model.run.encoding, model.run.seed) for model in models}
    best = results[results.checkpoint == "best"].drop_duplicates(["task", "encoding", "seed"])
    ours = best[[key in shipped for key in zip(best.task, best.encoding, best.seed, strict=True)]]
    config = models[0].run.model
    return _CARD.format(
        n_models=len(models),
        smallest=ours.n_parameters.min(),
        largest=ours.n_parameters.max(),
        n_layers=config.n_layers,
        n_heads=config.n_heads,
        d_model=config.d_model,
        seeds=", ".join(map(str, sorted(set(ours.seed)))),
        commits=", ".join(f"`{commit}`" for commit in sorted(set(ours.commit))),
        learned=LEARNED,
        rows="\n".join(_row(str(task), rows) for task, rows in ours.groupby("task", sort=False)),
    )


def _row(task: str, rows: pd.DataFrame) -> str:
    described, values = find(task).description, rows.validation_exact_match
    failed = rows[values < LEARNED]
    named = ", ".join(f"{row.encoding} ({row.validation_exact_match:.2f})" for row in failed.itertuples()) or "–"
    low, high = described.train_lengths
    lengths = f"{low} to {high} {described.unit}"
    return f"| {described.title} | {lengths} | {len(rows)} | {values.min():.2f} to {values.max():.2f} | {named} |"
