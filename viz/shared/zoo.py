"""The published zoo as all pages see it, cached for every session."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from model.architectures.decoder_only import DecoderOnly
from model.checkpoint import DamagedWeightsError
from model.device import use_one_thread
from model.tasks import length_tasks
from model.zoo.plan import ENCODINGS
from pretrained import zoo
from pretrained.zoo import ZooModel
from viz.base.words import listed, page_text
from viz.shared.shipped import cached_while_unchanged

TEXT = page_text("shared/zoo")
# More than the encodings of four tasks; a model takes less than a megabyte.
_MAX_NETWORKS = 64
_MAX_TASKS = 32


@cached_while_unchanged(lambda: [zoo.ZOO / zoo.RESULTS], max_entries=2)
def results() -> pd.DataFrame:
    """Return the published results, to be read and not changed; empty where nothing was published.

    Raises:
        OSError: they cannot be read.
        ValueError: they are damaged.
    """
    return zoo.zoo_results(zoo.ZOO)


@cached_while_unchanged(lambda: [zoo.ZOO / zoo.CRASP], max_entries=2)
def crasp_results() -> pd.DataFrame:
    """Return what the runs measured that test C-RASP's predictions; raises as :func:`results` does."""
    return zoo.crasp_results(zoo.ZOO)


@cached_while_unchanged(lambda _: [zoo.ZOO / zoo.INDEX], max_entries=_MAX_TASKS)
def shipped(task: str) -> tuple[ZooModel, ...]:
    """Return the shipped models of ``task``, in the order of the plan's encodings.

    Raises:
        DamagedWeightsError: the index is unreadable.
    """
    order = list(ENCODINGS)
    models = (model for model in zoo.shipped_zoo(zoo.ZOO) if model.run.task == task)
    return tuple(sorted(models, key=lambda model: order.index(model.run.encoding)))


def tasks_shipped() -> list[str]:
    """Return the tasks with shipped models; none where the index is unreadable, which the race says."""
    try:
        return [task for task in length_tasks() if shipped(task)]
    except DamagedWeightsError:
        return []


@cached_while_unchanged(lambda model: [weights_file(model)], max_entries=_MAX_NETWORKS, key=lambda model: model.sha256)
def network(model: ZooModel) -> DecoderOnly:
    """Return the network of ``model``, one for all sessions, loaded when it is first asked for.

    Raises:
        DamagedWeightsError: its weights are missing or not the recorded ones; the message names what trains it again.
    """
    use_one_thread()
    return zoo.load_zoo_model(model, zoo.ZOO)


def weights_file(model: ZooModel) -> Path:
    """Return where the weights of ``model`` lie."""
    return zoo.ZOO / model.file


def seed_text(models: Iterable[ZooModel]) -> str:
    """Return the sentence about the seeds of ``models``, one of each encoding."""
    return TEXT["of seed"].format(seeds=listed(map(str, sorted({model.run.seed for model in models}))))
