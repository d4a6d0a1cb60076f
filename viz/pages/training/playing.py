"""Recorded runs as the player shows them, and the files that its menu offers."""

from collections.abc import Collection, Sequence
from functools import partial

from model.tasks import find
from model.zoo.recording import TrainingRecording
from viz.base.words import page_text
from viz.pages.training.components.player import PlayerRun
from viz.pages.training.study.curves import curves_of
from viz.pages.training.study.exported import frames_as_npz, models_as_zip, numbers_as_parquet, scores_as_csv
from viz.pages.training.study.maps_gif import maps_as_gif
from viz.shell.page import theme
from viz.shell.picture import File

TEXT = page_text("pages/training/playing")
PLOTS = ("loss", "held out", "longer", "induction", "gradient norm")
_OF_SMOOTHING = ("loss", "held out", "held out loss", "confidence", "longer")
_OF_ONE_LENGTH = ("loss", "accuracy", "held out", "held out loss", "weight norm")
_WORDS = (
    *("play", "pause", "slider", "step", "title", "head", "cell", "masked", "score previous"),
    *("score induction", "bias", "bias at", "similarity", "similar", *PLOTS, *_OF_SMOOTHING, *_OF_ONE_LENGTH),
)


def player_words() -> dict[str, str]:
    """Return what the player says."""
    return {name: TEXT[name] for name in _WORDS}


def plots_of(runs: Sequence[TrainingRecording]) -> tuple[str, ...]:
    """Return the names of the curves for ``runs``, by their label smoothing and answer lengths."""
    if not _has_lengths(runs[0]):
        return _OF_ONE_LENGTH
    return _OF_SMOOTHING if any(run.watched.label_smoothing for run in runs) else PLOTS


def played(run: TrainingRecording, name: str, plots: Collection[str] = PLOTS, *, late: int = 0) -> PlayerRun:
    """Return ``run`` under ``name``: the curves in ``plots``, and the patterns of frames from ``late`` on."""
    measured = curves_of(run)
    curves = {plot: measured[plot] for plot in plots if plot in measured}
    # Among a few tokens in fixed places, the scores would say nothing of a head.
    scores = {"previous": run.previous[late:], "induction": run.induction[late:]} if _has_lengths(run) else {}
    biases, similarity = (None if one is None else one[late:] for one in (run.distance_bias, run.position_similarity))
    return PlayerRun(name, run.steps, curves, scores, run.patterns[late:], biases, similarity)


def files_of(runs: Sequence[TrainingRecording], weights: Sequence[bytes]) -> list[File]:
    """Return the files of ``runs`` for the menu, with their final ``weights`` where there are any."""
    picture = partial(maps_as_gif, [run.patterns for run in runs], runs[0].steps, theme=theme(), caption=TEXT["step"])
    return [
        File(TEXT["download scores"], partial(scores_as_csv, runs), "training-scores.csv"),
        File(TEXT["download numbers"], partial(numbers_as_parquet, runs), "training.parquet"),
        File(TEXT["download frames"], partial(frames_as_npz, runs), "training.npz"),
        File(TEXT["download maps"], picture, "training.gif"),
        File(TEXT["download models"], partial(models_as_zip, runs, weights), "models.zip"),
    ]


def _has_lengths(run: TrainingRecording) -> bool:
    return find(run.watched.task).description.has_longer_inputs
