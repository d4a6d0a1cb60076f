"""Pictures and questions about length generalization: our own results of the zoo, and ranks."""

from dataclasses import dataclass

import pandas as pd

from model.zoo.plan import ENCODINGS as PLANNED
from pretrained import zoo
from viz.base.languages import worded
from viz.base.link_parameters import labelled
from viz.base.words import page_text
from viz.figures.cliff import Seeds, cliff
from viz.pages.start.drawing import chart
from viz.pages.start.stops import Answer, Numbers, Picture, PictureContent, PictureControl
from viz.pages.start.study.lengths import ENCODINGS, TASKS, TIMES, longest_trained, means_by_length, means_near, parted
from viz.pages.start.study.published import exact_match_by_seed, mean_reciprocal_rank
from viz.shared.encodings import planned_title
from viz.shared.model_words import task_title
from viz.shared.shipped import cached_while_unchanged

TEXT = page_text("pages/start/lengths")
_TASK = labelled("stop-task", worded(TASKS, task_title))
_RANKS = (1, 2, 5)


@dataclass(frozen=True)
class TrainedTask:
    """The task that the models were trained on."""

    name: str = _TASK.default


@cached_while_unchanged(lambda: [zoo.ZOO / zoo.RESULTS], max_entries=1)
def _results() -> pd.DataFrame:
    return zoo.zoo_results(zoo.ZOO)


def _seeds(task: str) -> dict[str, Seeds]:
    numbers = list(PLANNED)
    by_encoding = {name: exact_match_by_seed(_results(), task, name) for name in ENCODINGS}
    return {
        name: Seeds(lengths, values, numbers.index(name))
        for name, (lengths, values) in by_encoding.items()
        if len(lengths)
    }


def _lengths(task: TrainedTask) -> PictureContent:
    trained, seeds = longest_trained(_results(), task.name), _seeds(task.name)
    curves = chart(
        "lengths",
        TEXT["alt"].format(task=task_title(task.name), trained=trained),
        cliff(
            {planned_title(name): of_encoding for name, of_encoding in seeds.items()},
            longest_trained=trained,
            x_name=TEXT["length"],
            y_name=TEXT["exact match"],
            marked=TEXT["trained to"].format(length=trained),
            height=400,
        ),
    )
    return PictureContent(
        (curves,),
        TEXT["how"].format(n=max(len(of_encoding.values) for of_encoding in seeds.values())),
        parted(_results()).sentence(TEXT, "claim parted"),
    )


def longest_lasting(task: TrainedTask) -> Answer:
    """Return the encoding with the highest exact match far past the trained length."""
    nearest = means_near(_results(), task.name, TIMES * longest_trained(_results(), task.name))
    titles = {name: planned_title(name) for name in nearest}
    means = {titles[name]: mean for name, (_, mean) in nearest.items()}
    length = next(iter(nearest.values()))[0]
    best = max(means, key=lambda title: means[title])
    values = {"task": task_title(task.name), "length": length, "value": f"{means[best]:.2f}"}
    lengths, by_encoding = means_by_length(_results(), task.name)
    rows = {titles[name]: by_encoding[name] for name in nearest}
    return Answer(best, values, tuple(means), numbers=Numbers(tuple(map(str, lengths)), rows))


LENGTHS = Picture(_lengths, TrainedTask, lambda _: (PictureControl("name", _TASK, TEXT["task"], "list"),))


def mean_rank(_: object) -> Answer:
    """Return the mean reciprocal rank of one encoding on three tasks."""
    first, second, third = _RANKS
    return Answer(mean_reciprocal_rank(_RANKS), {"first": first, "second": second, "third": third}, within=0.02)
