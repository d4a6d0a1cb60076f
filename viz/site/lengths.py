"""Zoo results for the site's page on lengths: tasks one by one, a line for each encoding."""

from functools import partial
from typing import Any

import numpy as np

from model.tasks import find
from model.zoo.evaluate import LEARNED
from viz.base.colours import PALETTES, Theme
from viz.base.tokens import escape_plotly
from viz.base.words import listed, page_text
from viz.pages.length_generalization.accuracy import measured, near_twice, tasks_measured
from viz.pages.length_generalization.cliff import drawn_task, past_sentence, quiet_ones, task_alt
from viz.pages.length_generalization.names import encoding_title
from viz.pages.length_generalization.study.claims import past_training
from viz.shared.model_words import model_words, task_title
from viz.shared.zoo import results
from viz.site.figures import data_of, in_both_themes

_PLACES = 3


def lengths_of_tasks() -> dict[str, dict[str, Any]]:
    """Return, by task and in the language of whoever reads, what was measured on it; claims are Markdown."""
    return {task: _task(task) for task in tasks_measured(results())}


def _task(task: str) -> dict[str, Any]:
    table, described = results(), find(task).description
    of_task = measured(table, task)
    text, trained = page_text("pages/length_generalization/cliff"), of_task.longest_trained
    shown = of_task.compared
    named = {encoding_title(name): seeds for name, seeds in shown.items()}
    lengths = sorted({int(length) for seeds in shown.values() for length in seeds.lengths})
    # A line is drawn alike whichever others stand beside it, and a figure of each alone would take ten times as long.
    one_by_one = drawn_task(task, named, trained, ())
    coloured = {theme: data_of(one_by_one, theme)["data"] for theme in PALETTES}

    def alone(name: str, theme: Theme) -> list[Any]:
        return [trace for trace in coloured[theme] if trace["legendgroup"] == escape_plotly(encoding_title(name))]

    failed = [f"{encoding_title(name)} ({value:.2f})" for name, value in of_task.not_learned.items()]
    quiet = quiet_ones(shown, trained)
    return {
        "title": task_title(task),
        "explanation": model_words(described.explanation),
        "x": text["length"].format(unit=model_words(described.unit)),
        "claim": past_sentence(past_training(table, task)),
        "failed": text["not learned"].format(encodings=listed(failed), least=LEARNED) if failed else "",
        "lengths": lengths,
        "opens_at": near_twice(lengths, trained),
        "alt": task_alt(task, "{encodings}", longest=lengths[-1], trained=trained),
        "figures": in_both_themes(partial(data_of, drawn_task(task, named, trained, quiet))),
        "encodings": {
            name: {
                "title": encoding_title(name),
                "swatch": seeds.look.swatch,
                "lengths": [int(length) for length in seeds.lengths],
                "seeds": [[_rounded(value) for value in row] for row in seeds.values.tolist()],
                "traces": in_both_themes(partial(alone, name)),
            }
            for name, seeds in shown.items()
        },
    }


def _rounded(value: float) -> float | None:
    return None if np.isnan(value) else round(value, _PLACES)
